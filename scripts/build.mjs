// `npm run build`: makes dist/ of src/ (ADR 68). Each file that a start loads costs it about a millisecond of the
// processor, so what it needs lies in few of them. What is imported by `await import()` is in others, loaded when needed.
import { chmodSync, cpSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { build } from 'esbuild';
import { compilerOptions } from './build/compiler.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const src = join(root, 'src');
const dist = join(root, 'dist');

const PROGRAMS = ['main', 'cli/main', 'cli/listen', 'cli/pay', 'cli/openapi'];
/** What tests and measurements import of a build: as `#built/…`, or by its path in another checkout. */
const IMPORTED = [
  'app.setup',
  'config/load-config',
  'config/networks',
  'database/migrate',
  'modules/accounts/actor.pure',
  'modules/accounts/audit/audit-log.service',
  'modules/accounts/people/people.service',
  'modules/accounts/sign-in/sign-in.service',
  'modules/auth/api-keys.service',
  'modules/chains/wallets/extended-keys.service',
  'modules/merchants/merchants.service',
  'modules/webhooks/webhooks.service',
];
/** Read while it runs, by `sourceFile`: SQL, and the programs of threads. */
const FILES = [
  'database/migrations',
  'modules/accounts/passwords/password-judge.mjs',
  'modules/merchants/logos/logo-drawer.mjs',
];

/**
 * Packages of many small files that each start loads. All others are loaded from node_modules: so are those that are
 * native, read files of their own, or are asked for by packages that are not here (typeorm, pg, pino, reflect-metadata).
 * Whatever imports Nest stands here beside it: a second copy of it would not know our classes.
 */
const BUNDLED =
  /^(@nestjs|@noble|@scure|abitype|class-transformer|class-validator|iterare|libphonenumber-js|ox|rxjs|tslib|uid|undici|validator|viem|zod)(\/|$)/;

const ASKED = 'asked by the plugin itself';

/** @type {import('esbuild').Plugin} */
const packages = {
  name: 'packages',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, resolveDir, importer, kind, pluginData }) => {
      if (pluginData === ASKED || kind === 'entry-point') return undefined;
      const external = { path, external: true };
      if (isBuiltin(path)) return external;
      const from = (folder) => resolve(path, { resolveDir: folder, importer, kind, pluginData: ASKED });
      const found = await from(resolveDir);
      // Nest asks for packages of which we have some: it goes on without the others.
      if (found.errors.length > 0) return external;
      if (BUNDLED.test(path)) return undefined;
      // Another version lies beside the package that wants it.
      if ((await from(root)).path !== found.path)
        return { errors: [{ text: `from dist/ this is not ${relative(root, found.path)}: bundle it` }] };
      return external;
    });
  },
};

/**
 * Two classes of one name in one file: esbuild renames one of them. Logs, Nest, TypeORM and the contract go by a class' name,
 * so each says its own (swc leaves comments on its line). Not `keepNames`: that names functions too, inner ones each time that
 * they are made.
 */
const CLASS = /(?:^|\*\/ )(?:export )?(?:(?:let|const) \w+ = (?:\w+ = )?)?class (\w+)\b[^{\n]*\{/gm;
const named = (code) =>
  code.replace(
    CLASS,
    (start, name) =>
      `${start} static { Object.defineProperty(this, 'name', { value: '${name}', configurable: true }); }`,
  );

/** @type {import('esbuild').Plugin} */
const compiled = {
  name: 'compiled',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const options = { ...compilerOptions('es6'), filename: path };
      const { code } = await transform(readFileSync(path, 'utf8'), options);
      return { contents: named(code), loader: 'js' };
    });
    onLoad({ filter: /\/@nestjs\/.*\.js$/ }, ({ path }) => ({ contents: named(readFileSync(path, 'utf8')) }));
  },
};

rmSync(dist, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: Object.fromEntries([...PROGRAMS, ...IMPORTED].map((name) => [name, join(src, `${name}.ts`)])),
  outdir: dist,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // ESM where a package has both: of CommonJS, `import()` would give nothing but a `default`, and Nest asks so for two.
  mainFields: ['module', 'main'],
  // Nothing is made smaller: who looks into dist can read it.
  sourcemap: 'linked',
  sourcesContent: false,
  tsconfigRaw: {},
  // Bundled CommonJS asks for Node's own modules, for which ESM has no word.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
  plugins: [packages, compiled],
  logLevel: 'warning',
});
for (const file of FILES) cpSync(join(src, file), join(dist, file), { recursive: true });
chmodSync(join(dist, 'cli/main.js'), 0o755);
