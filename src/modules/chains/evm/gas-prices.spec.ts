import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AssetConfig, NetworkConfig } from '../../../config/config.types.js';
import { GasPrices } from './gas-prices.js';

const coin = { symbol: 'ETH', contract: null } as AssetConfig;
const token = { symbol: 'USDC', contract: '0x01' } as AssetConfig;

let server: Server;
let network: NetworkConfig;
let answer: string;
let asked: number;

beforeEach(async () => {
  [answer, asked] = ['"result":"0x3b9aca00"', 0];
  server = createServer((request, response) => {
    asked += 1;
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      const { id } = JSON.parse(body) as { id: number };
      response.setHeader('content-type', 'application/json').end(`{"jsonrpc":"2.0","id":${id},${answer}}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  network = { id: 'ethereum', family: 'evm', rpcUrl: `http://127.0.0.1:${port}` } as NetworkConfig;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('says what a transfer costs at the node’s price, and asks it once for all who look', async () => {
  const prices = new GasPrices();
  const fees = await Promise.all([coin, token, coin].map((asset) => prices.transferFee(network, asset)));
  expect(fees).toEqual([21_000_000_000_000n, 65_000_000_000_000n, 21_000_000_000_000n]);
  expect(asked).toBe(1);
});

it('says nothing where the node says nothing, or no price', async () => {
  for (const nonsense of ['"error":{"code":-32000,"message":"no"}', '"result":"cheap"']) {
    answer = nonsense;
    expect(await new GasPrices().transferFee(network, coin)).toBeNull();
  }
  const prices = new GasPrices();
  expect(await prices.transferFee({ ...network, rpcUrl: 'http://127.0.0.1:1' }, coin)).toBeNull();
  expect(await prices.transferFee({ ...network, family: 'bitcoin' }, coin)).toBeNull();
});
