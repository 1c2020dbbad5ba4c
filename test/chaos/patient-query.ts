import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, QueryResultRow } from 'pg';
import { isUnreachable } from '../../src/platform/problems/unreachable.js';

const ASKED_FOR_MS = 120_000;

/**
 * What the database answers, once it does: a test that cuts connections has its own among them.
 * @param values of a statement that may run twice, because nobody heard of the first time
 * @throws what no outage explains, at once
 */
export async function patientRows<Row extends QueryResultRow>(
  pool: Pool,
  text: string,
  values: readonly unknown[] = [],
  askedForMs = ASKED_FOR_MS,
): Promise<Row[]> {
  const deadline = Date.now() + askedForMs;
  for (;;) {
    try {
      return (await pool.query<Row>(text, [...values])).rows;
    } catch (error) {
      if (!isUnreachable(error) || Date.now() > deadline) throw error;
      await pause(50);
    }
  }
}
