import type { Answer, Ask } from './hostile-node.js';
import type { Call } from './hostile-plan.js';

interface Filter {
  readonly blockHash?: string;
  readonly fromBlock?: string;
  readonly toBlock?: string;
}

/** What the node said when its tip was so many blocks lower: nothing by height or transaction, an error by hash. */
export async function evmBehind(call: Call, blocks: number, ask: Ask): Promise<Answer> {
  const { id, method } = call;
  const tip = Number((await ask('eth_blockNumber')).result) - blocks;
  const nothing = (result: unknown) => ({ jsonrpc: '2.0', id, result });
  const [first, second] = call.params;
  if (method === 'eth_getBlockByNumber') {
    const wanted = await heightOf(first, tip, blocks, ask);
    return wanted > tip ? nothing(null) : ask(method, `0x${wanted.toString(16)}`, second);
  }
  if (method === 'eth_getTransactionReceipt') {
    const answer = await ask(method, first);
    const { blockNumber } = (answer.result ?? {}) as { blockNumber?: string };
    return Number(blockNumber) > tip ? nothing(null) : answer;
  }
  const filter = (first ?? {}) as Filter;
  if (filter.fromBlock !== undefined) {
    if (Number(filter.fromBlock) > tip) return nothing([]);
    const toBlock = `0x${Math.min(tip, Number(filter.toBlock)).toString(16)}`;
    return ask(method, { ...filter, toBlock });
  }
  const hashes = [first, filter.blockHash, (second as Filter | undefined)?.blockHash];
  const hash = hashes.find((candidate) => typeof candidate === 'string' && candidate.length === 66);
  if (hash === undefined) return ask(method, ...call.params);
  const { result } = await ask('eth_getBlockByHash', hash, false);
  if (Number((result as { number?: string } | null)?.number ?? 0) <= tip) return ask(method, ...call.params);
  if (method === 'eth_getBlockReceipts') return nothing(null);
  return { id, error: { code: -32000, message: 'header not found' } };
}

/** Its tip was lower, and what it held for safe and finalized lay as far below. */
async function heightOf(which: unknown, tip: number, blocks: number, ask: Ask): Promise<number> {
  if (which === 'latest') return Math.max(0, tip);
  if (which !== 'safe' && which !== 'finalized') return Number(which);
  const { result } = await ask('eth_getBlockByNumber', which, false);
  return Math.max(0, Number((result as { number: string }).number) - blocks);
}
