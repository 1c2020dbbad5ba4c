import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { type Address, numberToHex } from 'viem';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { rpc } from '../../support/nodes/node-rpc.js';
import type { ServiceProcess } from '../../support/service/service-process.js';
import { ATOMS_OF_OPEN, fillOpen } from '../fill.js';
import { runtime } from '../runtime.js';
import type { Stage } from '../stage.js';
import { median, type Row } from '../table.js';
import { PAYER, transfer } from './chains-rows.js';

const STRANGER = '0x00000000000000000000000000000000000a11ce';
const SENT_AT_ONCE = 50;
const LOOK_EVERY_MS = 5;
const GAS_OF_A_TRANSFER = 100_000;

interface Subject {
  readonly service: ServiceProcess;
  readonly pool: Pool;
  readonly unpaid: { readonly id: string; readonly address: Address }[];
}

/**
 * From a block of 2,000 token transfers to the new status of the intents that it pays, by how many addresses have been issued
 * and by how many of the transfers are to them.
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
      const subject = await subjectOf(round, anvil, count, stage.repeats * paid.reduce((sum, n) => sum + n));
      const kB: number[] = [];
      for (const ours of paid) {
        const [statusMs, leastMs]: [number[], number[]] = [[], []];
        for (let i = 0; i < stage.repeats; i += 1) {
          statusMs.push(await statusesAfterBlock(anvil, subject, transfers, ours));
          leastMs.push(await askAndWrite(anvil, subject.pool));
          kB.push((await runtime(subject.service.url)).residentBytes / 1_024);
        }
        rows.push({
          name: `${plain(count)} addresses, ${ours} of ${plain(transfers)} transfers ours, block to status`,
          unit: 'ms',
          values: statusMs,
          ceiling: { what: 'the block and its logs asked for, one row committed', values: leastMs },
        });
      }
      rows.push({
        name: `${plain(count)} addresses, memory`,
        unit: 'kB',
        values: [median(kB)],
        ceiling: null,
      });
    } finally {
      await round.clear();
    }
  }
  return rows;
}

async function subjectOf(stage: Stage, anvil: TestAnvil, count: number, open: number): Promise<Subject> {
  const { url, pool } = await stage.database();
  const service = await stage.service(url, { chain: anvil });
  const { merchantId } = await service.shop('bench', []);
  const unpaid = await fillOpen(pool, merchantId, open);
  await pool.query(
    `INSERT INTO address (family, address, extended_key_id, derivation_index, subject)
     SELECT 'evm', '0x' || lpad(to_hex(n), 40, '0'), k.id, 1000000 + n, 'pi_' || n FROM extended_key k, generate_series(1, $1::int) n`,
    [count - open],
  );
  await pool.query('VACUUM ANALYZE');
  return { service, pool, unpaid: unpaid as Subject['unpaid'] };
}

/** @returns milliseconds from the block to the last status that it brings */
async function statusesAfterBlock(
  anvil: TestAnvil,
  { pool, unpaid }: Subject,
  transfers: number,
  ours: number,
): Promise<number> {
  const paid = unpaid.splice(0, ours);
  const targets = Array.from({ length: transfers }, (_, i) => paid[i]?.address ?? STRANGER);
  let nonce = await anvil.testClient.getTransactionCount({ address: PAYER });
  while (targets.length > 0)
    await Promise.all(
      targets.splice(0, SENT_AT_ONCE).map((to) => transfer(anvil, to, ATOMS_OF_OPEN, nonce++)),
    );
  const height = Number(await anvil.testClient.getBlockNumber()) + 1;
  await anvil.testClient.mine({ blocks: 1 });
  const startedMs = performance.now();
  for (;;) {
    const { rows } = await pool.query<{ isDone: boolean }>(
      `SELECT (SELECT height >= $1 FROM chain_cursor)
              AND NOT EXISTS (SELECT FROM intent WHERE id = ANY ($2) AND status = 'initiated') AS "isDone"`,
      [height, paid.map(({ id }) => id)],
    );
    if (rows[0]!.isDone) return performance.now() - startedMs;
    await sleep(LOOK_EVERY_MS);
  }
}

/** The least that it takes to know of the newest block's token transfers and to have written something. */
async function askAndWrite({ rpcUrl, tokens }: TestAnvil, pool: Pool): Promise<number> {
  const startedMs = performance.now();
  await rpc(rpcUrl, 'eth_getBlockByNumber', ['latest', true]);
  await rpc(rpcUrl, 'eth_getLogs', [
    { address: tokens.USDC.address, fromBlock: 'latest', toBlock: 'latest' },
  ]);
  await pool.query('UPDATE chain_cursor SET node_height = node_height');
  return performance.now() - startedMs;
}

const plain = (count: number) => count.toLocaleString('en-US');
