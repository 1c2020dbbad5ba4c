import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../../src/database/data-source.js';
import { newId } from '../../../../src/kernel/ids.js';
import type { IntentStatus } from '../../../../src/kernel/intent-status.js';
import type { Intent } from '../../../../src/modules/intents/domain/model.js';
import type { Settlement } from '../../../../src/modules/intents/domain/settlement.js';
import { insertIntent } from '../../../../src/modules/intents/lifecycle/data/create-intent.statement.js';
import { writeTransitions } from '../../../../src/modules/intents/lifecycle/data/write-transitions.statement.js';
import type { RenderedStep } from '../../../../src/modules/intents/lifecycle/domain/steps.js';
import { violationsOfInvariants } from '../../../../src/modules/intents/reporting/data/invariants.statement.js';
import { PaymentsRepository } from '../../../../src/modules/intents/reporting/data/payments.repository.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database/database.js';
import { withinOneDay } from '../../../support/run/one-day.js';

let database: TestDatabase;
let dataSource: DataSource;
const merchantId = newId('mer');

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await new DataSource(dataSourceOptions(database.url, 16)).initialize();
  await dataSource.query(`INSERT INTO merchant (id, name, status) VALUES ($1, 'Shop', 'approved')`, [
    merchantId,
  ]);
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

function newIntent(given: Partial<Intent> = {}): Intent {
  const createdAt = new Date();
  return {
    id: newId('pi'),
    merchantId,
    status: 'initiated',
    amountMinor: 4990n,
    currency: 'CHF',
    title: null,
    idempotencyKey: null,
    returnUrl: null,
    quoteId: null,
    sequence: 1,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + 900_000),
    completedAt: null,
    confirmedAt: null,
    settledAt: null,
    ...given,
  };
}

const event = () => ({ id: newId('evt'), body: '{}', traceId: undefined });

const walk = (before: Intent, ...path: IntentStatus[]) => walkAt(new Date(), before, null, ...path);

function walkAt(at: Date, before: Intent, settlement: Settlement | null, ...path: IntentStatus[]) {
  let from = before.status;
  const steps = path.map((to, i): RenderedStep => {
    const step = {
      sequence: before.sequence + i + 1,
      from,
      to,
      cause: 'test',
      eventId: newId('evt'),
      body: '{}',
    };
    from = to;
    return step;
  });
  const after = {
    ...before,
    status: from,
    sequence: before.sequence + path.length,
    confirmedAt: path.includes('confirmed') ? at : before.confirmedAt,
    settledAt: path.includes('settled') ? at : before.settledAt,
  };
  return dataSource.transaction((tx) =>
    writeTransitions(tx, { before, after, steps, settlement, traceId: undefined, at }),
  );
}

async function created(given?: Partial<Intent>): Promise<Intent> {
  const intent = newIntent(given);
  await insertIntent(dataSource, intent, event());
  return intent;
}

