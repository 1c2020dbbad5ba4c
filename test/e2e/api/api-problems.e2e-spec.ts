import { PROBLEM_TYPES } from '../../../src/modules/site/problems.types.js';
import { Api } from '../../support/api/api.js';
import { expectProblem } from '../../support/api/problems.js';
import { Service } from '../../support/service/service.js';

let service: Service;
let api: Api;

beforeAll(async () => {
  service = await Service.start();
  api = new Api(service, (await service.shop()).key);
});
afterAll(() => service.stop());

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

it.each(Object.entries(PROBLEM_TYPES))(
  'explains %s on a page of its own',
  async (slug, { title, status }) => {
    const response = await fetch(`${service.url}/problems/${slug}`);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toMatch(/^<!doctype html>/i);
    expect(html).toContain(`<h1>${title}</h1>`);
    expect(html).toContain(`${service.url}/problems/${slug}`);
    expect(html).toContain(String(status));
  },
);

it('leads from the type of a problem to its page', async () => {
  const { body } = await api.create({ amount: 0, currency: 'CHF' });
  const page = await fetch(body.type);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain(body.title);
});

it('lists every problem at /problems', async () => {
  const html = await (await fetch(`${service.url}/problems`)).text();
  const linked = [...html.matchAll(/href="\/problems\/([a-z-]+)"/g)].map(([, slug]) => slug);
  expect(linked.sort()).toEqual(Object.keys(PROBLEM_TYPES).sort());
});

it.each(['nothing-like-it', '__proto__', 'constructor', 'toString'])(
  'has no page for the problem %s',
  async (slug) => {
    expectProblem(await api.get(`/problems/${slug}`), 'not-found');
  },
);

it('names the path of the request as instance, without its query', async () => {
  const answer = await api.list('?page=0&secret=svc_live_x');
  expect(answer.body.instance).toBe('/api/v1/intents');
  expect(answer.text).not.toContain('svc_live_x');
});

it('gives every answer a trace of its own', async () => {
  const answers = [await api.list(), await api.list(), await api.list('?page=0')];
  const traces = answers.map(({ headers }) => headers.get('x-trace-id') ?? '');
  for (const trace of traces) expect(trace).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(traces).size).toBe(3);
});

it.each([`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-00`, `cc-${TRACE}-${SPAN}-01`])(
  'continues the traceparent %s',
  async (traceparent) => {
    const answer = await api.get('/api/v1/intents/pi_x', { traceparent });
    expectProblem(answer, 'intent-not-found');
    expect(answer.body.traceId).toBe(TRACE);
  },
);

it.each([
  '',
  TRACE,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE}x-${SPAN}-01`,
  `00-${TRACE}-${SPAN}`,
])('starts a new trace instead of the malformed traceparent %j', async (traceparent) => {
  const answer = await api.get('/api/v1/intents/pi_x', { traceparent });
  expectProblem(answer, 'intent-not-found');
  expect(answer.body.traceId).not.toContain(TRACE);
});

it('answers an API error as a problem document also to who would like HTML', async () => {
  expectProblem(await api.get('/api/v1/intents/pi_x', { accept: 'text/html, */*' }), 'intent-not-found');
});
