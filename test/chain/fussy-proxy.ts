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
  /** Methods that this provider does not offer. */
  refuses?: readonly string[];
  /** Another node answers instead. */
  elsewhere?: string;
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
    const headers = { 'content-type': 'application/json' };
    return (
      await fetch(proxy.fuss.elsewhere ?? nodeUrl, { method: 'POST', headers, body: JSON.stringify(call) })
    ).json();
  }

  function refusal(id: number | null, message: string): unknown {
    proxy.refused += 1;
    return { jsonrpc: '2.0', id, error: { code: -32005, message } };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(proxy, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
