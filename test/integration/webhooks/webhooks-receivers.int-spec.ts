import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { ResolvedAddress } from '../../../src/modules/webhooks/delivery/resolve.js';
import type { SendResult } from '../../../src/modules/webhooks/delivery/sender.js';
import { vettedConnector } from '../../../src/modules/webhooks/delivery/vetted-connector.js';
import { by } from '../../support/intents/by.js';
import { stablePort } from '../../support/servers/ports.js';
import { eventually, SANDBOX, WebhooksFixture } from './webhooks-fixture.js';

let fixture: WebhooksFixture;
beforeAll(async () => (fixture = await WebhooksFixture.open()));
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

const LOOPBACK: ResolvedAddress = { address: '127.0.0.1', family: 4 };
const message = (url: string) => ({
  url,
  signature: { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' },
  body: '{}',
});
const send = (url: string, options = {}): Promise<SendResult> => fixture.sender(options).send(message(url));

describe('a receiver that redirects', () => {
  it.each([301, 302, 303, 307, 308])(
    'with %d is not followed, and what it wanted is recorded',
    async (status) => {
      const target = await fixture.receiver();
      const receiver = (await fixture.receiver()).answer(status, 'moved', { location: target.url });
      await fixture.endpoint(receiver.url);
      await fixture.append();
      await fixture.deliver();
      expect(target.received).toEqual([]);
      expect(await fixture.attempts()).toMatchObject([
        { http_status: status, response: `Location: ${target.url}\nmoved` },
      ]);
      expect(await fixture.deliveries()).toMatchObject([{ state: 'pending', attempts: 1 }]);
    },
  );
});

/** All but what a deadline is made of, and a duration. */
const REAL: NonNullable<Parameters<typeof jest.useFakeTimers>[0]> = {
  doNotFake: [
    'Date',
    'nextTick',
    'setImmediate',
    'clearImmediate',
    'setInterval',
    'clearInterval',
    'queueMicrotask',
  ],
};

/** What is read of the connections that are opened from now on. */
function noteReading(): { text(): string; stop(): void } {
  let text = '';
  const note = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    const read = socket.read.bind(socket);
    socket.read = (size?: number) => {
      const part = read(size) as Buffer | null;
      text += part?.toString('latin1') ?? '';
      return part;
    };
  };
  subscribe('undici:client:connected', note);
  return { text: () => text, stop: () => unsubscribe('undici:client:connected', note) };
}

describe('a slow receiver', () => {
  it('that drips its body is cut at the deadline and has failed', async () => {
    const receiver = await fixture.receiver();
    let closed = false;
    receiver.respond = (_, response) => {
      response.writeHead(200).write('start');
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => {
        clearInterval(drip);
        closed = true;
      });
    };
    const reading = noteReading();
    // By hand: a machine that stands still reaches a real deadline before it has read what lies in its socket.
    jest.useFakeTimers(REAL);
    try {
      const sending = send(receiver.url, { deadlineMs: 10_000 });
      await eventually('a drip is read', () => /start\r\n1\r\n\.\r\n/.test(reading.text()));
      jest.advanceTimersByTime(9_999);
      const drips = () => reading.text().split('\r\n.').length;
      const before = drips();
      await eventually('another is read', () => drips() > before);
      jest.advanceTimersByTime(1);
      const result = await sending;
      expect(result).toMatchObject({ httpStatus: 200, error: 'timeout', durationMs: 10_000 });
      expect(result.response).toMatch(/^start\.{2,}$/);
    } finally {
      jest.useRealTimers();
      reading.stop();
    }
    await eventually('the connection is closed', () => closed);
  });

  it('that never answers is cut at the deadline', async () => {
    const receiver = await fixture.receiver();
    receiver.respond = () => undefined;
    const result = await send(receiver.url, { deadlineMs: 200 });
    expect(result).toMatchObject({ httpStatus: null, error: 'timeout', response: null });
  });

  it('that sends more than a few 1xx is cut', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      const flood = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'), 5);
      socket.on('close', () => clearInterval(flood));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ error: 'invalid-answer' });
    server.close();
  });

  it('whose name never resolves is cut at the deadline', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    const result = await send('http://silent.example/', { deadlineMs: 200, resolve });
    expect(result).toMatchObject({ httpStatus: null, error: 'timeout' });
  });
});

