import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { askServer } from '../../../src/cli/ask-server.js';
import { forward } from '../../../src/cli/listen/forward.js';
import type { Config } from '../../../src/config/config.types.js';
import { sandboxEthereum } from '../../../src/config/networks.js';
import type { Notice } from '../../../src/modules/alerts/data/notices.repository.js';
import { OperatorWebhook } from '../../../src/modules/alerts/delivery/operator-webhook.js';
import { FactoryService } from '../../../src/modules/chains/forwarders/factory.service.js';
import { NodeHttp } from '../../../src/modules/chains/watching/node-http.js';
import { LIST_OF_MARKETS, PriceHttp } from '../../../src/modules/rates/sources/price-http.js';
import { MAX_ANSWER_BYTES } from '../../../src/modules/webhooks/delivery/answer.js';
import { WebhookSender } from '../../../src/modules/webhooks/delivery/sender.js';
import type { StoredEvent } from '../../../src/modules/webhooks/webhooks.types.js';
import { Mailer } from '../../../src/platform/mail/mailer.js';
import { MAX_HEAD_BYTES } from '../../../src/platform/outgoing/answer-limit.js';
import { MeteredConnection } from '../../../src/platform/outgoing/metered-connection.js';
import { Helper } from '../../bench/helper.js';
import { eventually } from '../../support/servers/receiver.js';
import { CERTIFICATE, KEY } from '../../support/servers/shop-certificate.js';
import { trustShop } from '../../support/servers/trusting.js';

const SRC = join(import.meta.dirname, '../../../src');
/** Of those that only time ends. */
const SOON_MS = 1_500;
/** Of all others, which must be cut by their bytes, or end by themselves, however busy the machine is. */
const FAR_MS = 30_000;
/** What lies in the sockets of both sides when an answer is cut. */
const IN_SOCKETS_BYTES = 16 * 1024 * 1024;
/** viem's own. */
const RETRIES = 3;
const NODE_BYTES = 1_048_576;
const CONTRACT = `0x${'1'.repeat(40)}` as const;
/** Of four that send a byte or a line each 20 ms, until the longest deadline of these clients: ten seconds. */
const MOST_DRIPPED_BYTES = 16 * 1_024;
/** Only the deadline ends these; of renegotiation because it is refused, and then nobody says anything. */
const SLOW = /drip|silence|renegotiation/;

interface HostileReceiver {
  readonly name: string;
  readonly isSecure: boolean;
  readonly port: number;
}

interface Client {
  readonly maxBodyBytes: number;
  ask(url: string, by: Clients): Promise<unknown>;
}

const senderWithin = (deadlineMs: number) =>
  new WebhookSender({
    policy: { sandbox: true },
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    deadlineMs,
  });
