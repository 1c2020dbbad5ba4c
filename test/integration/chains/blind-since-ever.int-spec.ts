import { DataSource } from 'typeorm';
import { sandboxBitcoin } from '../../../src/config/networks.js';
import { ANYBODYS } from '../../../src/database/by.js';
import { ReviewsService } from '../../../src/modules/intents/review/reviews.service.js';
import { MerchantsService } from '../../../src/modules/merchants/merchants.service.js';
import { by } from '../../support/intents/by.js';
import { Money } from '../../support/intents/money.js';
import { NO_NODE } from '../../support/nodes/wallet.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

/**
 * Of what is found in the first block that anybody read, and of what the comparison finds past the watcher, nobody has
 * seen anything before (`blind_since` is the epoch): the block's own time is all there is.
 */
let service: Service;
let money: Money;
let merchantId: string;

beforeAll(async () => {
  service = await Service.start({ standsAt: 1_000, networks: [sandboxBitcoin(NO_NODE)] });
  money = new Money(service);
  merchantId = (await service.shop()).merchantId;
});
afterAll(async () => {
  await service?.stop();
});

/** Ended and read as such before anybody sees the money of a block with this time. */
async function foundAfterTheEnd(blockTime: string, blindSince?: string): Promise<string> {
  const id = await money.picked(merchantId, 'bitcoin', 'BTC');
  await money.endWindowIn(id, -1);
  expect(await money.status(id)).toBe('expired');
  await money.record(id, { blockTime, ...(blindSince ? { blindSince } : {}) });
  return id;
}

const entryOf = (id: string) =>
  eventually(
    () =>
      service.app
        .get(ReviewsService)
        .show(ANYBODYS, id)
        .catch(() => null),
    (entry) => entry !== null,
  );
const acceptSeenLate = (is: boolean) =>
  service.app.get(MerchantsService).set(merchantId, { acceptSeenLate: is }, by('test'));

const EPOCH = `'epoch'::timestamptz`;
const IN_TIME = `i.expires_at - interval '1 second'`;

it('in time by its block is accepted by the rule for what was seen late', async () => {
  await acceptSeenLate(true);
  const id = await foundAfterTheEnd(IN_TIME, EPOCH);
  await eventually(
    () => money.status(id),
    (status) => status === 'settled',
  );
  expect(await money.walkOf(id)).toEqual(['initiated', 'expired', 'settled']);
  const [settlement] = await service.app
    .get(DataSource)
    .query<unknown[]>('SELECT accepted_by AS by FROM settlement WHERE intent_id = $1', [id]);
  expect(settlement).toEqual({ by: 'rule:seen-late' });
});

it('in time by its block waits for a decision as such where no rule accepts it', async () => {
  await acceptSeenLate(false);
  expect(await entryOf(await foundAfterTheEnd(IN_TIME, EPOCH))).toMatchObject({
    reason: 'in-time-seen-late',
    missing: { atoms: 0n },
  });
});

it.each([
  ['after the end by its block is late', `i.expires_at + interval '1 ms'`, EPOCH],
  ['in time by its block is late while somebody looked', IN_TIME, undefined],
] as const)('%s, and no rule accepts it', async (_, blockTime, blindSince) => {
  await acceptSeenLate(true);
  const id = await foundAfterTheEnd(blockTime, blindSince);
  expect(await entryOf(id)).toMatchObject({ reason: 'late', missing: { atoms: 0n } });
  expect(await money.walkOf(id)).toEqual(['initiated', 'expired']);
});