describe('an answer', () => {
  it('of more than 16 KiB is read no further, and its status counts', async () => {
    const receiver = await fixture.receiver();
    let sent = 0;
    let closed = false;
    receiver.respond = (_, response) => {
      response.writeHead(200);
      const more = () => {
        while (!closed && response.write(Buffer.alloc(16_384, 'x'))) sent += 16_384;
      };
      response.on('drain', more).on('close', () => (closed = true));
      more();
    };
    const result = await send(receiver.url);
    expect(result).toMatchObject({ httpStatus: 200, error: null, response: 'x'.repeat(1_024) });
    await eventually('the connection is closed', () => closed);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it('that is compressed is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    const receiver = await fixture.receiver();
    receiver.respond = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    const result = await send(receiver.url);
    expect(result).toMatchObject({ httpStatus: 200, error: null });
    expect(result.response?.length).toBeLessThanOrEqual(1_024);
  });

  const ok = 'HTTP/1.1 200 OK\r\n';
  it.each<[string, Buffer | string, number | null, string]>([
    ['with NUL in its body', `${ok}content-length: 3\r\n\r\na\0b`, 200, 'delivered'],
    ['of invalid UTF-8', Buffer.concat([Buffer.from(`${ok}content-length: 3\r\n\r\n`), Buffer.from([0xff, 0xfe, 0xc0])]), 200, 'delivered'],
    ['with escape codes and lone surrogates', Buffer.from(`${ok}content-length: 7\r\n\r\n\x1b[31m\xed\xa0`, 'latin1'), 200, 'delivered'],
    ['with bytes beyond ASCII in a header', Buffer.from(`${ok}x-name: \xff\xfe\r\nretry-after: \xe9\r\ncontent-length: 0\r\n\r\n`, 'latin1'), 200, 'delivered'],
    ['with a strange status', 'HTTP/1.1 999 Whatever\r\ncontent-length: 0\r\n\r\n', 999, 'pending'],
    ['with a Location of control characters', Buffer.from(`HTTP/1.1 302 F\r\nlocation: http://a/\x85\xad\r\ncontent-length: 0\r\n\r\n`, 'latin1'), 302, 'pending'],
    ['with a header of 100 KiB', `${ok}x-a: ${'a'.repeat(100_000)}\r\n\r\n`, null, 'pending'],
    ['with thousands of headers', `${ok}${'x-a: b\r\n'.repeat(50_000)}\r\n`, null, 'pending'],
    ['with a NUL in a header', `${ok}x-a: a\0b\r\n\r\n`, null, 'pending'],
    ['with an invalid status line', 'HTTP/1.1 abc OK\r\n\r\n', null, 'pending'],
    ['that is not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', null, 'pending'],
    ['that is empty', '', null, 'pending'],
    ['with two lengths', `${ok}content-length: 1\r\ncontent-length: 2\r\n\r\nab`, null, 'pending'],
    ['that ends too early', `${ok}content-length: 50\r\n\r\nabc`, 200, 'pending'],
    ['with an upgrade', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n', null, 'pending'],
  ])('%s is recorded', async (_, bytes, status, state) => {
    await fixture.endpoint(await fixture.rawReceiver(bytes));
    await fixture.append();
    await fixture.deliver();
    const [attempt, ...others] = await fixture.attempts();
    expect(others).toEqual([]);
    expect(attempt?.http_status).toBe(status);
    expect(attempt?.response ?? '').toMatch(/^[\P{C}\t\n]*$/u);
    expect(attempt?.error === null).toBe(status !== null && !(status === 200 && state === 'pending'));
    expect(await fixture.deliveries()).toMatchObject([{ state, attempts: 1 }]);
  }); // prettier-ignore
});

describe('addresses', () => {
  it.each([
    'http://10.0.0.1/', 'http://169.254.169.254/latest/meta-data/', 'http://[::ffff:127.0.0.1]/', 'http://[fe80::1]/',
    'http://0xa9fea9fe/', 'ftp://127.0.0.1/', 'http://user@127.0.0.1/',
  ])('are judged again when a stored URL is sent to: %s', async (url) => {
    expect(await send(url)).toMatchObject({ httpStatus: null, error: 'url-refused' });
  }); // prettier-ignore

  it('of this machine are refused outside the sandbox, whatever spells them', async () => {
    const receiver = await fixture.receiver();
    const production = { policy: { sandbox: false }, resolve: () => Promise.resolve([LOOPBACK]) };
    for (const url of [
      receiver.url,
      `https://127.0.0.1:${receiver.port}/`,
      `https://2130706433:${receiver.port}/`,
    ])
      expect(await send(url, production)).toMatchObject({ error: 'url-refused' });
    expect(await send(`https://shop.example:${receiver.port}/`, production)).toMatchObject({
      error: 'name-not-resolved',
    });
    expect(receiver.received).toEqual([]);
  });

  it.each<[string, ResolvedAddress[]]>([
    ['a private address', [{ address: '10.0.0.1', family: 4 }]],
    ['metadata', [{ address: '169.254.169.254', family: 4 }]],
    ['one bad address among good ones', [LOOPBACK, { address: '192.168.0.1', family: 4 }]],
    ['a mapped address', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['no address', []],
  ])('refuse a name with %s without dialling', async (_, addresses) => {
    const receiver = await fixture.receiver();
    const resolve = () => Promise.resolve(addresses);
    const result = await send(`http://shop.example:${receiver.port}/`, { resolve });
    expect(result).toMatchObject({ httpStatus: null, error: 'name-not-resolved' });
    expect(receiver.received).toEqual([]);
  });

  it('are pinned: what was vetted is what is dialled, and Host stays the name', async () => {
    const receiver = await fixture.receiver();
    const asked: string[] = [];
    const resolve = (name: string) => (asked.push(name), Promise.resolve([LOOPBACK]));
    const sender = fixture.sender({ resolve });
    for (let i = 0; i < 3; i++) {
      expect(await sender.send(message(`http://shop.example:${receiver.port}/`))).toMatchObject({
        error: null,
      });
    }
    expect(new Set(asked)).toEqual(new Set(['shop.example']));
    expect(asked.length).toBeLessThan(3);
    expect(receiver.received.map((r) => r.headers['host'])).toEqual(
      Array(3).fill(`shop.example:${receiver.port}`),
    );
  });

  it('are judged at each dial: a name that rebinds after it was saved is refused', async () => {
    const receiver = (await fixture.receiver()).answer(200, '', { connection: 'close' });
    let answer = [LOOPBACK];
    const resolve = () => Promise.resolve(answer);
    const url = `http://rebind.example:${receiver.port}/`;
    await fixture.service(resolve).createEndpoint({ merchantId: fixture.merchantId, url }, by('test'));
    const pump = fixture.pump({ sender: fixture.sender({ resolve, policy: SANDBOX }) });
    await fixture.append();
    await fixture.deliver(pump);
    answer = [{ address: '10.1.2.3', family: 4 }];
    await fixture.append();
    await fixture.deliver(pump);
    expect((await fixture.deliveries()).map((d) => d.state)).toEqual(['delivered', 'pending']);
    expect((await fixture.attempts()).map((a) => a.error)).toEqual([null, 'name-not-resolved']);
    expect(receiver.received).toHaveLength(1);
  });

  it('are judged by the connector itself, which no resolver protects from literals', async () => {
    const receiver = await fixture.receiver();
    const policy = { sandbox: false };
    const connect = vettedConnector({ policy, resolve: () => Promise.resolve([LOOPBACK]), timeoutMs: 500 });
    for (const hostname of ['127.0.0.1', '::1', '169.254.169.254', '::ffff:127.0.0.1', 'shop.example']) {
      const target = { hostname, protocol: 'http:', port: String(receiver.port) };
      const error = await new Promise<Error | null>((done) =>
        connect(target, (...[failure]) => done(failure)),
      );
      expect(error?.name).toBe('UnreachableNameError');
    }
  });

  it('that nobody listens on are a failed attempt', async () => {
    const failed = { httpStatus: null, error: 'connect-failed', response: null };
    expect(await send(`http://127.0.0.1:${await stablePort()}/`)).toMatchObject(failed);
  });

  it('that do not speak TLS are a failed attempt', async () => {
    const receiver = await fixture.receiver();
    const url = receiver.url.replace('http:', 'https:');
    expect(await send(url)).toMatchObject({ httpStatus: null, error: 'tls-failed' });
  });
});
