import { Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { DomainError } from '../../../src/kernel/domain-error.js';
import { claimDue } from '../../../src/modules/webhooks/data/claim.statement.js';
import { DeliveriesRepository } from '../../../src/modules/webhooks/data/deliveries.repository.js';
import { follow, FOLLOW_BATCH } from '../../../src/modules/webhooks/data/follow.statement.js';
import { retainedDeliveries } from '../../../src/modules/webhooks/data/retained-deliveries.sql.js';
import { AttemptMetrics } from '../../../src/modules/webhooks/delivery/attempt.metrics.js';
import { DispatcherService } from '../../../src/modules/webhooks/delivery/dispatcher.service.js';
import { OutboxService } from '../../../src/modules/webhooks/outbox.service.js';
import { type EndpointRef, MOST_COUNTED } from '../../../src/modules/webhooks/webhooks.types.js';
import { Jobs } from '../../../src/platform/jobs/jobs.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { RetainedRowsRepository } from '../../../src/platform/retention/data/retained-rows.repository.js';
import { Retention } from '../../../src/platform/retention/retention.js';
import { by } from '../../support/intents/by.js';
import { eventually, WebhooksFixture } from './webhooks-fixture.js';

/** What an endpoint that takes nothing has to get: many statements' worth. */
const BACKLOG = 3_500;

let fixture: WebhooksFixture;
beforeAll(async () => {
  fixture = await WebhooksFixture.open();
  // In place of a number of rows that outlasts the time of a statement.
  await fixture.dataSource.query(
    `CREATE FUNCTION refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF (SELECT count(*) FROM touched) > ${FOLLOW_BATCH} THEN RAISE 'too many rows for one statement'; END IF;
       RETURN NULL;
     END $$`,
  );
  for (const [change, touched] of [
    ['INSERT', 'NEW'],
    ['UPDATE', 'NEW'],
    ['DELETE', 'OLD'],
  ])
    await fixture.dataSource.query(
      `CREATE TRIGGER few_${change} AFTER ${change} ON delivery REFERENCING ${touched} TABLE AS touched
       FOR EACH STATEMENT EXECUTE FUNCTION refuse_many()`,
    );
  await fixture.dataSource.query(
    `CREATE FUNCTION fail_again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.attempts = 1; RETURN NEW; END $$`,
  );
  await fixture.dataSource.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`,
  );
});
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

/** An endpoint of a merchant of its own for which as much waits. Every second one has been tried, and waits for long. */
async function backlogged(url: string, count = BACKLOG): Promise<EndpointRef> {
  const merchantId = await fixture.addMerchant();
  const { endpointId } = await fixture.endpoint(url, merchantId);
  const begun = new Date(Date.now() - 7_200_000);
  for (let from = 0; from < count; from += FOLLOW_BATCH)
    await fixture.dataSource.query(
      `WITH written AS (
         INSERT INTO event (id, merchant_id, type, subject, sequence, body)
         SELECT 'evt_' || $1::text || n, $2, 'payment.status', $1, n, '{}' FROM generate_series($3::integer + 1, $4::integer) n
         RETURNING id, sequence
       )
       INSERT INTO delivery (event_id, endpoint_id, attempts, delayed, created_at, next_attempt_at)
       SELECT id, $1, (sequence % 2 = 0)::integer, sequence % 2 = 0, $5::timestamptz + sequence * interval '1 ms',
              $5::timestamptz + sequence * interval '1 ms' + (sequence % 2 = 0)::integer * interval '3 hours'
       FROM written ORDER BY sequence`,
      [endpointId, merchantId, from, Math.min(count, from + FOLLOW_BATCH), begun],
    );
  return { merchantId, endpointId };
}

const states = async ({ endpointId }: EndpointRef): Promise<Record<string, number>> => {
  const rows = await fixture.dataSource.query<{ state: string; n: number }[]>(
    'SELECT state, count(*)::int AS n FROM delivery WHERE endpoint_id = $1 GROUP BY state',
    [endpointId],
  );
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
};
/** For what an outbox never does: change all that there is. */
const inBatches = async (assignments: string) => {
  for (let done = 0, rows = FOLLOW_BATCH; rows === FOLLOW_BATCH; done += rows)
    [, rows] = await fixture.dataSource.query<[unknown, number]>(
      `UPDATE delivery SET ${assignments}
       WHERE id IN (SELECT id FROM delivery ORDER BY id LIMIT ${FOLLOW_BATCH} OFFSET ${done})`,
    );
};

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Subplan Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }];
}

const rowsOf = (node: PlanNode) =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Until it is asked: the most deliveries that a statement looked at to find what it changes, as PostgreSQL says of each before it runs. */
function mostRowsRead(): () => number {
  let most = 0;
  const { dataSource } = fixture;
  const query = dataSource.query.bind(dataSource);
  const spy = jest.spyOn(dataSource, 'query').mockImplementation(async (sql, values) => {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      // Which a small table invites to.
      await runner.query('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
      const [answer] = (await runner.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values as unknown[])) as [
        Explained,
      ];
      const nodes = nodesOf(answer['QUERY PLAN'][0].Plan);
      const finding = nodes.filter((node) => node['Subplan Name'] === 'CTE found').flatMap(nodesOf);
      const read = finding.filter((node) => node['Relation Name'] === 'delivery').map(rowsOf);
      most = Math.max(most, ...read);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
    return query(sql, values);
  });
  return () => {
    spy.mockRestore();
    return most;
  };
}

const allFollow = async () => {
  while ((await fixture.recover()) > 0);
};
const healthOf = async ({ merchantId }: EndpointRef) => {
  const [health] = await fixture.service().health(merchantId);
  return { waiting: health?.waiting, held: health?.held };
};
const dispatcher = () =>
  new DispatcherService(
    fixture.dataSource,
    fixture.sender(),
    new OutboxService(),
    new Jobs(new SchedulerRegistry()),
    fixture.disableNotices(),
    new AttemptMetrics(new Metrics()),
    fixture.secretBox,
  );
const claim = () => claimDue(fixture.dataSource, new Map(), 64);
const counted = Math.min(BACKLOG, MOST_COUNTED);
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'accepted',
    (error: DomainError) => error.message,
  );

describe('an endpoint for which much waits', () => {
  it.each([
    ['by 410', 410, 'answered-410'],
    ['after five days of failures', 500, 'failing'],
  ])('that is disabled %s holds up nobody, and its deliveries follow', async (_, status, reason) => {
    const bad = (await fixture.receiver()).answer(status);
    const good = await fixture.receiver();
    const ref = await backlogged(bad.url);
    await fixture.dataSource.query(
      `UPDATE webhook_endpoint SET consecutive_failures = 10, failures_since = now() - interval '6 days'`,
    );
    const [healthy] = (await fixture.endpoints(1, good.url, 40)) as [EndpointRef];
    const pump = fixture.pump();
    await eventually('the healthy one has everything', async () => {
      await pump.turn();
      expect(pump.isBlocked).toBe(false);
      return (await states(healthy))['delivered'] === 40;
    });
    await pump.idle();
    expect(new Set(good.received.map(({ headers }) => headers['webhook-id'])).size).toBe(40);
    expect(good.received).toHaveLength(40);
    expect(await fixture.service().getEndpoint(ref)).toMatchObject({ disabledReason: reason });
    // Before its deliveries have followed, too.
    expect(await healthOf(ref)).toEqual({ waiting: 0, held: counted });
    const tried = bad.received.length;
    expect(await claim()).toEqual([]);
    await allFollow();
    expect(await states(ref)).toEqual({ held: BACKLOG });
    expect(await states(healthy)).toEqual({ delivered: 40 });
    expect(bad.received).toHaveLength(tried);
  });

  it('is disabled, enabled and deleted by its merchant in an instant, and all is counted and shown as what it is', async () => {
    const ref = await backlogged('http://127.0.0.1:9/');
    const service = fixture.service();
    const shown = async () => {
      const { items } = await fixture.deliveriesService().list(ref, { limit: 100 });
      return [...new Set(items.map(({ state, nextAttemptAt }) => `${state} ${nextAttemptAt !== null}`))];
    };
    await service.disable(ref, by('test'));
    expect((await states(ref))['pending']).toBe(BACKLOG - FOLLOW_BATCH);
    for (const followed of [false, true]) {
      if (followed) await allFollow();
      expect(await shown()).toEqual(['held false']);
      expect(await healthOf(ref)).toEqual({ waiting: 0, held: counted });
    }
    expect(await states(ref)).toEqual({ held: BACKLOG });
    await service.enable(ref, { sendHeld: true }, by('test'));
    expect((await states(ref))['held']).toBe(BACKLOG - FOLLOW_BATCH);
    expect(await service.troubles(ref.merchantId)).toEqual([]);
    for (const followed of [false, true]) {
      expect(await claim()).toHaveLength(followed ? 4 : 0); // what is oldest is known once all have followed
      if (followed) break;
      expect(await shown()).toEqual(['pending true']);
      expect(await healthOf(ref)).toEqual({ waiting: counted, held: 0 });
      await allFollow();
      expect(await states(ref)).toEqual({ pending: BACKLOG });
    }
    await service.deleteEndpoint(ref, by('test'));
    await allFollow();
    expect(await states(ref)).toEqual({ sending: 4, failed: BACKLOG - 4 });
  });

  it('starts all schedules afresh when it is enabled, also of what had not followed before', async () => {
    const ref = await backlogged('http://127.0.0.1:9/');
    await fixture.service().disable(ref, by('test'));
    await fixture.service().enable(ref, { sendHeld: true }, by('test'));
    await allFollow();
    const late = await fixture.dataSource.query(
      `SELECT id FROM delivery WHERE state <> 'pending' OR attempts > 0 OR next_attempt_at > created_at`,
    );
    expect(late).toEqual([]);
    await fixture.dataSource.query(
      'UPDATE delivery SET created_at = created_at - interval $$1 s$$ WHERE false',
    );
    expect((await claim()).length).toBe(4);
  });

  it('that is enabled without what was held gives up just that', async () => {
    const receiver = await fixture.receiver();
    const ref = await backlogged(receiver.url);
    const deliveries = fixture.deliveriesService();
    await fixture.service().disable(ref, by('test'));
    await fixture.service().enable(ref, { sendHeld: false }, by('test'));
    const event = await fixture.append(ref.merchantId);
    expect(await healthOf(ref)).toEqual({ waiting: 1, held: 0 });
    const { items } = await deliveries.list(ref, { limit: 2 });
    expect(items.map(({ state, eventId }) => [state, eventId === event])).toEqual([
      ['pending', true],
      ['failed', false],
    ]);
    // What is given up next must not be what somebody asked for.
    const again = () => deliveries.redeliver({ ...ref, deliveryId: items[1]!.id }, by('test'));
    expect(await refusal(again())).toContain('being given up');
    expect(await refusal(deliveries.redeliverFailed(ref, new Date(0), by('test')))).toContain(
      'being given up',
    );
    expect(await refusal(deliveries.redeliver({ ...ref, deliveryId: items[0]!.id }, by('test')))).toBe(
      'accepted',
    );
    await allFollow();
    expect(await states(ref)).toEqual({ failed: BACKLOG, pending: 1 });
    expect(await refusal(again())).toBe('accepted');
    await fixture.deliver();
    expect(receiver.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
      [event, items[1]!.eventId].sort(),
    );
    expect(await states(ref)).toEqual({ failed: BACKLOG - 1, delivered: 2 });
  });

  it('gives up what was to be given up also when it is disabled and enabled again meanwhile', async () => {
    const receiver = await fixture.receiver();
    const ref = await backlogged(receiver.url);
    await fixture.service().disable(ref, by('test'));
    await fixture.service().enable(ref, { sendHeld: false }, by('test'));
    await fixture.service().disable(ref, by('test'));
    const event = await fixture.append(ref.merchantId);
    expect(await healthOf(ref)).toEqual({ waiting: 0, held: 1 });
    await fixture.service().enable(ref, { sendHeld: true }, by('test'));
    await allFollow();
    expect(await states(ref)).toEqual({ failed: BACKLOG, pending: 1 });
    await fixture.deliver();
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([event]);
  });

  it('is followed by the job without a pause, until nothing is left', async () => {
    const ref = await backlogged('http://127.0.0.1:9/', 1.5 * FOLLOW_BATCH);
    await fixture.service().disable(ref, by('test'));
    const job = dispatcher();
    expect(await job.recover()).toBe(true);
    expect(await states(ref)).toEqual({ held: 1.5 * FOLLOW_BATCH });
    expect(await job.recover()).toBe(false);
  });

  it('and cannot follow does not keep the others from following', async () => {
    const refs = [];
    for (let n = 0; n < 3; n++) refs.push(await backlogged('http://127.0.0.1:9/', 1.5 * FOLLOW_BATCH));
    for (const ref of refs) await fixture.service().disable(ref, by('test'));
    const [stuck] = refs as [EndpointRef];
    await fixture.dataSource.query(
      `CREATE TRIGGER stuck BEFORE UPDATE ON delivery FOR EACH ROW WHEN (NEW.endpoint_id = '${stuck.endpointId}')
       EXECUTE FUNCTION refuse()`,
    );
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const job = dispatcher();
    try {
      while (await job.recover());
    } finally {
      await fixture.dataSource.query('DROP TRIGGER stuck ON delivery');
    }
    expect(await Promise.all(refs.map(states))).toEqual([
      { held: FOLLOW_BATCH, pending: FOLLOW_BATCH / 2 },
      { held: 1.5 * FOLLOW_BATCH },
      { held: 1.5 * FOLLOW_BATCH },
    ]);
    expect(logged.mock.calls[0]?.[0]).toMatchObject({ endpointId: stuck.endpointId });
    logged.mockRestore();
    await allFollow();
    expect(await states(stuck)).toEqual({ held: 1.5 * FOLLOW_BATCH });
  });

  it('has one of them sent again that has not followed yet, because its endpoint takes it', async () => {
    const ref = await backlogged('http://127.0.0.1:9/');
    await fixture.service().disable(ref, by('test'));
    await allFollow();
    await fixture.service().enable(ref, { sendHeld: true }, by('test'));
    const [row] = await fixture.dataSource.query<{ id: string }[]>(
      `SELECT id FROM delivery WHERE endpoint_id = $1 AND state = 'held' ORDER BY id DESC LIMIT 1`,
      [ref.endpointId],
    );
    const deliveries = fixture.deliveriesService();
    expect(await refusal(deliveries.redeliver({ ...ref, deliveryId: row!.id }, by('test')))).toBe('accepted');
    await allFollow();
    expect(await states(ref)).toEqual({ pending: BACKLOG });
  });

  it('has nothing restarted of what was given up, or for an endpoint that was disabled, while the restart was under way', async () => {
    const ref = await backlogged('http://127.0.0.1:9/', 40);
    await fixture.dataSource.query(`UPDATE delivery SET state = 'failed', delayed = false`);
    const restart = () =>
      new DeliveriesRepository(fixture.dataSource).restartFailed(ref.endpointId, new Date(0));
    await fixture.dataSource.query('UPDATE webhook_endpoint SET disabled_at = now()');
    expect(await restart()).toBe(0);
    await fixture.dataSource.query(
      `UPDATE webhook_endpoint SET disabled_at = NULL, settling_since = now(),
              given_up_to = (SELECT id FROM delivery ORDER BY id OFFSET 29 LIMIT 1)`,
    );
    expect(await restart()).toBe(10);
    await allFollow();
    expect(await states(ref)).toEqual({ failed: 30, pending: 10 });
  });

  it('has each of its failures restarted once, whatever fails again meanwhile, and none is read twice', async () => {
    const ref = await backlogged('http://127.0.0.1:9/');
    // The order of their numbers is another one, and many are of one of our milliseconds.
    await inBatches(
      `state = CASE WHEN attempts = 0 THEN 'failed' ELSE 'pending' END,
       created_at = '2026-11-29T10:00:00Z'::timestamptz - id * interval '1 microsecond'`,
    );
    await fixture.dataSource.query('ANALYZE delivery');
    await fixture.dataSource.query(
      `CREATE TRIGGER again BEFORE UPDATE ON delivery FOR EACH ROW WHEN (NEW.attempts = 0) EXECUTE FUNCTION fail_again()`,
    );
    const deliveries = new DeliveriesRepository(fixture.dataSource);
    const read = mostRowsRead();
    try {
      expect(await deliveries.restartFailed(ref.endpointId, new Date(0))).toBe(BACKLOG);
      expect(read()).toBe(FOLLOW_BATCH);
    } finally {
      read();
      await fixture.dataSource.query('DROP TRIGGER again ON delivery');
    }
    expect(await states(ref)).toEqual({ pending: BACKLOG });
  });

  it('is counted no further than anybody needs to know, and only while it takes something', async () => {
    const ref = await backlogged('http://127.0.0.1:9/', MOST_COUNTED + 1);
    await fixture.append((await fixture.endpoints(1, 'http://127.0.0.1:9/', 1))[0]!.merchantId);
    const backlog = await fixture.service().backlog();
    expect(backlog).toEqual({ pending: MOST_COUNTED, oldestAgeS: expect.any(Number) as number, sending: 0 });
    expect(Math.round(backlog.oldestAgeS / 3_600)).toBe(2);
    await fixture.service().disable(ref, by('test'));
    expect(await fixture.service().backlog()).toMatchObject({ pending: 2 });
    expect((await fixture.service().backlog()).oldestAgeS).toBeLessThan(3_600);
    await fixture.service().enable(ref, { sendHeld: true }, by('test'));
    await fixture.service().deleteEndpoint(ref, by('test'));
    expect(await fixture.service().backlog()).toMatchObject({ pending: 2 });
  });

  it('and is deleted is forgotten in batches', async () => {
    const ref = await backlogged('http://127.0.0.1:9/');
    await fixture.service().deleteEndpoint(ref, by('test'));
    await allFollow();
    await inBatches(`created_at = created_at - interval '400 days'`);
    const retention = new Retention(new RetainedRowsRepository(fixture.dataSource), new Metrics());
    retention.keep(...retainedDeliveries({ attemptDays: 30, deliveryDays: 365 }));
    expect(await retention.run()).toMatchObject({ delivery: BACKLOG });
    expect(await states(ref)).toEqual({});
  });

  it('that is enabled already gives up nothing when it is enabled again', async () => {
    const ref = await backlogged('http://127.0.0.1:9/', 20);
    await fixture.service().enable(ref, { sendHeld: false }, by('test'));
    await allFollow();
    expect(await states(ref)).toEqual({ pending: 20 });
    expect((await claim()).length).toBe(4);
  });

  it('is settled by whoever saw its last change, and not by who waited for it', async () => {
    const ref = await backlogged('http://127.0.0.1:9/', 1);
    await fixture.dataSource.query('UPDATE webhook_endpoint SET settling_since = now()');
    const runner = fixture.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('UPDATE webhook_endpoint SET settling_since = clock_timestamp()');
    const late = follow(fixture.dataSource, ref.endpointId);
    await eventually('it waits for the change', async () => {
      const waiting = await fixture.dataSource.query<unknown[]>(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });
    await runner.commitTransaction();
    await runner.release();
    expect(await late).toBe(0);
    expect(await claim()).toEqual([]);
    expect(await follow(fixture.dataSource, ref.endpointId)).toBe(1);
    expect(await claim()).toHaveLength(1);
  });
});
