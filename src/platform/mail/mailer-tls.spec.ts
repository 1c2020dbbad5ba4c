import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { CERTIFICATE, KEY } from '../../../test/support/servers/shop-certificate.js';
import { trustShop } from '../../../test/support/servers/trusting.js';
import type { Config } from '../../config/config.types.js';
import { Mailer } from './mailer.js';

beforeEach(trustShop);
afterEach(() => jest.restoreAllMocks());

it.each([
  ['smtps', true],
  ['smtp', false],
])('a mail reaches a server that speaks TLS, by %s', async (protocol, secure) => {
  const taken: string[] = [];
  const server = new SMTPServer({
    secure,
    key: KEY,
    cert: CERTIFICATE,
    authOptional: true,
    logger: false,
    onData(stream, session, callback) {
      let text = '';
      stream.on('data', (part: Buffer) => (text += part.toString()));
      stream.on('end', () => {
        taken.push(`${session.secure ? 'under TLS' : 'in the clear'}: ${/^Subject: .*/m.exec(text)?.[0]}`);
        callback();
      });
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const smtpUrl = `${protocol}://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  const mailer = new Mailer({
    mail: { smtpUrl, from: 'pay@example.com' },
    baseUrl: 'https://pay.example',
  } as unknown as Config);
  await mailer.send({ to: ['a@example.com'], subject: 'Hello', text: 'x'.repeat(200_000), language: 'en' });
  expect(taken).toEqual(['under TLS: Subject: Hello']);
  await new Promise<void>((resolve) => server.close(resolve));
});
