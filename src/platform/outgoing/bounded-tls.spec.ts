import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { RSA_CERTIFICATE, RSA_KEY } from '../../../test/support/servers/shop-certificate.js';
import { trustShop } from '../../../test/support/servers/trusting.js';
import type { Config } from '../../config/config.types.js';
import { Mailer } from '../mail/mailer.js';
import { OutgoingAgent } from './outgoing-agent.js';

const CLIENTS: Readonly<Record<string, (port: number) => Promise<unknown>>> = {
  async 'a request'(port) {
    const agent = new OutgoingAgent({ maxBodyBytes: 1_000, connectMs: 60_000, ca: RSA_CERTIFICATE });
    const origin = `https://127.0.0.1:${port}`;
    const { signal } = new AbortController();
    await agent.request({ origin, path: '/', method: 'GET', signal }).finally(() => agent.destroy());
  },
  async 'a mail'(port) {
    const mail = { smtpUrl: `smtps://127.0.0.1:${port}`, from: 'pay@example.com' };
    const mailer = new Mailer({ mail, baseUrl: 'https://pay.example' } as unknown as Config);
    await mailer.send({ to: ['a@example.com'], subject: 's', text: 't', language: 'en' });
  },
};

/** Of a server that can do nothing else. */
const EXCHANGES: Readonly<Record<string, TlsOptions>> = {
  'finite fields in TLS 1.2': {
    maxVersion: 'TLSv1.2',
    ciphers: 'DHE-RSA-AES128-GCM-SHA256',
    dhparam: 'auto',
  },
  'finite fields in TLS 1.3': { minVersion: 'TLSv1.3', ecdhCurve: 'ffdhe8192' },
  'curves in TLS 1.2': { maxVersion: 'TLSv1.2' },
  'curves in TLS 1.3': { minVersion: 'TLSv1.3', ecdhCurve: 'P-521' },
};

beforeEach(trustShop);
afterEach(() => jest.restoreAllMocks());

describe.each(Object.entries(CLIENTS))('%s', (_, ask) => {
  it.each(Object.entries(EXCHANGES))(
    'exchanges keys over %s only if their length is bounded',
    async (name, options) => {
      let shaken = 0;
      const server = createServer({ key: RSA_KEY, cert: RSA_CERTIFICATE, ...options }, (socket) => {
        shaken += 1;
        socket.end();
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      await expect(ask((server.address() as AddressInfo).port)).rejects.toThrow();
      server.close();
      expect(shaken).toBe(name.startsWith('curves') ? 1 : 0);
    },
  );
});
