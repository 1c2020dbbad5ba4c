import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from 'viem';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { runtime } from '../runtime.js';
import type { Stage } from '../stage.js';
import type { Row } from '../table.js';
import { type Subject, subjects } from '../turns.js';
import { transfer } from './chains-rows.js';
import { pickedIntent } from './checkout-rows.js';

/** So many buyers come and pay at once, in one block. */
const AT_ONCE = 20;
const BLOCK_MS = 200;

/**
 * What the service's processor does for a payment from its creation until it is settled and its endpoint has been told of each
 * status: the watcher, the jobs and what it does at rest included.
 */
export async function payment(stage: Stage): Promise<Row[]> {
  const batches = stage.quick ? 1 : 15;
  const anvil = await startTestAnvil();
  stage.onClear(() => anvil.stop());
  const receiver = stage.helper('receiver-process.mjs');
  const port = await receiver.call<number>('listen');
  const all = await subjects(
    stage,
    { chain: anvil },
    () => Promise.resolve({ cpuMs: [] as number[], buyers: 0 }),
    `http://127.0.0.1:${port}/hook`,
  );
  // A process that has just started still compiles.
  for (const each of all) await costOf(each, anvil, 1);
  for (let i = 0; i < stage.repeats; i += 1)
    for (const each of all) each.cpuMs.push(await costOf(each, anvil, batches));
  const [ours, beside] = all;
  return [
    {
      name: 'a payment, created, paid, settled and told of: processor',
      unit: 'ms',
      values: ours.cpuMs,
      ceiling: beside ? { what: 'the other checkout', values: beside.cpuMs } : null,
    },
  ];
}

/** @returns milliseconds of the processor for each */
async function costOf(
  subject: Subject & { buyers: number },
  anvil: TestAnvil,
  batches: number,
): Promise<number> {
  const { service, key, pool } = subject;
  const before = await runtime(service.url);
  const paid: string[] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    const buyers = Array.from({ length: AT_ONCE }, () => (subject.buyers += 1));
    const ids = await Promise.all(buyers.map((n) => pickedIntent(service, key, n)));
    const { rows } = await pool.query<{ address: Address; atoms: string }>(
      'SELECT address, amount_atoms AS atoms FROM quote WHERE intent_id = ANY ($1)',
      [ids],
    );
    for (const { address, atoms } of rows) await transfer(anvil, address, BigInt(atoms));
    await anvil.testClient.mine({ blocks: 1 });
    paid.push(...ids);
  }
  for (;;) {
    await anvil.testClient.mine({ blocks: 1 });
    await sleep(BLOCK_MS);
    const { rows } = await pool.query<{ open: number }>(
      `SELECT (SELECT count(*) FROM intent WHERE id = ANY ($1) AND status <> 'settled')::int
              + (SELECT count(*) FROM delivery WHERE state <> 'delivered')::int AS open`,
      [paid],
    );
    if (rows[0]!.open === 0) break;
  }
  return ((await runtime(service.url)).cpuMs - before.cpuMs) / paid.length;
}
