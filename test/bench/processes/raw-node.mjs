// The ceiling of catching up: what a node delivers to somebody who only asks it, the way the watcher does: in batches,
// over connections that stay.
import { answerCalls } from './calls.mjs';

/** As many blocks to a request as the watcher asks for (`BATCH_SIZE` of rpc-node.ts). */
const BATCH = 20;
/** Requests under way. */
const AT_ONCE = 4;

const hex = (number) => `0x${number.toString(16)}`;

async function askAll(rpcUrl, calls) {
  const body = JSON.stringify(calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params })));
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const answers = /** @type {{ error?: { message: string } }[]} */ (await response.json());
  for (const { error } of answers) if (error) throw new Error(error.message);
}

answerCalls({
  /** The newest block, with its transactions. */
  block: ({ rpcUrl }) => askAll(rpcUrl, [['eth_getBlockByNumber', ['latest', true]]]),
  /** Each block with its transactions, and the logs of a token in all of them. @returns blocks per second */
  async blocks({ rpcUrl, token, from, to }) {
    const startedMs = performance.now();
    let next = from;
    const work = async () => {
      while (next <= to) {
        const first = next;
        next += BATCH;
        const last = Math.min(next - 1, to);
        const heights = Array.from({ length: last - first + 1 }, (_, i) => hex(first + i));
        await askAll(rpcUrl, [
          ...heights.map((height) => ['eth_getBlockByNumber', [height, true]]),
          ['eth_getLogs', [{ address: token, fromBlock: hex(first), toBlock: hex(last) }]],
        ]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return ((to - from + 1) / (performance.now() - startedMs)) * 1_000;
  },
});
