import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { NodeHttp } from './node-http.js';

const MB = 1_048_576;
/** Far away: nothing here ends by it. */
const timeoutMs = 600_000;
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    const { pathname, searchParams } = new URL(request.url!, url);
    const level = Number(searchParams.get('level'));
    const body = gzipSync(Buffer.alloc(Number(pathname.slice(1)), 'x'), { level });
    response.writeHead(200, { connection: 'close', 'content-encoding': 'gzip' }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

it('has whole answers of a node that closes its connection after each, and ends no process by them', async () => {
  for (let i = 0; i < 60; i += 1) {
    const bytes = 200_000 + i * 21_001;
    const node = new NodeHttp({ timeoutMs, maxBytes: 4 * MB });
    const { body } = await node.post({ url: `${url}${bytes}`, headers: {}, body: '{}' });
    expect(body.length).toBe(bytes);
  }
});

it('refuses what is a little more than it reads, and ends no process by that', async () => {
  const maxBytes = MB / 4;
  for (let i = 0; i < 20; i += 1) {
    const node = new NodeHttp({ timeoutMs, maxBytes });
    const asked = node.post({ url: `${url}${maxBytes + 16_000 + i * 1_200}`, headers: {}, body: '{}' });
    await expect(asked).rejects.toThrow('the node answered more than');
  }
});

it('counts what it has unpacked, of an answer that is small as long as it is packed', async () => {
  const node = new NodeHttp({ timeoutMs, maxBytes: MB });
  const asked = node.post({ url: `${url}${64 * MB}?level=9`, headers: {}, body: '{}' });
  await expect(asked).rejects.toThrow(`the node answered more than ${MB} bytes`);
});
