import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { type Address, encodeFunctionData, erc20Abi, numberToHex } from 'viem';
import { startTestAnvil, type TestAnvil } from '../../support/nodes/anvil.js';
import { rpc } from '../../support/nodes/node-rpc.js';
import type { ServiceProcess } from '../../support/service/service-process.js';
import type { Helper } from '../helper.js';
import { SERVICE_CORE, Stage } from '../stage.js';
import { median, type Row } from '../table.js';
import { OTHER } from '../turns.js';
import { pickedIntent } from './checkout-rows.js';

/** Every so many blocks there are payments. */
const PAID_EVERY = 10;
/** In such a block, of which every fourth is ours. */
const TRANSFERS = 40;
/** Anvil's first account, unlocked on it, which holds the tokens. */
export const PAYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
export const STRANGER = '0x00000000000000000000000000000000000a11ce';
const LOOK_EVERY_MS = 2;
/** Of which the median is one value: when a block comes between two looks is chance, and a look's pause is most of it. */
const STATUSES_EACH = 100;
/** Whom the blocks pay that are caught up with: deciding their payments goes on beside it, and is no part of the row. */
const PAYEES = 15;

interface Watching {
  readonly service: ServiceProcess;
  readonly pool: Pool;
}

/** A built service with its own database, some unpaid quotes, and the chain that all share. */
interface Subject extends Watching {
  readonly unpaid: { readonly id: string; readonly address: Address; readonly atoms: bigint }[];
}

/**
 * How many blocks a second the watcher gets through after an outage, and how long a status takes from its block.
 * `BENCH_BESIDE` names the folder of another, built checkout to measure in turns with this one.
 */
export async function chains(stage: Stage): Promise<Row[]> {
  const [blocks, statuses] = stage.quick ? [100, 4] : [3_000, STATUSES_EACH];
  const payments = statuses * stage.repeats;
  const anvil = await startTestAnvil();
  stage.onClear(() => anvil.stop());
  const ours = await subject(stage, anvil, undefined, payments);
  const theirs = Stage.beside === undefined ? null : await subject(stage, anvil, Stage.beside, payments);
  const subjects = theirs ? [ours, theirs] : [ours];

  const asking = stage.helper('raw-node.mjs', SERVICE_CORE);
  const statusMs = new Map<Subject, number[]>(subjects.map((each) => [each, []]));
  const asked: number[] = [];
  for (let done = 0; done < payments; done += statuses) {
    const repeat = new Map<Subject, number[]>(subjects.map((each) => [each, []]));
    for (let n = done; n < done + statuses; n += 1)
      for (const each of subjects) repeat.get(each)!.push(await statusAfterBlock(anvil, each, n));
    for (const [each, values] of repeat) statusMs.get(each)!.push(median(values));
    const least: number[] = [];
    for (let n = 0; n < statuses; n += 1) least.push(await askAndWrite(asking, anvil, ours.pool));
    asked.push(median(least));
  }
  for (const { service } of subjects) await service.stop();

  const perSecond = new Map<Subject, number[]>(subjects.map((each) => [each, []]));
  const fetched: number[] = [];
  for (let i = 0; i < stage.repeats; i += 1) {
    const from = Number(await anvil.testClient.getBlockNumber());
    await mine(anvil, subjects, blocks);
    const to = from + blocks;
    for (const each of subjects) perSecond.get(each)!.push(await catchUp(each, to));
    fetched.push(await fetchAll(asking, anvil, from + 1, to));
  }
  const row = (name: string, unit: Row['unit'], values: number[], what: string, most: number[]): Row => ({
    name,
    unit,
    values,
    ceiling: { what, values: most },
  });
  const [caughtUp, shown] = [perSecond.get(ours)!, statusMs.get(ours)!];
  const rows = [
    row(
      'watcher, blocks while catching up',
      '/s',
      caughtUp,
      'the same blocks and logs over JSON-RPC',
      fetched,
    ),
    row('watcher, block to status', 'ms', shown, 'one block asked for, one row committed', asked),
  ];
  if (!theirs) return rows;
  return [
    ...rows,
    row('watcher, blocks while catching up', '/s', caughtUp, OTHER, perSecond.get(theirs)!),
    row('watcher, block to status', 'ms', shown, OTHER, statusMs.get(theirs)!),
  ];
}

