import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { ChainsService } from '../chains/chains.service.js';
import { MerchantsService } from '../merchants/merchants.service.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { writePrivate } from './sandbox-home.service.js';

/**
 * Accounts of the mnemonic that every wallet's documentation uses ("abandon … about"): m/44'/60'/0', m/84'/1'/0' and
 * m/84'/2'/0'. Two coins need two keys, because an index belongs to its key.
 */
const DEMO_KEYS: Readonly<Record<string, string>> = {
  ethereum:
    'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt',
  bitcoin:
    'vpub5Y6cjg78GGuNLsaPhmYsiw4gYX3HoQiRBiSwDaBXKUafCt9bNwWQiitDk5VZ5BVxYnQdwoTyXSs2JHRPAgjAvtbBrf8ZhDYe2jWAqvZVnsc',
  litecoin:
    'vpub5Z4js6ZPXFuhQJzcXVNRHKXzS919pdXd6KzKXUNs19yogbsqtYcyD85TE2kicDVEreaLbxQHp7pfyAMA8M7WkokEXaRS7mWL8ZwhQYPkxy2',
};

export interface DemoMerchant {
  readonly merchantId: string;
  readonly apiKey: string;
  readonly webhook: { readonly url: string; readonly secret: string };
}

/**
 * The approved merchant that the sandbox starts with. Its key and secret can be shown only once, so they are kept
 * beside the data; a database that does not know them gets a new merchant.
 */
export async function demoMerchant(
  app: INestApplicationContext,
  dataDir: string,
  webhookUrl: string,
): Promise<DemoMerchant> {
  const path = join(dataDir, 'demo-merchant.json');
  const known = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as DemoMerchant) : null;
  const merchants = app.get(MerchantsService);
  if (known?.webhook.url === webhookUrl && (await merchants.find(known.merchantId))) {
    await giveWallets(app, known.merchantId);
    return known;
  }
  const { id: merchantId } = await merchants.create(
    { name: 'Demo Shop', supportContact: 'support@demo-shop.example' },
    'approved',
  );
  await giveWallets(app, merchantId);
  const { key } = await app.get(ApiKeysService).create(merchantId, ['read', 'write'], 'Sandbox');
  const { secret } = await app.get(WebhooksService).createEndpoint({ merchantId, url: webhookUrl });
  const demo = { merchantId, apiKey: key, webhook: { url: webhookUrl, secret } };
  writePrivate(path, JSON.stringify(demo, null, 2) + '\n');
  return demo;
}

/** One for every network that this start offers: a node may have been installed since the last one. */
async function giveWallets(app: INestApplicationContext, merchantId: string): Promise<void> {
  const chains = app.get(ChainsService);
  const has = await chains.walletNetworks(merchantId);
  for (const { id: network } of chains.networks()) {
    const xpub = DEMO_KEYS[network];
    if (xpub && !has.includes(network)) await chains.setWallet({ merchantId, network, xpub });
  }
}
