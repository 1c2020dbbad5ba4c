import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

const DOCUMENTS = ['seed-rules.md', 'webhooks.md'];

/** The cells of their tables that name a test: file and title. */
const named = DOCUMENTS.flatMap((name) => readFileSync(join(ROOT, 'docs', name), 'utf8').split('\n'))
  .filter((line) => line.startsWith('|'))
  .flatMap((line) => line.split('|').at(-2)?.split('<br>') ?? [])
  .map((cell) => /^`(\S+\.ts)` › (.+)$/.exec(cell.trim()))
  .flatMap((found) => (found ? [[found[1] ?? '', found[2] ?? ''] as const] : []));

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

it.each(named)('%s still holds: %s', (file, title) => {
  const quoted = [`'${title}'`, `"${title}"`, `\`${title}\``];
  expect(quoted.filter((text) => sourceOf(file).includes(text))).not.toEqual([]);
});
