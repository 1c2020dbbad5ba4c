import { type AddressInfo, createServer } from 'node:net';
import { Pool } from 'pg';
import { LiveClient } from '../../../src/database/live-client.js';

/** A message of PostgreSQL's protocol: its letter, its length, its body. */
function message(letter: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const AUTHENTICATED = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const ENDS = message(
  'E',
  Buffer.from(
    'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0Rsecure_read\0\0',
  ),
);

it('a server that ends a connection in the breath in which it opened it ends no process', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, ENDS])));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  // As TypeORM hands it to the pool, whose types know a client without configuration alone.
  const Client = LiveClient as unknown as new () => LiveClient;
  const pool = new Pool({
    connectionString: `postgres://rappen@127.0.0.1:${port}/rappen`,
    Client,
  });
  pool.on('error', () => undefined);
  try {
    const connection = await pool.connect();
    await expect(connection.query('SELECT 1')).rejects.toThrow();
    connection.release();
    await expect(pool.query('SELECT 1')).rejects.toThrow();
    expect(pool.idleCount).toBe(0);
  } finally {
    await pool.end();
    await new Promise((resolve) => server.close(resolve));
  }
});