const clientsWithin = (ms: number) => ({
  ms,
  sender: senderWithin(ms),
  prices: new PriceHttp(ms),
  node: new NodeHttp({ timeoutMs: ms, maxBytes: NODE_BYTES }),
});
type Clients = ReturnType<typeof clientsWithin>;
const [soon, far] = [clientsWithin(SOON_MS), clientsWithin(FAR_MS)];
const sendBy = ({ sender }: Clients, url: string) =>
  sender.send({
    url,
    signature: { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' },
    body: '{}',
  });
const alert: Notice['alert'] = {
  id: 'alt_1',
  merchantId: null,
  kind: 'rates-unavailable',
  subject: 'BTC',
  data: {},
  summary: 'No rate',
  detail: 'None',
  raisedAt: new Date(),
  resolvedAt: null,
};

/** By the file that makes its `OutgoingAgent`; one without a row here fails the first test. */
const CLIENTS: Readonly<Record<string, Client>> = {
  'modules/webhooks/delivery/sender.ts': {
    maxBodyBytes: MAX_ANSWER_BYTES,
    ask: (url, by) => sendBy(by, url),
  },
  'modules/alerts/delivery/operator-webhook.ts': {
    maxBodyBytes: 16 * 1024,
    async ask(url) {
      const config = {
        baseUrl: 'https://pay.example',
        operator: { emails: [], webhook: { url, secret: null } },
      };
      const webhook = new OperatorWebhook(
        config as unknown as Config,
        ({ subject }) => `https://pay.example/${subject}`,
      );
      await webhook.send(alert, 'raised').finally(() => webhook.onApplicationShutdown());
    },
  },
  'modules/rates/sources/price-http.ts': {
    maxBodyBytes: LIST_OF_MARKETS.bytes,
    ask: (url, { prices, ms }) => prices.get(new URL(url).origin, '/ticker', AbortSignal.timeout(ms)),
  },
  'modules/chains/watching/node-http.ts': {
    maxBodyBytes: NODE_BYTES,
    ask: (url, { node }) => node.post({ url, headers: {}, body: '{}' }),
  },
  // To the end of the answer, of which a command may take less.
  'cli/ask-server.ts': {
    maxBodyBytes: 256 * 1024,
    ask: (url, { ms }) =>
      askServer(url, { method: 'POST', body: '{}', timeoutMs: ms }, ({ body }) => body.text()),
  },
};

/** Speaks no HTTP, and has attackers of its own. */
const MAILER = 'platform/mail/mailer.ts';
/** More than all answers to one mail. */
const MAIL_BYTES = 24 * 1024;

const SECURE = { key: KEY, cert: CERTIFICATE };
/** Of an answer without one byte: the shortest ticket has 18, and behind the first record of 16 KiB that has many no part is read. */
const MOST_SESSIONS = 1_000;
/** Of the four thousand that one record asks for. */
const MOST_HANDSHAKES = 2;

let helper: Helper;
let receivers: readonly HostileReceiver[];
/** What parsers of answers were given since it was set to 0: the only part of an answer that costs more than its receipt. */
let parsedBytes = 0;
/** What servers' tickets have made of themselves since then. */
let sessions = 0;
/** How often TLS has said since then that one is done, after the first. */
let handshakes = 0;

subscribe('undici:client:connected', (message) => {
  const { socket } = message as { socket: Socket };
  const [read, unshift] = [socket.read.bind(socket), socket.unshift.bind(socket)];
  socket.read = (size?: number) => {
    const part = read(size) as Buffer | null;
    parsedBytes += part?.length ?? 0;
    return part;
  };
  socket.unshift = (part: Buffer) => {
    parsedBytes -= part.length;
    unshift(part);
  };
  socket.on('session', () => (sessions += 1));
  socket.on('secure', () => (handshakes += 1));
});

beforeAll(async () => {
  helper = Helper.start('../../support/servers/hostile-receivers.mjs');
  receivers = await helper.call('listen', SECURE);
  await helper.call('attack', true);
});
afterAll(async () => {
  helper.stop();
  await Promise.all([soon, far].flatMap(({ sender, prices }) => [sender.close(), prices.close()]));
});

beforeEach(trustShop);
afterEach(() => jest.restoreAllMocks());

const urlOf = ({ isSecure, port }: HostileReceiver) => `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}/`;

/** Bytes, and neither time nor the processor's time: both are other suites' as well. */
async function costOf(work: () => Promise<unknown>): Promise<{ parsed: number; taken: number }> {
  [parsedBytes, sessions, handshakes] = [0, 0, 0];
  await helper.call('taken');
  await work().catch(() => undefined); // most of them are refused, some have said 200 before they went on
  return { parsed: parsedBytes, taken: await helper.call('taken') };
}

it('whatever speaks to others’ servers stands among the clients', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.startsWith('platform/outgoing/'),
  );
  const dials = /\bnew OutgoingAgent\(|^(?!export ).*\blimitedSocket\(/m;
  const speaking = files.filter((file) => dials.test(readFileSync(join(SRC, file), 'utf8')));
  expect(speaking.sort()).toEqual([...Object.keys(CLIENTS), MAILER].sort());
});

describe.each(Object.entries(CLIENTS))('%s', (_, { maxBodyBytes, ask }) => {
  it('takes and parses no more of an answer than an honest one has', async () => {
    const costs: Record<string, { parsed: number; taken: number }> = {};
    let [mostSessions, mostHandshakes] = [0, 0];
    for (const receiver of receivers.filter(({ name }) => !SLOW.test(name))) {
      costs[receiver.name] = await costOf(() => ask(urlOf(receiver), far));
      mostSessions = Math.max(mostSessions, sessions);
      mostHandshakes = Math.max(mostHandshakes, handshakes);
    }
    const most = MAX_HEAD_BYTES + maxBodyBytes * (9 / 8);
    const tooMuch = Object.entries(costs).filter(
      ([, { parsed, taken }]) => parsed > most || taken > most + IN_SOCKETS_BYTES,
    );
    expect(Object.keys(costs)).toHaveLength(32);
    expect(tooMuch).toEqual([]);
    // What cannot reach the parser, or nothing was asked.
    const unparsed = Object.keys(costs).filter((name) => costs[name]!.parsed === 0);
    expect(unparsed).toEqual([
      'reset',
      'endless handshake',
      'reset over TLS',
      'endless tickets',
      'endless key updates',
      'endless requests for a handshake',
      'costly certificates',
      'costly certificates in TLS 1.2',
    ]);
    // More than an honest server's, so that there was a flood.
    expect(mostSessions).toBeGreaterThan(100);
    expect(mostSessions).toBeLessThan(MOST_SESSIONS);
    expect(mostHandshakes).toBe(MOST_HANDSHAKES);
    const framing = ['endless trailers', 'endless headers', 'endless chunk extension', 'chunks of one byte'];
    for (const name of framing.flatMap((each) => [each, `${each} over TLS`])) {
      expect(costs[name]!.parsed).toBeLessThanOrEqual(2 * MAX_HEAD_BYTES);
    }
  });

  it('ends what only time ends', async () => {
    const startedMs = performance.now();
    const slow = receivers.filter(({ name }) => SLOW.test(name));
    const { parsed } = await costOf(() =>
      Promise.allSettled(slow.map((receiver) => ask(urlOf(receiver), soon))),
    );
    expect(slow).toHaveLength(8);
    expect(await helper.call('renegotiated')).toBe(0);
    expect(performance.now() - startedMs).toBeGreaterThan(SOON_MS * 0.9); // or nothing was asked
    expect(parsed).toBeLessThanOrEqual(MOST_DRIPPED_BYTES);
    await eventually(
      () => helper.call<number>('connections'),
      (open) => open === 0,
    );
  });
});

/** What is handed on to whoever speaks TLS, or else reads, on the connections that are metered from now on. */
function countingHandedOn(): { bytes: number } {
  const handedOn = { bytes: 0 };
  const push = Reflect.get(MeteredConnection.prototype, 'push');
  jest.spyOn(MeteredConnection.prototype, 'push').mockImplementation(function (
    this: MeteredConnection,
    part: Buffer | null,
  ) {
    handedOn.bytes += part?.length ?? 0;
    return Reflect.apply(push, this, [part]);
  });
  return handedOn;
}

it('new keys without end are cut by their number', async () => {
  const handedOn = countingHandedOn();
  await sendBy(far, urlOf(receivers.find(({ name }) => name === 'endless key updates')!));
  // A handshake of two kilobytes, and a few hundred of twenty-seven bytes each.
  expect(handedOn.bytes).toBeGreaterThan(4 * 1_024);
  expect(handedOn.bytes).toBeLessThanOrEqual(16 * 1_024);
});

it.each(['costly certificates', 'costly certificates in TLS 1.2'])(
  '%s are not looked at, though what signs the server’s own is trusted',
  async (name) => {
    const { error } = await sendBy(far, urlOf(receivers.find((receiver) => receiver.name === name)!));
    expect(error).toBe('tls-failed');
  },
);

it('an answer in hundreds of small records is taken', async () => {
  const server = createServer(SECURE, (_request, response) => {
    const pieces = Array.from({ length: 500 }, () => ' '.repeat(80));
    const write = () => {
      const piece = pieces.pop();
      if (piece === undefined) return void response.end('{}');
      response.write(piece);
      setImmediate(write);
    };
    write();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = far.node.post({ url: `https://127.0.0.1:${port}/`, headers: {}, body: '{}' });
  await expect(answer.finally(() => server.close())).resolves.toBeDefined();
});

it(`${MAILER} takes and parses no more of a mail server than one mail needs`, async () => {
  const servers = await helper.call<readonly HostileReceiver[]>('listenForMail', SECURE);
  const handedOn = countingHandedOn();
  const costs: Record<string, { parsed: number; taken: number }> = {};
  for (const { name, isSecure, port } of servers) {
    const mail = { smtpUrl: `${isSecure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`, from: 'pay@example.com' };
    const mailer = new Mailer({ mail, baseUrl: 'https://pay.example' } as unknown as Config);
    const letter = { to: ['a@example.com'], subject: 's', text: 't', language: 'en' } as const;
    handedOn.bytes = 0;
    jest.mocked(tls.checkServerIdentity).mockClear();
    const { taken } = await costOf(() => mailer.send(letter));
    expect(jest.mocked(tls.checkServerIdentity).mock.calls.length).toBeLessThanOrEqual(MOST_HANDSHAKES);
    costs[name] = { parsed: handedOn.bytes, taken };
  }
  const tooMuch = Object.entries(costs).filter(
    ([, { parsed, taken }]) => parsed > MAIL_BYTES || taken > MAIL_BYTES + IN_SOCKETS_BYTES,
  );
  expect(Object.keys(costs)).toHaveLength(18);
  expect(tooMuch).toEqual([]);
  expect(Object.keys(costs).filter((name) => costs[name]?.parsed === 0)).toEqual(['reset']);
});

it('a command that hands events on to any address takes an answer’s first bytes, and no more', async () => {
  const event = { id: 'evt_1', body: '{}' } as StoredEvent;
  const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
  for (const name of ['endless body', 'endless 103', 'endless headers', 'endless chunk extension']) {
    const { port } = receivers.find((receiver) => receiver.name === name)!;
    const stop = new AbortController();
    const to = { url: `http://127.0.0.1:${port}/hook`, secret };
    const cost = await costOf(() =>
      forward(event, to, stop.signal, () => stop.abort(new Error('unreachable'))),
    );
    expect([name, cost.parsed]).toEqual([name, expect.any(Number)]);
    expect(cost.parsed).toBeLessThanOrEqual(2 * MAX_HEAD_BYTES + 256 * 1024);
    expect(cost.taken).toBeLessThanOrEqual(IN_SOCKETS_BYTES);
  }
});

it('a command that asks a node has the same limits', async () => {
  const { port } = receivers.find(({ name }) => name === 'endless 103')!;
  const network = sandboxEthereum(`http://127.0.0.1:${port}`, { USDC: CONTRACT, USDT: CONTRACT });
  const factory = new FactoryService({ networks: [network] } as unknown as Config);
  const asked = jest.fn(() => factory.deployment('ethereum', null));
  const { parsed } = await costOf(asked);
  await expect(asked.mock.results[0]!.value).rejects.toThrow('answered more than is read');
  expect(parsed).toBeLessThan(3 * (1 + RETRIES) * MAX_HEAD_BYTES);
});

it.each([
  'endless 103',
  'endless 102',
  'endless chunk extension',
  'endless blank lines',
  'endless trailers',
  'endless trailers over TLS',
  'endless tickets',
  'endless key updates',
  'endless requests for a handshake',
])('%s is cut long before the deadline', async (name) => {
  const result = await sendBy(far, urlOf(receivers.find((receiver) => receiver.name === name)!));
  expect(result.error).not.toBe('timeout');
  expect(result.error).not.toBeNull();
});

it('an answer that follows others on one connection is judged by itself', async () => {
  await helper.call('attack', false);
  for (let i = 0; i < 50; i++) {
    expect(await sendBy(far, urlOf(receivers[0]!))).toMatchObject({ httpStatus: 204 });
  }
  await helper.call('attack', true);
});
