import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { FREE_TRIES, MAX_DELAY_S } from '../domain/guess-limits.js';

/** After this long without a try an account starts anew; of strangers, a day after the first that is counted. */
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

/**
 * All strangers together: `next_at` runs ahead of the clock by what they have used of their budget, which fills evenly.
 * $2: the seconds of one try. $3: how far it may run ahead.
 */
const COUNT_TOGETHER = `
  INSERT INTO guess_delay AS g (subject, failures, next_at) VALUES ($1, 1, clock_timestamp() + make_interval(secs => $2))
  ON CONFLICT (subject) DO UPDATE SET
    failures = CASE WHEN g.counted_from < clock_timestamp() - ${FORGET} THEN 1 ELSE g.failures + 1 END,
    counted_from = CASE WHEN g.counted_from < clock_timestamp() - ${FORGET} THEN clock_timestamp() ELSE g.counted_from END,
    next_at = greatest(g.next_at, clock_timestamp()) + make_interval(secs => $2)
  WHERE g.next_at <= clock_timestamp() + make_interval(secs => $3)
  RETURNING failures`;

/** A try that came later keeps its wait. $2: how many there were with the one that is taken back. */
const UNCOUNT = `
  UPDATE guess_delay SET failures = failures - 1,
    next_at = CASE WHEN failures = $2 THEN clock_timestamp() ELSE next_at END
  WHERE subject = $1 AND failures > 0`;

const GIVE_BACK = `
  UPDATE guess_delay SET failures = greatest(failures - 1, 0), next_at = next_at - make_interval(secs => $2)
  WHERE subject = $1`;

const WAIT = `
  SELECT ceil(extract(epoch FROM next_at - clock_timestamp()) - $2)::integer AS "waitS" FROM guess_delay
  WHERE subject = $1`;

/** How often was guessed at what, and from when on the next try is looked at. */
@Injectable()
export class GuessDelaysRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns wrong tries by now, with this one; `null` for one that is not looked at, which does not count */
  async count(subject: string): Promise<number | null> {
    const [row] = await this.dataSource.query<{ failures: number }[]>(COUNT, [subject]);
    return row?.failures ?? null;
  }

  /** As if the try had never been. @param tries what `count` returned of it */
  async uncount(subject: string, tries: number): Promise<void> {
    await this.dataSource.query(UNCOUNT, [subject, tries]);
  }

  /**
   * @param tryS what a try costs of the budget
   * @param aheadS how much of it may be used at once
   * @returns tries of the day that began with the first of them, however slowly they came; `null` once the budget is used up
   */
  async countTogether(subject: string, tryS: number, aheadS: number): Promise<number | null> {
    const [row] = await this.dataSource.query<{ failures: number }[]>(COUNT_TOGETHER, [
      subject,
      tryS,
      aheadS,
    ]);
    return row?.failures ?? null;
  }

  async giveBack(subject: string, tryS: number): Promise<void> {
    await this.dataSource.query(GIVE_BACK, [subject, tryS]);
  }

  async forget(subject: string, within: EntityManager = this.dataSource.manager): Promise<void> {
    await within.query('DELETE FROM guess_delay WHERE subject = $1', [subject]);
  }

  /** @returns seconds, which may be over already; `null` where nothing is counted */
  async waitS(subject: string, aheadS: number): Promise<number | null> {
    const [row] = await this.dataSource.query<{ waitS: number }[]>(WAIT, [subject, aheadS]);
    return row?.waitS ?? null;
  }
}
