// A rule of the requirements is kept when the test that its row names ran and passed: that is known only afterwards.
import { register } from 'node:module';
import { relative } from 'node:path';

export default class NamedTestsReporter {
  constructor({ rootDir, onlyChanged, testNamePattern, testPathPatterns, shard }) {
    this.rootDir = rootDir;
    this.isWhole = !onlyChanged && !testNamePattern && !testPathPatterns.isSet() && !shard;
  }

  async onRunComplete(contexts, { testResults }) {
    if (!this.isWhole || contexts.size < 3) return;
    register('../typescript-loader.mjs', import.meta.url);
    const { namedTests, unproven } = await import('../named-tests.js');
    const outcomes = new Map(
      testResults.map(({ testFilePath, testResults }) => [relative(this.rootDir, testFilePath), testResults]),
    );
    const missing = unproven(namedTests(), outcomes);
    if (missing.length === 0) return;
    const list = missing.map(({ file, title }) => `  ${file} › ${title}`).join('\n');
    this.error = new Error(`Tests that docs/ names did not all run and pass:\n${list}`);
    process.stderr.write(`\n${this.error.message}\n`);
  }

  /** Jest fails the run by it. */
  getLastError() {
    return this.error;
  }
}
