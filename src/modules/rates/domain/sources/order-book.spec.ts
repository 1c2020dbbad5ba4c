import { priceText } from '../../rates.pure.js';
import { midPrice } from './order-book.js';

describe('midPrice', () => {
  it('is the exact middle of bid and ask', () => {
    expect(priceText(midPrice('97000.1', '97000.2')!)).toBe('97000.15');
    expect(priceText(midPrice('1', '1')!)).toBe('1');
    expect(priceText(midPrice(0.998, 1)!)).toBe('0.999');
    expect(priceText(midPrice('100', '101')!)).toBe('100.5');
  });

  it.each([
    ['crossed sides', '97000.2', '97000.1'],
    ['a side of zero', '0', '97000'],
    ['a missing side', undefined, '97000'],
    ['an exponent', '9.7e4', '97000'],
    ['a thin book, over 1 % wide', '100', '101.01'],
  ])('drops %s', (_name, bid, ask) => expect(midPrice(bid, ask)).toBeNull());
});
