import type { Answer, Ask } from './hostile-node.js';
import type { Call } from './hostile-plan.js';

/** What a Bitcoin-like node said when its tip was so many blocks lower. What waits for a block is as it is now. */
export async function bitcoinBehind(call: Call, blocks: number, ask: Ask): Promise<Answer> {
  const { id, method, params } = call;
  const tip = Number((await ask('getblockcount')).result) - blocks;
  const best = async () => (await ask('getblockhash', tip)).result;
  const answer = await ask(method, ...params);
  if (method === 'getbestblockhash') return { id, result: await best() };
  if (method === 'getblockchaininfo') {
    const info = answer.result as object;
    return { id, result: { ...info, blocks: tip, headers: tip, bestblockhash: await best() } };
  }
  if (method === 'getblockhash' && Number(params[0]) > tip) return unknown(id, -8);
  if (method !== 'getblock' && method !== 'getblockheader') return answer;
  const { height } = (answer.result ?? {}) as { height?: number };
  return height !== undefined && height > tip ? unknown(id, -5) : answer;
}

function unknown(id: Call['id'], code: number): Answer {
  return { id, result: null, error: { code, message: 'not found' } };
}
