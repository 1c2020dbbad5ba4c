import { receivedView } from './received.view.js';

const assets = { css: '', favicon: '' };
const event = (body: unknown, verified = true) => ({
  receivedAt: '2026-11-22T10:00:00.000Z',
  webhookId: 'evt_1',
  verified,
  body,
});

it('has the newest first, each named by what it says', () => {
  const settled = { type: 'payment.status', data: { intent: { status: 'settled' } } };
  const { events } = receivedView([event({ type: 'endpoint.test' }), event(settled)], assets);
  expect(events.map(({ title }) => title)).toEqual(['payment.status: settled', 'endpoint.test']);
  expect(events[0]).toMatchObject({
    iso: '2026-11-22T10:00:00.000Z',
    at: '22 Nov 2026, 10:00:00\u00a0UTC',
  });
  expect(JSON.parse(events[0]?.body ?? '')).toEqual(settled);
});

it('names what says nothing by its id, and tells a signature that does not hold', () => {
  const { events } = receivedView([event('not json', false), event(null), event({ data: 'x' })], assets);
  expect(events.map(({ title }) => title)).toEqual(['evt_1', 'evt_1', 'evt_1']);
  expect(events.map(({ isForged }) => isForged)).toEqual([false, false, true]);
  expect(events[2]?.body).toBe('not json');
});
