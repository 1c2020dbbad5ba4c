import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MAY_IMPORT, ROOMS } from '../scripts/boundaries.mjs';
import { AREAS, UNCHANGED } from '../scripts/mutation-areas.mjs';

/** As many names as somebody takes in at a glance; a folder with more holds several things, and a room for each is better. */
const MOST_FILES = 15;
/** What every module may have, and what no table has to name: its own whole. */
const SKELETON = ['data', 'domain', 'dto'];

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);

it('no folder holds more than fifteen files of code side by side', () => {
  const folders = files.filter((file) => !file.endsWith('.spec.ts')).map(dirname);
  const counted = [...new Set(folders)].map((folder) => ({
    folder: join('src', folder),
    files: folders.filter((one) => one === folder).length,
  }));
  expect(counted.filter(({ files }) => files > MOST_FILES)).toEqual([]);
});

it('every rule of domain/ is changed by `npm run mutate`, or its module is named with why it is not', () => {
  const inDomain = files.filter((file) => file.includes('/domain/')).map((file) => file.split('/')[1]!);
  const changed = AREAS.filter((area) => area !== 'kernel');
  expect([...changed, ...Object.keys(UNCHANGED)].sort()).toEqual([...new Set(inDomain)].sort());
});

it('each of them has its score, or why it has none, in CONTRIBUTING.md', () => {
  const table = readFileSync('CONTRIBUTING.md', 'utf8');
  const rows = [...table.matchAll(/^\| `([a-z]+)[`/].*\|$/gm)].map(([, area]) => area!);
  expect([...new Set(rows)].sort()).toEqual([...AREAS].sort());
});

describe('the rooms of a module', () => {
  const modules = Object.keys(MAY_IMPORT).filter((name) => name.startsWith('modules/'));
  const foldersIn = (module: string) =>
    new Set(
      files.flatMap((file) =>
        file.startsWith(`${module}/`) ? file.split('/').slice(2, -1).slice(0, 1) : [],
      ),
    );
  const roomsOf = (module: string) => Object.entries(ROOMS[module] ?? {});

  it.each(modules)('are all in the table of what sees what: %s', (module) => {
    const folders = [...foldersIn(module)].filter((name) => !SKELETON.includes(name));
    const named = roomsOf(module).map(([name]) => name);
    expect(folders.filter((name) => !named.includes(name))).toEqual([]);
    expect(
      named.filter((name) => !files.some((file) => `${file}/`.startsWith(`${module}/${name}/`))),
    ).toEqual([]);
  });

  it.each(Object.keys(ROOMS))('see each other one way: %s', (module) => {
    let left = roomsOf(module);
    for (;;) {
      const waiting = left.filter(([, seen]) => seen.some((name) => left.some(([other]) => other === name)));
      if (waiting.length === left.length) break;
      left = waiting;
    }
    expect(left.map(([name]) => name)).toEqual([]);
  });
});

describe('a file of data/', () => {
  const inData = files.filter((file) => file.includes('/data/') && !file.endsWith('.spec.ts'));

  it('is an entity, a repository, statements, parts of some, or types', () => {
    expect(inData.filter((file) => !/\.(entity|repository|statement|sql|types)\.ts$/.test(file))).toEqual([]);
  });

  it.each(inData.filter((file) => file.endsWith('.repository.ts')))(
    '%s holds the class of its name',
    (file) => {
      const name = basename(file, '.repository.ts').replaceAll(/(?:^|-)(\w)/g, (_, first: string) =>
        first.toUpperCase(),
      );
      const source = readFileSync(join(import.meta.dirname, file), 'utf8');
      const classes = [...source.matchAll(/^export (?:abstract )?class (\w+)/gm)].map(([, one]) => one);
      expect(classes).toEqual([`${name}Repository`]);
    },
  );
});
