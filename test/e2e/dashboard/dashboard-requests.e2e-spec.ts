import { DataSource } from 'typeorm';
import { RequestLog } from '../../../src/modules/auth/request-log.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { Retention } from '../../../src/platform/retention/retention.js';
import { Api } from '../../support/api/api.js';
import { Staff } from '../../support/dashboard/staff.js';
import { createTestDatabase } from '../../support/database/database.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service, type Shop } from '../../support/service/service.js';

const REQUESTS = '/dashboard/developers/requests';
const PAYMENT = { amount: 49.9, currency: 'CHF', title: 'Alice Example', idempotencyKey: 'order-77' };

let service: Service;
let shop: Shop;
let api: Api;
let developer: Staff;

beforeAll(async () => {
  service = await Service.start({ env: { RATE_LIMIT_READS_PER_MINUTE: '1000' } });
});
beforeEach(async () => {
  shop = await service.shop();
  api = new Api(service, shop.key);
  developer = await Staff.of(service, { merchantId: shop.merchantId, role: 'developer' });
});
afterAll(() => service.stop());

const traceOf = (answer: { headers: Headers }) => answer.headers.get('x-trace-id')!;

/** The page, once it shows a request. */
async function pageWith(traceId: string, query = ''): Promise<string> {
  const { html } = await eventually(
    () => developer.get(REQUESTS + query),
    (page) => page.html.includes(traceId),
  );
  return html;
}

interface Row {
  readonly [column: string]: unknown;
}
const rowsOf = ({ merchantId }: Shop) =>
  service.app
    .get(DataSource)
    .query<Row[]>('SELECT * FROM api_request WHERE merchant_id = $1 ORDER BY id', [merchantId]);

it('finds a request by its traceId, with its answer, its key, and the payment that it made', async () => {
  const created = await api.create(PAYMENT);
  const other = await api.list();
  const html = await pageWith(traceOf(created));
  for (const text of ['POST', '/api/v1/intents', '201', 'test']) expect(html).toContain(text);
  expect(html).toContain(`href="/dashboard/payments/${created.body.id}"`);
  await pageWith(traceOf(other));
  const found = await pageWith(traceOf(created), `?trace=${traceOf(created)}`);
  expect(found).not.toContain(traceOf(other));
});

it('names the problem of a refusal, and lists errors alone', async () => {
  const bad = await api.create({ amount: 'much' });
  const missing = await api.get('pi_none');
  const fine = await api.list('?page=1');
  const readOnly = new Api(service, await service.key(shop.merchantId, ['read']));
  const forbidden = await readOnly.create(PAYMENT);
  const all = [bad, missing, fine, forbidden].map(traceOf);
  for (const trace of all) await pageWith(trace);
  const errors = await pageWith(all[0]!, '?status=errors');
  for (const text of ['validation-error', 'intent-not-found', 'insufficient-scope'])
    expect(errors).toContain(`href="/problems/${text}"`);
  expect(errors).not.toContain(all[2]);
  const missed = await pageWith(all[1]!, '?status=404&method=GET');
  expect([missed.includes(all[0]!), missed.includes(all[3]!)]).toEqual([false, false]);
});

it('keeps nothing of what was sent but the path: no body, no query, no key', async () => {
  const created = await api.create(PAYMENT);
  const typo = await api.get(`/api/v1/intents/${shop.key}?status=settled&email=alice@example.com`);
  for (const answer of [created, typo]) await pageWith(traceOf(answer));
  const stored = JSON.stringify(await rowsOf(shop));
  for (const secret of [shop.key.slice(9), 'Alice', 'order-77', 'alice@example.com', 'settled'])
    expect(stored).not.toContain(secret);
  expect((await rowsOf(shop)).map(({ path }) => path)).toEqual([
    '/api/v1/intents',
    '/api/v1/intents/svc_live_[redacted]',
  ]);
});

it('shows a merchant its own requests only, and what is no traceId is named', async () => {
  const created = await api.create(PAYMENT);
  await pageWith(traceOf(created));
  const other = await service.shop();
  const stranger = await Staff.of(service, { merchantId: other.merchantId, role: 'owner' });
  const { html } = await stranger.get(`${REQUESTS}?trace=${traceOf(created)}`);
  expect(html).toContain('No request of the last 14 days matches');
  const wrong = await developer.get(`${REQUESTS}?trace=order-1001`);
  expect([wrong.status, wrong.html.includes('32 characters')]).toEqual([200, true]);
});

it('pages through more than one page', async () => {
  const traces: string[] = [];
  for (let i = 0; i < 51; i++) traces.push(traceOf(await api.get('pi_none')));
  const first = await pageWith(traces.at(-1)!);
  expect(first).not.toContain(traces[0]);
  const older = /href="([^"]+)" rel="next"/
    .exec(first)![1]!
    .replaceAll('&amp;', '&')
    .replaceAll('&#x3D;', '=');
  expect((await developer.get(older)).html).toContain(traces[0]);
});

it('forgets requests after 14 days, from the oldest end', async () => {
  const answers = [await api.list(), await api.list(), await api.list()];
  for (const answer of answers) await pageWith(traceOf(answer));
  const age = (days: number, trace: string) =>
    service.app
      .get(DataSource)
      .query(`UPDATE api_request SET at = at - make_interval(days => $1) WHERE trace_id = $2`, [days, trace]);
  await age(15, traceOf(answers[0]!));
  await age(13, traceOf(answers[1]!));
  await service.app.get(Retention).run();
  expect((await rowsOf(shop)).map((row) => row['trace_id'])).toEqual(answers.slice(1).map(traceOf));
});

it('keeps what the database does not take, for the next time', async () => {
  const log = service.app.get(RequestLog);
  const answer = await api.list();
  await pageWith(traceOf(answer));
  const table = (from: string, to: string) =>
    service.app.get(DataSource).query(`ALTER TABLE ${from} RENAME TO ${to}`);
  await table('api_request', 'away');
  const lost = await api.list();
  await expect(log.write()).rejects.toThrow('api_request');
  await table('away', 'api_request');
  await pageWith(traceOf(lost));
});

it('drops, and counts, what a client in a loop against its limit would fill it with', async () => {
  const limited = await Service.start({ env: { RATE_LIMIT_READS_PER_MINUTE: '1' } });
  try {
    const { merchantId, key } = await limited.shop();
    const one = new Api(limited, key);
    for (let i = 0; i < 130; i++) await one.list();
    while (await limited.app.get(RequestLog).write());
    const [{ count }] = await limited.app
      .get(DataSource)
      .query<[{ count: number }]>(
        'SELECT count(*)::integer AS count FROM api_request WHERE merchant_id = $1 AND status = 429',
        [merchantId],
      );
    // A minute may have ended meanwhile, and with it a window of each.
    expect(count).toBeLessThanOrEqual(120);
    const metrics = await limited.app.get(Metrics).text();
    expect(metrics).toMatch(/rappen_request_log_dropped_total\{why="throttled"\} [1-9]/);
  } finally {
    await limited.stop();
  }
});

it('writes what is waiting before it stops', async () => {
  const database = await createTestDatabase();
  const short = await Service.start({ databaseUrl: database.url });
  const { merchantId, key } = await short.shop();
  const trace = traceOf(await new Api(short, key).list());
  await short.stop();
  const direct = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  const rows = await direct.query<Row[]>('SELECT trace_id FROM api_request WHERE merchant_id = $1', [
    merchantId,
  ]);
  await direct.destroy();
  await database.drop();
  expect(rows).toEqual([{ trace_id: trace }]);
});
