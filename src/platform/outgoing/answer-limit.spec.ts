import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createGunzip, gzipSync } from 'node:zlib';
import { OutgoingAgent } from './outgoing-agent.js';

const BODY = Buffer.from(randomBytes(1_000_000).toString('hex'));

let server: Server;
let agent: OutgoingAgent;
let origin: string;
const { signal } = new AbortController();

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.end(request.url === '/gzip' ? gzipSync(BODY) : BODY);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  agent = new OutgoingAgent({ maxBodyBytes: 4_000_000, connect: { timeout: 5_000 } });
});
afterAll(async () => {
  await agent.destroy();
  server.closeAllConnections();
  server.close();
});

async function collect(stream: AsyncIterable<Buffer>, pauseMs: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) {
    parts.push(part);
    if (pauseMs > 0) await pause(pauseMs);
  }
  return Buffer.concat(parts);
}

it('gives an honest answer whole to a reader that is slower than the network', async () => {
  const { body } = await agent.request({ origin, path: '/plain', method: 'GET', signal });
  expect((await collect(body, 1)).equals(BODY)).toBe(true);
});

it('gives it whole to what unpacks it', async () => {
  const { body } = await agent.request({ origin, path: '/gzip', method: 'GET', signal });
  const unpacked = body.pipe(createGunzip());
  body.on('error', (error) => unpacked.destroy(error));
  expect((await collect(unpacked as AsyncIterable<Buffer>, 0)).equals(BODY)).toBe(true);
});
