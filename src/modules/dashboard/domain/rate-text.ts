import { trimZeros } from '../../../kernel/decimal.js';
import { FIAT_DECIMALS } from '../../../kernel/fiat.js';
import { wholeText } from '../../../kernel/text/staff-languages.js';
import type { Say } from '../language/say.js';

/** "3,000.00", in German "3’000.00": a price with all of its decimals that say something, and cents in any case. */
export function groupedPrice({ language }: Pick<Say, 'language'>, price: string): string {
  const [whole = '0', fraction = ''] = trimZeros(price).split('.');
  return `${wholeText(language, BigInt(whole))}.${fraction.padEnd(FIAT_DECIMALS, '0')}`;
}

/** "1 ETH = EUR 3,000.00". */
export function rateText(say: Pick<Say, 'language'>, asset: string, currency: string, price: string): string {
  return `1\u00a0${asset} = ${currency}\u00a0${groupedPrice(say, price)}`;
}
