import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../../src/database/data-source.js';
import { newId } from '../../../../src/kernel/ids.js';
import type { IntentStatus } from '../../../../src/kernel/intent-status.js';
import type { Intent } from '../../../../src/modules/intents/domain/model.js';
import type { Settlement } from '../../../../src/modules/intents/domain/settlement.js';
import { insertIntent } from '../../../../src/modules/intents/lifecycle/data/create-intent.statement.js';
import {
  writeTransitions,
  type WrittenStep,
} from '../../../../src/modules/intents/lifecycle/data/write-transitions.statement.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database/database.js';

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

const walk = (before: Intent, ...path: IntentStatus[]) => walkWith(before, null, ...path);

function walkWith(before: Intent, settlement: Settlement | null, ...path: IntentStatus[]) {
  let from = before.status;
  const steps = path.map((to, i): WrittenStep => {
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
  const now = new Date();
  const after = {
    ...before,
    status: from,
    sequence: before.sequence + path.length,
    confirmedAt: path.includes('confirmed') ? now : before.confirmedAt,
    settledAt: path.includes('settled') ? now : before.settledAt,
  };
  return dataSource.transaction((tx) =>
    writeTransitions(tx, { before, after, steps, settlement, traceId: undefined, at: now }),
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
    expect(await insertIntent(dataSource, intent, event())).toBe(true);
    expect(await insertIntent(dataSource, { ...intent, id: newId('pi') }, event())).toBe(false);
    const [row] = await dataSource.query<[Record<string, string>]>(
      `SELECT (SELECT count(*) FROM intent WHERE idempotency_key = 'twice') AS intents,
              (SELECT count(*) FROM transition WHERE intent_id = $1) AS transitions,
              (SELECT count(*) FROM event WHERE subject = $1) AS events,
              (SELECT sum(intents) FROM intent_count) AS counted`,
      [intent.id],
    );
    expect(row).toEqual({ intents: '1', transitions: '1', events: '1', counted: '1' });
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

  /** Of a merchant of its own, so that nothing else is counted. */
  async function shop(): Promise<{ id: string; figures: () => Promise<unknown[]> }> {
    const id = newId('mer');
    await dataSource.query(`INSERT INTO merchant (id, name, status) VALUES ($1, 'Shop', 'approved')`, [id]);
    const figures = async () =>
      dataSource.query<unknown[]>(
        `SELECT to_char(day, 'YYYY-MM-DD') AS day, currency, sum(created)::int AS created,
                sum(created_settled)::int AS "createdSettled", sum(settled)::int AS settled, sum(settled_minor)::int AS minor,
                sum(forgiven)::int AS forgiven, sum(forgiven_minor)::int AS "forgivenMinor"
         FROM intent_day WHERE merchant_id = $1 GROUP BY day, currency ORDER BY day, currency`,
        [id],
      );
    return { id, figures };
  }

  const day = (at: string) => ({ createdAt: new Date(at), expiresAt: new Date(Date.parse(at) + 900_000) });
  const NONE = { created: 0, createdSettled: 0, settled: 0, minor: 0, forgiven: 0, forgivenMinor: 0 };

  it('count what is created on its day, and what is settled on that of its creation and on its own', async () => {
    const { id, figures } = await shop();
    const [late, early] = ['2026-03-01T23:59:59.999Z', '2026-03-02T00:00:00.000Z'].map(day);
    const first = await created({ merchantId: id, ...late });
    await created({ merchantId: id, ...early, currency: 'EUR' });
    await created({ merchantId: id, ...early });
    await walk(first, 'pending', 'confirmed', 'settled');
    const today = new Date().toISOString().slice(0, 10);
    expect(await figures()).toEqual([
      { ...NONE, day: '2026-03-01', currency: 'CHF', created: 1, createdSettled: 1 },
      { ...NONE, day: '2026-03-02', currency: 'CHF', created: 1 },
      { ...NONE, day: '2026-03-02', currency: 'EUR', created: 1 },
      { ...NONE, day: today, currency: 'CHF', settled: 1, minor: 4990 },
    ]);
  });

  it('count as forgiven what a tolerance or a rule let pass, and not what a person accepted', async () => {
    const { id, figures } = await shop();
    const records = [
      record({}),
      record({ fiatMinor: 4900n }),
      record({ fiatMinor: 4980n, acceptedBy: 'rule:late' }),
      record({ fiatMinor: 100n, acceptedBy: 'ann' }),
      record({ fiatMinor: 9990n }),
    ];
    for (const settlement of records) {
      const intent = await created({ merchantId: id });
      await walkWith(intent, settlement, 'pending', 'confirmed', 'settled');
    }
    expect(await figures()).toEqual([
      expect.objectContaining({
        created: 5,
        createdSettled: 5,
        settled: 5,
        minor: 5 * 4990,
        forgiven: 2,
        forgivenMinor: 90 + 10,
      }),
    ]);
  });

  it('follow an intent that is moved or removed', async () => {
    const { id, figures } = await shop();
    const intent = await created({ merchantId: id, ...day('2026-03-01T12:00:00Z') });
    await dataSource.query(
      `UPDATE intent SET created_at = created_at - interval '1 day', expires_at = expires_at - interval '1 day' WHERE id = $1`,
      [intent.id],
    );
    const moved = { ...NONE, day: '2026-02-28', currency: 'CHF', created: 1 };
    const left = { ...NONE, day: '2026-03-01', currency: 'CHF' };
    expect(await figures()).toEqual([moved, left]);
    await dataSource.transaction(async (tx) => {
      await tx.query(`SET LOCAL session_replication_role = replica`);
      await tx.query('DELETE FROM transition WHERE intent_id = $1', [intent.id]);
    });
    await dataSource.query('DELETE FROM intent WHERE id = $1', [intent.id]);
    expect(await figures()).toEqual([{ ...moved, created: 0 }, left]);
  });

  it('lose none of fifty creations at once', async () => {
    const { id, figures } = await shop();
    await Promise.all(Array.from({ length: 50 }, () => created({ merchantId: id })));
    expect(await figures()).toEqual([expect.objectContaining({ created: 50 })]);
  });
});

describe('the state machine in the database', () => {
  it('takes several edges in one statement', async () => {
    const intent = await created();
    expect(await walk(intent, 'pending', 'confirmed', 'settled')).toBe(true);
  });

  it('writes nothing when the intent has moved in the meantime', async () => {
    const intent = await created();
    await walk(intent, 'cancelled');
    expect(await walk(intent, 'pending')).toBe(false);
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
    await expect(attempt()).rejects.toThrow(/violates (foreign key|check) constraint|append-only/);
  });
});
