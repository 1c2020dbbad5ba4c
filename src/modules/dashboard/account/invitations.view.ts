import { visibleText } from '../../../kernel/visible-text.js';
import { placeText, type PendingInvitation, type SignedIn } from '../../accounts/accounts.types.js';
import { moment } from '../domain/times.js';
import type { PageModel } from '../session/request-context.js';

export function invitationsView(
  who: SignedIn,
  pending: readonly PendingInvitation[],
  canMail: boolean,
): PageModel {
  return {
    title: 'Invitations',
    isProven: who.isEmailProven,
    canMail,
    email: who.email,
    invitations: pending.map((one) => ({ id: one.id, ...told(one) })),
  };
}

export function byLinkView(invitation: PendingInvitation, token: string): PageModel {
  const place = placeText(invitation);
  return { title: `Join ${place}`, token, submit: 'Accept', isProof: false, ...told(invitation) };
}

export function proofView({ email }: SignedIn, token: string): PageModel {
  return { title: 'Confirm your address', token, submit: 'This address is mine', isProof: true, email };
}

function told({ invitedBy, expiresAt, ...place }: PendingInvitation) {
  return {
    place: placeText(place),
    invitedBy: invitedBy === 'cli' ? 'the operator' : visibleText(invitedBy),
    expires: moment(expiresAt),
  };
}
