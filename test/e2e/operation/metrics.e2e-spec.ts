import { Metrics } from '../../../src/platform/observability/metrics.js';
import { VERSION } from '../../../src/platform/process/version.js';
import { exchange, rawRequest } from '../../support/api/api-raw.js';
import { eventually } from '../../support/servers/receiver.js';
import { Service, type Shop } from '../../support/service/service.js';

interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

let service: Service;
let shop: Shop;

beforeAll(async () => {
  service = await Service.start();
  shop = await service.shop();
});
afterAll(() => service.stop());

async function samples(name: string): Promise<Sample[]> {
  const metric = service.app.get(Metrics).registry.getSingleMetric(name);
  return ((await metric?.get())?.values ?? []) as Sample[];
}

async function valueOf(name: string, labels: Sample['labels']): Promise<number> {
  const wanted = Object.entries(labels);
  const isIt = (sample: Sample) => wanted.every(([label, value]) => sample.labels[label] === value);
  return (await samples(name)).find(isIt)?.value ?? 0;
}

/** Counted when the answer is over for the server, which may be after the client has read it. */
async function expectRequests(n: number, method: string, route: string, status: number): Promise<void> {
  const counted = () => valueOf('rappen_http_requests_total', { method, route, status });
  expect(await eventually(counted, (value) => value >= n)).toBe(n);
}

async function ask(path: string, init: RequestInit = {}): Promise<number> {
  const headers = { 'X-Api-Key': shop.key, 'Content-Type': 'application/json', Connection: 'close' };
  const response = await fetch(`${service.url}${path}`, { ...init, headers });
  await response.arrayBuffer();
  return response.status;
}

it('counts requests by the pattern of their route and by their status', async () => {
  const body = JSON.stringify({ amount: 5, currency: 'CHF', idempotencyKey: 'one' });
  expect(await ask('/api/v1/intents', { method: 'POST', body })).toBe(201);
  expect(await ask('/api/v1/intents', { method: 'POST', body: '{}' })).toBe(400);
  for (const id of ['pi_one', 'pi_two', 'pi_three']) expect(await ask(`/api/v1/intents/${id}`)).toBe(404);
  await expectRequests(1, 'POST', '/api/v1/intents', 201);
  await expectRequests(1, 'POST', '/api/v1/intents', 400);
  await expectRequests(3, 'GET', '/api/v1/intents/:id', 404);
});

it('measures how long they took, in buckets', async () => {
  const buckets = (await samples('rappen_http_request_duration_seconds')).filter(
    ({ labels }) => labels['method'] === 'GET' && labels['route'] === '/api/v1/intents/:id',
  );
  expect(buckets.find(({ labels }) => labels['le'] === '+Inf')?.value).toBe(3);
  const sum = buckets.at(-2)?.value ?? 0;
  expect(sum).toBeGreaterThan(0);
  expect(sum).toBeLessThan(60);
});

it('has one series for whatever strangers make up', async () => {
  const before = (await samples('rappen_http_requests_total')).length;
  for (let n = 0; n < 20; n++) {
    await ask(`/no/such/path-${n}`);
    await ask(`/no/such/path-${n}`, { method: 'PURGE' });
    await exchange(service.config.port, rawRequest('GET / HTTP/1.1', [`Host: stranger-${n}.example`]));
  }
  await expectRequests(40, '', 'none', 404);
  await expectRequests(20, '', 'none', 421);
  expect((await samples('rappen_http_requests_total')).length).toBe(before + 2);
});

it('names no route that the application does not have', async () => {
  const { stack } = service.app.getHttpAdapter().getInstance().router;
  const patterns = new Set(stack.map(({ route }) => route?.path));
  for (const { labels } of await samples('rappen_http_requests_total')) {
    expect(labels['route'] === 'none' || patterns.has(String(labels['route']))).toBe(true);
  }
});

it('counts an event stream when it ends, and takes no latency of it', async () => {
  const body = JSON.stringify({ amount: 5, currency: 'CHF', idempotencyKey: 'streamed' });
  const headers = { 'X-Api-Key': shop.key, 'Content-Type': 'application/json' };
  const created = await fetch(`${service.url}/api/v1/intents`, { method: 'POST', headers, body });
  const { checkoutUrl } = (await created.json()) as { checkoutUrl: string };
  const hangUp = new AbortController();
  const stream = await fetch(`${checkoutUrl}/events`, { signal: hangUp.signal });
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  hangUp.abort();
  await expectRequests(1, 'GET', '/pay/:id/events', 200);
  const routes = (await samples('rappen_http_request_duration_seconds')).map(({ labels }) => labels['route']);
  expect(routes).not.toContain('/pay/:id/events');
});

it('says what runs, and how the connections to the database do', async () => {
  const labels = { version: VERSION, node: process.versions.node };
  expect(await valueOf('rappen_build_info', labels)).toBe(1);
  const open = await valueOf('rappen_database_pool_connections', { state: 'idle' });
  expect(open).toBeGreaterThan(0);
  expect(await samples('rappen_database_pool_size')).toMatchObject([
    { value: service.config.databasePoolSize },
  ]);
  expect(await samples('rappen_database_pool_waiting')).toMatchObject([{ value: 0 }]);
});
