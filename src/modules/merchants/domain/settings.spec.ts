import type { NetworkConfig } from '../../../config/config.types.js';
import { PRESETS } from '../../../config/networks.js';
import type { MerchantSettings } from '../merchants.types.js';
import { checkSettings } from './settings.js';

const networks = PRESETS as readonly NetworkConfig[];

/** Where something is wrong, and how: "/name wrong_length". */
function flaws(settings: MerchantSettings): string[] {
  try {
    checkSettings(settings, networks);
    return [];
  } catch (error) {
    const { kind, code, message, details } = error as {
      kind: string;
      code: string;
      message: string;
      details: { errors: readonly { pointer: string; code: string; detail: string }[] };
    };
    expect([kind, code]).toEqual(['invalid', 'validation-error']);
    expect(details.errors).not.toEqual([]);
    expect(message).toBe(details.errors.map(({ detail }) => detail).join(' '));
    return details.errors.map((one) => `${one.pointer} ${one.code}: ${one.detail}`);
  }
}

const mails = (count: number) => Array.from({ length: count }, (_, i) => `shop${i}@example.com`);

describe('a merchant’s settings', () => {
  it.each<[string, MerchantSettings]>([
    ['nothing at all', {}],
    ['a name of one character', { name: 'x' }],
    ['a name of a hundred', { name: 'x'.repeat(100) }],
    ['a name of a hundred that UTF-16 writes with two units each', { name: '🥐'.repeat(100) }],
    ['no contact', { supportContact: null }],
    ['a contact by mail', { supportContact: 'help@shop.example' }],
    ['a contact by link', { supportContact: 'https://shop.example/help' }],
    ['a contact by LINK', { supportContact: 'HTTPS://shop.example/help' }],
    ['a contact of two hundred characters', { supportContact: `https://shop.example/${'x'.repeat(179)}` }],
    ['no colour', { color: null }],
    ['a colour', { color: '#0a5c36' }],
    ['no alerts', { alertEmails: [] }],
    ['ten alert addresses', { alertEmails: mails(10) }],
    ['the least', { toleranceBps: 0, spreadBps: 0, acceptShortBps: 0, acceptShortMinor: 0 }],
    ['the least of lateness', { acceptLateMinutes: 0, acceptLateMoveBps: 0 }],
    [
      'the most',
      { toleranceBps: 1_000, spreadBps: 1_000, acceptShortBps: 10_000, acceptShortMinor: 99_999_999 },
    ],
    ['the most of lateness', { acceptLateMinutes: 10_080, acceptLateMoveBps: 10_000 }],
    ['terms that are the defaults', { networkTerms: {} }],
  ])('may be %s', (_what, settings) => expect(flaws(settings)).toEqual([]));

  const NAME = '/name wrong_length: The name has 1 to 100 characters.';
  it.each([
    ['empty', ''],
    ['blank', ' \t'],
    ['too long', 'x'.repeat(101)],
    ['with a NUL', 'a\0b'],
    ['with half a character', 'a\ud800'],
  ])('have no name that is %s', (_what, name) => expect(flaws({ name })).toEqual([NAME]));

  const CONTACT =
    '/supportContact invalid: The support contact is an e-mail address such as help@shop.example, or an address that ' +
    'begins with https://, of at most 200 characters.';
  it.each([
    'nobody',
    'http://shop.example/help',
    'javascript:alert(1)//https://shop.example',
    ' https://shop.example',
    'https://shop.example/with blank',
    'https://käse.example/',
    'https://user@shop.example/',
    'https://:secret@shop.example/',
    'https://[',
    `https://shop.example/${'x'.repeat(180)}`,
    `${'x'.repeat(190)}@shop.example`,
  ])('have no contact %j', (supportContact) => expect(flaws({ supportContact })).toEqual([CONTACT]));

  const COLOR = '/color invalid: The colour is six hex digits behind a #, such as #0a5c36.';
  it.each(['', 'green', '#0a5c3', 'url(#a)'])('have no colour %j', (color) =>
    expect(flaws({ color })).toEqual([COLOR]),
  );

  const ALERTS = '/alertEmails invalid: Alerts go to at most 10 plain addresses such as shop@example.com.';
  it.each([[mails(11)], [['shop@example.com', 'Shop <shop@example.com>']]])(
    'send no alerts to %j',
    (alertEmails) => expect(flaws({ alertEmails })).toEqual([ALERTS]),
  );

  it.each<[keyof MerchantSettings, number, string]>([
    ['toleranceBps', 1_001, 'The tolerance is 0 to 10 %, with at most two decimals.'],
    ['spreadBps', 1_001, 'The spread is 0 to 10 %, with at most two decimals.'],
    ['acceptShortBps', 10_001, '“Short by at most” is 0 to 100 %, with at most two decimals.'],
    ['acceptShortMinor', 100_000_000, '“Short by at most” is an amount from 0 to 999999.99.'],
    ['acceptLateMinutes', 10_081, '“Late by at most” is a whole number of minutes from 0 to 10080, a week.'],
    ['acceptLateMoveBps', 10_001, 'The move of the rate is 0 to 100 %, with at most two decimals.'],
  ])('have no %s beyond its range', (field, above, detail) => {
    for (const value of [above, -1, 0.5, 'unreadable' as const])
      expect(flaws({ [field]: value })).toEqual([`/${field} out_of_range: ${detail}`]);
  });

  it('are refused for all that is wrong at once, the terms’ flaws among it', () => {
    const terms = { assets: {}, confirmationDepth: 0, settlementDepths: [null, null, null, null] };
    const found = flaws({ name: '', spreadBps: -1, networkTerms: { bitcoin: terms } });
    expect(found.map((flaw) => flaw.split(':')[0])).toEqual([
      '/name wrong_length',
      '/spreadBps out_of_range',
      '/networkTerms/bitcoin/confirmationDepth invalid',
    ]);
  });
});
