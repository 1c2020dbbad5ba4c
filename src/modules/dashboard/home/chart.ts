import { type Currency } from '../../../kernel/fiat.js';
import type { PaymentSummary } from '../../intents/payments.types.js';
import { formatAmount, groupedFiat } from '../domain/amounts.js';
import type { Say } from '../language/say.js';

/** A bar in the chart's units: one unit of width a day, 100 units high. */
export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  /** What a pointer is told: "2026-11-21: CHF 120.00". */
  readonly text: string;
}

export interface Chart {
  readonly currency: Currency;
  readonly total: string;
  readonly count: string;
  readonly width: number;
  readonly bars: readonly Bar[];
  /** The highest day, beside the top line. */
  readonly top: string;
  readonly first: string;
  readonly last: string;
  /** The same as a table: only days with money. */
  readonly rows: readonly { readonly day: string; readonly amount: string }[];
}

const HEIGHT = 100n;

/** Fewer days with money are no line that could go up or down. */
const MIN_DAYS = 3;

/** The one that is drawn: the currency with money on the most days; none while there is nothing to see. */
export function tellingChart(all: readonly Chart[]): Chart | null {
  const [most] = [...all].sort((a, b) => b.bars.length - a.bars.length);
  return most && most.bars.length >= MIN_DAYS ? most : null;
}

/** One chart per currency: amounts of different currencies do not add up. */
export function charts(say: Say, { days, settled }: PaymentSummary): Chart[] {
  return settled.map(({ currency, minor, count }) => {
    const amounts = days.map(({ day, minorByCurrency }) => ({ day, minor: minorByCurrency[currency] ?? 0n }));
    const highest = amounts.reduce((max, each) => (each.minor > max ? each.minor : max), 1n);
    const text = (amount: bigint) => formatAmount(say, amount, currency);
    const paid = amounts.map((each, x) => ({ ...each, x })).filter((each) => each.minor > 0n);
    return {
      currency,
      total: groupedFiat(say, minor),
      count: say('{count, plural, one {# payment} other {# payments}}', { count }),
      width: days.length,
      bars: paid.map(({ day, minor: amount, x }) => {
        // A day with little money must still show that there was some.
        const height = Math.max(2, Number((amount * HEIGHT) / highest));
        return { x: x + 0.1, y: Number(HEIGHT) - height, height, text: `${day}: ${text(amount)}` };
      }),
      top: text(highest),
      first: days[0]?.day ?? '',
      last: days.at(-1)?.day ?? '',
      rows: paid.map(({ day, minor: amount }) => ({ day, amount: groupedFiat(say, amount) })).reverse(),
    };
  });
}
