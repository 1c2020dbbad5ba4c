/** Invitations of the last 24 hours, this one not among them. */
export interface RecentInvitations {
  readonly byInviter: number;
  readonly byMerchant: number;
  readonly toAddress: number;
}

/** More than the busiest day of a new team; each is a mail that somebody gets from us. */
const INVITATIONS_PER_INVITER = 20;
const INVITATIONS_PER_MERCHANT = 30;
/** Of all merchants together: a mailbox that nobody asked is not to be filled. */
const INVITATIONS_PER_ADDRESS = 5;

/** Why nobody may be invited now, in a sentence; `null` when they may. */
export function flawOfInvitation({ byInviter, byMerchant, toAddress }: RecentInvitations): string | null {
  if (toAddress >= INVITATIONS_PER_ADDRESS)
    return `This address was invited ${INVITATIONS_PER_ADDRESS} times today. Try again tomorrow.`;
  if (byInviter >= INVITATIONS_PER_INVITER)
    return `You have invited ${INVITATIONS_PER_INVITER} people today. Try again tomorrow.`;
  if (byMerchant >= INVITATIONS_PER_MERCHANT)
    return `This merchant has invited ${INVITATIONS_PER_MERCHANT} people today. Try again tomorrow.`;
  return null;
}
