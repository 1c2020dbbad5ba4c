import { AsyncLocalStorage } from 'node:async_hooks';
import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../../src/database/by.js';
import { DatabaseClock, readClock } from '../../../../src/database/clock.js';
import { Pipeline, poolOf } from '../../../../src/database/statement.js';
import { CheckoutFeed } from '../../../../src/modules/checkout/checkout.feed.js';
import { CheckoutIntentsService } from '../../../../src/modules/intents/checkout/checkout-intents.service.js';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import { by } from '../../../support/intents/by.js';
import { applyAllChanges } from '../../../support/intents/decided.js';
import { Money } from '../../../support/intents/money.js';
import { startTestAnvil, type TestAnvil } from '../../../support/nodes/anvil.js';
import { eventually } from '../../../support/servers/receiver.js';
import { Service } from '../../../support/service/service.js';

let anvil: TestAnvil;
let service: Service;
let money: Money;
let pages: CheckoutIntentsService;

beforeAll(async () => {
  anvil = await startTestAnvil({ blockTimeS: 1 });
  await anvil.testClient.mine({ blocks: 20 });
  service = await Service.start({ chain: anvil });
  money = new Money(service);
  pages = service.app.get(CheckoutIntentsService);
});
afterAll(async () => {
  await service?.stop();
  await anvil?.stop();
});

/** Blocks go on coming between two reads. */
const withoutDepth = (page: unknown): unknown =>
  JSON.parse(
    JSON.stringify(page, (key, value: unknown) =>
      key === 'confirmations' ? null : typeof value === 'bigint' ? String(value) : value,
    ),
  );

it('pages that are read together are those that are read one by one', async () => {
  const [one, other] = [await service.shop(), await service.shop()];
  const picked = async () => money.picked(one.merchantId);
  const [waiting, cancelled, paid, late] = [await picked(), await picked(), await picked(), await picked()];
  const theirs = await money.picked(other.merchantId);
  const wanted = {
    amountMinor: 1000n,
    currency: 'CHF',
    title: null,
    idempotencyKey: null,
    returnUrl: null,
  } as const;
  const { intent } = await service.app.get(IntentsService).create(one.merchantId, wanted);
  const unpicked = intent.id;
  await service.app
    .get(IntentsService)
    .cancel({ whose: ANYBODYS, id: cancelled, by: by('ann') }, 'cancelled-by-operator');
  await money.record(paid);
  await money.endWindowIn(late, -60_000);
  expect(await money.status(late)).toBe('expired');
  await money.record(late);
  await applyAllChanges(service);
  const ids = [waiting, cancelled, paid, late, theirs, unpicked];
  const together = await pages.findAll([...ids, 'pi_unknown']);
  expect([...together.keys()].sort()).toEqual([...ids].sort());
  for (const id of ids) {
    const { now: _, ...alone } = (await pages.find(id))!;
    expect(withoutDepth(together.get(id))).toMatchObject(withoutDepth(alone) as object);
  }
  expect(together.get(late)!.refunds).toMatchObject({ open: true });
  expect(together.get(unpicked)!.options.length).toBeGreaterThan(0);
});

it('a page whose window has just ended is decided before it is told', async () => {
  const { merchantId } = await service.shop();
  const [id, open] = [await money.picked(merchantId), await money.picked(merchantId)];
  await money.endWindowIn(id, -60_000);
  const found = await pages.findAll([id, open]);
  expect([found.get(id)!.status, found.get(open)!.status]).toEqual(['expired', 'initiated']);
});

it('the stream of a page that is settled tells of no block that comes on top', async () => {
  const { merchantId } = await service.shop();
  const id = await money.picked(merchantId);
  const transfer = await money.record(id);
  await applyAllChanges(service);
  expect(await money.status(id)).toBe('settled');
  const hangUp = new AbortController();
  const stream = await fetch(`${service.config.checkoutUrl}/pay/${id}/events`, { signal: hangUp.signal });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let told = '';
  const reading = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) told += part.value;
  })().catch(() => undefined);
  const messages = () => told.split('data: {').length - 1;
  await eventually(messages, (count) => count === 1);
  const revision = async () => (await pages.revisions([id])).get(id)!;
  for (let blocks = 0; blocks < 3; blocks += 1) {
    const before = await revision();
    await eventually(revision, (now) => now !== before);
    await service.app.get(CheckoutFeed).look();
  }
  // Told after these: what they had brought would be before it.
  const gone = 'block_height = NULL, block_hash = NULL, block_time = NULL, missing_since = clock_timestamp()';
  await money.change(id, transfer, `state = 'orphaned', ${gone}`);
  await eventually(messages, (count) => count > 1);
  expect(messages()).toBe(2);
  expect(told).toContain('"state":"settled"');
  hangUp.abort();
  await reading;
});

describe('what is asked of the database', () => {
  // The service's own work asks the same pool meanwhile: only what a reading began is counted.
  const reading = new AsyncLocalStorage<{ readonly asked: string[] }>();

  /** Named statements by their names; any other is TypeORM's. */
  async function askedFor(ids: readonly string[]): Promise<readonly string[]> {
    const asked: string[] = [];
    // Known for a minute, which may end between two readings.
    service.app.get(DatabaseClock).observe(await readClock(service.app.get(DataSource)));
    await reading.run({ asked }, () => pages.findAll(ids));
    return asked.sort();
  }

  beforeAll(() => {
    const dataSource = service.app.get(DataSource);
    const note = (name: string) => reading.getStore()?.asked.push(name);
    const pool = poolOf(dataSource);
    const query = pool.query.bind(pool) as (...args: unknown[]) => unknown;
    jest.spyOn(pool, 'query').mockImplementation((...args: unknown[]) => {
      note((args[0] as { name?: string }).name ?? 'unnamed');
      return query(...args);
    });
    const ask = Pipeline.prototype.ask;
    jest.spyOn(Pipeline.prototype, 'ask').mockImplementation(function (this: Pipeline, query) {
      note((query as unknown as { name: string }).name);
      return ask.call(this, query);
    });
    const driver = dataSource.driver as unknown as { obtainMasterConnection(): Promise<unknown> };
    const obtain = driver.obtainMasterConnection.bind(driver);
    jest.spyOn(driver, 'obtainMasterConnection').mockImplementation(() => {
      note('TypeORM');
      return obtain();
    });
  });

  it('is as much for thirty pages as for three', async () => {
    const { merchantId } = await service.shop();
    const ids: string[] = [];
    for (let n = 0; n < 30; n += 1) ids.push(await money.picked(merchantId));
    await askedFor(ids);
    const [three, thirty] = [await askedFor(ids.slice(0, 3)), await askedFor(ids)];
    expect(three).toContain('chains-facts');
    expect(thirty).toEqual(three);
  });

  it('is nothing twice for the page of one that waits for its payment', async () => {
    const { merchantId } = await service.shop();
    const id = await money.picked(merchantId);
    await askedFor([id]);
    const asked = (await askedFor([id])).filter((name) => name !== 'TypeORM');
    expect(asked).toContain('chains-standings');
    expect(asked).toEqual([...new Set(asked)]);
  });
});
