import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as stayOpen } from 'node:timers/promises';
import fc from 'fast-check';
import { DataSource, type EntityManager } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/data-source.js';
import { newId } from '../../../src/kernel/ids.js';
import { EventLogRepository } from '../../../src/modules/webhooks/data/event-log.repository.js';
import { EventLogService } from '../../../src/modules/webhooks/event-log.service.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { runsOf, seedOf } from '../../support/run/seed.js';
import { WebhooksFixture } from './webhooks-fixture.js';

const WRITERS = 14;
const ROUNDS = runsOf('EVENT_LOG_ROUNDS', 15);
const SEED = seedOf('EVENT_LOG_SEED', 'EVENT_LOG_ROUNDS');
const READERS = 3;

let fixture: WebhooksFixture;
let log: EventLogService;
const pools: DataSource[] = [];

beforeAll(async () => {
  fixture = await WebhooksFixture.open();
  log = logOn(await pool(6));
});
afterAll(async () => {
  await Promise.all(pools.map((each) => each.destroy()));
  await fixture.close();
});

const logOn = (dataSource: DataSource) => new EventLogService(new EventLogRepository(dataSource));

async function pool(
  size: number,
  url = String(fixture.dataSource.options['url' as never]),
): Promise<DataSource> {
  const opened = await new DataSource(dataSourceOptions(url, size)).initialize();
  pools.push(opened);
  return opened;
}

/** Everything after an event, page by page. */
async function readAll(
  merchantId: string,
  after: string | null = null,
  limit = 100,
  on = log,
): Promise<string[]> {
  const ids: string[] = [];
  for (let last = after; ; last = ids.at(-1) ?? last) {
    const page = await on.read(merchantId, last, limit);
    if (!page) throw new Error(`${last} is not in the log`);
    if (page.length === 0) return ids;
    ids.push(...page.map(({ id }) => id));
  }
}

interface Written {
  readonly id: string;
  readonly merchantId: string;
  readonly subject: string;
  readonly sequence: number;
  /** When its transaction began, and when its commit was acknowledged, by one clock. */
  readonly begunMs: number;
  readonly committedMs: number;
}

/** One transaction as a transition's: under its subject's lock, open for a while before and after it has written. */
async function write(
  on: DataSource,
  { merchantId, subject, behindMs, waitsMs, rollsBack }: Transaction,
): Promise<Written[]> {
  const begunMs = performance.now();
  const runner = on.createQueryRunner();
  try {
    await runner.startTransaction();
    await stayOpen(waitsMs[0]);
    await runner.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 7))', [subject]);
    const written = await append(runner.manager, merchantId, subject, behindMs);
    await stayOpen(waitsMs[1]);
    if (rollsBack) await runner.rollbackTransaction();
    else await runner.commitTransaction();
    const committedMs = performance.now();
    return rollsBack ? [] : written.map((event) => ({ ...event, merchantId, subject, begunMs, committedMs }));
  } finally {
    await runner.release();
  }
}

/**
 * Several events by one statement, with the next sequences of their subject.
 * @param events how many, each with an id before the last one's, or how long ago each id says that it was made: ids of a process
 *   whose clock is wrong, as no order may come from them
 */
function append(
  tx: Pick<EntityManager, 'query'>,
  merchantId: string,
  subject: string,
  events: number | readonly number[],
  type = 'payment.status',
): Promise<{ id: string; sequence: number }[]> {
  const behindMs = typeof events === 'number' ? Array.from({ length: events }, (_, i) => i * 1_000) : events;
  const ids = behindMs.map((ms) => newId('evt', Date.now() - ms));
  return tx.query(
    `INSERT INTO event (id, merchant_id, type, subject, sequence, body)
     SELECT u.id, $1, $4, $2, u.n + (SELECT coalesce(max(sequence), 0) FROM event WHERE subject = $2), '{}'
     FROM unnest($3::text[]) WITH ORDINALITY AS u (id, n) RETURNING id, sequence`,
    [merchantId, subject, ids, type],
  );
}

interface Transaction {
  readonly merchantId: string;
  readonly subject: string;
  readonly behindMs: readonly number[];
  readonly waitsMs: readonly [number, number];
  readonly rollsBack: boolean;
}

