import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../../src/database/by.js';
import { CheckoutIntentsService } from '../../../../src/modules/intents/checkout/checkout-intents.service.js';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import { StatusWriter } from '../../../../src/modules/intents/lifecycle/status-writer.js';
import { MerchantsService } from '../../../../src/modules/merchants/merchants.service.js';
import { amountOf } from '../../../support/intents/amount.js';
import { by } from '../../../support/intents/by.js';
import { applyAllChanges } from '../../../support/intents/decided.js';
import { Money } from '../../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../../support/nodes/anvil.js';
import { Service } from '../../../support/service/service.js';

let anvil: TestAnvil;
let service: Service;
let money: Money;
let merchantId: string;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  await anvil.testClient.mine({ blocks: 20 });
  service = await Service.start({ chain: anvil });
  money = new Money(service);
  ({ merchantId } = await service.shop());
  await service.app.get(MerchantsService).set(merchantId, { acceptSeenLate: false }, by('test'));
});
afterAll(async () => {
  await service.stop();
  await anvil.stop();
});

describe('pay against expiry at the last instant', () => {
  it('keeps a payment that was recorded before anybody saw the end, however late it is decided', async () => {
    const id = await money.picked(merchantId);
    await money.recordAtTheEnd(id, -1, 'i.expires_at');
    expect(['pending', 'confirmed', 'settled']).toContain(await money.status(id));
  });

  it('keeps `expired` once it was read, and the money is on record', async () => {
    const id = await money.picked(merchantId);
    await money.endWindowIn(id, -1);
    expect(await money.status(id)).toBe('expired');
    await money.record(id, { blockTime: 'i.expires_at' });
    await applyAllChanges(service);
    expect(await money.status(id)).toBe('expired');
    expect(await money.walkOf(id)).toEqual(['initiated', 'expired']);
    expect((await service.app.get(CheckoutIntentsService).find(id))?.quote?.received).toEqual(
      amountOf('12.5', 6),
    );
  });

  it('does not take a payment whose block is a millisecond late', async () => {
    const id = await money.picked(merchantId);
    await money.recordAtTheEnd(id, -5, `i.expires_at + interval '1 ms'`);
    expect(await money.status(id)).toBe('expired');
    expect(await money.walkOf(id)).toEqual(['initiated', 'expired']);
  });
});

it('decides by the time at which it got the intent, however long another held it', async () => {
  const id = await money.picked(merchantId);
  const other = new Client({ connectionString: service.config.databaseUrl });
  await other.connect();
  try {
    await money.endWindowIn(id, 700);
    await other.query('BEGIN');
    await other.query('SELECT FROM intent WHERE id = $1 FOR UPDATE', [id]);
    const decided = service.app.get(StatusWriter).advance(id);
    await other.query('SELECT pg_sleep(1)');
    await other.query('COMMIT');
    await decided;
    expect(await money.walkOf(id)).toEqual(['initiated', 'expired']);
  } finally {
    await other.end();
  }
});

it('lists and counts a lapsed intent as expired before the sweeper has seen it', async () => {
  const intents = service.app.get(IntentsService);
  const other = await service.shop();
  const id = await money.picked(other.merchantId);
  await money.endWindowIn(id, -1);
  const all = { merchantId: other.merchantId, createdFrom: null, createdTo: null, idempotencyKey: null };
  expect(await intents.list({ ...all, statuses: ['initiated'] }, 1, 20)).toMatchObject({
    total: 0,
    items: [],
  });
  const expired = await intents.list({ ...all, statuses: ['expired'] }, 1, 20);
  expect(expired).toMatchObject({ total: 1, items: [{ id, status: 'expired' }] });
});

it('keeps an expiry that a refused cancellation was told of', async () => {
  const id = await money.picked(merchantId);
  await money.endWindowIn(id, -1);
  await expect(
    service.app
      .get(IntentsService)
      .cancel({ whose: ANYBODYS, id: id, by: by('ann') }, 'cancelled-by-operator'),
  ).rejects.toThrow('expired');
  await money.record(id, { blockTime: 'i.expires_at' });
  await applyAllChanges(service);
  expect(await money.status(id)).toBe('expired');
  expect(await money.walkOf(id)).toEqual(['initiated', 'expired']);
});

it('goes on past a change that cannot be decided', async () => {
  const dataSource = service.app.get(DataSource);
  const [poisoned, sound] = [await money.picked(merchantId), await money.picked(merchantId)];
  await dataSource.query(`UPDATE quote SET price = 'broken' WHERE intent_id = $1`, [poisoned]);
  await money.record(poisoned);
  await money.record(sound);
  await applyAllChanges(service, [poisoned]);
  expect(await money.status(sound)).not.toBe('initiated');
  await expect(applyAllChanges(service)).rejects.toThrow(`cannot be decided: ${poisoned}`);
  // Mended, so that nothing is left behind for the other tests.
  await dataSource.query(`UPDATE quote SET price = '0.8' WHERE intent_id = $1`, [poisoned]);
  await applyAllChanges(service);
  expect(await money.status(poisoned)).toBe(await money.status(sound));
});
