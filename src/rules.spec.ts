import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namedTests, unproven } from '../test/support/named-tests.js';

const ROOT = join(import.meta.dirname, '..');

const named = namedTests();
const sources = new Map<string, string>();

function sourceOf(file: string): string {
  const path = join(ROOT, file);
  const source = sources.get(file) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '');
  sources.set(file, source);
  return source;
}

it('finds the tests that the tables name', () => {
  expect(named.length).toBeGreaterThan(100);
});

// At once, and without running them; that they ran and passed is seen at the end of a whole run.
it.each(named)('$file still holds: $title', ({ file, title }) => {
  const quoted = [`'${title}'`, `"${title}"`, `\`${title}\``];
  expect(quoted.filter((text) => sourceOf(file).includes(text))).not.toEqual([]);
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