const transactions = (merchants: readonly string[]): fc.Arbitrary<Transaction> =>
  fc.constantFrom(...merchants).chain((merchantId) =>
    fc.record({
      merchantId: fc.constant(merchantId),
      subject: fc.constantFrom(...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${merchantId}${name}`)),
      behindMs: fc.array(fc.nat(9_999), { minLength: 1, maxLength: 3 }),
      waitsMs: fc.tuple(fc.nat(4), fc.oneof(fc.nat(3), fc.nat(40))),
      rollsBack: fc.nat(4).map((side) => side === 0),
    }),
  );

/** Reads on while others write, in pages of these sizes, until there is nothing more after the last commit. */
async function follow(
  on: EventLogService,
  merchantId: string,
  limits: readonly number[],
  isOver: () => boolean,
): Promise<string[]> {
  const ids: string[] = [];
  for (let pages = 0; ; pages += 1) {
    const wasOver = isOver();
    const page = await on.read(merchantId, ids.at(-1) ?? null, limits[pages % limits.length]!);
    ids.push(...(page ?? []).map(({ id }) => id));
    if (page?.length === 0 && wasOver) return ids;
  }
}

describe('the log of a merchant’s events', () => {
  it('shows every event exactly once, to every reader in one order, while transactions race', async () => {
    const merchants = [fixture.merchantId, await fixture.addMerchant()];
    const [writing, reading] = [await pool(WRITERS), await pool(8)];
    let over = false;
    const sizes = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 50, maxLength: 50 });
    const limits = fc.sample(sizes, { seed: SEED, numRuns: READERS });
    const readers = merchants.flatMap((merchantId) =>
      limits.map(async (each) => ({
        merchantId,
        ids: await follow(logOn(reading), merchantId, each, () => over),
      })),
    );
    const plans = fc.sample(fc.array(transactions(merchants), { minLength: ROUNDS, maxLength: ROUNDS }), {
      seed: SEED,
      numRuns: WRITERS,
    });
    const written = await Promise.all(
      plans.map(async (plan) => {
        const done: Written[] = [];
        for (const transaction of plan) done.push(...(await write(writing, transaction)));
        return done;
      }),
    ).then((all) => all.flat());
    over = true;
    process.stdout.write(
      `  the log of events: ${written.length} of ${WRITERS} writers (EVENT_LOG_SEED=${SEED})\n`,
    );

    for (const { merchantId, ids } of await Promise.all(readers)) {
      const mine = written.filter((event) => event.merchantId === merchantId);
      expect(mine.length).toBeGreaterThan(WRITERS);
      expect([...ids].sort()).toEqual(mine.map(({ id }) => id).sort());
      expect(ids).toEqual(await readAll(merchantId));
      expectOrderOfCommit(ids, mine);
    }
    const positions = await fixture.dataSource.query<{ gaps: number }[]>(
      'SELECT max(position) - count(*) AS gaps FROM event_log GROUP BY merchant_id',
    );
    expect(positions.map(({ gaps }) => Number(gaps))).toEqual([0, 0]);
  });

  it('waits for nobody: an event of an open transaction comes when it is committed, behind the others', async () => {
    const merchantId = await fixture.addMerchant();
    const runner = (await pool(1)).createQueryRunner();
    await runner.startTransaction();
    const [early] = await append(runner.manager, merchantId, newId('pi'), 1);
    const [next] = await append(fixture.dataSource, merchantId, newId('pi'), 1);
    expect(await readAll(merchantId)).toEqual([next?.id]);
    await runner.commitTransaction();
    await runner.release();
    expect(await readAll(merchantId, next?.id)).toEqual([early?.id]);
    expect(await readAll(merchantId)).toEqual([next?.id, early?.id]);
  });

  it('does not stall for a transaction that idles in another database of the cluster', async () => {
    const other = await createTestDatabase();
    const runner = (await pool(1, other.url)).createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT pg_current_xact_id()');
    const merchantId = await fixture.addMerchant();
    const [event] = await append(fixture.dataSource, merchantId, newId('pi'), 1);
    expect(await readAll(merchantId)).toEqual([event?.id]);
    await runner.rollbackTransaction();
    await runner.release();
    await pools.pop()?.destroy();
    await other.drop();
  });

  it('knows no event of another merchant, neither in a list nor to go on from', async () => {
    const [mine, theirs] = [await fixture.addMerchant(), await fixture.addMerchant()];
    const [own] = await append(fixture.dataSource, mine, newId('pi'), 1);
    const [foreign] = await append(fixture.dataSource, theirs, newId('pi'), 1);
    expect(await readAll(mine)).toEqual([own?.id]);
    expect(await readAll(theirs)).toEqual([foreign?.id]);
    expect(await log.read(mine, foreign?.id ?? '', 10)).toBeNull();
    expect(await log.read(mine, newId('evt'), 10)).toBeNull();
  });

  it('holds no test of an endpoint', async () => {
    const merchantId = await fixture.addMerchant();
    const [test] = await append(fixture.dataSource, merchantId, newId('we'), 1, 'webhook.test');
    const [money] = await append(fixture.dataSource, merchantId, newId('pi'), 1, 'payment.money');
    expect(await readAll(merchantId)).toEqual([money?.id]);
    expect(await log.read(merchantId, test?.id ?? '', 10)).toBeNull();
  });

  it('catches up with any number that nobody has read', async () => {
    const merchantId = await fixture.addMerchant();
    const written = await append(fixture.dataSource, merchantId, newId('pi'), 2_500);
    expect(await log.read(merchantId, written.at(-2)?.id ?? '', 10)).toMatchObject([
      { id: written.at(-1)?.id },
    ]);
    expect(await readAll(merchantId)).toEqual(written.map(({ id }) => id));
  });

  it('never changes: the database refuses to move or remove a position', async () => {
    await log.read(fixture.merchantId, null, 1);
    await expect(fixture.dataSource.query('UPDATE event_log SET position = position + 1')).rejects.toThrow(
      'append-only',
    );
    await expect(fixture.dataSource.query('DELETE FROM event_log')).rejects.toThrow('append-only');
  });
});

describe('the log of events, moved to another cluster', () => {
  let restored: TestDatabase;
  beforeAll(async () => {
    restored = await createTestDatabase();
  });
  afterAll(() => restored.drop());

  it('goes on where a reader stood, although transactions are counted anew', async () => {
    const merchantId = await fixture.addMerchant();
    const before = await append(fixture.dataSource, merchantId, newId('pi'), 3);
    const [first] = (await log.read(merchantId, null, 1)) ?? [];
    const pending = await append(fixture.dataSource, merchantId, newId('pi'), 2);
    const there = await pool(2, restored.url);
    await restore(there);
    const moved = logOn(there);
    const after = await append(there, merchantId, newId('pi'), 2);
    expect(await readAll(merchantId, first?.id, 2, moved)).toEqual(
      [...before.slice(1), ...pending, ...after].map(({ id }) => id),
    );
    await pools.pop()?.destroy();
  });

  /** As a restore does: rows without triggers, then the counters. */
  async function restore(there: DataSource): Promise<void> {
    const runner = there.createQueryRunner();
    await runner.query(`SET session_replication_role = replica`);
    for (const table of ['merchant', 'event', 'event_log', 'event_log_pending']) {
      const [{ rows }] = await fixture.dataSource.query<[{ rows: unknown }]>(
        `SELECT coalesce(json_agg(t), '[]') AS rows FROM ${table} t`,
      );
      await runner.query(
        `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::${table}, $1)`,
        [JSON.stringify(rows)],
      );
    }
    const [{ last }] = await fixture.dataSource.query<[{ last: string }]>(
      `SELECT nextval(pg_get_serial_sequence('event_log_pending', 'arrival')) AS last`,
    );
    await runner.query(`SELECT setval(pg_get_serial_sequence('event_log_pending', 'arrival'), $1)`, [last]);
    await runner.query(`RESET session_replication_role`);
    await runner.release();
  }
});

it('begins with all events that were written before there was a log, each subject’s in their sequence', async () => {
  const database = await createTestDatabase();
  const old = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
  const run = (direction: 'up' | 'down') =>
    old.query(readFileSync(join(MIGRATIONS, `0032_event_log.${direction}.sql`), 'utf8'));
  try {
    await run('down');
    await old.query(
      `INSERT INTO merchant (id, name, status) VALUES ('mer_1', 'One', 'approved'), ('mer_2', 'Two', 'approved')`,
    );
    // The second event of pi_a began before its first, and waited for the intent's lock.
    const rows = [
      ['evt_5', 'mer_1', 'pi_a', 1, 20],
      ['evt_1', 'mer_1', 'pi_a', 2, 10],
      ['evt_3', 'mer_1', 'pi_b', 1, 15],
      ['evt_2', 'mer_2', 'pi_c', 1, 12],
    ];
    for (const row of rows) {
      await old.query(
        `INSERT INTO event (id, merchant_id, type, subject, sequence, body, created_at)
         VALUES ($1, $2, 'payment.status', $3, $4, '{}', to_timestamp($5))`,
        row,
      );
    }
    await run('up');
    const found = logOn(old);
    expect(await readAll('mer_1', null, 2, found)).toEqual(['evt_3', 'evt_5', 'evt_1']);
    expect(await readAll('mer_2', null, 2, found)).toEqual(['evt_2']);
    const [later] = await append(old, 'mer_1', 'pi_a', 1);
    expect(await readAll('mer_1', 'evt_1', 2, found)).toEqual([later?.id]);
  } finally {
    await old.destroy();
    await database.drop();
  }
});

const MIGRATIONS = join(import.meta.dirname, '../../../src/database/migrations');

/** What a merchant could tell: a subject's sequence, and what was committed before something else began. */
function expectOrderOfCommit(ids: readonly string[], written: readonly Written[]): void {
  const placeOf = new Map(ids.map((id, place) => [id, place]));
  const place = ({ id }: Written) => placeOf.get(id) ?? -1;
  const wrong = written.flatMap((earlier) =>
    written.filter(
      (later) =>
        ((earlier.subject === later.subject && earlier.sequence < later.sequence) ||
          earlier.committedMs < later.begunMs) &&
        place(earlier) > place(later),
    ),
  );
  expect(wrong).toEqual([]);
}
