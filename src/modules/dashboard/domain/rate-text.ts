import type { Price } from '../../../kernel/crypto-amount.js';
import { FIAT_DECIMALS } from '../../../kernel/fiat.js';
import { wholeText } from '../../../kernel/text/staff-languages.js';
import { priceText } from '../../rates/rates.pure.js';
import type { Say } from '../language/say.js';

/** "3,000.00", in German "3’000.00": a price with all of its decimals that say something, and cents in any case. */
export function groupedPrice({ language }: Pick<Say, 'language'>, price: Price): string {
  const [, fraction = ''] = priceText(price).split('.');
  return `${wholeText(language, price.numerator / price.denominator)}.${fraction.padEnd(FIAT_DECIMALS, '0')}`;
}

/** "1 ETH = EUR 3,000.00". */
export function rateText(say: Pick<Say, 'language'>, asset: string, currency: string, price: Price): string {
  return `1\u00a0${asset} = ${currency}\u00a0${groupedPrice(say, price)}`;
}
