import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namedTests, provenAlerts, unproven, unread } from '../test/support/run/named-tests.js';
import { ALERT_KINDS } from './modules/alerts/alerts.types.js';

const ROOT = join(import.meta.dirname, '..');

const named = namedTests();
const sources = new Map<string, string>();

function sourceOf(file: string): string {
  const path = join(ROOT, file);
  const source = sources.get(file) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '');
  sources.set(file, source);
  return source;
}

it('reads a test, or why there is none, in every row of the rules', () => {
  expect(unread(readFileSync(join(ROOT, 'docs/rules.md'), 'utf8'))).toEqual([]);
  expect(
    unread(
      '| A | B |\n|---|---|\n| it is | `a.spec.ts` > holds |\n| it is | `a.spec.ts` › holds<br>`b.mjs` › holds |',
    ),
  ).toEqual(['`a.spec.ts` > holds', '`b.mjs` › holds']);
});

it('finds the tests that the tables name', () => {
  expect(named.length).toBeGreaterThan(100);
});

// At once, and without running them; that they ran and passed is seen at the end of a whole run.
it.each(named)('$file still holds: $title', ({ file, title }) => {
  const quoted = [`'${title}'`, `"${title}"`, `\`${title}\``];
  expect(quoted.filter((text) => sourceOf(file).includes(text))).not.toEqual([]);
});

describe('every kind of alert', () => {
  const proven = new Map(provenAlerts().map(({ kind, ...test }) => [kind, test]));
  /** From its title to where the next one begins. */
  const bodyOf = (source: string, title: string) =>
    source
      .split(`'${title}'`)
      .at(-1)
      ?.split(/\n *(?:it|describe)\b/)[0] ?? '';
  /** What a file declares at its left edge or one step into it, each up to the next. */
  const declarationsOf = (source: string) =>
    source.split(/\n(?: {2})?(?=(?:const|async function|function) )/).map((text) => ({
      name: /^(?:const|async function|function) (\w+)/.exec(text)?.[1],
      text: text.split(/\n *(?:it|describe)\b/)[0] ?? '',
    }));

  it('has its row', () => {
    expect([...proven.keys()]).toEqual(ALERT_KINDS);
  });

  it.each(ALERT_KINDS)('is raised by a test on a database that looks for it: %s', (kind) => {
    const { file, title } = proven.get(kind) ?? { file: '', title: '' };
    expect(file).toMatch(/^test\/.+\.(int|e2e)-spec\.ts$/);
    const source = sourceOf(file);
    const body = bodyOf(source, title);
    const naming = declarationsOf(source).filter(({ text }) => text.includes(`'${kind}'`));
    const isLookedFor =
      body.includes(`'${kind}'`) || naming.some(({ name }) => new RegExp(`\\b${name}\\(`).test(body));
    expect([title, isLookedFor]).toEqual([title, true]);
    // By hand anything is raised.
    expect(body).not.toMatch(/\braise\(/);
  });
});

describe('a test that a table names', () => {
  const proofs = [{ file: 'a.spec.ts', title: 'takes %s as %d, (to the cent)' }];
  const after = (...seen: (readonly [title: string, status: string])[]) =>
    unproven(proofs, new Map([['a.spec.ts', seen.map(([title, status]) => ({ title, status }))]]));

  it('has to have run and passed, for each row of its own table', () => {
    const [one, two] = ['takes 1 as 100, (to the cent)', 'takes 2 as 200, (to the cent)'];
    expect(after([one, 'passed'], [two, 'passed'])).toEqual([]);
    expect(after([one, 'passed'], [two, 'failed'])).toEqual(proofs);
    expect(after([one, 'passed'], [two, 'pending'])).toEqual(proofs);
    expect(after(['takes 1 as 100, to the cents', 'passed'])).toEqual(proofs);
    expect(unproven(proofs, new Map())).toEqual(proofs);
  });
});
