import { formatFiat, parseFiat } from '../../../kernel/fiat.js';

/** "CHF 1’234.50" of the API's number. */
export function formatAmount(amount: number, currency: string): string {
  const minor = parseFiat(amount);
  if (typeof minor !== 'bigint') throw new Error(`${amount} is no amount of ours`);
  return `${currency} ${formatFiat(minor)}`;
}
