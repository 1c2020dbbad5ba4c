import { visibleText } from '../../../kernel/text/visible-text.js';
import type { PendingInvitation, SignedIn } from '../../accounts/accounts.types.js';
import { moment } from '../domain/times.js';
import { placeIn } from '../language/roles.js';
import type { Say } from '../language/say.js';
import type { PageModel } from '../session/request-context.js';

export function invitationsView(
  say: Say,
  who: SignedIn,
  pending: readonly PendingInvitation[],
  canMail: boolean,
): PageModel {
  return {
    title: say('Invitations'),
    isProven: who.isEmailProven,
    canMail,
    email: who.email,
    invitations: pending.map((one) => ({ id: one.id, ...told(say, one) })),
  };
}

export function byLinkView(say: Say, invitation: PendingInvitation, token: string): PageModel {
  const place = placeIn(say, invitation);
  return {
    title: say('Join {place}', { place }),
    token,
    submit: say('Accept|an invitation'),
    isProof: false,
    ...told(say, invitation),
  };
}

export function proofView(say: Say, { email }: SignedIn, token: string): PageModel {
  return {
    title: say('Confirm your address'),
    token,
    submit: say('This address is mine'),
    isProof: true,
    email,
  };
}

function told(say: Say, { invitedBy, expiresAt, ...place }: PendingInvitation) {
  return {
    place: placeIn(say, place),
    invitedBy: invitedBy === 'cli' ? say('the operator') : visibleText(invitedBy),
    expires: moment(expiresAt),
  };
}
