import dns from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import type { Config } from '../../../src/config/config.types.js';
import { hashPassword } from '../../../src/modules/accounts/passwords/password-hashing.js';
import { OperatorWebhook } from '../../../src/modules/alerts/delivery/operator-webhook.js';
import { NodeHttp } from '../../../src/modules/chains/watching/node-http.js';
import { PriceHttp } from '../../../src/modules/rates/sources/price-http.js';
import { Mailer } from '../../../src/platform/mail/mailer.js';

/** Longer than the resolver waits for a silent name server here (`RES_OPTIONS` of who starts this). */
const TIMEOUT_MS = 300_000;
const PASSWORD = 'a password of five words';

/** What a process can still do while every name server is silent, as a line of JSON; it then waits to be killed. */
export async function main(): Promise<void> {
  const server = createServer((request, response) => {
    request.resume();
    response.end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://localhost:${(server.address() as AddressInfo).port}/`;
  // One connection each, so that each is looked up.
  const askNode = () =>
    new NodeHttp({ timeoutMs: TIMEOUT_MS })
      .post({ url, headers: {}, body: '{}' })
      .then(({ status }) => status);
  await askNode();

  let hanging = 0;
  const hang = (asked: Promise<unknown>) => {
    hanging += 1;
    const end = () => (hanging -= 1);
    asked.then(end, end);
  };
  askEverybody(hang);
  await new Promise((resolve) => process.once('message', resolve));

  const packed = await promisify(gzip)(Buffer.alloc(1_000_000, 'x'));
  const done = {
    hashed: (await hashPassword(PASSWORD, 'maria@shop.example')).slice(0, 9),
    packed: gunzipSync(packed).length,
    nodeStatus: await askNode(),
    // As the database's driver does, which knows nothing of ours.
    loopback: (await dns.promises.lookup('localhost', { family: 4 })).address,
  };
  process.send?.({ ...done, hanging });
}

/** All that the service dials by names of the operator's, of which none is ever found. */
function askEverybody(hang: (asked: Promise<unknown>) => void): void {
  const config = {
    baseUrl: 'https://pay.example',
    operator: { emails: [], webhook: { url: 'http://alerts.example/', secret: null } },
    mail: { smtpUrl: 'smtp://mail.example', from: 'pay@example.com' },
  } as unknown as Config;
  const mailer = new Mailer(config);
  const webhook = new OperatorWebhook(config, () => 'https://pay.example/');
  const alert = { id: 'alt_1', raisedAt: new Date(), resolvedAt: null };
  const prices = new PriceHttp(TIMEOUT_MS);
  mailer.send({ to: ['a@example.com'], subject: 's', text: 't', language: 'en' }).catch(() => undefined);
  webhook.send(alert as Parameters<typeof webhook.send>[0], 'raised').catch(() => undefined);
  for (const source of ['one', 'two', 'three'])
    for (let pair = 0; pair < 4; pair += 1) {
      hang(prices.get(`http://${source}.example`, '/ticker', new AbortController().signal));
    }
}
