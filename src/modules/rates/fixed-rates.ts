import { Injectable } from '@nestjs/common';
import { parsePrice } from '../../kernel/crypto-amount.js';
import type { Currency } from '../../kernel/fiat.js';
import { RateBook } from './rates.service.js';
import type { Rate } from './rates.types.js';

/** The sandbox's prices: invented, plain to the eye, and always the same, so that examples can be checked by hand. */
const FIXED: Readonly<Record<string, Readonly<Record<Currency, string>>>> = {
  BTC: { CHF: '80000', EUR: '86000', USD: '100000' },
  LTC: { CHF: '80', EUR: '86', USD: '100' },
  ETH: { CHF: '2800', EUR: '3000', USD: '3500' },
  POL: { CHF: '0.4', EUR: '0.43', USD: '0.5' },
  USDC: { CHF: '0.8', EUR: '0.86', USD: '1' },
  USDT: { CHF: '0.8', EUR: '0.86', USD: '1' },
};

@Injectable()
export class FixedRates extends RateBook {
  rate(asset: string, currency: Currency): Rate | null {
    const text = FIXED[asset]?.[currency];
    const price = text ? parsePrice(text) : null;
    if (!text || !price) return null;
    const at = new Date();
    const sources = [{ name: 'sandbox', price: text, at: at.toISOString() }];
    return { asset, currency, price, at, sources };
  }
}
