import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { closeServer } from './close-server.js';

async function listening(listener: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

it('lets an answer end, and does not wait for its connection, which the client would keep', async () => {
  let onAsked: (finish: () => void) => void;
  const asked = new Promise<() => void>((resolve) => (onAsked = resolve));
  const { server, port } = await listening((_request, response) => onAsked(() => response.end('done')));
  const answer = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text());
  const finish = await asked;
  const closed = closeServer(server, 30_000);
  finish();
  await closed;
  expect(await answer).toBe('done');
});

it('cuts off at the deadline whoever has not finished', async () => {
  const { server, port } = await listening((_request, response) => void response.write('for ever'));
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  await Promise.all([closeServer(server, 50), once(socket, 'close')]);
});
