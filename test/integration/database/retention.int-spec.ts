import { readFileSync } from 'node:fs';
import { DataSource } from 'typeorm';
import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.service.js';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import { WebhookDeliveriesService } from '../../../src/modules/webhooks/webhook-deliveries.service.js';
import { WebhooksService } from '../../../src/modules/webhooks/webhooks.service.js';
import type { EndpointRef } from '../../../src/modules/webhooks/webhooks.types.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { Retention } from '../../../src/platform/retention/retention.js';
import { by, CLI_ACTOR } from '../../support/intents/by.js';
import { Receiver } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

let service: Service;
let merchantId: string;
let endpoint: EndpointRef;
let receiver: Receiver;

beforeAll(async () => {
  service = await Service.start();
  receiver = await Receiver.start();
  merchantId = (await service.shop()).merchantId;
  const created = await service.app
    .get(WebhooksService)
    .createEndpoint({ merchantId, url: receiver.url }, by('test'));
  endpoint = { merchantId, endpointId: created.endpoint.id };
  receiver.secret = created.secret;
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});
beforeEach(() =>
  query(`TRUNCATE delivery, delivery_attempt, alert, session, one_time_link, passkey_challenge CASCADE`),
);

const query = <T>(sql: string, values: unknown[] = []) => service.app.get(DataSource).query<T[]>(sql, values);
const run = () => service.app.get(Retention).run();
const ago = (days: number) => `clock_timestamp() - interval '${days} days'`;

/** Events of an intent that nobody knows, with a delivery each. @returns the deliveries' ids */
async function deliveries(count: number, state: string, days: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `WITH written AS (
       INSERT INTO event (id, merchant_id, type, subject, sequence, body)
       SELECT 'evt_' || gen_random_uuid(), $1, 'webhook.test', gen_random_uuid()::text, 1, '{}'
       FROM generate_series(1, $3::integer) RETURNING id)
     INSERT INTO delivery (event_id, endpoint_id, state, created_at, next_attempt_at)
     SELECT id, $2, $4, ${ago(days)}, clock_timestamp() + interval '1 day' FROM written RETURNING id`,
    [merchantId, endpoint.endpointId, count, state],
  );
  return rows.map(({ id }) => id);
}

const tried = (ids: readonly string[], days: number) =>
  query(
    `INSERT INTO delivery_attempt (delivery_id, number, started_at, duration_ms, http_status, response)
     SELECT id, 1, ${ago(days)}, 5, 200, 'thank you' FROM unnest($1::bigint[]) AS id`,
    [ids],
  );

const left = async () =>
  (await query<{ id: string }>('SELECT id FROM delivery ORDER BY id')).map((r) => r.id);

describe('deliveries', () => {
  it('that are over go after 90 days, more than a batch of them in one run', async () => {
    await deliveries(1_500, 'delivered', 91);
    await deliveries(1_000, 'failed', 91);
    const young = await deliveries(2, 'delivered', 89);
    expect(await run()).toMatchObject({ delivery: 2_500 });
    expect(await left()).toEqual(young);
  });

  it('that may still be sent stay, whatever their age, and do not hide what is over behind them', async () => {
    const waiting = [...(await deliveries(1_100, 'held', 400)), ...(await deliveries(3, 'pending', 400))];
    await deliveries(5, 'delivered', 300);
    expect(await run()).toMatchObject({ delivery: 5 });
    expect(await left()).toEqual(waiting);
  });

  it('lose their tries after 30 days, and stay themselves', async () => {
    const ids = await deliveries(1_200, 'delivered', 31);
    await tried(ids, 31);
    await tried(ids.slice(0, 3), 29);
    expect(await run()).toMatchObject({ delivery: 0, delivery_attempt: 1_200 });
    expect(await left()).toEqual(ids);
    expect(await query('SELECT id FROM delivery_attempt')).toHaveLength(3);
  });

  it('that were sent again lately stay with their tries', async () => {
    const [again = '', over = ''] = await deliveries(2, 'failed', 200);
    await tried([again, over], 199);
    await tried([again], 1);
    await run();
    expect(await left()).toEqual([again]);
  });

  it('take no event with them, and the next test of the endpoint is still numbered on', async () => {
    const tests = service.app.get(WebhookDeliveriesService);
    const before = await tests.sendTest(endpoint, by('test'));
    await query(`UPDATE delivery SET created_at = ${ago(91)}`);
    await query(`UPDATE delivery_attempt SET started_at = ${ago(91)}`);
    await run();
    expect(await left()).toEqual([]);
    expect(await query('SELECT id FROM event WHERE id = $1', [before.eventId])).toHaveLength(1);
    expect(await tests.sendTest(endpoint, by('test'))).toMatchObject({
      sequence: before.sequence + 1,
      state: 'delivered',
    });
  });
});

it('a rotated secret is forgotten once it has signed for its day', async () => {
  const rotate = async () => service.app.get(WebhooksService).rotateSecret(endpoint, by('test'));
  const previous = async () =>
    (await query<{ has: boolean }>('SELECT previous_secret IS NOT NULL AS has FROM webhook_endpoint'))[0]
      ?.has;
  await rotate();
  await run();
  expect(await previous()).toBe(true);
  await query(`UPDATE webhook_endpoint SET previous_secret_until = clock_timestamp()`);
  await run();
  expect(await previous()).toBe(false);
});

