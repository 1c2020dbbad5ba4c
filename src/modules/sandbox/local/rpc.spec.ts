import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rpc } from './rpc.js';

let server: Server;
let url: string;
let answer: unknown;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.end(JSON.stringify(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

it.each([
  ['without a result', {}],
  ['beside an empty result', { result: null }],
])('says what a node refuses %s', async (_where, more) => {
  answer = { jsonrpc: '2.0', id: 1, ...more, error: { code: -32_003, message: 'nonce too low' } };
  await expect(rpc(url, 'eth_sendTransaction')).rejects.toThrow('eth_sendTransaction: nonce too low');
});

it('takes no answer that says nothing', async () => {
  answer = { jsonrpc: '2.0', id: 1 };
  await expect(rpc(url, 'eth_chainId')).rejects.toThrow('the answer has neither a result nor an error');
});

it('answers with the result', async () => {
  answer = { jsonrpc: '2.0', id: 1, result: '0x1' };
  expect(await rpc(url, 'eth_chainId')).toBe('0x1');
});
