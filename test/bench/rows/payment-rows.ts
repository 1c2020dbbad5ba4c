import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from 'viem';
import { COUNTED_BLOCKS } from '../../../src/config/depths.js';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { profiled } from '../profile.js';
import type { Stage } from '../stage.js';
import type { Row } from '../table.js';
import { type Cost, costOfEach, eachOf, OTHER, spent, type Subject, subjects } from '../turns.js';
import { transfer } from './chains-rows.js';
import { pickedIntent } from './checkout-rows.js';

/** So many buyers come and pay at once, in one block. */
const AT_ONCE = 20;
const BLOCK_MS = 200;

/**
 * What the processor does for a payment from its creation until it is settled and its endpoint has been told of each status, in the
 * service and in PostgreSQL: the watcher, the jobs and what they do at rest included, and all that is done for it until its money
 * is final.
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
    () => Promise.resolve({ buyers: 0 }),
    `http://127.0.0.1:${port}/hook`,
  );
  const runs = eachOf(all, (each) => costOf(each, anvil, batches));
  // A process that has just started still compiles.
  for (const run of runs) await run();
  const [ours = [], beside] = runs.map((): Cost[] => []);
  for (let i = 0; i < stage.repeats; i += 1) {
    ours.push(await runs[0]());
    beside?.push(await runs[1]!());
  }
  const row = (what: string, of: (cost: Cost) => number | null): Row => {
    const known = (costs: readonly Cost[]) => costs.flatMap((cost) => of(cost) ?? []);
    return {
      name: `a payment, created, paid, settled and told of: ${what}`,
      unit: 'ms',
      values: known(ours),
      ceiling: beside ? { what: OTHER, values: known(beside) } : null,
    };
  };
  const rows = [
    row('processor', ({ service }) => service),
    // With what this row itself asks.
    row("PostgreSQL's processor", ({ server }) => server),
  ];
  return rows.filter(({ values }) => values.length > 0);
}

/** For each payment. */
async function costOf(
  subject: Subject & { buyers: number },
  anvil: TestAnvil,
  batches: number,
): Promise<Cost> {
  const { service } = subject;
  await untilNothingIsLeft(subject, anvil);
  const before = await spent(subject);
  const paid = await profiled(service, () => untilPaidAndFinal(subject, anvil, batches));
  return costOfEach(before, await spent(subject), paid);
}

/** @returns how many */
async function untilPaidAndFinal(
  subject: Subject & { buyers: number },
  anvil: TestAnvil,
  batches: number,
): Promise<number> {
  const { service, key, pool } = subject;
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
  const untold = `SELECT (SELECT count(*) FROM intent WHERE id = ANY ($1) AND status <> 'settled')::int
                         + (SELECT count(*) FROM delivery WHERE state <> 'delivered')::int AS open`;
  await mineUntilNone(subject, anvil, untold, [paid]);
  await untilNothingIsLeft(subject, anvil);
  return paid.length;
}

/** Nothing gets deeper any more, and all that did is decided: what is asked from here on is for nothing that came before. */
async function untilNothingIsLeft(subject: Subject, anvil: TestAnvil): Promise<void> {
  await anvil.testClient.mine({ blocks: COUNTED_BLOCKS });
  const unfinal = `SELECT (SELECT count(*) FROM transfer WHERE NOT final)::int
                          + (SELECT count(*) FROM fact_change)::int AS open`;
  await mineUntilNone(subject, anvil, unfinal, []);
}

/** @param counting SQL, whose one row says how many are `open` */
async function mineUntilNone(
  { pool }: Subject,
  anvil: TestAnvil,
  counting: string,
  values: readonly unknown[],
): Promise<void> {
  for (;;) {
    await anvil.testClient.mine({ blocks: 1 });
    await sleep(BLOCK_MS);
    const { rows } = await pool.query<{ open: number }>(counting, [...values]);
    if (rows[0]!.open === 0) return;
  }
}
