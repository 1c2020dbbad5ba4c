import type { ServerResponse } from 'node:http';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Webhook } from 'standardwebhooks';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/data-source.js';
import { claimDue } from '../../../src/modules/webhooks/data/claim.statement.js';
import { type AttemptRecord, recordAttempts } from '../../../src/modules/webhooks/data/record.statement.js';
import { AttemptMetrics } from '../../../src/modules/webhooks/delivery/attempt.metrics.js';
import { DispatcherService } from '../../../src/modules/webhooks/delivery/dispatcher.service.js';
import {
  MAX_IN_FLIGHT,
  MAX_PER_ENDPOINT,
  RECORD_LINGER_MS,
} from '../../../src/modules/webhooks/domain/limits.js';
import { OutboxService } from '../../../src/modules/webhooks/outbox.service.js';
import { Jobs } from '../../../src/platform/jobs/jobs.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { askedBy } from '../../support/database/asked.js';
import { by } from '../../support/intents/by.js';
import { eventually, WebhooksFixture } from './webhooks-fixture.js';

let fixture: WebhooksFixture;
beforeAll(async () => (fixture = await WebhooksFixture.open()));
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

const claim = (room = 64) => claimDue(fixture.dataSource, new Map(), room);
const expireLeases = () =>
  fixture.dataSource.query(
    `UPDATE delivery SET lease_until = now() - interval '1 second' WHERE state = 'sending'`,
  );
/** As they were before it: the commit of a claim does not wait for the disk. */
const forgetClaims = () =>
  fixture.dataSource.query(
    `UPDATE delivery SET state = 'pending', attempts = attempts - 1, lease_token = NULL, lease_until = NULL`,
  );
const delivered = async () => (await fixture.deliveries()).filter((d) => d.state === 'delivered').length;

/** A transaction that has run this and stays open. */
async function held(statement: string): Promise<{ release(): Promise<void> }> {
  const runner = fixture.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query(statement);
  return {
    release: async () => {
      await runner.rollbackTransaction();
      await runner.release();
    },
  };
}

const endpoints = (...args: Parameters<WebhooksFixture['endpoints']>) => fixture.endpoints(...args);

