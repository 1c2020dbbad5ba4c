import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ResolvedAddress } from '../../../src/modules/webhooks/delivery/resolve.js';
import { CERTIFICATE, KEY } from '../../support/servers/shop-certificate.js';
import { WebhooksFixture } from './webhooks-fixture.js';

const resolve = () => Promise.resolve<ResolvedAddress[]>([{ address: '127.0.0.1', family: 4 }]);
const seen: { host: string; serverName: unknown }[] = [];
let fixture: WebhooksFixture;
let server: Server;

beforeAll(async () => {
  fixture = await WebhooksFixture.open();
  server = createServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
    seen.push({ host: request.headers.host ?? '', serverName: (request.socket as TLSSocket).servername });
    response.end('ok');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  await fixture.close();
  server.closeAllConnections();
  server.close();
});

const send = (host: string, ca?: string) =>
  fixture.sender({ resolve, ca }).send({
    url: `https://${host}:${(server.address() as AddressInfo).port}/hook`,
    signature: { 'webhook-id': 'evt_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' },
    body: '{}',
  });

describe('https', () => {
  it('names the host in SNI and Host while it dials the vetted address', async () => {
    expect(await send('shop.example', CERTIFICATE)).toMatchObject({ httpStatus: 200, error: null });
    const { port } = server.address() as AddressInfo;
    expect(seen).toEqual([{ host: `shop.example:${port}`, serverName: 'shop.example' }]);
  });

  it('sends nothing to a certificate for another name, or from an unknown authority', async () => {
    seen.length = 0;
    expect(await send('other.example', CERTIFICATE)).toMatchObject({ httpStatus: null, error: 'tls-failed' });
    expect(await send('shop.example')).toMatchObject({ httpStatus: null, error: 'tls-failed' });
    expect(await send('127.0.0.1', CERTIFICATE)).toMatchObject({ httpStatus: null, error: 'tls-failed' });
    expect(seen).toEqual([]);
  });
});
