import Handlebars from 'handlebars';
import { htmlIn, sayIn } from './say.js';
import { toldBy } from './told.js';

const [en, de] = [sayIn('en'), sayIn('de')];

it('says a text in the reader’s language', () => {
  expect([en('Needs attention'), de('Needs attention')]).toEqual(['Needs attention', 'Zu beachten']);
});

it('counts in the reader’s language', () => {
  const payments = '{count, plural, one {# payment} other {# payments}}';
  expect([1, 1234].map((count) => en(payments, { count }))).toEqual(['1 payment', '1,234 payments']);
  expect([1, 1234].map((count) => de(payments, { count }))).toEqual(['1 Zahlung', '1’234 Zahlungen']);
});

it('does not say what only tells two German texts apart', () => {
  expect([en('Next|page'), de('Next|page')]).toEqual(['Next', 'Nächste']);
});

it('escapes values in templates, and leaves HTML of ours', () => {
  const name = '<b>Ann & Co</b>';
  expect(htmlIn('de', 'Go to {name}', { name })).toBe('Zu &lt;b&gt;Ann &amp; Co&lt;/b&gt;');
  expect(htmlIn('de', 'Go to {name}', { name: new Handlebars.SafeString('<bdi>A</bdi>') })).toBe(
    'Zu <bdi>A</bdi>',
  );
});

it('makes links of parts of a sentence', () => {
  expect(
    htmlIn('de', 'You are invited. <invitations>Look at it</invitations>', { invitations: '/a?b=1&c="' }),
  ).toBe('Sie sind eingeladen. <a href="/a?b&#x3D;1&amp;c&#x3D;&quot;">Einladung ansehen</a>');
});

it('tells nobody elsewhere where its reader came from', () => {
  const [text, invitations] = [
    'You are invited. <invitations>Look at it</invitations>',
    'https://shop.example',
  ];
  expect(htmlIn('en', text, { invitations })).toBe(
    'You are invited. <a href="https://shop.example" rel="noreferrer">Look at it</a>',
  );
});

it.each([
  ['a text that nobody has translated', 'What is this', {}],
  ['a missing value', 'Go to {name}', {}],
  ['a missing link', 'You are invited. <invitations>Look at it</invitations>', {}],
  ['a name of all objects', 'constructor', {}],
])('throws for %s', (_, text, values) => {
  expect(() => htmlIn('de', text, values)).toThrow();
});

it('translates what a service has said, with the values in it, and leaves what nobody knows', () => {
  const told = toldBy({
    'Too short.': 'Zu kurz.',
    'At least {least} of {all} (now).': 'Mindestens {least} von {all} (jetzt).',
    '{why} Nothing was paid.': 'Nichts wurde bezahlt: {why}',
  });
  expect(told('Too short.')).toBe('Zu kurz.');
  expect(told('At least 5 USDC of 10 USDC (now).')).toBe('Mindestens 5 USDC von 10 USDC (jetzt).');
  expect(told('Too short. Nothing was paid.')).toBe('Nichts wurde bezahlt: Zu kurz.');
  expect(told('Too short. At least 5 of 6 (now).')).toBe('Zu kurz. Mindestens 5 von 6 (jetzt).');
  expect(told('Too short. Whatever else.')).toBe('Too short. Whatever else.');
  expect(told('Whatever else.')).toBe('Whatever else.');
  expect(
    toldBy({ 'It is {status}.': 'Sie ist {status}.' }, { expired: 'abgelaufen' })('It is expired.'),
  ).toBe('Sie ist abgelaufen.');
  expect(de.told('Too many tries. Wait 3 minutes, then try again.')).toBe(
    'Zu viele Versuche. Versuchen Sie es nach 3 Minuten noch einmal.',
  );
  expect([en.told('Your role does not allow this.'), de.told('Your role does not allow this.')]).toEqual([
    'Your role does not allow this.',
    'Ihre Rolle erlaubt das nicht.',
  ]);
});
