// Each test file gets modules of our own anew, as everywhere in Jest; packages are loaded by Node itself, once for each
// worker. Loading the 3,000 files of Nest, TypeORM, viem and others was most of what a short suite cost.
const { builtinModules, createRequire } = require('node:module');
const { Script } = require('node:vm');
const Runtime = require('jest-runtime').default;
require('./one-connection.cjs');

const isPackage = (name) =>
  !/^(\.|\/|node:|@jest\/globals$|@rappen\/)/.test(name) && !builtinModules.includes(name);

/** What was compiled in this worker, by its file: executed anew for each suite, but read by the engine only once. */
const compiled = new Map();

/** In the realm of the packages, or their errors and dates would not be `instanceof` ours. */
function compile(source, filename, parameters) {
  const known = compiled.get(filename);
  if (known?.source === source) return known.script.runInThisContext();
  const opening = `(function (${parameters.join(', ')}) {`;
  const script = new Script(`${opening}${source}\n})`, { filename, columnOffset: -opening.length });
  compiled.set(filename, { source, script });
  return script.runInThisContext();
}

module.exports = class SharedRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { injectedModuleParameters } = this.executor;
    this.executor.compile = (source, filename) => compile(source, filename, injectedModuleParameters);
  }

  requireModuleOrMock(from, name) {
    return isPackage(name) ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }
};
