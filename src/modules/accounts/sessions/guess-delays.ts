import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError } from '../../../kernel/domain-error.js';
import { FREE_TRIES, MAX_DELAY_S, STRANGERS, type Guessed, type Guesser } from './domain/guess-limits.js';

/** After this long without a try an account starts anew. */
const FORGET = `interval '1 day'`;
const DAY_S = 86_400;

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

/**
 * All strangers together: `next_at` runs ahead of the clock by what they have used of their budget, which fills evenly.
 * $2: the seconds of one try. $3: how far it may run ahead.
 */
const COUNT_TOGETHER = `
  INSERT INTO guess_delay AS g (subject, failures, next_at) VALUES ($1, 1, clock_timestamp() + make_interval(secs => $2))
  ON CONFLICT (subject) DO UPDATE SET
    failures = CASE WHEN g.next_at < clock_timestamp() THEN 1 ELSE g.failures + 1 END,
    next_at = greatest(g.next_at, clock_timestamp()) + make_interval(secs => $2)
  WHERE g.next_at <= clock_timestamp() + make_interval(secs => $3)
  RETURNING failures`;

/** A try at one account's password or code, counted before it was looked at. */
export interface Guess {
  /** How many strangers have had of the account's budget by now; 0 for whoever is no stranger. */
  readonly byStrangers: number;
  /** It was right. */
  forgive(): Promise<void>;
}

/**
 * Who guesses waits, and nobody else: tries are counted for each session, each known browser and each address by itself,
 * and those of all strangers together against a budget. Counted for all instances together.
 */
@Injectable()
export class GuessDelays {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * @param account an e-mail address or id, known to us or not: both wait alike
   * @throws DomainError `rate-limit-exceeded` while this guesser, or every stranger, has to wait
   */
  async count(guessed: Guessed, account: string, guesser: Guesser): Promise<Guess> {
    const own = subjectOf(`${guessed}:${guesser.kind}`, `${account}|${guesser.id}`);
    if ((await this.dataSource.query<unknown[]>(COUNT, [own])).length === 0) throw await this.tooMany(own, 0);
    const forgiveOwn = () => this.dataSource.query('DELETE FROM guess_delay WHERE subject = $1', [own]);
    if (guesser.kind !== 'stranger')
      return { byStrangers: 0, forgive: async () => void (await forgiveOwn()) };
    const { perDay, atOnce } = STRANGERS[guessed];
    const [all, tryS] = [subjectOf(`${guessed}:strangers`, account), DAY_S / perDay];
    const [counted] = await this.dataSource.query<{ failures: number }[]>(COUNT_TOGETHER, [
      all,
      tryS,
      tryS * (atOnce - 1),
    ]);
    if (!counted) throw await this.tooMany(all, tryS * (atOnce - 1));
    const forgive = async () => {
      await forgiveOwn();
      // Only its own try: a right one must not give a botnet its budget back.
      await this.dataSource.query(
        `UPDATE guess_delay SET failures = greatest(failures - 1, 0), next_at = next_at - make_interval(secs => $2)
         WHERE subject = $1`,
        [all, tryS],
      );
    };
    return { byStrangers: counted.failures, forgive };
  }

  /** Whatever was guessed so far: the password is another one now. */
  async forgetStrangers(guessed: Guessed, account: string): Promise<void> {
    await this.dataSource.query('DELETE FROM guess_delay WHERE subject = $1', [
      subjectOf(`${guessed}:strangers`, account),
    ]);
  }

  private async tooMany(subject: string, aheadS: number): Promise<DomainError> {
    const [row] = await this.dataSource.query<{ waitS: number }[]>(
      `SELECT ceil(extract(epoch FROM next_at - clock_timestamp()) - $2)::integer AS "waitS" FROM guess_delay
       WHERE subject = $1`,
      [subject, aheadS],
    );
    const waitS = Math.max(1, row?.waitS ?? 1);
    const text = `Too many tries. Wait ${waitText(waitS)}, then try again.`;
    return new DomainError('throttled', 'rate-limit-exceeded', text, {
      headers: { 'Retry-After': String(waitS) },
    });
  }
}

/** Hashed: what strangers type into the form is not kept. */
function subjectOf(kind: string, of: string): string {
  return `${kind}:${createHash('sha256').update(of).digest('base64url')}`;
}

function waitText(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
