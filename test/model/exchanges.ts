import { mulDiv, pow10 } from '../../src/kernel/arithmetic.js';
import {
  completionThreshold,
  fiatValue,
  parsePrice,
  payableAtoms,
  type Price,
} from '../../src/kernel/crypto-amount.js';
import { parseDecimal } from '../../src/kernel/decimal.js';
import { table } from '../bench/table.js';

/** How an exchange sends: what it takes for it and from where, how exactly, and how late. Made up, after what exchanges publish. */
export interface Exchange {
  readonly name: string;
  readonly asset: keyof typeof ASSETS;
  /** Taken from what the buyer types, or from the account beside it. */
  readonly takes: 'from it' | 'on top';
  /** In units of the asset. */
  readonly fee: string;
  readonly feeBps?: number;
  /** Sends no finer; what is beyond is cut. */
  readonly sentDecimals?: number;
  /** Sends at most so many minutes after it was asked. */
  readonly upToMinutes: number;
}

/** Price in francs, and decimals. */
const ASSETS = {
  USDC: { price: '0.80', decimals: 6 },
  USDT: { price: '0.80', decimals: 6 },
  EURC: { price: '0.93', decimals: 6 },
  ETH: { price: '2800', decimals: 18 },
  BTC: { price: '81000', decimals: 8 },
  LTC: { price: '75', decimals: 8 },
} as const;

export const EXCHANGES: readonly Exchange[] = [
  { name: 'USDC, 4 from it', asset: 'USDC', takes: 'from it', fee: '4', upToMinutes: 5 },
  { name: 'USDC, 1 from it', asset: 'USDC', takes: 'from it', fee: '1', upToMinutes: 5 },
  { name: 'USDC, 0.5 from it, half an hour', asset: 'USDC', takes: 'from it', fee: '0.5', upToMinutes: 30 },
  { name: 'USDC, 0.1 from it', asset: 'USDC', takes: 'from it', fee: '0.1', upToMinutes: 2 },
  { name: 'USDC, 0.02 from it', asset: 'USDC', takes: 'from it', fee: '0.02', upToMinutes: 2 },
  { name: 'USDC, free', asset: 'USDC', takes: 'on top', fee: '0', upToMinutes: 2 },
  { name: 'USDC, 2.5 on top', asset: 'USDC', takes: 'on top', fee: '2.5', upToMinutes: 10 },
  { name: 'USDC, cut to cents', asset: 'USDC', takes: 'on top', fee: '1', sentDecimals: 2, upToMinutes: 5 },
  { name: 'USDT, 3 from it', asset: 'USDT', takes: 'from it', fee: '3', upToMinutes: 10 },
  { name: 'USDT, 1.5 on top', asset: 'USDT', takes: 'on top', fee: '1.5', upToMinutes: 5 },
  { name: 'USDT, 0.1 % from it', asset: 'USDT', takes: 'from it', fee: '0', feeBps: 10, upToMinutes: 5 },
  { name: 'EURC, 0.5 % from it', asset: 'EURC', takes: 'from it', fee: '0', feeBps: 50, upToMinutes: 5 },
  {
    name: 'EURC, on top, whole units',
    asset: 'EURC',
    takes: 'on top',
    fee: '1',
    sentDecimals: 0,
    upToMinutes: 5,
  },
  { name: 'ETH, 0.0012 from it', asset: 'ETH', takes: 'from it', fee: '0.0012', upToMinutes: 5 },
  { name: 'ETH, 0.00006 from it', asset: 'ETH', takes: 'from it', fee: '0.00006', upToMinutes: 5 },
  {
    name: 'ETH, on top, 6 decimals',
    asset: 'ETH',
    takes: 'on top',
    fee: '0.001',
    sentDecimals: 6,
    upToMinutes: 5,
  },
  { name: 'ETH, 1 % from it', asset: 'ETH', takes: 'from it', fee: '0', feeBps: 100, upToMinutes: 5 },
  { name: 'BTC, 0.0002 from it', asset: 'BTC', takes: 'from it', fee: '0.0002', upToMinutes: 15 },
  { name: 'BTC, 0.00001 from it', asset: 'BTC', takes: 'from it', fee: '0.00001', upToMinutes: 15 },
  { name: 'BTC, on top, half an hour', asset: 'BTC', takes: 'on top', fee: '0.0001', upToMinutes: 30 },
  {
    name: 'BTC, on top, 6 decimals',
    asset: 'BTC',
    takes: 'on top',
    fee: '0.0001',
    sentDecimals: 6,
    upToMinutes: 10,
  },
  { name: 'LTC, 0.001 from it', asset: 'LTC', takes: 'from it', fee: '0.001', upToMinutes: 5 },
  { name: 'LTC, 0.02 from it', asset: 'LTC', takes: 'from it', fee: '0.02', upToMinutes: 5 },
  {
    name: 'LTC, 0.25 % and 0.0005 from it',
    asset: 'LTC',
    takes: 'from it',
    fee: '0.0005',
    feeBps: 25,
    upToMinutes: 5,
  },
];

