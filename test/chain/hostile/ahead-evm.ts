import type { Answer, Ask } from './hostile-node.js';
import type { Call } from './hostile-plan.js';

/** What is asked of the newest block, by its hash, is answered out of the state of the one that is about to be added. */
export async function evmAhead(call: Call, ask: Ask): Promise<Answer> {
  const [what, at] = call.params as [unknown, { readonly blockHash?: string } | undefined];
  const { result } = await ask('eth_getBlockByNumber', 'latest', false);
  const { hash } = result as { readonly hash: string };
  return at?.blockHash === hash ? ask(call.method, what, 'pending') : ask(call.method, ...call.params);
}
