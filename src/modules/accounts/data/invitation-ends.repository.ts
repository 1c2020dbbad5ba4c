import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Role } from '../accounts.types.js';
import { INVITATION_STANDS, IS_OPEN_LINK } from './standing.sql.js';

const endingOf = (which: string) => `
  UPDATE one_time_link l SET expires_at = clock_timestamp(), ended_as = 'withdrawn'
  WHERE l.kind = 'invitation' AND ${IS_OPEN_LINK} AND ${which}
  RETURNING l.email, l.merchant_id AS "merchantId", l.role, l.created_by AS "invitedBy"`;

const END = {
  /** To a merchant, by whoever could not make it any more. */
  fallenAt: endingOf(`l.merchant_id = $1 AND NOT ${INVITATION_STANDS}`),
  /** Of a person, to whichever merchant or to run the instance, that they could not make any more. */
  fallenOf: endingOf(`l.invited_by = $1 AND NOT ${INVITATION_STANDS}`),
  /** All that a person made. */
  madeBy: endingOf('l.invited_by = $1'),
  /** By which an address would be an operator's, whoever made it. */
  offersToOperate: endingOf('l.email = $1 AND l.is_operator'),
} as const;

/** An invitation that ended without anybody having named it. */
export interface EndedInvitation {
  readonly email: string;
  readonly merchantId: string | null;
  readonly role: Role | null;
  readonly invitedBy: string;
}

/** Open invitations that end with something else. */
@Injectable()
export class InvitationEndsRepository {
  /** @param of the merchant's id, the person's, or the address */
  async end(tx: EntityManager, which: keyof typeof END, of: string): Promise<EndedInvitation[]> {
    const [ended] = await tx.query<[EndedInvitation[], number]>(END[which], [of]);
    return ended;
  }
}
