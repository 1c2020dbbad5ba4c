import { once } from 'node:events';
import { type AddressInfo, connect, createServer as createTcp, type Server, type Socket } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { withCostlyOnes } from '../../../test/support/servers/costly-certificates.mjs';
import { RSA_CERTIFICATE, RSA_KEY } from '../../../test/support/servers/shop-certificate.js';
import { trustShop } from '../../../test/support/servers/trusting.js';
import { OutgoingAgent } from './outgoing-agent.js';
import { ServerHandshake } from './server-handshake.js';

beforeEach(trustShop);
const opened: Server[] = [];
afterEach(() => {
  jest.restoreAllMocks();
  for (const server of opened.splice(0)) server.close();
});

async function portOf(server: Server): Promise<number> {
  opened.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** @param pass hands on what a server says @param heard what the client says */
function between(
  port: number,
  pass: (from: Socket, to: Socket) => Promise<void>,
  heard: Buffer[] = [],
): Server {
  return createTcp((client: Socket) => {
    const there = connect(port, '127.0.0.1');
    client.pipe(there);
    client.on('data', (bytes: Buffer) => heard.push(bytes));
    for (const socket of [client, there]) socket.on('error', () => undefined);
    client.on('close', () => there.destroy());
    pass(there, client).catch(() => client.destroy());
  });
}

/** Byte by byte, a turn of the event loop for each dozen. */
const dribbling = (port: number) => between(port, dribble);

async function dribble(from: Socket, to: Socket): Promise<void> {
  for await (const bytes of from as AsyncIterable<Buffer>) {
    for (let at = 0; at < bytes.length; at += 1) {
      to.write(bytes.subarray(at, at + 1));
      if (at % 12 === 0) await new Promise(setImmediate);
    }
  }
  to.end();
}

/** @returns what two requests of one agent are answered, on two connections: the second resumes the session of the first, where it may */
async function asked(port: number): Promise<number[]> {
  const agent = new OutgoingAgent({ maxBodyBytes: 1_000, connectMs: 60_000, ca: RSA_CERTIFICATE });
  const statuses: number[] = [];
  try {
    for (let i = 0; i < 2; i += 1) {
      const { signal } = new AbortController();
      const origin = `https://127.0.0.1:${port}`;
      const { statusCode, body } = await agent.request({ origin, path: '/', method: 'GET', signal });
      await body.dump();
      statuses.push(statusCode);
    }
  } finally {
    await agent.destroy();
  }
  return statuses;
}

function answering(options: TlsOptions): { server: Server; resumed: boolean[] } {
  const resumed: boolean[] = [];
  const server = createServer({ key: RSA_KEY, cert: RSA_CERTIFICATE, ...options }, (socket) => {
    resumed.push(socket.isSessionReused());
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'));
  });
  return { server, resumed };
}

const OF_12 = { maxVersion: 'TLSv1.2' } as const;
const OF_13 = { minVersion: 'TLSv1.3' } as const;
const SERVERS: Readonly<Record<string, TlsOptions>> = {
  'TLS 1.2': OF_12,
  'TLS 1.2, CBC': { ...OF_12, ciphers: 'ECDHE-RSA-AES128-SHA256' },
  'TLS 1.3, AES of 128 bits': { ...OF_13, ciphers: 'TLS_AES_128_GCM_SHA256' },
  'TLS 1.3, AES of 256 bits': { ...OF_13, ciphers: 'TLS_AES_256_GCM_SHA384' },
  'TLS 1.3, ChaCha20': { ...OF_13, ciphers: 'TLS_CHACHA20_POLY1305_SHA256' },
  'TLS 1.3, asking for another hello': { ...OF_13, ecdhCurve: 'P-384' },
  'TLS 1.2, asking for a certificate': { ...OF_12, requestCert: true, rejectUnauthorized: false },
  'TLS 1.3, asking for a certificate': { ...OF_13, requestCert: true, rejectUnauthorized: false },
  'TLS 1.3, a certificate in pieces': { ...OF_13, cert: `${RSA_CERTIFICATE}\n`.repeat(6) },
};

describe.each(Object.entries(SERVERS))('%s', (_, options) => {
  it('is spoken to, and its session resumed', async () => {
    const { server, resumed } = answering(options);
    expect(await asked(await portOf(server))).toEqual([204, 204]);
    expect(resumed).toEqual([false, true]);
  });

  it('is spoken to byte by byte', async () => {
    const { server } = answering(options);
    expect(await asked(await portOf(dribbling(await portOf(server))))).toEqual([204, 204]);
  });

  it.each([
    ['costly ones', withCostlyOnes(RSA_CERTIFICATE, 1)],
    ['too many', `${RSA_CERTIFICATE}\n`.repeat(7)],
  ])('is not spoken to if it shows %s behind its own', async (_what, cert) => {
    const { server } = answering({ ...options, cert });
    const port = await portOf(server);
    await expect(asked(port)).rejects.toMatchObject({ code: 'ERR_TLS_NOT_LOOKED_AT' });
    await expect(asked(await portOf(dribbling(port)))).rejects.toMatchObject({
      code: 'ERR_TLS_NOT_LOOKED_AT',
    });
  });
});

const record = (kind: number, ...bytes: number[]) =>
  Buffer.from([kind, 3, 3, bytes.length >> 8, bytes.length & 0xff, ...bytes]);
const ASKS_AGAIN = 'cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c';
const hello = (random: readonly number[]) => [2, 0, 0, 38, 3, 3, ...random, 0, 0x13, 1, 0];
const ASKING_AGAIN = hello([...Buffer.from(ASKS_AGAIN, 'hex')]);

function* recordsOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at + 5 <= bytes.length;) {
    const end = at + 5 + bytes.readUInt16BE(at + 3);
    if (end > bytes.length) return;
    yield bytes.subarray(at, end);
    at = end;
  }
}

