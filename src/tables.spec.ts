import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVERYTHING, MAY_IMPORT, READS, TABLES, WRITES } from '../scripts/boundaries.mjs';

const MIGRATIONS = join(import.meta.dirname, 'database/migrations');

const owners = new Map(
  Object.entries(TABLES).flatMap(([room, tables]) => tables.map((table) => [table, room] as const)),
);
const tables = [...owners.keys()].join('|');

/** Where SQL may stand (ADR 51); elsewhere these words are prose. */
const WITH_SQL = /^database\/|\/data\/|^modules\/sandbox\//;

/** As in `FROM a, b AS c`: names with their aliases. */
const NAMES = String.raw`(?:\w+(?:\s+(?:AS\s+)?[a-z]\w*)?\s*,\s*)*\w+`;
const WRITING = [
  /\b(?:INTO|UPDATE|DELETE\s+FROM|TRUNCATE|TABLE)\s+(?:ONLY\s+)?([a-z_]+)\b/g,
  /@Entity\('(\w+)'/g,
  /\btable: '(\w+)'/g,
];
const READING = [new RegExp(String.raw`(?<!DELETE\s+)\b(?:FROM|JOIN|USING)\s+(?:ONLY\s+)?(${NAMES})`, 'g')];
/** Behind what was joined: only there has a name after a comma an alias without AS. */
const BESIDE = new RegExp(String.raw`,\s+(${tables})\s+(?!AS\b)[a-z]+\b(?=\s|,|$|\x60)`, 'g');

/** What the SQL in a file's code does to tables; names that are no tables (of CTEs, of functions) are left out. */
function touched(source: string): { writes: string[]; reads: string[] } {
  const code = source.replaceAll(/\/\*.*?\*\//gs, '');
  const found = (patterns: readonly RegExp[]) => {
    const all = patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([, names]) => names ?? ''));
    const names = all.flatMap((list) => list.split(',').map((name) => name.trim().split(/\s/)[0] ?? ''));
    return [...new Set(names)].filter((name) => owners.has(name)).sort();
  };
  return { writes: found(WRITING), reads: found([...READING, BESIDE]) };
}

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.ts$/.test(file) && !/\.spec\.ts$/.test(file))
  .map((file) => ({ file, source: readFileSync(join(import.meta.dirname, file), 'utf8') }))
  .map(({ file, source }) => ({ file, source, ...touched(source) }));

const isIn = (file: string, place: string) => file === place || file.startsWith(`${place}/`);
const others = (file: string, names: readonly string[]) =>
  names.filter((name) => !isIn(file, owners.get(name) ?? ''));
const roomOf = (file: string) => Object.keys(MAY_IMPORT).find((room) => isIn(file, room)) ?? '';

it.each([
  [
    'SELECT 1 FROM intent i JOIN transfer t ON t.subject = i.id',
    { reads: ['intent', 'transfer'], writes: [] },
  ],
  ['FROM address AS a, wallet w WHERE', { reads: ['address', 'wallet'], writes: [] }],
  [
    'FROM wallet w JOIN quote q ON q.id = w.id, chain_cursor c',
    { reads: ['chain_cursor', 'quote', 'wallet'], writes: [] },
  ],
  ['WITH mine AS (SELECT 1) SELECT event, person FROM mine FOR UPDATE OF mine', { reads: [], writes: [] }],
  ['INSERT INTO event (id) SELECT id FROM outbox', { reads: [], writes: ['event'] }],
  ['UPDATE intent i SET status = 1 FROM quote q', { reads: ['quote'], writes: ['intent'] }],
  ['ON CONFLICT DO UPDATE SET event = excluded.event', { reads: [], writes: [] }],
  ['DELETE FROM session USING person p', { reads: ['person'], writes: ['session'] }],
  ["what: 'x', table: 'alert'", { reads: [], writes: ['alert'] }],
])('sees the tables of %s', (sql, seen) => {
  expect(touched(sql)).toEqual(seen);
});

it('every table of the migrations is somebody’s, once', () => {
  const texts = readdirSync(MIGRATIONS).filter((file) => file.endsWith('.up.sql'));
  const stored = new Set<string>();
  for (const file of texts.sort()) {
    const sql = readFileSync(join(MIGRATIONS, file), 'utf8').replaceAll(/--.*/g, '');
    const changes =
      /\b(CREATE(?: UNLOGGED)? TABLE|DROP TABLE)(?: IF (?:NOT )?EXISTS)?\s+(\w+)|ALTER TABLE (\w+) RENAME TO (\w+)/g;
    for (const [, verb = '', name = '', from = '', to = ''] of sql.matchAll(changes)) {
      if (verb.startsWith('CREATE')) stored.add(name);
      else stored.delete(verb === '' ? from : name);
      if (to !== '') stored.add(to);
    }
  }
  const owned = Object.values(TABLES).flat();
  expect([...owned].sort()).toEqual([...stored].sort());
});

it('every table but those that no statement writes is found in the SQL of its owner', () => {
  const unfound = [...owners].filter(([table, room]) =>
    files.every(({ file, writes }) => !isIn(file, room) || !writes.includes(table)),
  );
  // Two are written by triggers; one by migrations, and read by a foreign key.
  expect(unfound.map(([table]) => table)).toEqual(['named_address', 'intent_day', 'status_edge']);
});

type Crossings = typeof READS;

const namedIn = (table: Crossings) =>
  Object.entries(table).flatMap(([file, names]) => Object.keys(names).map((name) => `${file} ${name}`));
const crossings = (of: (file: (typeof files)[number]) => readonly string[]) =>
  files.flatMap((file) => others(file.file, of(file)).map((table) => `${file.file} ${table}`));

it('nobody writes what is another’s but where the table says for what', () => {
  expect(crossings(({ writes }) => writes).sort()).toEqual(namedIn(WRITES).sort());
});

it('nobody reads what is another’s but where the table says for what', () => {
  expect(crossings(({ file, reads }) => (WITH_SQL.test(file) ? reads : [])).sort()).toEqual(
    namedIn(READS).sort(),
  );
});

it('whoever reads a table may import whose it is', () => {
  const closed = Object.entries(READS).flatMap(([file, names]) => {
    const allowed = MAY_IMPORT[roomOf(file)] ?? [];
    return Object.keys(names).filter(
      (table) => allowed !== EVERYTHING && !allowed.includes(owners.get(table) ?? ''),
    );
  });
  expect(closed).toEqual([]);
});

it('every entity is one by which a row is found or changed: of another table there is none (ADR 51)', () => {
  const entities = files.flatMap(({ source }) =>
    [...source.matchAll(/@Entity\([\s\S]+?^export class (\w+)/gm)].map(([, name]) => name!),
  );
  expect(entities).toContain('ReviewEntryEntity');
  // As an argument: `tx.update(ReviewEntryEntity, …)`. A module that registers one, or a type that is made of one, is no use.
  const code = files.filter(({ file }) => !file.endsWith('.module.ts')).map(({ source }) => source);
  const isUsed = (name: string) => code.some((source) => new RegExp(`\\(\\s*${name}\\b`).test(source));
  expect(entities.filter((name) => !isUsed(name))).toEqual([]);
});
