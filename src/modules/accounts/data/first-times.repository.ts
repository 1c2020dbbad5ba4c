import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** Of those who ask at the same moment one is the first. $2: for so many seconds nobody else is. */
const ONCE = `
  INSERT INTO guess_delay AS g (subject, failures, next_at) VALUES ($1, 1, clock_timestamp() + make_interval(secs => $2))
  ON CONFLICT (subject) DO UPDATE SET next_at = excluded.next_at WHERE g.next_at <= clock_timestamp()
  RETURNING 1`;

/** What strangers can bring about is said once in a while only, by all instances together. */
@Injectable()
export class FirstTimesRepository {
  /**
   * @param of whom it is said
   * @returns whether it is the first time in so many seconds, which it then is if `tx` commits
   */
  async isFirst(tx: EntityManager, said: string, of: string, inS: number): Promise<boolean> {
    return (await tx.query<unknown[]>(ONCE, [saidOf(said, of), inS])).length > 0;
  }

  /** Whatever was said does not hold any more: the next time is the first. */
  async forget(tx: EntityManager, said: string, of: string): Promise<void> {
    await tx.query('DELETE FROM guess_delay WHERE subject = $1', [saidOf(said, of)]);
  }
}

function saidOf(said: string, of: string): string {
  return `said:${said}:${createHash('sha256').update(of).digest('base64url')}`;
}
