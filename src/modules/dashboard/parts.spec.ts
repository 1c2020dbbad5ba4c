import { templates } from './language/templates.js';

/** What only `views/partials/parts` may write, and where something that no part has stands beside it. */
const WRITTEN_ONCE: readonly (readonly [markup: RegExp, part: string, except: readonly string[]])[] = [
  [
    /class="button[ "]/,
    'button',
    // A picture instead of words, what opens a panel, and words that only a screen reader is told besides.
    ['dashboard/payments/list', 'dashboard/account/invitations', 'dashboard/treasury/show'],
  ],
  [
    /class="notice[ "]/,
    'notice',
    // With a form in it, or filled in by a script.
    ['dashboard/refunds/show', 'dashboard/treasury/show', 'partials/dashboard/notices'],
  ],
  [/class="state[ "]/, 'status', ['dashboard/home']], // its word is a link
  [/<table/, 'table', []],
  [/class="card"/, 'card', []],
  [/class="copy"/, 'copy', []],
  [/class="address[ "]/, 'address', []],
  [/class="(sum|point)"/, 'amount', []],
  [/class="timeline"/, 'timeline', []],
  [/class="transfers/, 'transfers', []],
  [/class="flaw"/, 'flaw', []],
  [
    /class="field[ "]/,
    'field',
    ['sign-in/link'], // its address is only shown, and not sent
  ],
];

it.each(WRITTEN_ONCE)('%s stands in the part "%s" alone', (markup, _part, except) => {
  const places = [...templates()].filter(([, source]) => markup.test(source)).map(([name]) => name);
  expect(places.filter((name) => !except.includes(name))).toEqual([]);
  expect(except.filter((name) => !places.includes(name))).toEqual([]);
});
