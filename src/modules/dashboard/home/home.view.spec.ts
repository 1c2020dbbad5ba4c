import type { PaymentSummary } from '../../intents/payments.types.js';
import { MOST_COUNTED } from '../../webhooks/webhooks.types.js';
import { sayIn } from '../language/say.js';
import { concerns, type MerchantStanding } from './attention.js';
import { charts, tellingChart } from './chart.js';
import { duration, homeView, periodOf } from './home.view.js';

const EN = sayIn('en');
const WELL: MerchantStanding = {
  status: 'approved',
  reviewCount: 0,
  onlyReview: null,
  endpoints: [],
  networks: [{ name: 'Ethereum', state: 'open' }],
  unpriced: [],
  alerts: [],
};
const SUMMARY: PaymentSummary = {
  from: new Date('2026-11-20T00:00:00Z'),
  days: [
    { day: '2026-11-20', minorByCurrency: { CHF: 10_000n }, count: 1 },
    { day: '2026-11-21', minorByCurrency: { CHF: 40_000n, EUR: 99n }, count: 3 },
    { day: '2026-11-22', minorByCurrency: {}, count: 0 },
  ],
  settled: [
    { currency: 'CHF', minor: 50_000n, count: 3 },
    { currency: 'EUR', minor: 99n, count: 1 },
  ],
  created: 7,
  createdAndSettled: 4,
  medianSettleS: 95.4,
  everSettled: true,
};

it('is silent when all is well', () => {
  expect(concerns(EN, WELL)).toEqual([]);
});

it('names money first, then the merchant’s server, then what buyers cannot choose', () => {
  const found = concerns(EN, {
    status: 'suspended',
    reviewCount: 2,
    onlyReview: null,
    endpoints: [
      { endpointId: 'we_1', url: 'https://a.example/hook', waiting: 1, disabled: false },
      { endpointId: 'we_2', url: 'https://b.example/hook', waiting: 12, disabled: true },
    ],
    networks: [
      { name: 'Ethereum', state: 'open' },
      { name: 'Litecoin', state: 'lagging' },
    ],
    unpriced: [
      ['LTC', 'CHF'],
      ['LTC', 'EUR'],
    ],
    alerts: [
      { kind: 'review-entry', subject: 'pi_1', summary: 'is counted in the queue', detail: '' },
      { kind: 'reorganised-after-settlement', subject: 'pi_2', summary: 'Money has left', detail: 'Look.' },
    ],
  });
  expect(found.map(({ text, path }) => [text, path])).toEqual([
    ['Your account is suspended', null],
    ['Money has left', '/dashboard/payments/pi_2'],
    ['2 payments wait for your decision', '/dashboard/review'],
    ['A webhook endpoint is failing', '/dashboard/developers/webhooks/we_1'],
    ['A webhook endpoint was disabled', '/dashboard/developers/webhooks/we_2'],
    ['Litecoin is closed at the checkout', null],
    ['No current price for some assets', null],
  ]);
  expect(found[3]?.detail).toBe('https://a.example/hook: 1 event waits for it.');
  expect(found[6]?.detail).toContain('LTC in CHF, LTC in EUR');
});

it.each([
  [MOST_COUNTED - 1, '9,999 events wait for it.'],
  [MOST_COUNTED, '10,000 events or more wait for it.'],
])('says of %d events that are counted no further that there may be more', (waiting, said) => {
  const endpoint = { endpointId: 'we_1', url: 'https://a.example/hook', waiting };
  const endpoints = [true, false].map((disabled) => ({ ...endpoint, disabled }));
  const found = concerns(EN, { ...WELL, endpoints }).map(({ detail }) => detail);
  expect(found).toEqual([
    `https://a.example/hook failed for days. ${said}`,
    `https://a.example/hook: ${said}`,
  ]);
});

it('leads to the one payment that waits, and to the queue where there are several', () => {
  const path = (reviewCount: number, onlyReview: string | null) =>
    concerns(EN, { ...WELL, reviewCount, onlyReview })[0]?.path;
  expect([path(1, 'pi_1'), path(2, null)]).toEqual(['/dashboard/review/pi_1', '/dashboard/review']);
});

