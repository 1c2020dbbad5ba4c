import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { AlertsService } from '../../../src/modules/alerts/alerts.service.js';
import type { NewAlert } from '../../../src/modules/alerts/alerts.types.js';
import { Staff } from '../../support/dashboard/staff.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { Money, standAtTip } from '../../support/intents/money.js';
import { NO_NODE, SILENT_CHAIN } from '../../support/nodes/wallet.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service } from '../../support/service/service.js';

const HEALTH = '/dashboard/operator';
const TIP = 1_000;

let database: TestDatabase;
let service: Service;
let operator: Staff;
let owner: Staff;
let merchantId: string;
let alerts: AlertsService;

beforeAll(async () => {
  database = await createTestDatabase();
  await standAtTip(database.url, TIP);
  // No node answers; the cursor says that none of its blocks is missed.
  service = await Service.start({
    databaseUrl: database.url,
    chain: { ...SILENT_CHAIN, rpcUrl: `${NO_NODE}/secret-key-of-the-node` },
  });
  ({ merchantId } = await service.shop());
  operator = await Staff.of(service, { isOperator: true });
  owner = await Staff.of(service, { merchantId, role: 'owner' });
  alerts = service.app.get(AlertsService);
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

const query = (sql: string, values: unknown[] = []) =>
  service.app.get(DataSource).query<unknown>(sql, values);

async function raise(alert: Partial<NewAlert>): Promise<void> {
  const given = { kind: 'network-halted', subject: 'ethereum', merchantId: null, detail: 'Look.' } as const;
  await alerts.raise(service.app.get(DataSource).manager, { ...given, summary: 'Trouble', ...alert });
}

/** The page once it says so: on a loaded machine a part may not be learned in time at the first look. */
const saying = (text: RegExp): Promise<string> =>
  eventually(
    async () => (await operator.get(HEALTH)).html,
    (html) => text.test(html) && !html.includes('could not be learned'),
  );

describe('the operator’s health page', () => {
  it('shows networks, queues and the database, and what of it is wrong in words', async () => {
    await saying(/offered<\/span>/);
    await query(`UPDATE chain_cursor SET synced_at = now() - interval '10 minutes', node_height = $1`, [
      TIP + 42,
    ]);
    const html = await saying(/Ethereum is not offered at the checkout: we are 42 blocks behind its node/);
    expect(html.indexOf('What is wrong')).toBeLessThan(html.indexOf('id="networks"'));
    for (const text of ['1,000', 'PostgreSQL', 'applied, the last is', 'delivery', 'News from the chains'])
      expect(html).toContain(text);
    expect(html).not.toContain('secret-key-of-the-node');
    await query(`UPDATE chain_cursor SET synced_at = now() + interval '1 day', node_height = $1`, [TIP]);
  });

  it('tells of payments that wait for the chain’s news to be decided', async () => {
    const id = await new Money(service).picked(merchantId);
    // Held by somebody else, so that no job decides it meanwhile.
    await holding(database.url, `SELECT 1 FROM intent WHERE id = '${id}' FOR UPDATE`, async () => {
      await query(`INSERT INTO fact_change (subject, changed_at) VALUES ($1, now() - interval '5 minutes')`, [
        id,
      ]);
      await saying(/News from the chain about 1 payment has not been decided/);
    });
  });

  it.each([
    ['delivery', 'the webhook deliveries'],
    ['review_entry', 'the review queue'],
    ['alert', 'the open alerts'],
    ['migrations', 'the database server'],
  ])('answers while %s is locked, and says that it could not learn of %s', async (table, part) => {
    await holding(database.url, `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`, async () => {
      const { status, html } = await operator.get(HEALTH);
      expect([status, html.includes('could not be learned')]).toEqual([200, true]);
      expect(html).toContain(part);
      expect(html).toContain('id="networks"');
    });
    await eventually(
      async () => (await operator.get(HEALTH)).html,
      (html) => !html.includes('could not be learned'),
    );
  });

  it('is closed to an owner', async () => {
    for (const path of [HEALTH, `${HEALTH}/alerts`, `${HEALTH}/audit`])
      expect((await owner.get(path)).status).toBe(403);
  });
});

describe('alerts', () => {
  it('are listed for the operator, acknowledged with a note, and told in the log', async () => {
    await raise({ summary: 'The nodes <disagree>' });
    const { html } = await operator.get(`${HEALTH}/alerts`);
    expect(html).toContain('The nodes &lt;disagree&gt;');
    expect(html).toMatch(/Alerts <span class="badge">1</);
    const path = /action="([^"]+\/acknowledge)"/.exec(html)![1]!;
    const refused = await operator.post(path, { note: 'x'.repeat(1001) });
    expect([refused.status, refused.html.includes('at most 1000')]).toEqual([422, true]);
    expect((await operator.post(path, { note: 'Asked the provider' })).location).toBe(`${HEALTH}/alerts`);
    expect((await operator.get(`${HEALTH}/alerts`)).html).toContain('Nothing asks for your attention');
    const all = (await operator.get(`${HEALTH}/alerts?show=all`)).html;
    for (const text of ['known', operator.email, 'Asked the provider']) expect(all).toContain(text);
    await alerts.resolve(service.app.get(DataSource).manager, 'network-halted', 'ethereum');
    expect((await operator.get(`${HEALTH}/alerts?show=all`)).html).toContain('state-good">over');
    const log = (await operator.get(`${HEALTH}/audit`)).html;
    for (const text of ['alert acknowledged', 'Asked the provider', operator.email])
      expect(log).toContain(text);
  });

  it('of a merchant are for its staff, who say that they know; a reader cannot, another merchant sees none', async () => {
    await raise({ kind: 'review-entry', subject: 'pi_1', merchantId, summary: 'Money waits for you' });
    const reader = await Staff.of(service, { merchantId, role: 'read-only' });
    const stranger = await Staff.of(service, {
      merchantId: (await service.shop()).merchantId,
      role: 'owner',
    });
    const { html } = await owner.get('/dashboard/alerts');
    expect(html).toContain('href="/dashboard/review/pi_1"');
    const path = /action="([^"]+\/acknowledge)"/.exec(html)![1]!;
    const seen = (await reader.get('/dashboard/alerts')).html;
    expect([seen.includes('Money waits'), seen.includes('/acknowledge"')]).toEqual([true, false]);
    expect((await reader.post(path)).status).toBe(403);
    expect((await stranger.get('/dashboard/alerts?show=all')).html).not.toContain('Money waits');
    expect((await stranger.post(path)).status).toBe(404);
    expect((await operator.post(path.replace('/alerts/', '/operator/alerts/'))).status).toBe(404);
    expect((await owner.post(path)).status).toBe(303);
    expect(await alerts.openCount(merchantId)).toBe(0);
  });
});

it('pages through everybody’s log, newest first, and through one merchant’s', async () => {
  const values = `SELECT 'cli', $1, 'test.' || n, 'x' FROM generate_series(1, 120) n ORDER BY n`;
  await query(`INSERT INTO audit_entry (actor, merchant_id, action, subject) ${values}`, [merchantId]);
  const seen: string[] = [];
  for (let path: string | undefined = `${HEALTH}/audit?merchant=${merchantId}`; path;) {
    const { html } = await operator.get(path);
    seen.push(...[...html.matchAll(/>(test \d+)</g)].map((match) => match[1]!));
    path = /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&').replaceAll('&#x3D;', '=');
  }
  expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => `test ${120 - n}`));
});

/** Runs `work` while another connection holds what `statement` locks. */
async function holding(url: string, statement: string, work: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`BEGIN; ${statement}`);
    await work();
  } finally {
    await client.end();
  }
}
