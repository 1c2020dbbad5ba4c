import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface Fuss {
  /** eth_getLogs over more blocks than this is refused with -32005, as public providers do. */
  logBlocks?: number;
  /** Everything is answered with status 503. */
  down?: boolean;
  /** eth_getLogs by range finds nothing, as on a node that does not have the blocks yet. */
  emptyRanges?: boolean;
  /** So many times eth_getLogs finds nothing whatever it is asked, as where logs are indexed later than blocks. */
  emptyLogs?: number;
  /** The logs of this contract are left out of what eth_getLogs finds. */
  hides?: string;
  /** Methods that this provider does not offer. */
  refuses?: readonly string[];
  /** Another node answers instead. */
  elsewhere?: string;
  /** Behind a balancer: every other call is answered as by a node that has so many blocks fewer. */
  behindBlocks?: number;
  /** A batch is refused with one error for all of it. */
  noBatches?: boolean;
}

export interface FussyProxy {
  readonly url: string;
  fuss: Fuss;
  /** Method by method, what was refused. */
  refused: number;
  stop(): Promise<void>;
}

/** Stands between the watcher and a real node, and behaves like a provider on a bad day. */
export async function startFussyProxy(nodeUrl: string): Promise<FussyProxy> {
  const server = createServer((request, response) => {
    void answer(request).then(
      ([status, body]) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
      () => response.writeHead(502).end(),
    );
  });
  let calls = 0;
  const proxy: FussyProxy = { url: '', fuss: {}, refused: 0, stop: () => close() };
  const close = () =>
    new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve())));

  async function answer(request: IncomingMessage): Promise<[number, string]> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (proxy.fuss.down) return [503, '{}'];
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
    if (Array.isArray(body)) {
      if (proxy.fuss.noBatches) return [200, JSON.stringify(refusal(null, 'batches are not supported'))];
      return [200, JSON.stringify(await Promise.all(body.map(one)))];
    }
    return [200, JSON.stringify(await one(body))];
  }

  async function one(call: Call): Promise<unknown> {
    if (proxy.fuss.refuses?.includes(call.method)) return refusal(call.id, 'the method is not available');
    if (call.method === 'eth_getLogs' && (proxy.fuss.emptyLogs ?? 0) > 0) {
      proxy.fuss.emptyLogs! -= 1;
      return { jsonrpc: '2.0', id: call.id, result: [] };
    }
    const range = call.method === 'eth_getLogs' ? (call.params[0] as Record<string, string>) : {};
    if (range['fromBlock'] !== undefined) {
      const blocks = Number(range['toBlock']) - Number(range['fromBlock']) + 1;
      if (proxy.fuss.emptyRanges) return { jsonrpc: '2.0', id: call.id, result: [] };
      if (blocks > (proxy.fuss.logBlocks ?? Infinity))
        return refusal(call.id, 'query exceeds max block range');
    }
    calls += 1;
    if (proxy.fuss.behindBlocks !== undefined && calls % 2 === 0)
      return behind(call, proxy.fuss.behindBlocks);
    const answer = await pass(call);
    if (call.method !== 'eth_getLogs' || proxy.fuss.hides === undefined) return answer;
    const logs = answer.result as { address: string }[];
    const hidden = proxy.fuss.hides.toLowerCase();
    return { ...answer, result: logs.filter(({ address }) => address.toLowerCase() !== hidden) };
  }

  async function pass(call: Call): Promise<{ result?: unknown }> {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(call);
    const answer = await fetch(proxy.fuss.elsewhere ?? nodeUrl, { method: 'POST', headers, body });
    return (await answer.json()) as { result?: unknown };
  }

  /** What the node said when its tip was so many blocks lower: nothing by height or transaction, an error by hash. */
  async function behind(call: Call, blocks: number): Promise<unknown> {
    const ask = async (method: string, ...params: unknown[]) =>
      (await pass({ id: call.id, method, params })).result as Record<string, string> | string | null;
    const tip = Number(await ask('eth_blockNumber')) - blocks;
    const nothing = (result: unknown) => ({ jsonrpc: '2.0', id: call.id, result });
    const heightOf = (of: unknown) => Number((of as { number?: string } | null)?.number ?? 0);
    const [first, second] = call.params as [unknown, unknown];
    if (call.method === 'eth_getBlockByNumber') {
      const wanted = first === 'latest' ? tip : Number(first);
      if (Number.isNaN(wanted)) return pass(call);
      if (wanted > tip) return nothing(null);
      return pass({ ...call, params: [`0x${wanted.toString(16)}`, second] });
    }
    if (call.method === 'eth_getTransactionReceipt') {
      const answer = await pass(call);
      const { blockNumber } = (answer.result ?? {}) as { blockNumber?: string };
      return Number(blockNumber) > tip ? nothing(null) : answer;
    }
    const filter = first as { blockHash?: string; fromBlock?: string; toBlock?: string };
    if (filter.fromBlock !== undefined) {
      if (Number(filter.fromBlock) > tip) return nothing([]);
      const toBlock = `0x${Math.min(tip, Number(filter.toBlock)).toString(16)}`;
      return pass({ ...call, params: [{ ...filter, toBlock }] });
    }
    const hashes = [first, filter.blockHash, (second as typeof filter | undefined)?.blockHash];
    const hash = hashes.find((candidate) => typeof candidate === 'string' && candidate.length === 66);
    const isAbove = hash !== undefined && heightOf(await ask('eth_getBlockByHash', hash, false)) > tip;
    if (!isAbove) return pass(call);
    if (call.method === 'eth_getBlockReceipts') return nothing(null);
    return { jsonrpc: '2.0', id: call.id, error: { code: -32000, message: 'header not found' } };
  }

  function refusal(id: number | null, message: string): unknown {
    proxy.refused += 1;
    return { jsonrpc: '2.0', id, error: { code: -32005, message } };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(proxy, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
