import { ApiKeysService } from '../../../src/modules/auth/api-keys.service.js';
import { picked, type World } from '../dashboard/dashboard-stage.js';
import { by } from '../intents/by.js';
import { OPEN_CHANGES, type OpenChange } from './open-changes.js';

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
  ...Object.fromEntries(
    Object.entries(OPEN_CHANGES)
      .filter(([name]) => name.startsWith('POST /pay/'))
      .map(([name, change]) => [name, (world: World) => byBuyer(world, name, change)]),
  ),
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

async function byBuyer(
  world: World,
  name: string,
  { payment, form, table }: OpenChange,
): Promise<OtherChange> {
  const path = name.replace('POST ', '').replace(':id', await payment(world));
  const send = (fields: object) =>
    fetch(world.service.config.checkoutUrl + path, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ ...fields }),
    });
  return { by: 'nobody', table: table ?? 'none', form, send };
}
