import type { ApiKeyView } from '../../auth/auth.types.js';
import type { PaymentSummary } from '../../intents/payments.types.js';
import { formatAmount } from '../domain/amounts.js';
import { pathWith } from '../domain/safe-path.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import type { PageModel } from '../session/request-context.js';
import { concerns, type MerchantStanding } from './attention.js';
import { charts, tellingChart } from './chart.js';

/** How far back a home page may look, in days. */
const PERIODS = [7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];
const USUAL: Period = 30;

export interface Home {
  readonly merchantName: string;
  readonly period: Period;
  readonly standing: MerchantStanding;
  readonly summary: PaymentSummary;
  readonly setUp: SetUp;
}

export interface SetUp {
  /** Networks with a wallet. */
  readonly networks: readonly string[];
  readonly keys: readonly Pick<ApiKeyView, 'revokedAt'>[];
  readonly endpoints: readonly unknown[];
  readonly isToleranceChosen: boolean;
}

interface Step {
  readonly text: string;
  readonly isDone: boolean;
  readonly path: string | null;
}

/** "7", "30" or "90" of the address; anything else is the usual period. */
export function periodOf(text: unknown): Period {
  return PERIODS.find((days) => String(days) === text) ?? USUAL;
}

/** What needs somebody first; then how it goes; and until the first settled payment, what is still to be done. */
export function homeView(say: Say, { merchantName, period, standing, summary, setUp }: Home): PageModel {
  const { created, createdAndSettled, medianSettleS, everSettled } = summary;
  const all = charts(say, summary);
  const waiting = concerns(say, standing);
  const toDo = everSettled ? null : steps(say, standing, setUp);
  return {
    title: say('Home'),
    merchantName,
    answer: [needs(say, waiting.length), toDo ? left(say, toDo) : settled(say, summary, period)].join(' '),
    concerns: waiting,
    steps: toDo,
    figures: everSettled && {
      periods: PERIODS.map((days) => ({
        text: say('{days} days', { days }),
        path: pathWith(pathTo('home'), { days }),
        isCurrent: days === period,
      })),
      charts: all,
      chart: tellingChart(all),
      conversion: created === 0 ? null : `${Math.floor((createdAndSettled * 100) / created)} %`,
      conversionOf: say('{settled} of {created, plural, one {# payment} other {# payments}}', {
        settled: createdAndSettled,
        created,
      }),
      median: medianSettleS === null ? null : duration(medianSettleS),
      days: period,
    },
  };
}

function needs(say: Say, count: number): string {
  if (count === 0) return say('Nothing needs you just now.');
  return say('{count, plural, one {One thing needs} other {# things need}} your attention.', { count });
}

/** How far it is to the first payment. */
function left(say: Say, all: readonly Step[]): string {
  const count = all.filter(({ isDone }) => !isDone).length;
  return say('{count, plural, one {One step is} other {# steps are}} left until the first payment.', {
    count,
  });
}

function settled(say: Say, { settled: sums }: PaymentSummary, days: Period): string {
  if (sums.length === 0) return say('In the last {days} days no payment was settled.', { days });
  return say('In the last {days} days you were paid {amounts}.', {
    days,
    amounts: sums.map(({ currency, minor }) => formatAmount(say, minor, currency)).join(', '),
  });
}

/** What has to be done until the first payment, in the order in which it is done. */
function steps(
  say: Say,
  { status }: MerchantStanding,
  { networks, keys, endpoints, isToleranceChosen }: SetUp,
): Step[] {
  return [
    { text: say('The operator has approved your account'), isDone: status === 'approved', path: null },
    {
      text: say('A wallet receives the money'),
      isDone: networks.length > 0,
      path: pathTo('wallets'),
    },
    {
      text: say('An API key lets your server create payments'),
      isDone: keys.some(({ revokedAt }) => revokedAt === null),
      path: pathTo('developers'),
    },
    {
      text: say('A webhook endpoint tells your server what was paid'),
      isDone: endpoints.length > 0,
      path: pathTo('webhooks'),
    },
    {
      text: say('You have chosen whether a payment may arrive a little short'),
      isDone: isToleranceChosen,
      path: `${pathTo('paymentSettings')}#short`,
    },
    { text: say('The first payment is settled'), isDone: false, path: null },
  ];
}

/** "48 s", "2 min 5 s", "1 h 20 min". */
export function duration(seconds: number): string {
  const s = Math.round(seconds);
  if (s < 60) return `${s} s`;
  const [min, h] = [Math.floor(s / 60), Math.floor(s / 3600)];
  if (h === 0) return s % 60 === 0 ? `${min} min` : `${min} min ${s % 60} s`;
  return min % 60 === 0 ? `${h} h` : `${h} h ${min % 60} min`;
}
