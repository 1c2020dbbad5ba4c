import { scanned } from '../../../../test/support/checkout/scanned.js';
import { amountOf, priceAt } from '../../../../test/support/intents/amount.js';
import { drawQr } from '../../../platform/pages/qr.js';
import { catalogues } from '../catalogue/catalogues.js';
import { en } from '../catalogue/en.js';
import {
  aboutText,
  amountGroups,
  dateTimeText,
  dayTimeText,
  fiatText,
  safeHref,
  timeText,
  ungroupedWireText,
  unitPriceText,
  unitText,
  walletHref,
} from './formats.js';

describe('drawQr', () => {
  it.each([
    'bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?amount=0.00061234',
    'ethereum:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48@1/transfer?address=0x52ab91c0D4e7F83b6A2951dcE08f47B3a96C1e5D&uint256=56123400',
  ])('draws what another program reads: %s', (text) => {
    expect(scanned(drawQr(text))).toBe(text);
  });

  it('draws texts of any length that a link has', () => {
    for (let length = 1; length < 400; length += 19) {
      const text = `ethereum:${'0x52ab91c0D4e7F83b6A2951dcE08f47B3a96C1e5D&'.repeat(10)}`.slice(0, length);
      expect(scanned(drawQr(text))).toBe(text);
    }
  });

  it('draws the same text the same way, inside four modules of white', () => {
    expect(drawQr('bitcoin:x')).toEqual(drawQr('bitcoin:x'));
    expect(drawQr('bitcoin:x').path).toMatch(/^M4 4\.5h7/);
  });
});

describe('formats', () => {
  it('link only what is safe to follow', () => {
    expect(safeHref('help@shop.example')).toBe('mailto:help@shop.example');
    expect(safeHref('https://shop.example/help')).toBe('https://shop.example/help');
    // Each is an address that the merchant's settings take; in a URI some of its characters would mean something else.
    expect(
      ['a&b/c@shop.example', 'help@localhost', '50%?#{|}@shop.example', 'MAILTO:help@shop.example'].map(
        safeHref,
      ),
    ).toEqual([
      'mailto:a%26b%2Fc@shop.example',
      'mailto:help@localhost',
      'mailto:50%25%3F%23%7B%7C%7D@shop.example',
      'mailto:help@shop.example',
    ]);
    for (const text of [
      'javascript:alert(1)',
      'data:text/html,x',
      'http://shop.example',
      'https://a@b.example',
      '+41 44 123 45 67',
      'a@b.c?bcc=x@y.z',
      'mailto:a@b.c?bcc=x',
      'a@shop.example\nBcc:',
    ]) {
      expect(safeHref(text)).toBeNull();
    }
    expect(walletHref('javascript:alert(1)')).toBeNull();
    expect(walletHref('bitcoin:bc1q?amount=0.1')).toBe('bitcoin:bc1q?amount=0.1');
  });

  it('cut whole digits of amounts into threes, and lose none', () => {
    expect(['56.1234', '1234', '1123456.12345678', '999999', '0.00061234'].map(amountGroups)).toEqual([
      ['56.1234'],
      ['1', '234'],
      ['1', '123', '456.12345678'],
      ['999', '999'],
      ['0.00061234'],
    ]);
  });

  it('say times as people do', () => {
    expect([20, 60, 150, 1800, 7200].map((seconds) => aboutText(seconds, en))).toEqual([
      'less than a minute',
      'about a minute',
      'about 3\u00a0minutes',
      'about 30\u00a0minutes',
      'about 2\u00a0hours',
    ]);
    expect(dateTimeText(new Date('2026-11-21T14:32:10Z'), en)).toBe('21 Nov 2026, 14:32\u00a0UTC');
  });

  it('say whether a rate was cut', () => {
    expect(unitPriceText(priceAt('81490.671842'), 'BTC', 'CHF', en)).toBe('1\u00a0BTC ≈ CHF\u00a081,490.67');
    expect(unitPriceText(priceAt('0.889122'), 'USDC', 'CHF', en)).toBe('1\u00a0USDC = CHF\u00a00.889122');
    expect(unitPriceText(priceAt('2'), 'X', 'EUR', en)).toBe('1\u00a0X = EUR\u00a02.00');
    // Cut to eight decimals first, and never rounded up.
    expect(unitPriceText(priceAt('0.0000099999999'), 'X', 'EUR', en)).toBe('1\u00a0X = EUR\u00a00.00000999');
  });
});

describe('in each language', () => {
  const all = Object.values(catalogues);

  it('a number of minutes or hours stays with its word', () => {
    for (const catalogue of all)
      for (const seconds of [150, 1800, 7200])
        expect(aboutText(seconds, catalogue)).toMatch(/^\p{L}+ \d+\u00a0\p{L}+$/u);
  });

  it('amounts of assets are the same, in threes that no point makes', () => {
    const [small, large] = ['0.011628', '1162790.686047'].map((text) => unitText(amountOf(text), 'USDC'));
    expect([small, large]).toEqual(['0.011628\u00a0USDC', '1\u202f162\u202f790.686047\u00a0USDC']);
    expect(ungroupedWireText(amountOf('1162790.686047'))).toBe('1162790.686047');
  });
  const at = new Date('2026-11-21T14:32:10Z');

  it('amounts of money are in threes from a thousand on, whatever the language is used to', () => {
    for (const catalogue of all) expect(fiatText(123_456n, 'CHF', catalogue)).toMatch(/1[,’\s]234\.56/);
  });

  it('amounts of money have a point before the cents, and are exact to the largest', () => {
    const plain = (text: string) => text.replace(/[^\d.A-Z]/g, '');
    for (const catalogue of all) {
      expect(plain(fiatText(99_999_999n, 'CHF', catalogue))).toMatch(/^(CHF999999\.99|999999\.99CHF)$/);
      expect(plain(unitPriceText(priceAt('123456.7'), 'BTC', 'EUR', catalogue))).toMatch(
        /^1BTC(EUR123456\.70|123456\.70EUR)$/,
      );
    }
    expect(all.map((catalogue) => fiatText(1_234_550n, 'CHF', catalogue))).toEqual([
      'CHF\u00a012,345.50',
      'CHF\u00a012’345.50',
      '12\u202f345.50\u00a0CHF',
      'CHF\u00a012’345.50',
      'CHF\u00a012’345.50',
    ]);
  });

  it('times have 24 hours, and name the zone that the server knows', () => {
    expect(new Set(all.map((catalogue) => timeText(at, catalogue)))).toEqual(new Set(['14:32\u00a0UTC']));
    expect(all.map((catalogue) => dateTimeText(at, catalogue))).toEqual([
      '21 Nov 2026, 14:32\u00a0UTC',
      '21. Nov. 2026, 14:32\u00a0UTC',
      '21 nov. 2026, 14:32\u00a0UTC',
      '21 nov 2026, 14:32\u00a0UTC',
      '21 nov. 2026, 14:32\u00a0UTC',
    ]);
    expect(dayTimeText(at, en)).toBe('21 Nov, 14:32\u00a0UTC');
  });
});
