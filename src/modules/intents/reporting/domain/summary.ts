import { CURRENCIES, type Currency } from '../../../../kernel/fiat.js';
import { DAY_MS, dayText } from '../../../../kernel/text/calendar.js';
import type { PaymentDay, PaymentSummary } from '../../payments.types.js';

/** What was settled in one currency on one day (UTC). */
export interface SettledDay {
  readonly day: string;
  readonly currency: Currency;
  readonly minor: bigint;
  readonly count: number;
}

/** How many intents of a period were created, how many of those are settled by now, and how fast. */
export interface Conversion {
  readonly created: number;
  readonly settled: number;
  readonly medianS: number | null;
  readonly ever: boolean;
}

/** Every day of the period has its place, also those without a payment. */
export function summarize(
  from: Date,
  days: number,
  settled: readonly SettledDay[],
  conversion: Conversion,
): PaymentSummary {
  return {
    from,
    days: Array.from({ length: days }, (_, i) => paymentDay(new Date(from.getTime() + i * DAY_MS), settled)),
    settled: CURRENCIES.flatMap((currency) => {
      const own = settled.filter((row) => row.currency === currency);
      return own.length === 0 ? [] : [{ currency, minor: sumMinor(own), count: sumCount(own) }];
    }),
    created: conversion.created,
    createdAndSettled: conversion.settled,
    medianSettleS: conversion.medianS,
    everSettled: conversion.ever,
  };
}

function paymentDay(date: Date, settled: readonly SettledDay[]): PaymentDay {
  const day = dayText(date);
  const own = settled.filter((row) => row.day === day);
  return {
    day,
    minorByCurrency: Object.fromEntries(own.map((row) => [row.currency, row.minor])),
    count: sumCount(own),
  };
}

const sumMinor = (rows: readonly SettledDay[]) => rows.reduce((sum, row) => sum + row.minor, 0n);
const sumCount = (rows: readonly SettledDay[]) => rows.reduce((sum, row) => sum + row.count, 0);
