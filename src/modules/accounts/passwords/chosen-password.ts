import { type DomainError, wrongField } from '../../../kernel/domain-error.js';
import { flawOfPassword, normalPassword } from './domain/password-policy.js';
import { hashPassword } from './password-hashing.js';
import { isGuessable } from './password-strength.js';

/**
 * A password that a person has chosen.
 * @param names what else is known of them: their merchants
 * @returns its hash
 * @throws DomainError `validation-error` saying what is wrong with the password; NoPlace
 */
export async function hashOfChosen(
  password: string,
  email: string,
  names: readonly string[],
): Promise<string> {
  possiblePassword(password, email);
  if (await isGuessable(normalPassword(password), email, [email, ...names]))
    throw wrongField(
      'next',
      'This password is one of the first that somebody would guess. Use another one, such as a sentence of your own.',
    );
  return hashPassword(password, email);
}

/** What a person might use, guessable or not. @throws DomainError `validation-error` saying what is wrong with it */
export function possiblePassword(password: string, email: string): string {
  const flaw = flawOfPassword(password, email);
  if (flaw !== null) throw wrongField('next', flaw);
  return password;
}

/** The one that an operator's reset took off, too: it opens nothing any more. */
export function refusedAsLast(): DomainError {
  return wrongField('next', 'This is the last password of this account. Choose another one.');
}

export function refusedAsPresent(): DomainError {
  return wrongField('next', 'This is the present password. Choose another one.');
}
