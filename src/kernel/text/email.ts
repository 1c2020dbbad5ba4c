/** RFC 5321's limit for a path, without its brackets. */
const MAX_LENGTH = 254;
/** One @ and a dot or none behind it (`localhost`); no blank, and nothing that could add a second address, a name or a header. */
const ADDRESS = /^[^\s@<>"(),:;[\]\\\0]+@[^\s@<>"(),:;[\]\\\0]+$/u;
const IN_ASCII = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)*$/i;

/** One address, of any script (`jürg@käse.example`): whether it exists only a mail can tell. */
export function isEmailOfAnyScript(text: string): boolean {
  return text.length <= MAX_LENGTH && text.isWellFormed() && ADDRESS.test(text);
}

/** One that every mail server takes: printable ASCII alone, and a domain as names of hosts are. */
export function isEmail(text: string): boolean {
  return isEmailOfAnyScript(text) && IN_ASCII.test(text);
}

/** What opens a new mail to one: in a URI some of its characters would mean something else. */
export function mailtoHref(email: string): string {
  return `mailto:${email.split('@').map(encodeURIComponent).join('@')}`;
}
