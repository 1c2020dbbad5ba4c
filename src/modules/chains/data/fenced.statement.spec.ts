import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dirname, '../../..');
/**
 * What watchers and the comparison write; its own progress is fenced by its claim. `fact_change` is deleted from by those
 * who read it, who alone write `fact_rest`, and an `address` is made by whoever issues it: only what is seen of one is the watchers'.
 */
const WATCHED = [
  'transfer',
  'chain_cursor',
  'chain_block',
  'coin_baseline',
  'chain_difference',
  'cursor_asset',
  'watch_failure',
];
const WRITES = new RegExp(
  String.raw`(?:(?:INSERT INTO|UPDATE|DELETE FROM)\s+(?:${WATCHED.join('|')})|UPDATE\s+address)\b`,
  'i',
);

/** The parts of a source file that begin with a call which makes a statement, and what stands before the first. */
function parts(source: string): string[] {
  return source.split(/(?=\b(?:statement|writeStatement)\()/);
}

it('nothing but a fenced statement writes what the watchers write', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      // The sandbox owns its chains and its database, and writes before anything watches.
      file.endsWith('.ts') && !file.startsWith('modules/sandbox/'),
  );
  const bare = files.filter((file) =>
    parts(readFileSync(join(SRC, file), 'utf8')).some(
      (part) => WRITES.test(part) && !part.startsWith('writeStatement('),
    ),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(bare).toEqual([]);
});
