/** RFC 5321's limit for a path, without its brackets. */
const MAX_LENGTH = 254;

/** One plain address, in printable ASCII: nothing that could add a second one, a name, or a header. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text);
}
