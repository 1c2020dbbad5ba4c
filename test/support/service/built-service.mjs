// The built service alone, in a process of its own, on a database and a chain that live elsewhere: what production
// starts, but with the sandbox's rules (plain http, receivers on this machine). Started by `ServiceProcess`.
import 'reflect-metadata';
import { createApp, startApp } from '#built/app.setup.js';
import { loadConfig } from '#built/config/load-config.js';
import { sandboxEthereum } from '#built/config/networks.js';
import { commandLine } from '#built/modules/accounts/actor.pure.js';
import { AuditLog } from '#built/modules/accounts/audit/audit-log.service.js';
import { PeopleService } from '#built/modules/accounts/people/people.service.js';
import { SignInService } from '#built/modules/accounts/sign-in/sign-in.service.js';
import { ApiKeysService } from '#built/modules/auth/api-keys.service.js';
import { ExtendedKeysService } from '#built/modules/chains/wallets/extended-keys.service.js';
import { MerchantsService } from '#built/modules/merchants/merchants.service.js';
import { WebhooksService } from '#built/modules/webhooks/webhooks.service.js';

const { databaseUrl, secretKey, chain } = JSON.parse(process.env.BUILT_SERVICE ?? '');
const config = loadConfig(process.env, {
  databaseUrl,
  secretKey: Buffer.from(secretKey, 'base64'),
  networks: chain
    ? [{ ...sandboxEthereum(chain.rpcUrl, chain.tokens), pollIntervalMs: chain.pollIntervalMs }]
    : [],
});
const app = await createApp(config);

/** An approved merchant with a key, a wallet for the chain and endpoints at the given URLs. */
async function shop({ xpub, webhookUrls }) {
  const by = app.get(AuditLog).by(commandLine('a test'));
  const input = { name: 'Shop', supportContact: 'help@shop.example' };
  const { id: merchantId } = await app.get(MerchantsService).create(input, 'approved', by);
  if (chain) await app.get(ExtendedKeysService).set({ merchantId, network: 'ethereum', xpub }, by);
  const { key } = await app.get(ApiKeysService).create(merchantId, ['read', 'write'], 'test', by);
  const endpoints = [];
  for (const url of webhookUrls) {
    const { endpoint, secret } = await app.get(WebhooksService).createEndpoint({ merchantId, url }, by);
    endpoints.push({ id: endpoint.id, url, secret });
  }
  return { merchantId, key, endpoints };
}

/** Somebody who owns the merchant and runs the instance, signed in. @returns the session's cookie */
async function owner({ merchantId }) {
  const email = 'owner@staff.example';
  /** @type {import('../../../src/modules/accounts/people/people.service.js').NewPerson} */
  const person = {
    email,
    password: 'a plain sentence for tests',
    isOperator: true,
    merchantId,
    role: 'owner',
  };
  await app.get(PeopleService).create(person, commandLine('a test'));
  const origin = { ip: '192.0.2.1', userAgent: 'a test' };
  const { token } = await app.get(SignInService).withPassword(email, person.password, origin);
  return `session-${config.port}=${token}`;
}

/** What is still of use after everything else was collected. Needs `--expose-gc`. @returns bytes of the heap */
async function live() {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const MAKERS = { shop, owner, live };

process.on('message', (/** @type {any} */ message) => {
  const wanted = Object.keys(MAKERS).find((name) => message[name]);
  if (!wanted) return;
  MAKERS[wanted](message[wanted]).then(
    (made) => process.send?.({ [wanted]: made }),
    (error) => process.send?.({ failed: error.stack }),
  );
});
// Nobody is left to stop it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));

await startApp(app, config);
process.send?.({ ready: true });
