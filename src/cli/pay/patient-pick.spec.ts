import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Patience } from '../../platform/patience.js';
import { Checkout } from './checkout-client.js';
import { patientPick } from './patient-pick.js';

const ETH = { asset: 'ETH', network: 'ethereum' };
const UNPICKED = { asset: null, network: null, depositAddress: null, received: null, missing: null };

/** How the checkout answers one form after the other; `''` accepts it. */
let notices: string[];
let forms: number;
let server: Server;
let said: string[];

beforeEach(async () => {
  [forms, said] = [0, []];
  server = createServer((request, response) => {
    if (request.method === 'GET')
      return response.end(JSON.stringify({ status: 'initiated', state: 'choose', ...UNPICKED }));
    const notice = notices[Math.min(forms++, notices.length - 1)];
    response.writeHead(303, { location: `/pay/pi_1${notice ? `?notice=${notice}` : ''}` }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
});

const pick = (looksInVain: number) => {
  const checkout = new Checkout(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'pi_1');
  return patientPick(checkout, ETH, new Patience({ everyMs: 1, looksInVain }), (option) => said.push(option));
};

it('waits for an option that is closed, and says once what for', async () => {
  notices = ['option-closed', 'option-closed', ''];
  expect(await pick(3)).toMatchObject({ status: 'initiated' });
  expect(forms).toBe(3);
  expect(said).toEqual(['ETH on ethereum']);
});

it('gives up once its patience is over, and says so', async () => {
  notices = ['option-closed'];
  await expect(pick(3)).rejects.toThrow('ETH on ethereum is still not offered');
  expect(forms).toBe(4);
});

it('waits for nothing else', async () => {
  notices = ['cannot-switch'];
  await expect(pick(3)).rejects.toThrow('did not accept asset ETH, ethereum: cannot-switch');
  expect([forms, said]).toEqual([1, []]);
});
