import { AsyncLocalStorage } from 'node:async_hooks';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { ANYBODYS } from '../../../../src/database/by.js';
import { DatabaseClock, readClock } from '../../../../src/database/clock.js';
import { Pipeline, poolOf } from '../../../../src/database/statement.js';
import { newId } from '../../../../src/kernel/ids.js';
import { CheckoutController } from '../../../../src/modules/checkout/checkout.controller.js';
import { CheckoutFeed } from '../../../../src/modules/checkout/checkout.feed.js';
import { CheckoutIntentsService } from '../../../../src/modules/intents/checkout/checkout-intents.service.js';
import { IntentsService } from '../../../../src/modules/intents/lifecycle/intents.service.js';
import { by } from '../../../support/intents/by.js';
import { applyAllChanges } from '../../../support/intents/decided.js';
import { Money } from '../../../support/intents/money.js';
import { ORDER } from '../../../support/intents/order.js';
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
  const { intent } = await service.app.get(IntentsService).create(one.merchantId, ORDER);
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

it('of coin whose address nobody looks at, it is said of that page alone', async () => {
  const { merchantId } = await service.shop();
  const picked = () => money.picked(merchantId, 'ethereum', 'ETH');
  const ids = [await picked(), await picked(), await picked()];
  await leaveToComparison(ids[1]!);
  const together = await pages.findAll(ids);
  const alone = await Promise.all(ids.map((id) => pages.find(id)));
  expect(ids.map((id) => together.get(id)!.unseen)).toEqual([false, true, false]);
  expect(alone.map((page) => page!.unseen)).toEqual([false, true, false]);
});

/** The watcher asks what addresses hold for a day. */
async function leaveToComparison(id: string): Promise<void> {
  await service.app
    .get(DataSource)
    .query(`UPDATE address SET created_at = created_at - interval '25 hours' WHERE subject = $1`, [id]);
}

describe('what is asked of the database', () => {
  interface Reading {
    readonly asked: { readonly name: string; readonly afterAnswers: number }[];
    answers: number;
  }
  // The service's own work asks the same pool meanwhile: only what a reading began is counted.
  const reading = new AsyncLocalStorage<Reading>();

  async function readingOf(read: () => Promise<unknown>): Promise<Reading> {
    const began: Reading = { asked: [], answers: 0 };
    // Known for a minute, which may end between two readings.
    service.app.get(DatabaseClock).observe(await readClock(service.app.get(DataSource)));
    await reading.run(began, read);
    return began;
  }

  /** Named statements by their names; any other is TypeORM's. */
  async function askedFor(read: () => Promise<unknown>): Promise<readonly string[]> {
    const { asked } = await readingOf(read);
    return asked.map(({ name }) => name).sort();
  }

  /** Those that were asked after as many answers went out together. */
  async function tripsOf(read: () => Promise<unknown>): Promise<number> {
    const { asked } = await readingOf(read);
    return new Set(asked.map(({ afterAnswers }) => afterAnswers)).size;
  }

  beforeAll(() => {
    const dataSource = service.app.get(DataSource);
    const note = (name: string) => {
      const own = reading.getStore();
      own?.asked.push({ name, afterAnswers: own.answers });
      return () => {
        if (own) own.answers += 1;
      };
    };
    const pool = poolOf(dataSource);
    type Done = (...answer: unknown[]) => void;
    const query = pool.query.bind(pool) as (...args: unknown[]) => unknown;
    const noted = (asked: unknown, values: unknown, done: Done): unknown => {
      const answered = note((asked as { name?: string }).name ?? 'unnamed');
      return query(asked, values, (...answer: unknown[]) => {
        answered();
        done(...answer);
      });
    };
    jest.spyOn(pool, 'query').mockImplementation(noted as () => void);
    const ask = Pipeline.prototype.ask;
    jest.spyOn(Pipeline.prototype, 'ask').mockImplementation(async function (this: Pipeline, query) {
      const answered = note((query as unknown as { name: string }).name);
      const rows = await ask.call(this, query);
      answered();
      return rows;
    });
    const driver = dataSource.driver as unknown as { obtainMasterConnection(): Promise<unknown> };
    const obtain = driver.obtainMasterConnection.bind(driver);
    jest.spyOn(driver, 'obtainMasterConnection').mockImplementation(() => {
      note('TypeORM');
      return obtain();
    });
  });

  it.each(['USDC', 'ETH'])('is as much for thirty pages as for three, of %s', async (asset) => {
    const { merchantId } = await service.shop();
    const ids: string[] = [];
    for (let n = 0; n < 30; n += 1) ids.push(await money.picked(merchantId, 'ethereum', asset));
    for (const unseen of [1, 7, 8]) await leaveToComparison(ids[unseen]!);
    await pages.findAll(ids);
    const three = await askedFor(() => pages.findAll(ids.slice(0, 3)));
    const thirty = await askedFor(() => pages.findAll(ids));
    expect(three).toContain('chains-facts');
    expect(three).not.toContain('TypeORM');
    expect(thirty).toEqual(three);
  });

  it.each(['USDC', 'ETH'])('goes out in two turns for a page of %s, and nothing twice', async (asset) => {
    const { merchantId } = await service.shop();
    const id = await money.picked(merchantId, 'ethereum', asset);
    for (const read of [() => pages.find(id), () => pages.findAll([id])]) {
      await read();
      const asked = await askedFor(read);
      expect(asked).toContain('chains-standings');
      expect(asked).not.toContain('chains-health'); // what operators look at, wallets that wait among it
      expect(asked.includes('chains-unwatched')).toBe(asset === 'ETH');
      expect(asked).toEqual([...new Set(asked)]);
      expect(await tripsOf(read)).toBe(2);
    }
  });

  it('is nothing more for a payment past its window whose money is there', async () => {
    const { merchantId } = await service.shop();
    const [id, other] = [await money.picked(merchantId), await money.picked(merchantId)];
    // Far from deep enough.
    await money.record(id, { blockTime: `clock_timestamp() - interval '1 minute'`, blockHeight: 1_000_000 });
    await applyAllChanges(service);
    await money.endWindowIn(id, -1_000);
    expect(await money.status(id)).toBe('pending');
    const asked = await askedFor(() => pages.findAll([id, other]));
    expect(asked).toEqual(await askedFor(() => pages.findAll([other])));
  });

  it('is whether a payment exists, before its stream opens, and nothing else', async () => {
    const { merchantId } = await service.shop();
    const id = await money.picked(merchantId);
    const controller = service.app.get(CheckoutController);
    const request = { headers: {}, query: {}, ip: '192.0.2.1' } as unknown as Request;
    expect(await askedFor(() => controller.events(id, request))).toEqual(['intents-exists']);
  });
});

it('no stream opens for a payment that does not exist', async () => {
  for (const id of [newId('pi'), 'pi_unknown', 'x']) {
    const answer = await fetch(`${service.config.checkoutUrl}/pay/${id}/events`);
    await answer.text();
    expect(answer.status).toBe(404);
  }
});
