import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createGunzip, gzipSync } from 'node:zlib';
import { CERTIFICATE, KEY } from '../../../test/support/servers/shop-certificate.js';
import { trustShop } from '../../../test/support/servers/trusting.js';
import { OutgoingAgent } from './outgoing-agent.js';

const BODY = Buffer.from(randomBytes(1_000_000).toString('hex'));

const answer: RequestListener = (request, response) => {
  request.resume();
  response.end(request.url === '/gzip' ? gzipSync(BODY) : BODY);
};
const servers = {
  http: createServer(answer),
  https: createSecureServer({ key: KEY, cert: CERTIFICATE }, answer),
};
let agent: OutgoingAgent;
const { signal } = new AbortController();

beforeAll(async () => {
  for (const server of Object.values(servers)) await once(server.listen(0, '127.0.0.1'), 'listening');
  agent = new OutgoingAgent({ maxBodyBytes: 4_000_000, connectMs: 600_000 });
});
afterAll(async () => {
  await agent.destroy();
  for (const server of Object.values(servers)) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(trustShop);
afterEach(() => jest.restoreAllMocks());

async function collect(stream: AsyncIterable<Buffer>, pauseMs: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) {
    parts.push(part);
    if (pauseMs > 0) await pause(pauseMs);
  }
  return Buffer.concat(parts);
}

describe.each(['http', 'https'] as const)('over %s', (protocol) => {
  const ask = (path: string) => {
    const origin = `${protocol}://127.0.0.1:${(servers[protocol].address() as AddressInfo).port}`;
    return agent.request({ origin, path, method: 'GET', signal });
  };

  it('gives an honest answer whole to a reader that is slower than the network', async () => {
    const { body } = await ask('/plain');
    expect((await collect(body, 1)).equals(BODY)).toBe(true);
  });

  it('gives it whole to what unpacks it', async () => {
    const { body } = await ask('/gzip');
    const unpacked = body.pipe(createGunzip());
    body.on('error', (error) => unpacked.destroy(error));
    expect((await collect(unpacked as AsyncIterable<Buffer>, 0)).equals(BODY)).toBe(true);
  });

  it('gives many answers on one connection', async () => {
    let connections = 0;
    servers[protocol].on('connection', () => (connections += 1));
    for (let i = 0; i < 20; i += 1) {
      const { body } = await ask('/plain');
      expect((await collect(body, 0)).length).toBe(BODY.length);
    }
    expect(connections).toBeLessThanOrEqual(1);
  });
});
