import { wrongField } from '../../../kernel/domain-error.js';

const MAX_LENGTH = 254;
/** One @, no space or control, a dot or none behind it (`localhost`): whether it exists only a mail can tell. */
const SHAPE = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+$/u;

/** The one spelling under which an address is stored and looked up. */
export function normalEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** @throws DomainError `validation-error` */
export function checkedEmail(text: string): string {
  const email = normalEmail(text);
  if (SHAPE.test(email) && email.length <= MAX_LENGTH && email.isWellFormed() && !email.includes('\0'))
    return email;
  throw wrongField('email', 'This is not an e-mail address.');
}