describe('people', () => {
  it('leave no ended session, link or challenge behind', async () => {
    await query(`INSERT INTO person (id, email) VALUES ('per_1', 'a@example.com')`);
    const session = (id: string, at: string, seen: string) =>
      query(
        `INSERT INTO session (id, token_hash, person_id, stage, address, user_agent, created_at, last_seen_at)
         VALUES ($1, sha256(convert_to($1, 'UTF8')), 'per_1', 'full', '192.0.2.1', 'x', ${at}, ${seen})`,
        [id],
      );
    await session('alive', `clock_timestamp() - interval '11 hours'`, 'clock_timestamp()');
    await session('idle', ago(1), `clock_timestamp() - interval '31 minutes'`);
    await session('old', ago(1), 'clock_timestamp()');
    const link = (days: number) =>
      query(
        `INSERT INTO one_time_link (id, hash, kind, email, created_by, expires_at)
         VALUES ('lnk_' || $1, sha256(convert_to($1, 'UTF8')), 'reset', 'a@example.com', 'cli', ${ago(days)})`,
        [String(days)],
      );
    await link(29);
    await link(31);
    await query(
      `INSERT INTO passkey_challenge (hash, expires_at) VALUES ('a', ${ago(-1)}), ('b', ${ago(1)})`,
    );
    expect(await run()).toMatchObject({ session: 2, one_time_link: 1, passkey_challenge: 1 });
    expect(await query('SELECT id FROM session')).toEqual([{ id: 'alive' }]);
  });

  it('are remembered in the audit log for ever, from where they came for 30 days', async () => {
    const log = service.app.get(AuditLog);
    const actor = { ...CLI_ACTOR, ip: '192.0.2.7' };
    const record = (subject: string) =>
      service.app
        .get(DataSource)
        .transaction((tx) => log.record(tx, actor, { merchantId, action: 'key.revoked', subject }));
    await record('old');
    await record('new');
    // As if it had been written then: nobody can do this from outside.
    await query('ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_is_append_only');
    await query(`UPDATE audit_entry SET at = ${ago(31)} WHERE subject = 'old'`);
    await query('ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_is_append_only');
    expect(await run()).toMatchObject({ audit_entry_address: 1 });
    expect(await log.list(merchantId, 2)).toMatchObject([
      { subject: 'new', ip: '192.0.2.7' },
      { subject: 'old', ip: null, action: 'key.revoked' },
    ]);
    for (const change of [
      `UPDATE audit_entry SET address = NULL WHERE subject = 'new'`,
      `UPDATE audit_entry SET address = '192.0.2.8' WHERE subject = 'old'`,
      `UPDATE audit_entry SET address = NULL, actor = 'somebody' WHERE subject = 'old'`,
      `DELETE FROM audit_entry WHERE subject = 'old'`,
    ]) {
      await expect(query(change)).rejects.toThrow('append-only');
    }
  });
});

it('alerts go a year after they are over, and not before they are', async () => {
  const alerts = service.app.get(AlertsService);
  await service.app.get(DataSource).transaction(async (tx) => {
    for (const subject of ['over', 'lately', 'never']) {
      const words = { summary: 's', detail: 'd', data: {} };
      await alerts.raise(tx, { kind: 'network-unavailable', subject, merchantId: null, ...words });
    }
  });
  await query(`UPDATE alert SET raised_at = ${ago(500)}`);
  await query(`UPDATE alert SET resolved_at = ${ago(366)} WHERE subject = 'over'`);
  await query(`UPDATE alert SET resolved_at = ${ago(300)} WHERE subject = 'lately'`);
  expect(await run()).toMatchObject({ alert: 1 });
  expect(await query('SELECT subject FROM alert ORDER BY subject')).toEqual([
    { subject: 'lately' },
    { subject: 'never' },
  ]);
});

describe('a run', () => {
  const tryAll = () => Promise.all([1, 2, 3, 4].map(() => service.app.get(Retention).runIfDue()));
  const begun = async () =>
    (await query<{ started_at: Date }>('SELECT started_at FROM job_run'))[0]?.started_at;

  it('is made by one instance an hour, however many look', async () => {
    await tryAll();
    const first = await begun();
    const applied = jest.spyOn(service.app.get(Retention), 'run');
    await tryAll();
    expect(applied).not.toHaveBeenCalled();
    expect(await begun()).toEqual(first);
    await query(`UPDATE job_run SET started_at = clock_timestamp() - interval '1 hour'`);
    await tryAll();
    expect(applied).toHaveBeenCalledTimes(1);
    applied.mockRestore();
  });

  it('goes on when one of its rules fails, and counts what it removed', async () => {
    await deliveries(3, 'delivered', 91);
    await query('ALTER TABLE delivery_attempt RENAME TO elsewhere');
    const counts = await run().finally(() => query('ALTER TABLE elsewhere RENAME TO delivery_attempt'));
    expect(counts).not.toHaveProperty('delivery_attempt');
    expect(counts).toHaveProperty('session');
    await run();
    const text = await service.app.get(Metrics).text();
    expect(text).toMatch(/rappen_retention_removed_total\{what="delivery"\} [1-9]/);
    expect(text).toMatch(/rappen_retention_last_run_timestamp_seconds \d+/);
  });

  it('applies no rule that docs/operations.md does not tell', async () => {
    const told = /## Retention\n([^]*?)\n## /.exec(readFileSync('docs/operations.md', 'utf8'))?.[1] ?? '';
    for (const what of Object.keys(await run())) expect(told).toContain(`| \`${what}\` |`);
  });
});
