// The built service alone, in a process of its own, on a database and a chain that live elsewhere: what production
// starts, but with the sandbox's rules (plain http, receivers on this machine). Started by `ServiceProcess`.
import 'reflect-metadata';
import { createApp, startApp } from '../../dist/app.setup.js';
import { loadConfig } from '../../dist/config/load-config.js';
import { sandboxEthereum } from '../../dist/config/networks.js';
import { ApiKeysService } from '../../dist/modules/auth/api-keys.service.js';
import { ChainsService } from '../../dist/modules/chains/chains.service.js';
import { MerchantsService } from '../../dist/modules/merchants/merchants.service.js';
import { WebhooksService } from '../../dist/modules/webhooks/webhooks.service.js';

const { databaseUrl, secretKey, chain } = JSON.parse(process.env.BUILT_SERVICE);
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
  const input = { name: 'Shop', supportContact: 'help@shop.example' };
  const { id: merchantId } = await app.get(MerchantsService).create(input, 'approved');
  if (chain) await app.get(ChainsService).setWallet({ merchantId, network: 'ethereum', xpub });
  const { key } = await app.get(ApiKeysService).create(merchantId, ['read', 'write'], 'test');
  const endpoints = [];
  for (const url of webhookUrls) {
    const { endpoint, secret } = await app.get(WebhooksService).createEndpoint({ merchantId, url });
    endpoints.push({ id: endpoint.id, url, secret });
  }
  return { merchantId, key, endpoints };
}

process.on('message', ({ shop: wanted }) => {
  if (!wanted) return;
  shop(wanted).then(
    (made) => process.send({ shop: made }),
    (error) => process.send({ failed: error.stack }),
  );
});
// Nobody is left to stop it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));

await startApp(app, config);
process.send({ ready: true });
