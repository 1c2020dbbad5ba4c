import { listPath, readPaymentsQuery } from './filter.js';

const ID = `pi_${'0'.repeat(30)}`;

it('reads every part of a query', () => {
  const { filter, cursor, problems } = readPaymentsQuery({
    q: ' order-7 ',
    status: 'settled',
    from: '2026-11-01',
    to: '2026-11-21',
    currency: 'CHF',
    asset: 'USDC@ethereum',
    min: '49.90',
    max: '100',
    older: ID,
  });
  expect(problems).toEqual([]);
  expect(cursor).toEqual({ direction: 'older', id: ID });
  expect(filter).toEqual({
    statuses: ['settled'],
    inReview: false,
    createdFrom: new Date('2026-11-01T00:00:00Z'),
    createdTo: new Date('2026-11-22T00:00:00Z'),
    currency: 'CHF',
    asset: 'USDC',
    network: 'ethereum',
    amountFromMinor: 4990n,
    amountToMinor: 10000n,
    search: 'order-7',
  });
});

it('asks for everything when nothing is said', () => {
  const { filter, parameters } = readPaymentsQuery({ status: '', q: '' });
  expect(Object.values(filter).every((value) => !value)).toBe(true);
  expect(listPath(parameters, null)).toBe('/dashboard/payments');
});

it.each([
  ['show', 'everything'],
  ['status', 'paid'],
  ['from', '2026-02-31'],
  ['to', 'yesterday'],
  ['currency', 'XMR'],
  ['min', '-1'],
  ['max', '1.001'],
  ['max', '9'.repeat(400)],
])('names a %s that means nothing, and leaves it out', (name, value) => {
  const { filter, problems } = readPaymentsQuery({ [name]: value });
  expect(problems).toHaveLength(1);
  expect(Object.values(filter).every((part) => !part)).toBe(true);
});

it('takes no list, no object and no stranger’s cursor', () => {
  const { filter, cursor, problems } = readPaymentsQuery({
    status: ['settled'],
    q: { a: 1 },
    older: "' OR 1",
  });
  expect([filter.statuses, filter.search, cursor, problems]).toEqual([null, null, null, []]);
});

it('keeps the filter in the links of its pages', () => {
  const { parameters } = readPaymentsQuery({ status: 'expired', asset: 'BTC@bitcoin', older: ID });
  expect(listPath(parameters, { direction: 'newer', id: ID })).toBe(
    `/dashboard/payments?status=expired&asset=BTC%40bitcoin&newer=${ID}`,
  );
});

it.each([
  ['waiting', undefined, ['initiated', 'pending', 'confirmed'], false],
  ['waiting', 'pending', ['pending'], false],
  ['settled', 'expired', [], false],
  ['review', 'expired', ['expired'], true],
])('narrows the tab %s to the status %s', (show, status, statuses, inReview) => {
  expect(readPaymentsQuery({ show, status }).filter).toMatchObject({ statuses, inReview });
});
