import { setTimeout as pause } from 'node:timers/promises';
import { Client, type QueryResultRow } from 'pg';
import { isUnreachable } from '../../src/platform/problems/unreachable.js';

const ASKED_FOR_MS = 120_000;

/**
 * What the database answers, once it does. Each time on a connection of its own, so that none is asked that a test has cut.
 * @param values of a statement that may run twice, because nobody heard of the first time
 * @throws what no outage explains, at once
 */
export async function patientRows<Row extends QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: readonly unknown[] = [],
  askedForMs = ASKED_FOR_MS,
): Promise<Row[]> {
  const deadline = Date.now() + askedForMs;
  for (;;) {
    try {
      return await rowsOnce<Row>(databaseUrl, text, values);
    } catch (error) {
      if (!isUnreachable(error) || Date.now() > deadline) throw error;
      await pause(50);
    }
  }
}

async function rowsOnce<Row extends QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl });
  // Who asks is told by what they asked.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
