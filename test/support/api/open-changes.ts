import { DataSource } from 'typeorm';
import { IntentsService } from '../../../src/modules/intents/lifecycle/intents.service.js';
import { anAddress, picked, queued, type World } from '../dashboard/dashboard-stage.js';
import { sayNothingUsed } from '../nodes/wallet.js';

/** What whoever has the link of a payment changes, without a session or a key. */
export interface OpenChange {
  /** Makes the payment that the address names. @returns its id */
  readonly payment: (world: World) => Promise<string>;
  /** What stands in the address beside the payment's id: `scenario`. */
  readonly names: Readonly<Record<string, string>>;
  readonly form: Readonly<Record<string, string>>;
  /** The table that holds it; `null` where nothing is stored. */
  readonly table: string | null;
  /** Of a route that refuses everybody. */
  readonly refusal: number | null;
}

const change = (of: Partial<OpenChange>): OpenChange => ({
  payment: picked,
  names: {},
  form: {},
  table: null,
  refusal: null,
  ...of,
});

/** Of a route that nobody has said more of: it is tried, and fails where this is not enough to be taken. */
const UNKNOWN = change({});

const REFUND_TO = { network: 'ethereum', address: anAddress() };
const PICK = { network: 'ethereum', asset: 'USDC' };

/** Each change by a route that is open to all, with which it is taken. */
export const OPEN_CHANGES: Readonly<Record<string, OpenChange>> = {
  'POST /pay/:id/asset': change({ payment: created, form: PICK, table: 'quote' }),
  'POST /pay/:id/cancel': change({ table: 'transition' }),
  'POST /pay/:id/refund-address': change({
    payment: async (world) => (await queued(world)).id,
    form: REFUND_TO,
    table: 'refund_request',
  }),
  'POST /sandbox/pay/:id/end-window': change({ table: 'intent' }),
  'POST /sandbox/pay/:id/:scenario': change({ names: { scenario: 'exact' } }),
  // What is not signed is kept like what is, and answered so.
  'POST /sandbox/webhook': change({ refusal: 400 }),
  'POST /sandbox/webhook/broken': change({ refusal: 503 }),
};

export const openChange = (route: string): OpenChange => OPEN_CHANGES[route] ?? UNKNOWN;

async function created({ service, merchantId }: World): Promise<string> {
  await sayNothingUsed(service.app.get(DataSource));
  const price = { amountMinor: 1000n, currency: 'CHF' } as const;
  const request = { ...price, title: null, idempotencyKey: null, returnUrl: null };
  return (await service.app.get(IntentsService).create(merchantId, request)).intent.id;
}
