import { DataSource } from 'typeorm';
import { ApiKeysService } from '../../../src/modules/auth/api-keys.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { anAddress, picked, queued, type World } from '../dashboard/dashboard-stage.js';
import { by } from '../intents/by.js';
import { sayNothingUsed } from '../nodes/wallet.js';

/** A change that nobody makes who is signed in. */
export interface OtherChange {
  /** Who the audit log names. */
  readonly by: string;
  /** The table that holds it, where the audit log says nothing. */
  readonly table: string;
  readonly form: Readonly<Record<string, unknown>>;
  readonly send: (form: OtherChange['form']) => Promise<Pick<Response, 'status' | 'headers' | 'text'>>;
}

/** Each change by the API and by the checkout. */
export const OTHER_CHANGES: Readonly<Record<string, (world: World) => Promise<OtherChange>>> = {
  'POST /api/v1/intents': (world) => byServer(world, '/api/v1/intents', { amount: 1, currency: 'CHF' }),
  'POST /api/v1/intents/:id/cancel': async (world) =>
    byServer(world, `/api/v1/intents/${await picked(world)}/cancel`, {}),
  'POST /pay/:id/asset': async (world) =>
    byBuyer(world, `/pay/${await created(world)}/asset`, 'quote', { network: 'ethereum', asset: 'USDC' }),
  'POST /pay/:id/cancel': async (world) => byBuyer(world, `/pay/${await picked(world)}/cancel`, 'transition'),
  'POST /pay/:id/refund-address': async (world) => {
    const { id } = await queued(world);
    const form = { network: 'ethereum', address: anAddress() };
    return byBuyer(world, `/pay/${id}/refund-address`, 'refund_request', form);
  },
};

async function byServer(
  { service, merchantId }: World,
  path: string,
  form: OtherChange['form'],
): Promise<OtherChange> {
  const keys = service.app.get(ApiKeysService);
  const { id, key } = await keys.create(merchantId, ['write'], 'a server', by('test'));
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const send = (body: object) =>
    fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { by: `key:${id}`, table: 'intent', form, send };
}

function byBuyer(
  { service }: World,
  path: string,
  table: string,
  form: Readonly<Record<string, string>> = {},
): OtherChange {
  const send = (fields: object) =>
    fetch(service.config.checkoutUrl + path, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ ...fields }),
    });
  return { by: 'nobody', table, form, send };
}

async function created({ service, merchantId }: World): Promise<string> {
  await sayNothingUsed(service.app.get(DataSource));
  const price = { amountMinor: 1000n, currency: 'CHF' } as const;
  const request = { ...price, title: null, idempotencyKey: null, returnUrl: null };
  return (await service.app.get(IntentsService).create(merchantId, request)).intent.id;
}
