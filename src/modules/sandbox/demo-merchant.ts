import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { z } from 'zod';
import type { Family } from '../../config/config.types.js';
import { readOwnJson } from '../../platform/process/own-json.js';
import { commandLine } from '../accounts/actor.pure.js';
import { AuditLog } from '../accounts/audit/audit-log.service.js';
import { MembersService } from '../accounts/people/members.service.js';
import { PeopleService } from '../accounts/people/people.service.js';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { NetworksService } from '../chains/networks/networks.service.js';
import { ExtendedKeysService } from '../chains/wallets/extended-keys.service.js';
import { WalletsService } from '../chains/wallets/wallets.service.js';
import { MerchantsService } from '../merchants/merchants.service.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { writePrivate } from './sandbox-home.service.js';

/**
 * Accounts of the mnemonic that every wallet's documentation uses ("abandon … about"): m/44'/60'/0', m/84'/1'/0' and
 * m/84'/2'/0'. Two coins need two keys, because an index belongs to its key; all EVM networks share one.
 */
const DEMO_KEYS: Readonly<Record<Family, string>> = {
  evm: 'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt',
  bitcoin:
    'vpub5Y6cjg78GGuNLsaPhmYsiw4gYX3HoQiRBiSwDaBXKUafCt9bNwWQiitDk5VZ5BVxYnQdwoTyXSs2JHRPAgjAvtbBrf8ZhDYe2jWAqvZVnsc',
  litecoin:
    'vpub5Z4js6ZPXFuhQJzcXVNRHKXzS919pdXd6KzKXUNs19yogbsqtYcyD85TE2kicDVEreaLbxQHp7pfyAMA8M7WkokEXaRS7mWL8ZwhQYPkxy2',
};

const SANDBOX = commandLine('sandbox');

/** Owner of the demo shop, and operator: one login shows everything. */
const DEMO_EMAIL = 'demo@rappen.localhost';

export interface Login {
  readonly email: string;
  readonly password: string;
}

const SHOP = z.object({
  merchantId: z.string(),
  apiKey: z.string(),
  webhook: z.object({ url: z.string(), secret: z.string() }),
});
type Shop = z.output<typeof SHOP>;

export type DemoMerchant = Shop & { readonly login: Login };

/** A shop of an earlier version has no login yet. */
const KEPT = SHOP.extend({ login: z.object({ email: z.string(), password: z.string() }).optional() });

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
  const known = readOwnJson(path, KEPT);
  const isKnown =
    known?.webhook.url === webhookUrl && (await app.get(MerchantsService).find(known.merchantId));
  const shop = isKnown ? known : await newShop(app, webhookUrl);
  await giveWallets(app, shop.merchantId);
  const demo = { ...shop, login: await givenLogin(app, shop.merchantId, known?.login) };
  writePrivate(path, JSON.stringify(demo, null, 2) + '\n');
  return demo;
}

async function newShop(app: INestApplicationContext, webhookUrl: string): Promise<Shop> {
  const by = app.get(AuditLog).by(SANDBOX);
  const { id: merchantId } = await app
    .get(MerchantsService)
    .create({ name: 'Demo Shop', supportContact: 'support@demo-shop.example' }, 'approved', by);
  const { key } = await app.get(ApiKeysService).create(merchantId, ['read', 'write'], 'Sandbox', by);
  const { secret } = await app.get(WebhooksService).createEndpoint({ merchantId, url: webhookUrl }, by);
  return { merchantId, apiKey: key, webhook: { url: webhookUrl, secret } };
}

/** The password is only in the file beside the data: a database that has the person, and no file, gets another person. */
async function givenLogin(app: INestApplicationContext, merchantId: string, known?: Login): Promise<Login> {
  const people = app.get(PeopleService);
  const belongs = (await app.get(MembersService).list(merchantId)).some(
    ({ email }) => email === known?.email,
  );
  if (known && belongs) return known;
  const isTaken = (await people.findByEmail(DEMO_EMAIL)) !== null;
  const email = isTaken ? DEMO_EMAIL.replace('@', `-${randomBytes(3).toString('hex')}@`) : DEMO_EMAIL;
  const password = randomBytes(12).toString('base64url');
  await people.create(
    { email, password, isOperator: true, isEmailProven: true, merchantId, role: 'owner' },
    SANDBOX,
  );
  return { email, password };
}

/** One for every network that this start offers: a node may have been installed since the last one. */
async function giveWallets(app: INestApplicationContext, merchantId: string): Promise<void> {
  const by = app.get(AuditLog).by(SANDBOX);
  const has = await app.get(WalletsService).networksOf(merchantId);
  for (const { id: network, family } of app.get(NetworksService).all()) {
    const xpub = DEMO_KEYS[family];
    if (!has.includes(network)) await app.get(ExtendedKeysService).set({ merchantId, network, xpub }, by);
  }
}
