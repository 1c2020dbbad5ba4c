// Stryker starts Jest for each change of the code and names the few tests that reach it; Jest would load every file to
// look whether one of them is in it. The names of the first run say where they are.
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { default: TestSequencer } = require('@jest/test-sequencer');

module.exports = class NamedTestsSequencer extends TestSequencer {
  constructor({ contexts, globalConfig }) {
    super({ contexts, globalConfig });
    this.pattern = globalConfig.testNamePattern;
    // In Stryker's copy of the project.
    this.file = join(globalConfig.rootDir, '.data', 'test-names.json');
  }

  sort(tests) {
    if (!this.pattern) return tests;
    const named = new RegExp(this.pattern, 'i');
    const names = JSON.parse(readFileSync(this.file, 'utf8'));
    return tests.filter(({ path }) => names[path]?.some((name) => named.test(name)) ?? true);
  }

  cacheResults(tests, { testResults }) {
    if (this.pattern) return;
    const names = testResults.map((file) => [
      file.testFilePath,
      file.testResults.map((test) => test.fullName),
    ]);
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, JSON.stringify(Object.fromEntries(names)));
  }
};