describe('creating', () => {
  it('writes intent, transition, event and count, or nothing', async () => {
    const intent = newIntent({ idempotencyKey: 'twice' });
    expect(await insertIntent(dataSource, intent, event())).toEqual({ isTold: false });
    expect(await insertIntent(dataSource, { ...intent, id: newId('pi') }, event())).toBeNull();
    const [row] = await dataSource.query<[Record<string, string>]>(
      `SELECT (SELECT count(*) FROM intent WHERE idempotency_key = 'twice') AS intents,
              (SELECT count(*) FROM transition WHERE intent_id = $1) AS transitions,
              (SELECT count(*) FROM event WHERE subject = $1) AS events,
              (SELECT sum(intents) FROM intent_count) AS counted`,
      [intent.id],
    );
    expect(row).toEqual({ intents: '1', transitions: '1', events: '1', counted: '1' });
  });

  it.each([
    ['asks for it', ['payment.status'], null, true],
    ['asks for something else', ['payment.money'], null, false],
    ['is disabled', ['payment.status'], new Date(), false],
  ])('says whether an endpoint that %s is to be told', async (_what, events, disabledAt, isTold) => {
    const shop = newId('mer');
    await dataSource.query(`INSERT INTO merchant (id, name, status) VALUES ($1, 'Shop', 'approved')`, [shop]);
    await dataSource.query(
      `INSERT INTO webhook_endpoint (id, merchant_id, url, secret, events, disabled_at)
       VALUES ($1, $2, 'https://shop.example/hook', 'sealed', $3, $4)`,
      [newId('we'), shop, events, disabledAt],
    );
    const intent = newIntent({ merchantId: shop });
    expect(await insertIntent(dataSource, intent, event())).toEqual({ isTold });
    expect(await walk(intent, 'pending', 'confirmed')).toEqual({ isTold });
  });

  it('counts in rows of the session, so that few wait for the commit of another one', async () => {
    const session = await new DataSource(dataSourceOptions(database.url, 1)).initialize();
    try {
      await session.query('BEGIN');
      for (const _ of [1, 2]) await insertIntent(session, newIntent(), event());
      const written = (table: string) =>
        `(SELECT array_agg(shard::int) FROM ${table} WHERE xmin = pg_current_xact_id()::xid)`;
      const [row] = await session.query<[Record<string, unknown>]>(
        `SELECT ${written('intent_count')} AS statuses, ${written('intent_day')} AS days,
                ARRAY[pg_backend_pid() % 16] AS "ofStatuses", ARRAY[pg_backend_pid() % 64] AS "ofDays"`,
      );
      expect(row).toMatchObject({ statuses: row.ofStatuses, days: row.ofDays });
      await session.query('ROLLBACK');
    } finally {
      await session.destroy();
    }
  });

  it('lets one of fifty concurrent creations with one key win', async () => {
    const results = await Promise.all(
      Array.from({ length: 50 }, () =>
        insertIntent(dataSource, newIntent({ idempotencyKey: 'race' }), event()),
      ),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
  });
});

describe('the figures of days', () => {
  const record = (given: Partial<Settlement>): Settlement => ({
    quoteId: null as unknown as string, // a row of it would need an address, a key and a price
    network: 'ethereum',
    asset: 'USDC',
    receivedAtoms: 1n,
    excessAtoms: 0n,
    price: '1',
    rateSources: [],
    fiatMinor: 4990n,
    acceptedBy: null,
    acceptReason: null,
    transfers: [],
    ...given,
  });
  /** The price, a cent and a franc less by a tolerance and by a rule, much less by a person's word, and more. */
  const RECORDS = [
    record({}),
    record({ fiatMinor: 4989n }),
    record({ fiatMinor: 4890n, acceptedBy: 'rule:late' }),
    record({ fiatMinor: 100n, acceptedBy: 'ann' }),
    record({ fiatMinor: 9990n }),
  ];

  /** Of a merchant of its own, so that nothing else is counted. */
  async function shop(): Promise<string> {
    const id = newId('mer');
    await dataSource.query(`INSERT INTO merchant (id, name, status) VALUES ($1, 'Shop', 'approved')`, [id]);
    return id;
  }

  const day = (at: string) => ({ createdAt: new Date(at), expiresAt: new Date(Date.parse(at) + 900_000) });
  const NOON = day('2026-03-01T12:00:00Z');
  const NONE = { created: 0, createdSettled: 0, settled: 0, minor: 0, forgiven: 0, forgivenMinor: 0 };

  const figures = (of: string) =>
    dataSource.query<unknown[]>(
      `SELECT to_char(day, 'YYYY-MM-DD') AS day, currency, sum(created)::int AS created,
              sum(created_settled)::int AS "createdSettled", sum(settled)::int AS settled, sum(settled_minor)::int AS minor,
              sum(forgiven)::int AS forgiven, sum(forgiven_minor)::int AS "forgivenMinor"
       FROM intent_day WHERE merchant_id = $1 GROUP BY day, currency
       HAVING (sum(created), sum(created_settled), sum(settled)) IS DISTINCT FROM (0, 0, 0) ORDER BY day, currency`,
      [of],
    );

  async function settle(merchant: string, settlement: Settlement, at: string | Date): Promise<void> {
    const intent = await created({ merchantId: merchant, ...NOON });
    await walkAt(new Date(at), intent, settlement, 'pending', 'confirmed', 'settled');
  }

  it('count what is created on its day, and what is settled on that of its creation and on its own', async () => {
    const id = await shop();
    const [late, early] = ['2026-03-01T23:59:59.999Z', '2026-03-02T00:00:00.000Z'].map(day);
    const first = await created({ merchantId: id, ...late });
    await created({ merchantId: id, ...early, currency: 'EUR' });
    await created({ merchantId: id, ...early });
    await walk(first, 'pending', 'confirmed', 'settled');
    const [{ settledOn }] = await dataSource.query<[{ settledOn: string }]>(
      `SELECT to_char(settled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "settledOn" FROM intent WHERE id = $1`,
      [first.id],
    );
    expect(await figures(id)).toEqual([
      { ...NONE, day: '2026-03-01', currency: 'CHF', created: 1, createdSettled: 1 },
      { ...NONE, day: '2026-03-02', currency: 'CHF', created: 1 },
      { ...NONE, day: '2026-03-02', currency: 'EUR', created: 1 },
      { ...NONE, day: settledOn, currency: 'CHF', settled: 1, minor: 4990 },
    ]);
  });

  it('count as forgiven what a tolerance or a rule let pass, and not what a person accepted', async () => {
    const id = await shop();
    for (const settlement of RECORDS) await settle(id, settlement, '2026-03-03T00:00:00Z');
    const settled = { settled: 5, minor: 5 * 4990, forgiven: 2, forgivenMinor: 1 + 100 };
    expect((await figures(id)).filter((row) => (row as typeof NONE).settled !== 0)).toEqual([
      { ...NONE, day: '2026-03-03', currency: 'CHF', ...settled },
    ]);
    const repository = new PaymentsRepository(dataSource);
    const march = [new Date('2026-03-01'), new Date('2026-04-01')] as const;
    expect(await repository.forgiven(id, ...march)).toEqual([{ currency: 'CHF', minor: 101n, count: 2 }]);
    expect(await repository.forgiven(id, march[1], new Date('2026-05-01'))).toEqual([]);
  });

  it('follow an intent whose window is moved, so that no figure is left behind', async () => {
    const id = await shop();
    const intent = await created({ merchantId: id, ...NOON });
    await dataSource.query(
      `UPDATE intent SET created_at = created_at - interval '1 day', expires_at = expires_at - interval '1 day' WHERE id = $1`,
      [intent.id],
    );
    expect(await figures(id)).toEqual([{ ...NONE, day: '2026-02-28', currency: 'CHF', created: 1 }]);
  });

  it('lose none of fifty creations at once', async () => {
    const id = await shop();
    await Promise.all(Array.from({ length: 50 }, () => created({ merchantId: id, ...NOON })));
    expect(await figures(id)).toEqual([{ ...NONE, day: '2026-03-01', currency: 'CHF', created: 50 }]);
  });

  it('give an operator the last thirty days, today included', () =>
    withinOneDay(async (day) => {
      const id = await shop();
      for (const days of [0, 29, 30])
        await settle(id, record({}), new Date(Date.parse(day) - days * 86_400_000));
      const repository = new PaymentsRepository(dataSource);
      expect(await repository.turnover([id], 30)).toEqual([
        { merchantId: id, currency: 'CHF', minor: 2n * 4990n, count: 2 },
      ]);
    }));

  it('are what the rows say, and what the migration counts of them', async () => {
    const id = await shop();
    for (const settlement of RECORDS) await settle(id, settlement, '2026-03-03T00:00:00Z');
    const wrong = async () => {
      for await (const [name, count] of violationsOfInvariants(dataSource.manager))
        if (name === 'the figures of days are those of the rows') return count;
      return null;
    };
    expect(await wrong()).toBe(0);
    const kept = await figures(id);
    const lasting = await new DataSource(dataSourceOptions(database.url, 1)).initialize();
    try {
      const [{ above }] = await lasting.query<[{ above: number }]>(
        `SELECT count(*)::int AS above FROM migrations WHERE name >= '0089'`,
      );
      for (let n = 0; n < above; n += 1) await lasting.undoLastMigration();
      await lasting.runMigrations();
    } finally {
      await lasting.destroy();
    }
    expect([await wrong(), await figures(id)]).toEqual([0, kept]);
  });
});

describe('the state machine in the database', () => {
  it('takes several edges in one statement', async () => {
    const intent = await created();
    expect(await walk(intent, 'pending', 'confirmed', 'settled')).toEqual({ isTold: false });
  });

  it('writes nothing when the intent has moved in the meantime', async () => {
    const intent = await created();
    await walk(intent, 'cancelled');
    expect(await walk(intent, 'pending')).toBeNull();
  });

  it('lets one of five racing transitions win, for 100 intents', async () => {
    for (let round = 0; round < 100; round++) {
      const intent = await created();
      const targets = ['pending', 'expired', 'cancelled', 'pending', 'expired'] as const;
      const won = await Promise.all(targets.map((to) => walk(intent, to)));
      expect(won.filter(Boolean)).toHaveLength(1);
    }
  });

  it.each<[string, () => Promise<unknown>]>([
    ['an edge that is not in the table', async () => walk(await created(), 'settled')],
    ['a step back', async () => walk(await created(), 'pending', 'confirmed', 'pending')],
    [
      'an intent that claims another status than its last transition',
      async () =>
        dataSource.query(`UPDATE intent SET status = 'expired' WHERE id = $1`, [(await created()).id]),
    ],
    [
      'an edge that does not start where the last one ended',
      async () => {
        const { id } = await created();
        const eventId = newId('evt');
        await dataSource.query(
          `INSERT INTO event (id, merchant_id, type, subject, sequence, body) VALUES ($1, $2, 'payment.status', $3, 2, '{}')`,
          [eventId, merchantId, id],
        );
        await dataSource.query(
          `INSERT INTO transition (intent_id, sequence, from_status, to_status, cause, event_id, created_at)
           VALUES ($1, 2, 'pending', 'confirmed', 'test', $2, now())`,
          [id, eventId],
        );
      },
    ],
    [
      'a changed event',
      async () => dataSource.query(`UPDATE event SET body = 'x' WHERE subject = $1`, [(await created()).id]),
    ],
    [
      'a deleted transition',
      async () => dataSource.query('DELETE FROM transition WHERE intent_id = $1', [(await created()).id]),
    ],
    [
      'a window that is not 15 minutes',
      async () =>
        dataSource.query(`UPDATE intent SET expires_at = expires_at + interval '1 s' WHERE id = $1`, [
          (await created()).id,
        ]),
    ],
  ])('refuses %s', async (_what, attempt) => {
    await expect(attempt()).rejects.toThrow(/violates (foreign key|check) constraint|append-only|stays/);
  });
});
