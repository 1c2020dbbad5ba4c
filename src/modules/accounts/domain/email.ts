import { wrongField } from '../../../kernel/domain-error.js';
import { isEmailOfAnyScript } from '../../../kernel/text/email.js';

/** The one spelling under which an address is stored and looked up. */
export function normalEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** @throws DomainError `validation-error` */
export function checkedEmail(text: string): string {
  const email = normalEmail(text);
  if (isEmailOfAnyScript(email)) return email;
  throw wrongField('email', 'This is not an e-mail address.');
}
