import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { MeteredConnection } from './metered-connection.js';

const BYTES = Buffer.alloc(10_000, 'abc');

it.each([
  ['in one piece', [BYTES]],
  ['in pieces', [BYTES.subarray(0, 5_000), BYTES.subarray(5_000)]],
])('what came %s, with its end, while it waited for its turn is handed on whole', async (_, pieces) => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const turns: (() => void)[] = [];
  const connection = new MeteredConnection(
    socket,
    () => null,
    (goOn) => turns.push(goOn),
  );
  const read = buffer(connection);
  const [there] = (await once(server, 'connection')) as [Socket];
  for (const piece of pieces) {
    there.write(piece);
    while (turns.length === 0) await sleep(1);
  }
  there.end();
  await once(there, 'finish');
  const taking = setInterval(() => turns.shift()?.(), 5);
  expect((await read).equals(BYTES)).toBe(true);
  clearInterval(taking);
  server.close();
});
