import type { INestApplicationContext } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChainsService } from '../../src/modules/chains/chains.service.js';
import { ReconciliationService } from '../../src/modules/chains/reconciliation.service.js';

/**
 * What the chains hold is what is recorded, as far as the nodes can tell: for the end of a suite.
 * @throws Error naming the differences
 */
export async function expectChainClean(app: INestApplicationContext, network?: string): Promise<void> {
  const verdicts = await app.get(ReconciliationService, { strict: false }).check(network);
  for (const { network: id, verdict, reason, differences } of verdicts) {
    if (verdict === 'unasked') throw new Error(`${id} was not compared with its chain: ${reason}`);
    expect({ network: id, differences }).toEqual({ network: id, differences: [] });
  }
}

/** So many make everything before them final on a test's anvil. */
const MADE_FINAL = 8;
const PASSED_WITHIN_MS = 20_000;

/** The same for a running service with an anvil, where that still runs: whatever it has is made final and passed first. */
export async function expectLikeItsChain(
  app: INestApplicationContext,
  network: string,
  rpcUrl: string,
): Promise<void> {
  const mined = await ask(rpcUrl, 'anvil_mine', [MADE_FINAL]);
  const tip = Number(await ask(rpcUrl, 'eth_blockNumber', []));
  if (mined === undefined || Number.isNaN(tip)) return;
  const chains = app.get(ChainsService, { strict: false });
  for (const startedMs = performance.now(); ; await sleep(50)) {
    const health = (await chains.health()).find((one) => one.network === network);
    if ((health?.height ?? -1) >= tip) break;
    if (performance.now() - startedMs > PASSED_WITHIN_MS)
      throw new Error(`${network} was not passed up to ${tip} but to ${health?.height}: ${health?.reason}`);
  }
  await expectChainClean(app, network);
}

/** `undefined` where nobody answers. */
async function ask(rpcUrl: string, method: string, params: unknown[]): Promise<unknown> {
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body });
    return ((await answer.json()) as { result?: unknown }).result;
  } catch {
    return undefined;
  }
}
