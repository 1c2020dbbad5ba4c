import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { IS_OPEN_LINK } from './standing.sql.js';

/** $3: only those that were delivered so; `null`: all. */
const END_RESETS = `
  UPDATE one_time_link l SET expires_at = clock_timestamp(), ended_as = $2
  WHERE email = $1 AND kind = 'reset' AND ($3::text IS NULL OR delivered_to = $3) AND ${IS_OPEN_LINK} RETURNING 1`;

/** The one-time links that set the password of an account. */
@Injectable()
export class ResetLinksRepository {
  /**
   * Those of an address that are open set none any more.
   * @param deliveredTo `inviter`: only those that whoever made them was shown; `null`: all
   * @returns how many there were
   */
  async end(
    tx: EntityManager,
    email: string,
    as: 'replaced' | 'withdrawn' = 'replaced',
    deliveredTo: 'inviter' | null = null,
  ): Promise<number> {
    const [ended] = await tx.query<[unknown[], number]>(END_RESETS, [email, as, deliveredTo]);
    return ended.length;
  }
}
