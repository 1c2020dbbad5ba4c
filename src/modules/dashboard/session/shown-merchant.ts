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
  // One of a page from before forms said it has none.
  let text = 'This form is out of date. Load its page again.';
  if (shown !== '') text = 'This form was for a merchant that you do not belong to any more.';
  if (name && membership)
    text = `This form was for “${name}”, and you look at “${membership.merchantName}” now.`;
  throw new DomainError('conflict', 'conflict', text);
}
