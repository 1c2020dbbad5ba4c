import { DomainError } from '../../../kernel/domain-error.js';
import type { SignedIn } from '../../accounts/accounts.types.js';
import type { Form } from '../domain/form.js';

/**
 * A form is for the merchant that its page showed (`shown`, beside the token). The session may look at another by now: after a switch
 * in another tab, or where the person has been removed from the first.
 * @throws DomainError `conflict`
 */
export function requireShown(form: Form, { memberships, membership }: SignedIn): void {
  const shown = form.raw('shown');
  if (membership && shown === membership.merchantId) return;
  const name = memberships.find(({ merchantId }) => merchantId === shown)?.merchantName;
  const other = membership?.merchantName;
  const conflict = (text: string) => new DomainError('conflict', 'conflict', text);
  if (name && other) throw conflict(`This form was for “${name}”, and you look at “${other}” now.`);
  if (shown !== '') throw conflict('This form was for a merchant that you do not belong to any more.');
  // Of a page that was drawn before forms said it.
  throw conflict('This form is out of date. Load its page again.');
}
