import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import type { SandboxFile } from '../../modules/sandbox/sandbox-home.service.js';
import { Patience } from '../../platform/patience.js';
import type { Order } from './orders.js';
import { Play } from './play.js';

const ID = 'pi_1';
const ORDER: Order = {
  title: 'Gift card',
  amount: 100,
  currency: 'CHF',
  choice: { asset: 'LTC', network: 'litecoin' },
  scenario: 'picked',
  decision: null,
};
const UNPICKED = { asset: null, network: null, depositAddress: null, received: null, missing: null };

/** How the checkout answers one form after the other, the last again and again; `''` accepts it. */
let notices: string[];
/** How the API says the order stands, in the same way. */
let statuses: string[];
let server: Server;
/** Instead of what it would answer. */
let isSilent: boolean;

const next = (list: string[]) => (list.length > 1 ? list.shift() : list[0]);

function answerOf({ method, url = '' }: IncomingMessage): object | string {
  if (url.startsWith('/pay/')) {
    if (method === 'GET') return { status: 'initiated', state: 'choose', ...UNPICKED };
    const notice = next(notices);
    return notice ? `/pay/${ID}?notice=${notice}` : `/pay/${ID}`;
  }
  return method === 'POST' ? { id: ID } : { status: next(statuses) };
}

beforeEach(async () => {
  [notices, statuses, isSilent] = [[''], ['initiated'], false];
  server = createServer((request, response) => {
    if (isSilent) return void request.socket.destroy();
    const answer = answerOf(request);
    if (typeof answer === 'string') response.writeHead(303, { location: answer }).end();
    else response.end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
});

function created(looksInVain: number): Promise<Play> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sandbox = { baseUrl: url, checkoutUrl: url, apiKey: 'a key', networks: {} } as unknown as SandboxFile;
  const app = null as unknown as INestApplicationContext;
  const patience = new Patience({ everyMs: 1, looksInVain });
  return Play.create(app, sandbox, ORDER, 1001, patience);
}
const played = async (looksInVain: number) => (await created(looksInVain)).toItsEnd();

it('waits for an option that is closed for a moment', async () => {
  notices = ['option-closed', 'option-closed', ''];
  expect(await played(3)).toBe('initiated');
});

it('gives up where it stays closed, and where nothing goes on', async () => {
  notices = ['option-closed'];
  await expect(played(3)).rejects.toThrow('LTC on litecoin is still not offered');
  [notices, statuses] = [[''], ['pending', 'confirmed', 'pending']];
  await expect(played(3)).rejects.toThrow(`${ID} is pending and not initiated.`);
});

it('waits for as long as the payment goes on', async () => {
  statuses = ['pending', 'pending', 'confirmed', 'confirmed', 'pending', 'pending', 'initiated'];
  expect(await played(2)).toBe('initiated');
});

it('says where the money should go as soon as the page accepts it', async () => {
  notices = ['refund-closed', 'refund-closed', 'refund-stored'];
  await expect((await created(3)).askRefund()).resolves.toBeUndefined();
  expect(notices).toEqual(['refund-stored']);
});

it('gives up where the page does not, for whatever reasons in turn', async () => {
  notices = ['refund-closed', '', 'refund-closed', '', 'refund-closed', '', 'refund-stored'];
  await expect((await created(3)).askRefund()).rejects.toThrow(/did not accept refund-address .*: 303$/);
  expect(notices).toHaveLength(3);
});

it('does not wait for a page that answers nothing', async () => {
  const play = await created(1_000_000);
  isSilent = true;
  await expect(play.askRefund()).rejects.toThrow('other side closed');
});
