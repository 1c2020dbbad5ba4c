import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ActingSession, Membership } from '../accounts.types.js';
import { IS_OPEN_TO_ITS_PEOPLE } from './standing.sql.js';

const PART_OF = `
  SELECT p.is_operator AS "isOperator",
         (SELECT json_build_object('role', ms.role) FROM membership ms JOIN merchant m ON m.id = ms.merchant_id
          WHERE ms.person_id = p.id AND ms.merchant_id = $2 AND ${IS_OPEN_TO_ITS_PEOPLE}) AS membership
  FROM session s JOIN person p ON p.id = s.person_id WHERE s.id = $1 AND s.stage = 'full'`;

/** What whoever acts in a session is by now. */
export interface ActingPart {
  readonly isOperator: boolean;
  /** To the merchant for which the change was let in; `null` where they are nothing to it any more, or it is for none. */
  readonly membership: Pick<Membership, 'role'> | null;
}

/** Sessions in which changes are made, as they are when a change is recorded. */
@Injectable()
export class ActingSessionsRepository {
  /**
   * As committed by now. Nothing is locked: a session that ends at the same moment ends after the change.
   * @returns `null` for a session that has ended
   */
  async part(tx: EntityManager, { id, merchantId }: ActingSession): Promise<ActingPart | null> {
    const [row] = await tx.query<ActingPart[]>(PART_OF, [id, merchantId]);
    return row ?? null;
  }
}
