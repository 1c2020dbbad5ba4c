// Loading the 3,000 files of Nest, TypeORM, viem and others, and the service's own thousand anew for each suite, was most of
// what a short suite cost. Packages are loaded by Node itself and what stands in `src` by `requireOnce`, once for each worker;
// what belongs to the tests each file gets anew, as everywhere in Jest. A module of the service therefore keeps what it has
// at its top level from one suite to the next, and cannot be mocked (`jest.mock`).
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { builtinModules, createRequire } = require('node:module');
const { tmpdir } = require('node:os');
const { dirname, join, resolve, sep } = require('node:path');
const { Script } = require('node:vm');
const Runtime = require('jest-runtime').default;
const { transformSync } = require('@swc/core');
require('./one-connection.cjs');
require('./patient-line.cjs');

const SRC = resolve(__dirname, '../../../src') + sep;
const PARAMETERS = ['module', 'exports', 'require', '__dirname', '__filename'];

const isPackage = (name) =>
  !/^(\.|\/|node:|@jest\/globals$|@rappen\/)/.test(name) && !builtinModules.includes(name);

/** What has been loaded before does not know which change of it Stryker tries now (mutation.config.mjs). */
const isMutated = process.env.MUTATE_AREA !== undefined;

/** The file in `src` that a relative import means and that is loaded once, or null. */
function ownFile(from, name) {
  if (isMutated || !name.startsWith('.')) return null;
  const file = resolve(dirname(from), name);
  return file.startsWith(SRC) && file.endsWith('.js') ? `${file.slice(0, -3)}.ts` : null;
}

/** In the realm of the packages, or their errors and dates would not be `instanceof` ours. */
function scriptOf(source, filename, parameters) {
  const opening = `(function (${parameters.join(', ')}) {`;
  return new Script(`${opening}${source}\n})`, { filename, columnOffset: -opening.length });
}

/** The service's modules of this worker, by their files. */
const modules = new Map();

function requireOnce(file, swc) {
  const known = modules.get(file);
  if (known?.error) throw known.error;
  if (known) return known.exports;
  const { code, map } = transformSync(readFileSync(file, 'utf8'), {
    ...swc,
    sourceMaps: true,
    filename: file,
  });
  const module = { exports: {}, map, error: null };
  modules.set(file, module);
  const native = createRequire(file);
  const require = (name) => {
    const own = ownFile(file, name);
    return own ? requireOnce(own, swc) : native(name);
  };
  try {
    const run = scriptOf(code, file, PARAMETERS).runInThisContext();
    run(module, module.exports, require, dirname(file), file);
  } catch (error) {
    module.error = error;
    throw error;
  }
  return module.exports;
}

let mapsDir = null;

/** The file of a module's source map, written when a stack is told for the first time; undefined for others' files. */
function mapFileOf(file) {
  const module = modules.get(file);
  if (!module) return undefined;
  if (!mapsDir) {
    mapsDir = mkdtempSync(join(tmpdir(), 'source-maps-'));
    process.once('exit', () => rmSync(mapsDir, { recursive: true, force: true }));
  }
  if (!module.mapFile) {
    module.mapFile = join(mapsDir, file.slice(SRC.length).replaceAll(sep, '.'));
    writeFileSync(module.mapFile, module.map);
  }
  return module.mapFile;
}

/** What was compiled of the tests in this worker, by its file: executed anew for each suite, but read by the engine once. */
const compiled = new Map();

function compile(source, filename, parameters) {
  let known = compiled.get(filename);
  if (known?.source !== source) {
    known = { source, script: scriptOf(source, filename, parameters) };
    compiled.set(filename, known);
  }
  return known.script.runInThisContext();
}

module.exports = class SharedRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { injectedModuleParameters } = this.executor;
    this.executor.compile = (source, filename) => compile(source, filename, injectedModuleParameters);
    const [[, , swc]] = this._config.transform;
    this.swc = swc;
    const maps = this.getSourceMaps();
    const mapOfTests = maps.get.bind(maps);
    maps.get = (file) => mapFileOf(file) ?? mapOfTests(file);
  }

  requireModuleOrMock(from, name) {
    if (isPackage(name)) return createRequire(from)(name);
    const own = ownFile(from, name);
    return own ? requireOnce(own, this.swc) : super.requireModuleOrMock(from, name);
  }
};
