import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RIGHTS } from './application-role.js';

const SRC = join(import.meta.dirname, '..');

interface Write {
  readonly table: string;
  readonly does: 'adds' | 'changes' | 'removes';
  readonly column: string;
}

const BEGINS =
  /\b(?:INSERT INTO (?<into>\w+)|DELETE FROM (?<from>\w+)|UPDATE (?<of>\w+)(?:\s+\w+)?\s+SET|DO UPDATE\s+SET)\b/g;

/** What the SQL in a file's code writes. Assignments that are put together elsewhere (`${…}`) are not seen. */
function writesIn(source: string): Write[] {
  const code = source.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/--.*|\s\/\/.*/g, '');
  let inserted = '';
  return [...code.matchAll(BEGINS)].flatMap(({ 0: head, index, groups }): Write[] => {
    const { into, from, of } = groups ?? {};
    if (into !== undefined) return [{ table: (inserted = into), does: 'adds', column: '' }];
    if (from !== undefined) return [{ table: from, does: 'removes', column: '' }];
    return assignedAt(code.slice(index + head.length)).map((column) => ({
      table: of ?? inserted,
      does: 'changes',
      column,
    }));
  });
}

/** The columns of `a = …, (b, c) = …` up to the end of the list. */
function assignedAt(code: string): string[] {
  const columns: string[] = [];
  let [depth, begins] = [0, true];
  for (let i = 0; i < code.length; i += 1) {
    const rest = code.slice(i);
    if (depth === 0 && /^(?:`|\b(?:WHERE|RETURNING|(?<!DISTINCT )FROM)\b)/.test(rest)) break;
    const found = begins ? /^\s*(?:(\w+)|\(([\w\s,]+)\))\s*=/.exec(rest) : null;
    if (found) columns.push(...(found[1] ?? found[2] ?? '').split(',').map((name) => name.trim()));
    begins = depth === 0 && code[i] === ',';
    if (code[i] === '(') depth += 1;
    if (code[i] === ')' && (depth -= 1) < 0) break;
  }
  return columns;
}

it('sees what SQL writes', () => {
  const sql = `INSERT INTO job_run AS j (name) VALUES ($1) ON CONFLICT (name)
    DO UPDATE SET name = least(j.name, 'x'), at = 1 WHERE true); DELETE FROM session USING person;
    UPDATE intent i SET (a, b) = (SELECT c, d FROM e), -- f = 1,
      g = 2 FROM h, k WHERE l = 3`;
  expect(writesIn(sql).map(({ table, does, column }) => `${does} ${table} ${column}`.trim())).toEqual([
    'adds job_run',
    'changes job_run name',
    'changes job_run at',
    'removes session',
    'changes intent a',
    'changes intent b',
    'changes intent g',
  ]);
});

it('no statement writes what the role may not', () => {
  const writes = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    // The sandbox owns its tables where it writes.
    .filter((file) => /(?<!\.spec|\.d)\.ts$/.test(file) && !file.startsWith('modules/sandbox/'))
    .flatMap((file) => writesIn(readFileSync(join(SRC, file), 'utf8')))
    .filter(({ table }) => table in RIGHTS);
  expect(writes.length).toBeGreaterThan(300);
  const refused = writes.filter(({ table, does, column }) => {
    const { adds, changes, removes } = RIGHTS[table]!;
    if (does === 'changes') return !changes.includes(column);
    return does === 'adds' ? !adds : removes === undefined;
  });
  expect(refused).toEqual([]);
});
