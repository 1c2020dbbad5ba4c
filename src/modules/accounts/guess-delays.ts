import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError } from '../../kernel/domain-error.js';

/** Slips of the finger that cost nothing. */
const FREE_TRIES = 3;
/** Then 1 s, 2 s, 4 s … up to a quarter of an hour: a guesser gets about a hundred tries a day, and nobody is locked out. */
const MAX_DELAY_S = 900;
/** After this long without a try an account starts anew. */
const FORGET = `interval '1 day'`;

/** One statement decides and counts, so that tries at the same moment cannot all be the first. */
const COUNT = `
  INSERT INTO guess_delay AS g (subject, failures, next_at) VALUES ($1, 1, clock_timestamp())
  ON CONFLICT (subject) DO UPDATE SET
    failures = CASE WHEN g.next_at < clock_timestamp() - ${FORGET} THEN 1 ELSE g.failures + 1 END,
    next_at = clock_timestamp() + make_interval(secs => CASE
      WHEN g.next_at < clock_timestamp() - ${FORGET} OR g.failures + 1 < ${FREE_TRIES} THEN 0
      ELSE least(${MAX_DELAY_S}, power(2, least(g.failures + 1 - ${FREE_TRIES}, 20))) END)
  WHERE g.next_at <= clock_timestamp()
  RETURNING failures`;

/** Tries at one account's password or code, counted for all instances together. */
@Injectable()
export class GuessDelays {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Counts a try before it is looked at; a right one is taken back by `forget`.
   * @param kind what is guessed; @param account an e-mail address or id, known to us or not: both wait alike
   * @throws DomainError `rate-limit-exceeded` while the account has to wait
   */
  async count(kind: 'password' | 'code', account: string): Promise<void> {
    const subject = subjectOf(kind, account);
    const counted = await this.dataSource.query<unknown[]>(COUNT, [subject]);
    if (counted.length > 0) return;
    const [row] = await this.dataSource.query<{ waitS: number }[]>(
      `SELECT ceil(extract(epoch FROM next_at - clock_timestamp()))::integer AS "waitS" FROM guess_delay WHERE subject = $1`,
      [subject],
    );
    const waitS = Math.max(1, row?.waitS ?? 1);
    throw new DomainError(
      'throttled',
      'rate-limit-exceeded',
      `Too many tries. Wait ${waitText(waitS)}, then try again.`,
      {
        headers: { 'Retry-After': String(waitS) },
      },
    );
  }

  async forget(kind: 'password' | 'code', account: string): Promise<void> {
    await this.dataSource.query('DELETE FROM guess_delay WHERE subject = $1', [subjectOf(kind, account)]);
  }
}

/** Hashed: what strangers type into the form is not kept. */
function subjectOf(kind: string, account: string): string {
  return `${kind}:${createHash('sha256').update(account).digest('base64url')}`;
}

function waitText(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
