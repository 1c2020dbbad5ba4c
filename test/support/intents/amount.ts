import {
  type CryptoAmount,
  parseAtoms,
  parsePrice,
  type Price,
  WIRE_DECIMALS,
} from '../../../src/kernel/crypto-amount.js';

/** "12.5" of an asset with so many decimals. */
export function amountOf(text: string, decimals = WIRE_DECIMALS): CryptoAmount {
  const atoms = parseAtoms(text, decimals);
  if (atoms === null) throw new Error(`${text} is no amount with ${decimals} decimals`);
  return { atoms, decimals };
}

/** "0.8" of the currency for one unit. */
export function priceAt(text: string): Price {
  const price = parsePrice(text);
  if (price === null) throw new Error(`${text} is no price`);
  return price;
}
