import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FUNCTION = /^export (?:(?:async )?function\*? (\w+)|const (\w+) = (?:async )?(?:\(|\w+ =>))/gm;

it('no two exported functions have one name: whoever reads it knows which is meant', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  const places = new Map<string, string[]>();
  for (const file of files) {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8');
    for (const [, declared, assigned] of source.matchAll(FUNCTION)) {
      const name = declared ?? assigned ?? '';
      places.set(name, [...(places.get(name) ?? []), file]);
    }
  }
  expect(places.size).toBeGreaterThan(500);
  expect([...places].filter(([, found]) => found.length > 1)).toEqual([]);
});