async function subject(
  stage: Stage,
  anvil: TestAnvil,
  checkout: string | undefined,
  payments: number,
): Promise<Subject> {
  const { url, pool } = await stage.database(checkout);
  const service = await stage.service(url, { chain: anvil, checkout });
  const { key } = await service.shop(`bench ${checkout ?? 'ours'}`, []);
  const unpaid: Subject['unpaid'] = [];
  for (let n = 0; n < payments; n += 1) {
    const id = await pickedIntent(service, key, n);
    const { rows } = await pool.query<{ address: Address; amount_atoms: string }>(
      'SELECT address, amount_atoms FROM quote WHERE intent_id = $1',
      [id],
    );
    unpaid.push({ id, address: rows[0]!.address, atoms: BigInt(rows[0]!.amount_atoms) });
  }
  return { service, pool, unpaid };
}

/** @returns milliseconds from the block to the status that it brings */
async function statusAfterBlock(anvil: TestAnvil, { pool, unpaid }: Subject, n: number): Promise<number> {
  const { id, address, atoms } = unpaid[n]!;
  await transfer(anvil, address, atoms);
  await anvil.testClient.mine({ blocks: 1 });
  const startedMs = performance.now();
  for (;;) {
    const { rows } = await pool.query<{ status: string }>('SELECT status FROM intent WHERE id = $1', [id]);
    if (rows[0]!.status !== 'initiated') return performance.now() - startedMs;
    await sleep(LOOK_EVERY_MS);
  }
}

/** The least that it takes to know of a block and to have written something. */
export async function askAndWrite(node: Helper, { rpcUrl }: TestAnvil, pool: Pool): Promise<number> {
  const startedMs = performance.now();
  await node.call('block', { rpcUrl });
  await pool.query('UPDATE chain_cursor SET node_height = node_height');
  return performance.now() - startedMs;
}

/** Blocks of strangers' transfers, with some to addresses of ours among them. */
async function mine(anvil: TestAnvil, subjects: readonly Subject[], blocks: number): Promise<void> {
  const ours = subjects.flatMap(({ unpaid }) => unpaid.slice(0, PAYEES).map(({ address }) => address));
  for (let mined = 0; mined < blocks; mined += PAID_EVERY) {
    for (let n = 0; n < TRANSFERS; n += 1) {
      await transfer(anvil, n % 4 === 0 ? ours[(mined + n / 4) % ours.length]! : STRANGER, 1n);
    }
    await anvil.testClient.mine({ blocks: PAID_EVERY, interval: 1 });
  }
}

/** Of USDC, without a block. @param nonce where several are sent at once */
export function transfer(
  { rpcUrl, tokens }: TestAnvil,
  to: Address,
  atoms: bigint,
  nonce?: number,
): Promise<unknown> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, atoms] });
  const order = nonce === undefined ? {} : { nonce: numberToHex(nonce) };
  return rpc(rpcUrl, 'eth_sendTransaction', [{ from: PAYER, to: tokens.USDC.address, data, ...order }]);
}

/** @returns blocks per second, from the first that is written until the last is; the service is stopped before and afterwards */
export async function catchUp({ service, pool }: Watching, to: number): Promise<number> {
  const heightOf = async () => {
    const { rows } = await pool.query<{ height: string }>('SELECT height FROM chain_cursor');
    return Number(rows[0]!.height);
  };
  const from = await heightOf();
  const ready = service.start();
  let first = from;
  while (first === from) {
    first = await heightOf();
    await sleep(LOOK_EVERY_MS);
  }
  const startedMs = performance.now();
  while ((await heightOf()) < to) await sleep(LOOK_EVERY_MS);
  const rate = ((to - first) / (performance.now() - startedMs)) * 1_000;
  await ready;
  await service.stop();
  return rate;
}

/** @returns blocks per second of somebody who only asks for them, and has the service's core */
export function fetchAll(
  node: Helper,
  { rpcUrl, tokens }: TestAnvil,
  from: number,
  to: number,
): Promise<number> {
  return node.call('blocks', { rpcUrl, token: tokens.USDC.address, from, to });
}
