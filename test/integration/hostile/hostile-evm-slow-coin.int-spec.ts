import type { Address } from 'viem';
import { Names } from '../../../src/modules/chains/evm/coin/names.js';
import { RpcNode } from '../../../src/modules/chains/evm/node/rpc-node.js';
import { ChainTest } from '../../chain/chains-fixture.js';
import { REFUSALS } from '../../chain/hostile/hostile-faults.js';
import { HostileNode } from '../../chain/hostile/hostile-node.js';
import type { Rule } from '../../chain/hostile/hostile-plan.js';
import { deployPayer, type Payer } from '../../chain/payer.js';
import { ownMsOf } from '../../support/run/own-time.js';

/** Of one step, for looks and traces together. */
const BUDGET_MS = 3_000;
/** So that a step has time for two. */
const TRACE_MS = 1_600;
const LOOK_MS = 80;
/** What a step reads besides takes its time too, on a busy machine above all. */
const BESIDES_MS = 2_500;
const MOST_BEHIND_MS = 3_000;

const slow = (method: string, ms: number): Rule => ({ methods: [method], fault: { kind: 'hang', ms } });

let test: ChainTest;
let node: HostileNode;
let pay: Payer;

beforeAll(async () => {
  test = await ChainTest.start();
  node = await HostileNode.start(test.anvil.rpcUrl);
  pay = await deployPayer(test);
});
afterAll(async () => {
  await node?.stop();
  await test?.stop();
});

const watcher = () => test.watcherOn(new RpcNode(node.url), {}, new Names(MOST_BEHIND_MS));
const closed = async () => (await test.chains.health.all())[0]!.closedAssets;

async function behind(): Promise<number> {
  const cursor = (await test.chains.ledger.cursor('ethereum'))!;
  return cursor.height - (cursor.coinBlindFrom ?? cursor.height);
}

/** @returns the heights of the blocks, each of which pays one wei inside a transaction */
async function dust(to: Address, blocks: number): Promise<number[]> {
  const heights: number[] = [];
  for (let i = 0; i < blocks; i += 1) {
    await pay(to, 1n);
    await test.mine();
    heights.push(Number(await test.anvil.testClient.getBlockNumber()));
  }
  return heights;
}

async function heightsOf(subject: string): Promise<(number | null)[]> {
  const transfers = await test.transfers(subject);
  expect(transfers.every(({ amountAtoms }) => amountAtoms === 1n)).toBe(true);
  return transfers.map(({ blockHeight }) => blockHeight).sort((a, b) => a! - b!);
}

it('blocks that are traced more slowly than they come close the coin for a while, not for good', async () => {
  const address = await test.issue('slow traces');
  const steps = watcher();
  await test.catchUp(steps);
  node.plan([slow('debug_traceBlockByHash', TRACE_MS)]);
  const [heights, behinds]: [number[], number[]] = [[], []];
  for (let i = 0; i < 8; i += 1) {
    heights.push(...(await dust(address, 3)));
    await steps.step();
    behinds.push(await behind());
  }
  expect(behinds[0]).toBeGreaterThan(0);
  expect(Math.max(...behinds)).toBeLessThan(9);
  expect(behinds.slice(-4)).toEqual([0, 0, 0, 0]);
  expect(await closed()).toEqual({});
  expect(await heightsOf('slow traces')).toEqual(heights);
});

it('a backlog is caught up with, and no step is held up by it, on a node that is slow in all', async () => {
  const address = await test.issue('backlog');
  const steps = watcher();
  await test.catchUp(steps);
  node.plan([{ methods: ['eth_call'], fault: REFUSALS.pruned }]);
  const heights = await dust(address, 100);
  await test.catchUp(steps);
  expect(await behind()).toBeGreaterThanOrEqual(100);
  const held = node.plan([slow('debug_traceBlockByHash', TRACE_MS), slow('eth_call', LOOK_MS)]);
  const [tookMs, traces]: [number[], number[]] = [[], []];
  while ((await behind()) > 0 && tookMs.length < 10) {
    heights.push(...(await dust(address, 1)));
    const traced = held.strikes[0]!;
    tookMs.push(await ownMsOf(() => steps.step()));
    traces.push(held.strikes[0]! - traced);
  }
  expect(await behind()).toBe(0);
  expect(Math.max(...traces)).toBeGreaterThan(0);
  // Of the hundred none is begun that its step has no time for: fewer on a busy machine, and never more.
  expect(Math.max(...traces)).toBeLessThanOrEqual(Math.ceil(BUDGET_MS / TRACE_MS));
  expect(Math.max(...tookMs)).toBeLessThan(BUDGET_MS + TRACE_MS + BESIDES_MS);
  expect(await closed()).toEqual({});
  expect(await heightsOf('backlog')).toEqual(heights);
});
