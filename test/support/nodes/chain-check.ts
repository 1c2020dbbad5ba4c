import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config, type NetworkConfig } from '../../../src/config/config.types.js';
import { CoreRpc } from '../../../src/modules/chains/bitcoin/core-rpc.js';
import { NetworkHealthService } from '../../../src/modules/chains/network-health.service.js';
import { ReconciliationService } from '../../../src/modules/chains/reconciliation/reconciliation.service.js';
import { rpc } from './node-rpc.js';

/** Where addresses with keys have been used from outside: less than was received may lie there. */
export const SENT_FROM = 'ETH of addresses that have sent';

/** Requests a second: the node has nothing else to do. */
const UNPACED = 1_000;

/**
 * What the chains hold is what is recorded, of every address that was issued: for the end of a suite.
 * @param untold what a node may not be able to tell in this suite, as `check --chain` names it
 * @throws Error naming the differences, or what could not be compared
 */
export async function expectChainClean(
  app: INestApplicationContext,
  network?: string,
  untold: readonly string[] = [],
): Promise<void> {
  const verdicts = await app.get(ReconciliationService, { strict: false }).check(network, UNPACED);
  const families = new Map(app.get<Config>(CONFIG).networks.map(({ id, family }) => [id, family]));
  for (const { network: id, verdict, reason, differences, compared, incomparable } of verdicts) {
    if (verdict === 'unasked') throw new Error(`${id} was not compared with its chain: ${reason}`);
    const [issued] = await app
      .get(DataSource)
      .query<[{ count: number }]>('SELECT count(*)::int AS count FROM address WHERE family = $1', [
        families.get(id),
      ]);
    const unexpected = Object.keys(incomparable).filter((what) => !untold.includes(what));
    const found = { network: id, differences, compared, unexpected };
    expect(found).toEqual({ network: id, differences: [], compared: issued.count, unexpected: [] });
  }
}

/** So many make everything before them final on a test's chain. */
const MADE_FINAL = 8;
const PASSED_WITHIN_MS = 60_000;
/** What a node told too late, as any does whose machine stands still, it is asked again aside, every few seconds. */
const REOPENS_WITHIN_MS = 10_000;

/** A chain of a test, or what a suite has of one. */
interface TestChain {
  mine(blocks: number): Promise<unknown>;
  height(): Promise<number>;
}

/** The same for a running service: whatever its chain has is made final and passed first. */
export async function expectLikeItsChain(
  app: INestApplicationContext,
  network: string,
  chain: TestChain,
  untold: readonly string[] = [],
): Promise<void> {
  await chain.mine(MADE_FINAL);
  const tip = await chain.height();
  const networks = app.get(NetworkHealthService, { strict: false });
  for (const startedMs = performance.now(); ; await sleep(50)) {
    const health = (await networks.all()).find((one) => one.network === network);
    const passedMs = performance.now() - startedMs;
    const isCoinBlind = Object.values(health?.closedAssets ?? {}).includes('balances-unknown');
    if ((health?.height ?? -1) >= tip && (!isCoinBlind || passedMs > REOPENS_WITHIN_MS)) break;
    if (passedMs > PASSED_WITHIN_MS)
      throw new Error(`${network} was not passed up to ${tip} but to ${health?.height}: ${health?.reason}`);
  }
  await expectChainClean(app, network, untold);
}

/** What a network's node stands before; `null` where it runs no more, or never did. */
export async function chainOf({
  family,
  rpcUrl,
}: Pick<NetworkConfig, 'family' | 'rpcUrl'>): Promise<TestChain | null> {
  const chain = family === 'evm' ? anvilAt(rpcUrl) : regtestAt(rpcUrl);
  return chain.height().then(
    () => chain,
    () => null,
  );
}

export function anvilAt(rpcUrl: string): TestChain {
  const ask = (method: string, params: unknown[]) => rpc<string>(rpcUrl, method, params);
  return {
    mine: (blocks) => ask('anvil_mine', [blocks]),
    height: async () => Number(await ask('eth_blockNumber', [])),
  };
}

function regtestAt(rpcUrl: string): TestChain {
  const node = new CoreRpc(rpcUrl);
  return {
    mine: (blocks) => node.call('generatetodescriptor', blocks, 'raw(51)'),
    height: async () => Number(await node.call('getblockcount')),
  };
}