describe('claiming', () => {
  it('takes at most four of an endpoint and the same share of each', async () => {
    await endpoints(3, 'http://127.0.0.1:9/', 6);
    const shares = (rows: { endpointId: string }[]) => {
      const counts = new Map<string, number>();
      for (const row of rows) counts.set(row.endpointId, (counts.get(row.endpointId) ?? 0) + 1);
      return [...counts.values()].sort();
    };
    expect(shares(await claim(7))).toEqual([2, 2, 3]);
    await fixture.dataSource.query(
      `UPDATE delivery SET state = 'pending', attempts = 0, lease_token = NULL, lease_until = NULL`,
    );
    expect(shares(await claim(64))).toEqual([MAX_PER_ENDPOINT, MAX_PER_ENDPOINT, MAX_PER_ENDPOINT]);
  });

  it('counts what is already under way against the cap, and prefers who has nothing', async () => {
    await endpoints(2, 'http://127.0.0.1:9/', 4);
    const [first] = await fixture.deliveries();
    const claims = await claimDue(
      fixture.dataSource,
      new Map([[first!.endpoint_id, { sending: 2, resting: 1 }]]),
      2,
    );
    expect(claims.filter((c) => c.endpointId === first!.endpoint_id)).toEqual([]);
    expect(
      await claimDue(fixture.dataSource, new Map([[first!.endpoint_id, { sending: 0, resting: 4 }]]), 64),
    ).toHaveLength(2);
  });

  it('takes what is due first, and nothing that is not due', async () => {
    await fixture.endpoint('http://127.0.0.1:9/');
    const events = [await fixture.append(), await fixture.append(), await fixture.append()];
    await fixture.dataSource.query(
      `UPDATE delivery SET next_attempt_at = now() + interval '1 hour' WHERE event_id = $1`,
      [events[0]],
    );
    expect((await claim()).map((c) => c.eventId)).toEqual([events[1], events[2]]);
  });

  it('does not wait for the disk, and leaves every other commit of its session waiting', async () => {
    await endpoints(1, 'http://127.0.0.1:9/', 1);
    const session = await new DataSource(dataSourceOptions(fixture.database.url, 1)).initialize();
    const setting = async () =>
      (await session.query<[Record<string, string>]>('SHOW synchronous_commit'))[0]['synchronous_commit'];
    try {
      await session.query('BEGIN');
      expect(await claimDue(session, new Map(), 64)).toHaveLength(1);
      expect(await setting()).toBe('off');
      await session.query('COMMIT');
      expect(await setting()).toBe('on');
    } finally {
      await session.destroy();
    }
  });

  it('gives no delivery to two dispatchers', async () => {
    await endpoints(20, 'http://127.0.0.1:9/', 8);
    const seen: string[] = [];
    const worker = async () => {
      for (let i = 0; i < 20; i++) seen.push(...(await claim(16)).map((c) => c.deliveryId));
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    expect(seen).toHaveLength(160);
    expect(new Set(seen).size).toBe(160);
  });

  it('leaves half of the room to endpoints that do not fail', async () => {
    await endpoints(20, 'http://127.0.0.1:9/', 4);
    await fixture.dataSource.query('UPDATE webhook_endpoint SET consecutive_failures = 1');
    await endpoints(2, 'http://127.0.0.1:9/', 4);
    expect(await claim(64)).toHaveLength(32 + 8);
  });

  it('takes nothing of a disabled or deleted endpoint, even where a race left it pending', async () => {
    await endpoints(2, 'http://127.0.0.1:9/', 1);
    const [a, b] = (await fixture.deliveries()).map((d) => d.endpoint_id);
    await fixture.dataSource.query('UPDATE webhook_endpoint SET disabled_at = now() WHERE id = $1', [a]);
    await fixture.dataSource.query('UPDATE webhook_endpoint SET deleted_at = now() WHERE id = $1', [b]);
    expect(await claim()).toEqual([]);
    expect(await fixture.recover()).toBe(2);
    expect((await fixture.deliveries()).map((d) => d.state)).toEqual(['held', 'failed']);
    await fixture.dataSource.query('UPDATE webhook_endpoint SET disabled_at = NULL');
    expect(await fixture.recover()).toBe(1);
    expect((await fixture.deliveries()).map((d) => d.state)).toEqual(['pending', 'failed']);
    expect(await fixture.recover()).toBe(0);
  });
});

describe('leases', () => {
  it('of a worker that died after the 200 run out, and the same event is sent again under the same id', async () => {
    const receiver = await fixture.receiver();
    const { url } = receiver;
    const { secret } = await fixture.endpoint(url);
    const eventId = await fixture.append();
    const [mine] = await claim();
    await fixture.sender().send({
      url,
      signature: { 'webhook-id': mine!.eventId, 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' },
      body: mine!.body,
    });
    expect(await fixture.recover()).toBe(0);
    await fixture.deliver();
    expect(receiver.received).toHaveLength(1);
    await expireLeases();
    expect(await fixture.recover()).toBe(1);
    await fixture.deliver();
    expect(receiver.received.map((r) => r.headers['webhook-id'])).toEqual([eventId, eventId]);
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
    const { body, headers } = receiver.received[1]!;
    expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
    expect(await fixture.deliveries()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
    expect(await fixture.attempts()).toHaveLength(1);
  });

  it.each([
    ['that somebody else has taken over', () => expireLeases().then(() => fixture.recover())],
    ['of claims that a crash of the database has forgotten', forgetClaims],
  ])('%s make a late result a no-op', async (_, lose) => {
    await fixture.endpoint('http://127.0.0.1:9/');
    await fixture.append();
    const [stalled] = await claim();
    await lose();
    const [current] = await claim();
    const result = (token: string, kind: 'delivered' | 'gone'): AttemptRecord => ({
      deliveryId: stalled!.deliveryId, leaseToken: token, outcome: { kind }, startedAt: new Date(), durationMs: 1,
      httpStatus: 200, error: null, response: '',
    }); // prettier-ignore
    expect(await recordAttempts(fixture.dataSource, [result(stalled!.leaseToken, 'gone')])).toEqual([]);
    expect(await fixture.deliveries()).toMatchObject([{ state: 'sending' }]);
    expect(await fixture.attempts()).toEqual([]);
    expect(await recordAttempts(fixture.dataSource, [result(current!.leaseToken, 'delivered')])).toHaveLength(
      1,
    );
    expect(await recordAttempts(fixture.dataSource, [result(stalled!.leaseToken, 'gone')])).toEqual([]);
    expect(await fixture.deliveries()).toMatchObject([{ state: 'delivered', attempts: 1 }]);
    expect(await fixture.attempts()).toHaveLength(1);
  });

  it('of a result whose endpoint was disabled meanwhile lead to held, of a deleted one to failed', async () => {
    const receiver = await fixture.receiver();
    const open: ServerResponse[] = [];
    receiver.respond = (_, response) => open.push(response);
    const [a, b] = await endpoints(2, receiver.url, 1);
    const pump = fixture.pump();
    await pump.turn();
    await eventually('both are under way', () => open.length === 2);
    await fixture.service().disable(a!, by('test'));
    await fixture.service().deleteEndpoint(b!, by('test'));
    open.forEach((response) => response.writeHead(500).end());
    await pump.idle();
    expect((await fixture.deliveries()).map((d) => d.state)).toEqual(['held', 'failed']);
  });
});

describe('sending', () => {
  it('does not wait for a slow endpoint before it serves others', async () => {
    const [slow, fast] = [await fixture.receiver(), await fixture.receiver()];
    const held: (() => void)[] = [];
    slow.respond = (_, response) => held.push(() => response.end());
    await endpoints(3, slow.url, 10);
    await endpoints(1, fast.url, 40);
    const pump = fixture.pump({ sender: fixture.sender({ deadlineMs: 30_000 }) });
    await eventually('the fast endpoint has everything', async () => {
      await pump.turn();
      return fast.received.length === 40 && (await delivered()) === 40;
    });
    expect(slow.received).toHaveLength(3 * MAX_PER_ENDPOINT);
    held.forEach((answer) => answer());
    slow.respond = (_, response) => response.end();
    await fixture.deliver(pump);
    expect(await delivered()).toBe(70);
  });

  it.each([
    [1, 60],
    [40, 5],
  ])('goes on by itself, without the clock, until %d endpoints have their %d events', async (count, each) => {
    const receiver = await fixture.receiver();
    await endpoints(count, receiver.url, each);
    let asked = true;
    const pump = fixture.pump({ onRoom: () => (asked = true) });
    await eventually('everything is delivered', async () => {
      while (asked) {
        asked = false;
        if (await pump.turn()) asked = true;
      }
      return receiver.received.length === count * each;
    });
    await pump.idle();
    expect(await delivered()).toBe(count * each);
  });

  it('starts nothing more while a result has waited for the database for long, and goes on afterwards', async () => {
    const receiver = await fixture.receiver();
    await endpoints(1, receiver.url, 1);
    let room = false;
    const pump = fixture.pump({ onRoom: () => (room = true) });
    const { release } = await held('LOCK TABLE delivery_attempt IN EXCLUSIVE MODE');
    await pump.turn();
    await eventually('the first has arrived', () => receiver.received.length === 1);
    await eventually('the pump is blocked', async () => {
      await pump.turn();
      return pump.isBlocked;
    });
    await endpoints(1, receiver.url, 1);
    await pump.turn();
    expect(await fixture.deliveries()).toMatchObject([{ state: 'sending' }, { state: 'pending' }]);
    // The end of the first sending has told of room as well, before its result had to wait.
    room = false;
    await release();
    // As the dispatcher does: whenever it is told of room. A write that the database refused tells of it, too.
    await eventually('both are delivered', async () => {
      if (room) {
        room = false;
        await pump.turn();
      }
      return (await delivered()) === 2;
    });
    await pump.idle();
  });

  it('needs one claim and few writes for a full batch', async () => {
    const receiver = await fixture.receiver();
    await endpoints(MAX_IN_FLIGHT / MAX_PER_ENDPOINT, receiver.url, MAX_PER_ENDPOINT);
    const pump = fixture.pump();
    const beganMs = performance.now();
    const asked = await askedBy(async () => {
      await pump.turn();
      await pump.idle();
    });
    const tookMs = performance.now() - beganMs;
    const names = asked.map(({ name }) => name);
    expect(await delivered()).toBe(MAX_IN_FLIGHT);
    expect(names.filter((name) => name === 'webhooks-claim')).toHaveLength(1);
    // One for what ends within so many milliseconds, and the last: more only where the answers come more slowly than that.
    const most = Math.max(MAX_IN_FLIGHT / 4, Math.floor(tookMs / RECORD_LINGER_MS) + 1);
    expect(names.filter((name) => name === 'webhooks-record').length).toBeLessThanOrEqual(most);
  });

  it('stops without losing or repeating anything', async () => {
    const receiver = await fixture.receiver();
    const held: (() => void)[] = [];
    receiver.respond = (_, response) => held.push(() => response.end());
    await endpoints(2, receiver.url, 4);
    const pump = fixture.pump();
    await pump.turn();
    await eventually('all are under way', () => held.length === 8);
    await endpoints(1, receiver.url, 2);
    const claiming = pump.turn();
    const stopped = pump.stop();
    await claiming;
    held.forEach((answer) => answer());
    await stopped;
    expect(await pump.turn()).toBe(false);
    expect(receiver.received).toHaveLength(8);
    expect((await fixture.deliveries()).map((d) => [d.state, d.attempts])).toEqual([
      ...Array<[string, number]>(8).fill(['delivered', 1]),
      ...Array<[string, number]>(2).fill(['pending', 0]),
    ]);
  });

  it('runs by itself as a job: woken by a commit, drained, stopped', async () => {
    const receiver = await fixture.receiver();
    await endpoints(2, receiver.url, 25);
    const outbox = new OutboxService();
    const scheduler = new SchedulerRegistry();
    const jobs = new Jobs(scheduler);
    const metrics = new Metrics();
    const { dataSource, secretBox } = fixture;
    const dispatcher = new DispatcherService(
      dataSource,
      fixture.sender(),
      outbox,
      jobs,
      fixture.disableNotices(),
      new AttemptMetrics(metrics),
      secretBox,
    );
    jobs.adopt(dispatcher);
    dispatcher.onModuleInit();
    jobs.start();
    await eventually('the backlog is delivered', async () => (await delivered()) === 50);
    await endpoints(1, receiver.url, 1);
    // Nothing looks by itself any more: only the wake-up can deliver it.
    for (const name of scheduler.getIntervals()) scheduler.deleteInterval(name);
    outbox.wake();
    await eventually('the new one is delivered', () => receiver.received.length === 51);
    await Promise.all([dispatcher.beforeApplicationShutdown(), jobs.onModuleDestroy()]);
    expect(await delivered()).toBe(51);
    expect(await metrics.registry.metrics()).toContain(
      'rappen_webhook_attempts_total{outcome="delivered"} 51\n',
    );
    expect(receiver.received).toHaveLength(51);
  });
});
