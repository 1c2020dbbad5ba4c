import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { type Address, numberToHex } from 'viem';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { rpc } from '../../support/nodes/node-rpc.js';
import type { ServiceProcess } from '../../support/service/service-process.js';
import { ATOMS_OF_OPEN, fillOpen } from '../fill.js';
import type { Helper } from '../helper.js';
import { runtime } from '../runtime.js';
import { SERVICE_CORE, type Stage } from '../stage.js';
import { type Row, thousands } from '../table.js';
import { askAndWrite, catchUp, fetchAll, PAYER, STRANGER, transfer } from './chains-rows.js';

const SENT_AT_ONCE = 50;
const LOOK_EVERY_MS = 5;
const GAS_OF_A_TRANSFER = 100_000;

/** So many full blocks come while the service is stopped, each with one payment of ours: four of the watcher's growing steps. */
const MISSED_BLOCKS = 150;

interface Shop {
  readonly service: ServiceProcess;
  readonly pool: Pool;
  readonly merchantId: string;
}

/**
 * From a block of 2,000 token transfers to the new status of the intents that it pays, by how many addresses have been issued
 * and by how many of the transfers pay an intent. What was paid before becomes deeper by each block, and settles meanwhile. Then
 * how fast it catches up with such blocks, and what the process holds.
 */
export async function watched(stage: Stage): Promise<Row[]> {
  const [counts, transfers, paid] = stage.quick
    ? [[10, 100], 20, [0, 2]]
    : [[1_000, 100_000, 1_000_000], 2_000, [0, 10, 500]];
  const anvil = await startTestAnvil();
  stage.onClear(() => anvil.stop());
  await rpc(anvil.rpcUrl, 'evm_setBlockGasLimit', [numberToHex(transfers * GAS_OF_A_TRANSFER + 10_000_000)]);
  const rows: Row[] = [];
  for (const count of counts) {
    const round = stage.nested();
    try {
      const shop = await shopOf(round, anvil, count);
      const asking = round.helper('raw-node.mjs', SERVICE_CORE);
      const memory = { residentKB: [] as number[], heapKB: [] as number[] };
      for (const ours of paid) {
        const [statusMs, leastMs]: [number[], number[]] = [[], []];
        for (let i = 0; i < stage.repeats; i += 1) {
          statusMs.push(await statusesAfterBlock(anvil, shop, transfers, ours));
          leastMs.push(await askAndWrite(asking, anvil, shop.pool));
          memory.residentKB.push((await runtime(shop.service.url)).residentBytes / 1_024);
          memory.heapKB.push((await shop.service.liveBytes()) / 1_024);
        }
        rows.push({
          name: `${thousands(count)} addresses, ${ours} of ${thousands(transfers)} transfers ours, block to status`,
          unit: 'ms',
          values: statusMs,
          ceiling: { what: 'one block asked for, one row committed', values: leastMs },
        });
      }
      const of = (what: string) => `${thousands(count)} addresses, ${what}`;
      rows.push(
        { name: of('resident memory'), unit: 'kB', values: memory.residentKB, ceiling: null },
        { name: of('heap after a full collection'), unit: 'kB', values: memory.heapKB, ceiling: null },
        {
          name: of(`blocks of ${thousands(transfers)} transfers while catching up`),
          unit: '/s',
          ...(await catchingUp(stage, anvil, asking, shop, transfers)),
        },
      );
    } finally {
      await round.clear();
    }
  }
  return rows;
}

/** With so many addresses that nobody pays, issued in the last 90 days. */
async function shopOf(stage: Stage, anvil: TestAnvil, count: number): Promise<Shop> {
  const { url: databaseUrl, pool } = await stage.database();
  const service = await stage.service(databaseUrl, { chain: anvil, nodeOptions: ['--expose-gc'] });
  const { merchantId } = await service.shop('bench', []);
  await pool.query(
    `INSERT INTO address (family, address, extended_key_id, derivation_index, subject, created_at)
     SELECT 'evm', '0x' || substr(md5('w' || n) || md5('v' || n), 1, 40), k.id, n, 'pi_' || n,
            now() - ($1::int - n) * (interval '90 days' / $1::int)
     FROM extended_key k, generate_series(1, $1::int) n`,
    [count],
  );
  await pool.query('VACUUM ANALYZE');
  return { service, pool, merchantId };
}

/** @returns blocks per second, and what the node alone can deliver of them */
async function catchingUp(
  stage: Stage,
  anvil: TestAnvil,
  asking: Helper,
  { service, pool, merchantId }: Shop,
  transfers: number,
): Promise<Pick<Row, 'values' | 'ceiling'>> {
  const missed = stage.quick ? 30 : MISSED_BLOCKS;
  const [values, fetched]: [number[], number[]] = [[], []];
  await service.stop();
  for (let i = 0; i < stage.repeats; i += 1) {
    const from = Number(await anvil.testClient.getBlockNumber());
    for (const { address } of await fillOpen(pool, merchantId, missed)) {
      await sendAll(anvil, [address as Address], transfers);
      await anvil.testClient.mine({ blocks: 1 });
    }
    values.push(await catchUp({ service, pool }, from + missed));
    fetched.push(await fetchAll(asking, anvil, from + 1, from + missed));
  }
  return { values, ceiling: { what: 'the same blocks and logs over JSON-RPC', values: fetched } };
}

/** @returns milliseconds from the block to the last status that it brings */
async function statusesAfterBlock(
  anvil: TestAnvil,
  { pool, merchantId }: Shop,
  transfers: number,
  ours: number,
): Promise<number> {
  const paid = await fillOpen(pool, merchantId, ours);
  await sendAll(
    anvil,
    paid.map(({ address }) => address as Address),
    transfers,
  );
  const height = Number(await anvil.testClient.getBlockNumber()) + 1;
  await anvil.testClient.mine({ blocks: 1 });
  const startedMs = performance.now();
  for (;;) {
    const { rows } = await pool.query<{ isDone: boolean }>(
      `SELECT (SELECT height >= $1 FROM chain_cursor) AND NOT EXISTS (
         SELECT FROM intent WHERE id = ANY ($2) AND status NOT IN ('pending', 'confirmed', 'settled')) AS "isDone"`,
      [height, paid.map(({ id }) => id)],
    );
    if (rows[0]!.isDone) return performance.now() - startedMs;
    await sleep(LOOK_EVERY_MS);
  }
}

/** So many transfers, without a block: to these first, then to a stranger. */
async function sendAll(anvil: TestAnvil, paid: readonly Address[], transfers: number): Promise<void> {
  const targets = Array.from({ length: transfers }, (_, i) => paid[i] ?? (STRANGER as Address));
  let nonce = await anvil.testClient.getTransactionCount({ address: PAYER });
  while (targets.length > 0)
    await Promise.all(
      targets.splice(0, SENT_AT_ONCE).map((to) => transfer(anvil, to, ATOMS_OF_OPEN, nonce++)),
    );
}