/** Of the fifteen minutes, what is left when somebody has found the page of the exchange. */
const LEFT_MINUTES = 12;

export interface Outcome {
  readonly exchange: Exchange;
  readonly late: boolean;
  /** Atoms that were asked for and did not arrive; negative for what came too much. */
  readonly short: bigint;
  readonly quoted: bigint;
  readonly chargedMinor: bigint;
  readonly price: Price;
}

/** @param random of [0, 1) @param follows the share of buyers who type what the page's sum says */
export function withdraw(exchange: Exchange, follows: number, random: () => number): Outcome {
  const { decimals } = ASSETS[exchange.asset];
  const price = parsePrice(ASSETS[exchange.asset].price)!;
  // From CHF 5 to 500, small ones more often.
  const chargedMinor = BigInt(Math.round(500 * 100 ** random()));
  const quoted = payableAtoms(chargedMinor, price, decimals);
  const fee = (typed: bigint) =>
    parseDecimal(exchange.fee, decimals)! + mulDiv(typed, BigInt(exchange.feeBps ?? 0), 10_000n, 'up');
  const isFromIt = exchange.takes === 'from it';
  const typed = isFromIt && random() < follows ? pageSum(exchange, quoted, fee(quoted)) : quoted;
  const left = isFromIt ? typed - fee(typed) : typed;
  const step = pow10(decimals - Math.min(exchange.sentDecimals ?? decimals, decimals));
  const arrived = left > 0n ? left - (left % step) : 0n;
  const late = random() * exchange.upToMinutes > LEFT_MINUTES;
  return { exchange, late, short: quoted - arrived, quoted, chargedMinor, price };
}

/**
 * As the page's field does it (public/exchange-sum.js): a percentage is of what is typed, and an amount is added. Who pays both
 * types the amount that the exchange names for what is asked.
 */
function pageSum({ fee, feeBps = 0 }: Exchange, quoted: bigint, feeAtoms: bigint): bigint {
  return feeBps > 0 && Number(fee) === 0
    ? mulDiv(quoted, 10_000n, 10_000n - BigInt(feeBps), 'up')
    : quoted + feeAtoms;
}

/** Whether the merchant has to decide: it came too late, or less than completes the quote. */
export function needsPerson({ late, short, quoted }: Outcome, toleranceBps: number): boolean {
  return late || quoted - short < completionThreshold(quoted, toleranceBps);
}

export interface Sums {
  readonly withdrawals: number;
  /** In basis points of the withdrawals. */
  readonly personBps: number;
  /** What the tolerance gave away of what was paid by itself, in basis points of all that was charged. */
  readonly lossBps: number;
  readonly lossMinor: bigint;
}

export function sums(outcomes: readonly Outcome[], toleranceBps: number): Sums {
  const alone = outcomes.filter((outcome) => !needsPerson(outcome, toleranceBps));
  const lossMinor = alone.reduce(
    (sum, { short, price, exchange }) =>
      short > 0n ? sum + fiatValue(short, price, ASSETS[exchange.asset].decimals, 'up') : sum,
    0n,
  );
  const charged = outcomes.reduce((sum, { chargedMinor }) => sum + chargedMinor, 0n);
  return {
    withdrawals: outcomes.length,
    personBps: Math.round(((outcomes.length - alone.length) * 10_000) / outcomes.length),
    lossBps: Number(mulDiv(lossMinor, 10_000n, charged, 'up')),
    lossMinor,
  };
}

/** As many withdrawals, each of an exchange drawn by lot. */
export function simulate(count: number, follows: number, random: () => number): Outcome[] {
  return Array.from({ length: count }, () =>
    withdraw(EXCHANGES[Math.floor(random() * EXCHANGES.length)]!, follows, random),
  );
}

/** The same numbers for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

const percent = (bps: number) => `${(bps / 100).toFixed(2)} %`;

/** `npm run simulate:exchanges [seed]`: who needs a person, and what the tolerance costs, exchange by exchange. */
export function main([seed = '1']: readonly string[]): Promise<void> {
  for (const follows of [0, 0.5, 1]) {
    const outcomes = simulate(10_000, follows, randomOf(Number(seed)));
    const rowOf = (name: string, of: readonly Outcome[]) => {
      const [without, half, one] = [0, 50, 100].map((bps) => sums(of, bps));
      return [
        name,
        String(of.length),
        ...[without!, half!, one!].map(({ personBps }) => percent(personBps)),
        percent(one!.lossBps),
      ];
    };
    const rows = EXCHANGES.map((exchange) =>
      rowOf(
        exchange.name,
        outcomes.filter((outcome) => outcome.exchange === exchange),
      ),
    );
    const header = ['Fee', 'Withdrawals', 'Person at 0 %', 'at 0.5 %', 'at 1 %', 'Loss at 1 %'];
    process.stdout.write(`\n${follows * 100} % of the buyers type the page's sum\n\n`);
    process.stdout.write(`${table([header, ...rows, rowOf('all', outcomes)])}\n`);
  }
  return Promise.resolve();
}