/** @returns what hands on whole records, with one more before the nth; in the clear each message has a record of its own */
function withOneMore(nth: number, more: Buffer) {
  return async (from: Socket, to: Socket): Promise<void> => {
    let [count, isSealed] = [0, false];
    let rest: Buffer = Buffer.alloc(0);
    for await (const bytes of from as AsyncIterable<Buffer>) {
      const came = Buffer.concat([rest, bytes]);
      const records = [...recordsOf(came)];
      rest = came.subarray(records.reduce((sum, { length }) => sum + length, 0));
      for (const each of records) {
        isSealed ||= each[0] === 20;
        for (const one of isSealed ? [each] : messagesOf(each.subarray(5))) {
          if (count === nth) to.write(more);
          count += 1;
          to.write(one);
        }
      }
    }
    to.end();
  };
}

function* messagesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 + bytes.readUIntBE(at + 1, 3);
    yield record(22, ...bytes.subarray(at, end));
    at = end;
  }
}

describe.each(Object.entries({ 'TLS 1.2': OF_12, 'TLS 1.3': OF_13 }))(
  'too many certificates, in %s',
  (_, of) => {
    const records = [
      [20],
      [20, 1],
      [21],
      [21, 1, 90],
      [22],
      [22, 0, 0, 0, 0],
      [22, ...ASKING_AGAIN],
      [23],
      [24],
    ];
    const places = records.flatMap(([kind = 0, ...said]) =>
      [0, 1, 2].map((nth) => [nth, record(kind, ...said).toString('hex')] as const),
    );

    it('would be taken if they were few', async () => {
      const { server } = answering({ ...of, cert: `${RSA_CERTIFICATE}\n`.repeat(6) });
      const relay = between(await portOf(server), withOneMore(Infinity, Buffer.alloc(0)));
      expect(await asked(await portOf(relay))).toEqual([204, 204]);
    });

    it.each(places)('are not taken with a record more before the one at %i: %s', async (nth, more) => {
      const { server } = answering({ ...of, cert: `${RSA_CERTIFICATE}\n`.repeat(7) });
      const heard: Buffer[] = [];
      const port = await portOf(server);
      await expect(
        asked(await portOf(between(port, withOneMore(nth, Buffer.from(more, 'hex')), heard))),
      ).rejects.toThrow();
      // Who has taken them goes on: with keys in TLS 1.2, and with what is longer than a sealed alert in TLS 1.3.
      expect(heard).not.toEqual([]);
      const said = [...recordsOf(Buffer.concat(heard))].filter(
        (each) => (each[0] === 22 && each[5] !== 1) || (each[0] === 23 && each.length > 5 + 24),
      );
      expect(said).toEqual([]);
    });
  },
);

const allOf = (...records: Buffer[]) => {
  const handshake = new ServerHandshake(1_000);
  handshake.add(Buffer.concat(records));
  const released: Buffer[] = [];
  for (let next = handshake.next(); next; next = handshake.next()) released.push(next);
  return Buffer.concat(released).length;
};

const HELLO_12 = record(22, ...hello(Array<number>(32).fill(1)));

it.each([
  ['data in the clear', [record(23, 1, 2, 3)]],
  ['a message that no server says', [record(22, 1, 0, 0, 0)]],
  ['certificates before a hello', [record(22, 11, 0, 0, 3, 0, 0, 0)]],
  [
    'a hello of TLS 1.3 by its own version alone',
    [record(22, 2, 0, 0, 40, 3, 4, ...Array<number>(32).fill(1), 0, 0x13, 1, 0, 0, 0)],
  ],
  ['a hello that asks for another one, in no version', [record(22, ...ASKING_AGAIN), record(20, 1)]],
  ['a record of nothing', [HELLO_12, record(20)]],
  ['a change of ciphers that says something else', [HELLO_12, record(20, 2)]],
  ['a change of ciphers that says more', [HELLO_12, record(20, 1, 1)]],
  ['records without end', Array<Buffer>(65).fill(record(21, 1, 0))],
  ['messages without end', [record(22, ...Array.from({ length: 17 }, () => [0, 0, 0, 0]).flat())]],
  ['a hello that is cut off', [record(22, 2, 0, 0, 1, 0)]],
  ['another record amid a message', [record(22, 2, 0, 0, 9, 0), record(21, 1, 0)]],
  [
    'more than a handshake has',
    [record(22, 2, 1, 0, 0, ...Array<number>(900).fill(0)), record(22, ...Array<number>(900).fill(0))],
  ],
])('hands on no %s', (_, records) => {
  expect(() => allOf(...records)).toThrow();
});

it('hands on a hello of TLS 1.2, and what follows its change of ciphers', () => {
  const sealed = record(22, 9, 9, 9);
  expect(allOf(HELLO_12, record(20, 1), sealed)).toBe(HELLO_12.length + 6 + sealed.length);
});

it('hands on an alert, and holds a message until all of it has come', () => {
  expect(allOf(record(21, 2, 40))).toBe(7);
  expect(allOf(record(22, 2, 0, 1, 0, 9, 9))).toBe(0);
});
