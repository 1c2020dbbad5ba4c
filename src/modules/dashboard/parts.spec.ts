import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** Source by name, such as `dashboard/payments/list`: every page's, but the parts themselves. */
function templates(): [name: string, source: string][] {
  const folder = join(ROOT, 'views');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.hbs') && !file.startsWith('partials/parts/'))
    .sort()
    .map((file) => [file.slice(0, -'.hbs'.length), readFileSync(join(folder, file), 'utf8')]);
}

/** What only `views/partials/parts` may write, and where something that no part has stands beside it. */
const WRITTEN_ONCE: readonly (readonly [markup: RegExp, part: string, except: readonly string[]])[] = [
  [
    /class="button[ "]/,
    'button',
    // A picture instead of words, what opens a panel, and words that only a screen reader is told besides.
    [
      'dashboard/payments/list',
      'dashboard/account/invitations',
      'dashboard/treasury/show',
      'partials/checkout/send/apps',
      'partials/checkout/send/panel',
      'parts/all', // in a state that no page has
    ],
  ],
  [
    /class="notice[ "]/,
    'notice',
    // With a form in it, or filled in by a script.
    ['dashboard/refunds/show', 'dashboard/treasury/show', 'partials/dashboard/notices', 'parts/all'],
  ],
  [/class="state[ "]/, 'status', ['dashboard/home']], // its word is a link
  [/<table/, 'table', []],
  [/class="card"/, 'card', []],
  [/class="copy"/, 'copy', []],
  [/class="address[ "]/, 'address', []],
  [/class="(sum|point)"/, 'amount', []],
  [/class="timeline"/, 'timeline', []],
  [/class="transfers/, 'transfers', ['partials/checkout/refunds/list']], // addresses that were left earlier
  [/class="flaw"/, 'flaw', []],
  [
    /class="field[ "]/,
    'field',
    // Its address is only shown, and not sent; and what is wrong comes from the payment, not from a refused form.
    ['sign-in/link', 'partials/checkout/refunds/form'],
  ],
];

it.each(WRITTEN_ONCE)('%s stands in the part "%s" alone', (markup, _part, except) => {
  const places = templates()
    .filter(([, source]) => markup.test(source))
    .map(([name]) => name);
  expect(places.filter((name) => !except.includes(name))).toEqual([]);
  expect(except.filter((name) => !places.includes(name))).toEqual([]);
});

it('a page that shows a secret once has one way on, and neither tabs nor reminders, behind which it would be lost', () => {
  const once = templates().filter(([, source]) => source.includes('class="once"'));
  expect(once.length).toBeGreaterThan(4);
  const draws = /\{\{> dashboard\/(tabs|saved-views|notices|snippets)/;
  expect(once.filter(([, source]) => draws.test(source)).map(([name]) => name)).toEqual([]);
  const ways = once.map(([name, source]) => [name, [...source.matchAll(/\b(href|leadsTo)=/g)].length]);
  expect(ways.filter(([, count]) => count !== 1)).toEqual([]);
});

it('no selector has rules in both stylesheets', () => {
  const [shared, dashboard] = ['rappen.css', 'dashboard.css'].map((name) => {
    const css = readFileSync(join(ROOT, 'public', name), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
    const heads = [...css.matchAll(/([^{};]+)\{/g)].map(([, head = '']) => head.trim());
    return heads.filter((head) => !head.startsWith('@')).flatMap((head) => head.split(/,\s*(?![^(]*\))/));
  }) as [string[], string[]];
  expect(dashboard.filter((selector) => shared.includes(selector))).toEqual([]);
});
