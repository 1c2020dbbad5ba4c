import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { limitedSocket } from './smtp-socket.js';

/** One that was somebody's a moment ago may be another's now. */
const NOBODYS = 9;
const LIMITS = { connectMs: 5_000, exchangeMs: 60_000, receivedBytes: 64 * 1024 };

let server: Server;
/** What the server does with each connection. */
let behave: (socket: Socket) => void;

beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    behave(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

const open = (limits = LIMITS) => limitedSocket('127.0.0.1', (server.address() as AddressInfo).port, limits);

/** Reads as nodemailer does, until the socket ends. */
async function endOf(socket: Duplex): Promise<string> {
  socket.resume();
  const [error] = (await once(socket, 'error').catch((thrown: unknown) => [thrown])) as [Error];
  return error.message;
}

it('is cut when the other side says more than a mail needs', async () => {
  const line = Buffer.from('250-again\r\n'.repeat(6_000));
  behave = (socket) => {
    const flood = () => {
      while (!socket.destroyed && socket.write(line));
    };
    socket.on('drain', flood);
    flood();
  };
  const socket = await open();
  let received = 0;
  socket.on('data', (part: Buffer) => (received += part.length));
  expect(await endOf(socket)).toBe('The mail server says too much.');
  expect(received).toBeLessThanOrEqual(LIMITS.receivedBytes);
});

it('is cut when the exchange does not end, although something comes all the time', async () => {
  behave = (socket) => {
    const timer = setInterval(() => socket.write('2'), 20);
    socket.on('close', () => clearInterval(timer));
  };
  expect(await endOf(await open({ ...LIMITS, exchangeMs: 300 }))).toBe(
    'The exchange with the mail server took too long.',
  );
});

it('stays as long as it is quiet and short', async () => {
  behave = (socket) => socket.end('220 ready\r\n');
  const socket = await open();
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(first.toString()).toBe('220 ready\r\n');
  socket.destroy();
});

it('fails where nobody listens', async () => {
  await expect(limitedSocket('127.0.0.1', NOBODYS, LIMITS)).rejects.toThrow('ECONNREFUSED');
});
