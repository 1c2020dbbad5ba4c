import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Ask } from './hostile-node.js';
import type { Call } from './hostile-plan.js';

const NEXT_WITHIN_MS = 1_500;
const LOOK_EVERY_MS = 20;

/** What is asked of the newest block, by its hash, is answered out of the state of the next one, if that comes soon. */
export async function evmAhead(call: Call, ask: Ask): Promise<Answer> {
  const [what, at] = call.params as [unknown, { readonly blockHash?: string } | undefined];
  const newest = async () => {
    const { result } = await ask('eth_getBlockByNumber', 'latest', false);
    return (result as { readonly hash: string }).hash;
  };
  const asked = await newest();
  if (at?.blockHash !== asked) return ask(call.method, ...call.params);
  const untilMs = performance.now() + NEXT_WITHIN_MS;
  let blockHash = asked;
  while (blockHash === asked && performance.now() < untilMs) {
    await sleep(LOOK_EVERY_MS);
    blockHash = await newest();
  }
  return ask(call.method, what, { blockHash });
}
