import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const DIST = join(ROOT, 'dist');

const within = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(ROOT, folder, file)).isFile(),
  );

const scripts = within('dist').filter((file) => /\.m?js$/.test(file));
/** Of what is built, esbuild writes each import on a line of its own, at its beginning or its end. */
const IMPORTS = /^(?:import |export |\} from ).*?"([^"]+)";$|\bimport\("([^"]+)"\)/gm;
const imports = scripts
  .filter((file) => file.endsWith('.js'))
  .flatMap((file) => {
    const text = readFileSync(join(DIST, file), 'utf8');
    return [...text.matchAll(IMPORTS)].map(([, from, dynamic]) => ({
      file,
      path: from ?? dynamic ?? '',
      isLate: from === undefined,
    }));
  });
const isOurs = (path: string) => /^\.{1,2}\//.test(path);
const packageOf = (path: string) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;
const ofPackages = imports
  .filter(({ path }) => !isOurs(path) && !isBuiltin(path))
  .map(({ path, isLate }) => ({ name: packageOf(path), isLate }));

it('holds every file of src that is read while it runs', () => {
  const read = within('src').filter((file) => !/\.(ts|md|sol)$/.test(file));
  expect(read.length).toBeGreaterThan(2);
  for (const file of read) {
    expect({ file, same: existsSync(join(DIST, file)) }).toEqual({ file, same: true });
    expect(readFileSync(join(DIST, file)).equals(readFileSync(join(ROOT, 'src', file)))).toBe(true);
  }
});

it('imports of ours nothing but what lies in dist', () => {
  const ours = imports.filter(({ path }) => isOurs(path));
  expect(ours.length).toBeGreaterThan(100);
  const lost = ours.filter(({ file, path }) => {
    const target = join(DIST, dirname(file), path);
    return relative(DIST, target).startsWith('..') || !existsSync(target);
  });
  expect(lost).toEqual([]);
});

it('imports no package that is not shipped, but where production never comes by', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const notShipped = ofPackages.filter(({ name }) => {
    const locked = lock.packages[`node_modules/${name}`];
    return !locked || locked.dev;
  });
  const named = (isLate: boolean) =>
    [...new Set(notShipped.filter((each) => each.isLate === isLate).map(({ name }) => name))].sort();
  expect(ofPackages.map(({ name }) => name)).toContain('typeorm');
  // Nest asks for each when it needs it, and goes on without.
  expect(named(true)).toEqual(['@fastify/static', '@nestjs/microservices', '@nestjs/websockets']);
  // The sandbox's, which is loaded late itself; installed with it, and not with the tools of the tests.
  expect(named(false)).toEqual(['standardwebhooks']);
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  expect(Object.keys(devDependencies)).toContain('standardwebhooks');
});

// What is loaded from node_modules would bring a second Nest, whose classes injection does not know.
it('bundles whatever imports Nest', () => {
  const installed = [...new Set(ofPackages.map(({ name }) => name))]
    .map((name) => ({ name, manifest: join(ROOT, 'node_modules', name, 'package.json') }))
    .filter(({ manifest }) => existsSync(manifest));
  expect(installed.length).toBeGreaterThan(10);
  const importNest = installed.filter(({ manifest }) => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as Partial<
      Record<'dependencies' | 'peerDependencies', Record<string, string>>
    >;
    return Object.keys({ ...dependencies, ...peerDependencies }).some((asked) =>
      asked.startsWith('@nestjs/'),
    );
  });
  expect(importNest).toEqual([]);
});

// Node gives whoever imports CommonJS its exports by their names; bundled, it has none but `default`.
it('imports no CommonJS of its own when it is needed', () => {
  const late = imports.filter(({ path }) => isOurs(path)).map(({ file, path }) => join(dirname(file), path));
  const unnamed = [...new Set(late)].filter((file) =>
    /^export default require_\w+\(\);$/m.test(readFileSync(join(DIST, file), 'utf8')),
  );
  expect(unnamed).toEqual([]);
});

// esbuild renames the second class of a name in one file; logs, Nest and TypeORM go by it.
it('calls each class of ours by its name', () => {
  const classes = scripts.flatMap((file) =>
    readFileSync(join(DIST, file), 'utf8')
      .split(/^(?=\/\/ (?:src|node_modules)\/)/m)
      .filter((text) => text.startsWith('// src/'))
      .flatMap((text) => [...text.matchAll(/^(?:var \w+ = )?class [^{]*\{\n(.*\n.*)/gm)]),
  );
  expect(classes.length).toBeGreaterThan(300);
  const unnamed = classes.filter(
    ([, start]) => !/static \{\s+Object\.defineProperty\(this, "name"/.test(start!),
  );
  expect(unnamed.map(([declared]) => declared)).toEqual([]);
});

it('has beside its programs what tests import of a build, and no more', () => {
  const asked = within('test').flatMap((file) =>
    /\.(ts|mjs)$/.test(file)
      ? [...readFileSync(join(ROOT, 'test', file), 'utf8').matchAll(/from '#built\/([^']+)'/g)]
      : [],
  );
  const entries = scripts.filter((file) => /^(?!chunks|main\.js|cli\/).*\.js$/.test(file));
  // By its path in another checkout: test/support/database/database.ts.
  const wanted = new Set(['database/migrate.js', ...asked.map(([, path = '']) => path)]);
  expect(entries.sort()).toEqual([...wanted].sort());
});

it('loads no part that a start does not need: the sandbox, the command line, mail, documentation', () => {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = readFileSync(join(DIST, file), 'utf8');
    for (const [, from] of text.matchAll(IMPORTS)) {
      if (from !== undefined && isOurs(from)) load(join(dirname(file), from));
      else if (from !== undefined) loaded.add(from);
    }
  };
  load('app.setup.js');
  const texts = [...loaded].filter((file) => existsSync(join(DIST, file)));
  const sources = texts.flatMap((file) =>
    [...readFileSync(join(DIST, file), 'utf8').matchAll(/^\/\/ (src|node_modules)\/.*$/gm)].map(
      ([line]) => line,
    ),
  );
  expect(sources.length).toBeGreaterThan(500);
  const lazy = /^\/\/ (src\/(cli|modules\/sandbox)\/|node_modules\/@nestjs\/swagger\/)/;
  expect(sources.filter((line) => lazy.test(line))).toEqual([]);
  expect([...loaded]).not.toContain('nodemailer');
});

it('may be executed by its name', () => {
  const program = join(DIST, 'cli/main.js');
  const { stdout, status } = spawnSync(program, ['--help'], { encoding: 'utf8' });
  expect({ status, named: stdout.includes('Usage: rappen') }).toEqual({ status: 0, named: true });
});

it('names file and line of src in the trace of a bug', () => {
  // Whatever reads this setting meets a bug.
  const bug = `process.env = new Proxy(process.env, {
    get: (env, name) => { if (name === 'BASE_URL') throw new Error('a bug'); return env[name]; },
  });`;
  const { stderr, status } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(bug)}`, 'dist/main.js'],
    { cwd: ROOT, env: { ...process.env, NODE_ENV: 'production' }, encoding: 'utf8' },
  );
  expect(status).toBe(1);
  expect(stderr).toContain('a bug');
  expect(stderr).toMatch(/at .*loadConfig.* \(.*src\/config\/load-config\.ts:\d+:\d+\)/);
  expect(stderr).toMatch(/src\/app\.start\.ts:\d+:\d+/);
});
