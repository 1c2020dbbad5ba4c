import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ResolvedAddress } from '../../../src/modules/webhooks/delivery/resolve.js';
import { CERTIFICATE, KEY } from '../../support/servers/shop-certificate.js';
import { WebhooksFixture } from './webhooks-fixture.js';

const resolve = () => Promise.resolve<ResolvedAddress[]>([{ address: '127.0.0.1', family: 4 }]);
const seen: { host: string; serverName: unknown; isResumed: boolean }[] = [];
let fixture: WebhooksFixture;
let servers: readonly [Server, Server];

beforeAll(async () => {
  fixture = await WebhooksFixture.open();
  servers = [await startServer(), await startServer()];
});
afterAll(async () => {
  await fixture.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  seen.length = 0;
});

/** Each request has a connection of its own. */
async function startServer(): Promise<Server> {
  const server = createServer({ key: KEY, cert: CERTIFICATE }, ({ headers, socket }, response) => {
    const { servername: serverName } = socket as TLSSocket;
    seen.push({ host: headers.host ?? '', serverName, isResumed: (socket as TLSSocket).isSessionReused() });
    response.setHeader('connection', 'close').end('ok');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const to = (host: string, server = servers[0]) => ({
  url: `https://${host}:${portOf(server)}/hook`,
  signature: { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' },
  body: '{}',
});
const send = (host: string, ca?: string) => fixture.sender({ resolve, ca }).send(to(host));

describe('https', () => {
  it('names the host in SNI and Host while it dials the vetted address', async () => {
    expect(await send('shop.example', CERTIFICATE)).toMatchObject({ httpStatus: 200, error: null });
    const host = `shop.example:${portOf(servers[0])}`;
    expect(seen).toEqual([{ host, serverName: 'shop.example', isResumed: false }]);
  });

  it('sends nothing to a certificate for another name, or from an unknown authority', async () => {
    expect(await send('other.example', CERTIFICATE)).toMatchObject({ httpStatus: null, error: 'tls-failed' });
    expect(await send('shop.example')).toMatchObject({ httpStatus: null, error: 'tls-failed' });
    expect(await send('127.0.0.1', CERTIFICATE)).toMatchObject({ httpStatus: null, error: 'tls-failed' });
    expect(seen).toEqual([]);
  });

  it('resumes the last session of each server, of two behind one name too', async () => {
    const sender = fixture.sender({ resolve, ca: CERTIFICATE });
    for (const server of [...servers, ...servers])
      expect(await sender.send(to('shop.example', server))).toMatchObject({ httpStatus: 200 });
    expect(seen.map(({ isResumed }) => isResumed)).toEqual([false, false, true, true]);
  });
});
