import { DataSource } from 'typeorm';
import { ApiKeysService } from '../../../src/modules/auth/api-keys.service.js';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { anAddress, picked, queued, type World } from '../dashboard/dashboard-stage.js';
import { by } from '../intents/by.js';
import { sayNothingUsed } from '../nodes/wallet.js';
import { Api } from './api.js';

/** A change that nobody makes who is signed in. */
export interface OtherChange {
  /** Who the audit log names. */
  readonly by: string;
  /** The table that holds it, where the audit log says nothing. */
  readonly table: string;
  readonly send: () => Promise<Pick<Response, 'status' | 'headers'>>;
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

async function byServer({ service, merchantId }: World, path: string, body: object): Promise<OtherChange> {
  const keys = service.app.get(ApiKeysService);
  const { id, key } = await keys.create(merchantId, ['write'], 'a server', by('test'));
  const init = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return { by: `key:${id}`, table: 'intent', send: () => new Api(service, key).call('POST', path, init) };
}

function byBuyer({ service }: World, path: string, table: string, form: Record<string, string> = {}) {
  const init = { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) } as const;
  return { by: 'nobody', table, send: () => fetch(service.config.checkoutUrl + path, init) };
}

async function created({ service, merchantId }: World): Promise<string> {
  await sayNothingUsed(service.app.get(DataSource));
  const price = { amountMinor: 1000n, currency: 'CHF' } as const;
  const request = { ...price, title: null, idempotencyKey: null, returnUrl: null };
  return (await service.app.get(IntentsService).create(merchantId, request)).intent.id;
}
