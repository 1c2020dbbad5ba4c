import { registeredStatements } from '../../../src/database/statement.js';
import { claimDue } from '../../../src/modules/webhooks/data/claim.statement.js';
import { promoteDue } from '../../../src/modules/webhooks/data/promote.statement.js';
import { RECOVER_WALK, Recovery } from '../../../src/modules/webhooks/data/recover.statement.js';
import { type Plan, rowsRead } from '../../support/database/plans.js';
import { by } from '../../support/intents/by.js';
import { WebhooksFixture } from './webhooks-fixture.js';

let fixture: WebhooksFixture;
beforeAll(async () => (fixture = await WebhooksFixture.open()));
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

const claim = () => claimDue(fixture.dataSource, new Map(), 64);

type Waits = 'due' | 'for an hour' | 'held';

/** Endpoints with some events each, that are due, wait for another try, or are held. Their ids are in the order of their numbers. */
async function endpointsThat(waits: Waits, count: number, name: string, eventsEach = 2): Promise<void> {
  await fixture.dataSource.query(
    `WITH endpoint AS (
       INSERT INTO webhook_endpoint (id, merchant_id, url, events, secret, disabled_at, disabled_reason)
       SELECT 'we_' || to_char(n, 'FM00000') || $1, $2, 'http://127.0.0.1:9/', '{payment.status}', 'sealed',
              CASE WHEN $3 = 'held' THEN now() END, CASE WHEN $3 = 'held' THEN 'failing' END
       FROM generate_series(1, $4::integer) n RETURNING id
     ),
     written AS (
       INSERT INTO event (id, merchant_id, type, subject, sequence, body)
       SELECT 'evt_' || endpoint.id || n, $2, 'payment.status', endpoint.id, n, '{}'
       FROM endpoint, generate_series(1, $5::integer) n RETURNING id, subject
     )
     INSERT INTO delivery (event_id, endpoint_id, state, attempts, delayed, next_attempt_at)
     SELECT id, subject, CASE WHEN $3 = 'held' THEN 'held' ELSE 'pending' END, ($3 = 'for an hour')::integer,
            $3 = 'for an hour', now() + ($3 = 'for an hour')::integer * interval '1 hour'
     FROM written ORDER BY id`,
    [name, fixture.merchantId, waits, count, eventsEach],
  );
  await fixture.dataSource.query('VACUUM ANALYZE webhook_endpoint, delivery, event');
}