it('draws each currency by itself, to the scale of its highest day', () => {
  const [chf, eur] = charts(EN, SUMMARY);
  expect(chf).toMatchObject({
    currency: 'CHF',
    total: '500.00',
    count: '3 payments',
    top: 'CHF\u00a0400.00',
    width: 3,
  });
  expect(chf?.bars).toEqual([
    { x: 0.1, y: 75, height: 25, text: '2026-11-20: CHF\u00a0100.00' },
    { x: 1.1, y: 0, height: 100, text: '2026-11-21: CHF\u00a0400.00' },
  ]);
  expect(chf?.rows).toEqual([
    { day: '2026-11-21', amount: '400.00' },
    { day: '2026-11-20', amount: '100.00' },
  ]);
  expect(eur?.bars).toHaveLength(1);
});

it('draws one currency at most, and none that has nothing to say', () => {
  const day = (n: number, minorByCurrency: object) => ({ day: `2026-11-0${n}`, minorByCurrency, count: 1 });
  const days = [1, 2, 3].map((n) => day(n, { CHF: 100n, ...(n === 1 && { EUR: 999n }) }));
  const settled = (['EUR', 'CHF'] as const).map((currency) => ({ currency, minor: 300n, count: 3 }));
  expect(tellingChart(charts(EN, { ...SUMMARY, days, settled }))?.currency).toBe('CHF');
  expect(tellingChart(charts(EN, { ...SUMMARY, days: days.slice(1), settled }))).toBeNull();
  expect(tellingChart([])).toBeNull();
});

it('keeps a very low day visible', () => {
  const days = [
    { day: '2026-11-20', minorByCurrency: { CHF: 1n }, count: 1 },
    { day: '2026-11-21', minorByCurrency: { CHF: 99_999_999n }, count: 1 },
  ];
  const [chart] = charts(EN, {
    ...SUMMARY,
    days,
    settled: [{ currency: 'CHF', minor: 100_000_000n, count: 2 }],
  });
  expect(chart?.bars[0]).toMatchObject({ height: 2, y: 98 });
});

it('shows what is left to do until the first settled payment, and figures after it', () => {
  const home = {
    merchantName: 'Shop',
    period: 30,
    standing: WELL,
    setUp: {
      networks: ['ethereum'],
      keys: [{ revokedAt: new Date() }],
      endpoints: [],
      isToleranceChosen: true,
    },
  } as const;
  const fresh = homeView(EN, { ...home, summary: { ...SUMMARY, everSettled: false } });
  expect((fresh['steps'] as { isDone: boolean }[]).map(({ isDone }) => isDone)).toEqual([
    true,
    true,
    false,
    false,
    true,
    false,
  ]);
  expect(fresh['figures']).toBe(false);
  expect(fresh['answer']).toBe('Nothing needs you just now. 3 steps are left until the first payment.');
  const busy = homeView(EN, { ...home, summary: SUMMARY });
  expect(busy['steps']).toBeNull();
  expect(busy['answer']).toBe(
    'Nothing needs you just now. In the last 30 days you were paid CHF\u00a0500.00, EUR\u00a00.99.',
  );
  const needed = homeView(EN, { ...home, summary: SUMMARY, standing: { ...WELL, reviewCount: 2 } });
  expect(needed['answer']).toMatch(/^One thing needs your attention\. In the last/);
  expect(busy['figures']).toMatchObject({
    conversion: '57 %',
    conversionOf: '4 of 7 payments',
    median: '1 min 35 s',
  });
});

it.each([
  [0.4, '0 s'],
  [59.4, '59 s'],
  [60, '1 min'],
  [125, '2 min 5 s'],
  [3600, '1 h'],
  [4799, '1 h 19 min'],
])('says %d seconds as %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

it.each([
  ['7', 7],
  ['90', 90],
  ['8', 30],
  [undefined, 30],
  [['7', '90'], 30],
])('takes %j as a period of %d days', (text, days) => {
  expect(periodOf(text)).toBe(days);
});
