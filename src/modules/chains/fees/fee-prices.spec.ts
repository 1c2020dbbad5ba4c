import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HeldTimers } from '../../../../test/support/run/held-timers.js';
import type { AssetConfig, NetworkConfig } from '../../../config/config.types.js';
import { FeePrices } from './fee-prices.service.js';

const coin = { symbol: 'ETH', contract: null } as AssetConfig;
const token = { symbol: 'USDC', contract: '0x01' } as AssetConfig;
/** Does not come here: on a machine that stands still an honest answer needs longer. */
const TIMEOUT_MS = 1_000;

let server: Server;
let deadlines: HeldTimers;
let evm: NetworkConfig;
let bitcoin: NetworkConfig;
let answer: string;
let asked: { method: string; params: unknown[] }[];

beforeEach(async () => {
  deadlines = new HeldTimers((ms) => ms === TIMEOUT_MS);
  asked = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      const question = JSON.parse(body) as unknown;
      // Bitcoin-like nodes are asked in batches, also for one thing.
      const [{ id, ...call }] = [question].flat() as [{ id: number; method: string; params: unknown[] }];
      asked.push({ method: call.method, params: call.params });
      const said = `{"jsonrpc":"2.0","id":${id},${answer}}`;
      response
        .setHeader('content-type', 'application/json')
        .end(Array.isArray(question) ? `[${said}]` : said);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  evm = { id: 'ethereum', family: 'evm', rpcUrl } as NetworkConfig;
  bitcoin = { id: 'bitcoin', family: 'bitcoin', rpcUrl } as NetworkConfig;
});

afterEach(() => {
  deadlines.restore();
  server.closeAllConnections();
  server.close();
});

it('says what a transfer costs at the node’s price, and asks it once for all who look', async () => {
  answer = '"result":"0x3b9aca00"';
  const prices = new FeePrices();
  const fees = await Promise.all([coin, token, coin].map((asset) => prices.transferFee(evm, asset)));
  expect(fees).toEqual([21_000_000_000_000n, 65_000_000_000_000n, 21_000_000_000_000n]);
  expect(asked.map(({ method }) => method)).toEqual(['eth_gasPrice']);
});

it.each([
  // Rounded up: 141 × 12.345 atoms are 1,740.645.
  ['0.00012345', 1_741n],
  ['0.00001000', 141n],
  ['1.1e-05', 156n],
])('says what the usual transaction costs at a rate of %s coins for 1,000 bytes', async (rate, fee) => {
  answer = `"result":{"feerate":${rate},"blocks":3},"error":null`;
  const prices = new FeePrices();
  expect(await Promise.all([coin, coin].map((asset) => prices.transferFee(bitcoin, asset)))).toEqual([
    fee,
    fee,
  ]);
  expect(asked).toEqual([{ method: 'estimatesmartfee', params: [3, 'ECONOMICAL'] }]);
});

it('says nothing where the node says nothing, or no price', async () => {
  for (const nonsense of ['"error":{"code":-32000,"message":"no"}', '"result":"cheap"']) {
    answer = nonsense;
    expect(await new FeePrices().transferFee(evm, coin)).toBeNull();
  }
  for (const nonsense of [
    '"result":{"errors":["Insufficient data or no feerate found"],"blocks":0},"error":null',
    '"result":{"feerate":-1,"blocks":3},"error":null',
    '"result":{"feerate":0.00000000,"blocks":3},"error":null',
    '"result":{"feerate":1.00000001,"blocks":3},"error":null',
    '"result":{"feerate":0.000000001,"blocks":3},"error":null',
    '"result":{"feerate":"cheap","blocks":3},"error":null',
    '"result":null,"error":{"code":-32601,"message":"Method not found"}',
    '"result":null,"error":null',
  ]) {
    answer = nonsense;
    expect([nonsense, await new FeePrices().transferFee(bitcoin, coin)]).toEqual([nonsense, null]);
  }
  const prices = new FeePrices();
  for (const network of [evm, bitcoin]) {
    expect(await prices.transferFee({ ...network, rpcUrl: 'http://127.0.0.1:1' }, coin)).toBeNull();
  }
});