/** How many rows and entries of indexes a statement has looked at; what it did is undone. */
async function readBy(name: string, values: readonly string[]): Promise<number> {
  const found = registeredStatements().find((each) => each.name === name);
  const runner = fixture.dataSource.createQueryRunner();
  await runner.startTransaction();
  try {
    // As the service asks it, whatever the values.
    await runner.query(`SET LOCAL plan_cache_mode = force_generic_plan`);
    await runner.query(`PREPARE asked AS ${found!.text}`);
    const execute = values.length > 0 ? `EXECUTE asked (${values.join(', ')})` : 'EXECUTE asked';
    const [answer] = (await runner.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${execute}`)) as [
      { readonly 'QUERY PLAN': readonly [{ readonly Plan: Plan }] },
    ];
    // Rows are told as a mean of the loops, with two places.
    return Math.round(rowsRead(answer['QUERY PLAN'][0].Plan, ['delivery', 'webhook_endpoint', 'event']));
  } finally {
    await runner.rollbackTransaction();
    await runner.query('DEALLOCATE asked');
    await runner.release();
  }
}

const byClaim = () => readBy('webhooks-claim', [`'{}'`, `'{}'`, `'{}'`, '64']);
const byRecovery = () => readBy('webhooks-recover-unsettled', [`''`, `''`, `''`]);
const byPromotion = () => readBy('webhooks-promote', []);

describe('endpoints that merely wait for another try', () => {
  it('cost a claim and what makes retries due nothing, however many they are', async () => {
    await endpointsThat('due', 3, 'due', 30);
    await endpointsThat('for an hour', 2_000, 'waiting');
    const some = { claim: await byClaim(), promotion: await byPromotion() };
    await endpointsThat('for an hour', 2_000, 'zwaiting');
    expect({ claim: await byClaim(), promotion: await byPromotion() }).toEqual(some);
    // Of three endpoints and a dozen deliveries.
    expect(some).toEqual({ claim: 69, promotion: 0 });
    expect(await claim()).toHaveLength(12);
  });

  it('cost a look for what was left behind no more than some of them, and it comes to all', async () => {
    await endpointsThat('for an hour', 2 * RECOVER_WALK, 'waiting', 1);
    await endpointsThat('held', 2 * RECOVER_WALK, 'held', 1);
    const some = await byRecovery();
    await endpointsThat('for an hour', 2 * RECOVER_WALK, 'zwaiting', 1);
    await endpointsThat('held', 2 * RECOVER_WALK, 'zheld', 1);
    expect(await byRecovery()).toBe(some);
    // One of each that stands behind those of the first look.
    await fixture.dataSource.query(
      `UPDATE webhook_endpoint SET disabled_at = CASE WHEN disabled_at IS NULL THEN now() END,
              disabled_reason = CASE WHEN disabled_at IS NULL THEN 'failing' END
       WHERE id IN ('we_00900waiting', 'we_00900held')`,
    );
    const recovery = new Recovery(fixture.dataSource, () => undefined);
    let followed = 0;
    for (let turn = 0; turn < 4; turn++) followed += await recovery.turn();
    expect(followed).toBe(2);
  });
});

describe('a retry', () => {
  const delayed = () =>
    fixture.dataSource.query<{ delayed: boolean; attempts: number }[]>(
      'SELECT delayed, attempts FROM delivery ORDER BY id',
    );
  /** When its time comes, whatever has passed since it failed. */
  const comesIn = (interval: string) =>
    fixture.dataSource.query(
      `UPDATE delivery SET next_attempt_at = now() + $1::interval WHERE state = 'pending'`,
      [interval],
    );
  const passes = () => comesIn('-1 minute');

  it('is put among what is due once its time has come, and not before', async () => {
    const bad = (await fixture.receiver()).answer(500);
    await fixture.endpoint(bad.url);
    await fixture.append();
    await fixture.deliver();
    expect(await delayed()).toEqual([{ delayed: true, attempts: 1 }]);
    await comesIn('1 hour');
    expect(await promoteDue(fixture.dataSource)).toBe(0);
    await passes();
    expect(await promoteDue(fixture.dataSource)).toBe(1);
    expect(await delayed()).toEqual([{ delayed: false, attempts: 1 }]);
    await fixture.deliver();
    expect(bad.received).toHaveLength(2);
  });

  it('is looked for by each turn after what is due, sent by the next, and not before its time', async () => {
    const bad = (await fixture.receiver()).answer(500);
    await fixture.endpoint(bad.url);
    await fixture.append();
    await fixture.deliver();
    const pump = fixture.pump({ promoteEveryMs: 0 });
    const turn = async () => {
      const isMore = await pump.turn();
      await pump.idle();
      return [isMore, bad.received.length];
    };
    await comesIn('1 hour');
    expect([await turn(), await turn()]).toEqual([
      [false, 1],
      [false, 1],
    ]);
    await passes();
    expect(await turn()).toEqual([true, 1]);
    await turn();
    expect(bad.received).toHaveLength(2);
  });

  it('waits for who looks for such retries, at most as long as between two looks', async () => {
    const bad = (await fixture.receiver()).answer(500);
    await fixture.endpoint(bad.url);
    await fixture.append();
    const pump = fixture.pump({ promoteEveryMs: 600_000 });
    await pump.turn();
    await pump.idle();
    await passes();
    for (const _ of [1, 2]) await pump.turn();
    await pump.idle();
    expect(bad.received).toHaveLength(1);
    await fixture.deliver(fixture.pump({ promoteEveryMs: 0 }));
    expect(bad.received).toHaveLength(2);
  });

  it('is not held up by one that somebody has locked', async () => {
    const bad = (await fixture.receiver()).answer(500);
    await fixture.endpoint(bad.url);
    for (let n = 0; n < 2; n++) await fixture.append();
    await fixture.deliver();
    await passes();
    const runner = fixture.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT FROM delivery ORDER BY id LIMIT 1 FOR UPDATE');
    expect(await promoteDue(fixture.dataSource)).toBe(1);
    await runner.rollbackTransaction();
    await runner.release();
    expect(await promoteDue(fixture.dataSource)).toBe(1);
  });

  it.each(['disabled and enabled', 'sent again'])('does not wait any more once it is %s', async (how) => {
    const bad = (await fixture.receiver()).answer(500);
    const ref = await fixture.endpoint(bad.url);
    await fixture.append();
    await fixture.deliver();
    if (how === 'sent again') await fixture.deliveriesService().redeliverFailed(ref, new Date(0), by('test'));
    else {
      await fixture.service().disable(ref, by('test'));
      expect(await delayed()).toEqual([{ delayed: false, attempts: 1 }]);
      await fixture.service().enable(ref, { sendHeld: true }, by('test'));
    }
    expect(await delayed()).toEqual([{ delayed: false, attempts: 0 }]);
    expect(await claim()).toHaveLength(1);
  });
});
