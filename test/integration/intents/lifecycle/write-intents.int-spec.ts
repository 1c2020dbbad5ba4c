import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../../src/database/data-source.js';
import { newId } from '../../../../src/kernel/ids.js';
import type { IntentStatus } from '../../../../src/kernel/intent-status.js';
import type { Intent } from '../../../../src/modules/intents/domain/model.js';
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

function walk(before: Intent, ...path: IntentStatus[]) {
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
    writeTransitions(tx, { before, after, steps, settlement: null, traceId: undefined, at: now }),
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
