// One folder at a time, as scripts/mutate.mjs names it.
const area = process.env.MUTATE_AREA ?? 'kernel';
const folder = area === 'kernel' ? 'src/kernel' : `src/modules/${area}/**/domain`;
const reports = `.data/mutation/${area}`;

export default {
  mutate: [`${folder}/**/*.ts`, '!**/*.spec.ts'],
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  // Which files a change can reach is known by name from the first run (named-tests-sequencer.cjs).
  jest: {
    projectType: 'custom',
    configFile: 'test/support/jest/mutation.config.mjs',
    enableFindRelatedTests: false,
  },
  coverageAnalysis: 'perTest',
  // A constant is read once for each file of tests: to try one change of it, all tests would have to run anew.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: `${reports}/incremental.json`,
  htmlReporter: { fileName: `${reports}/report.html` },
  jsonReporter: { fileName: `${reports}/report.json` },
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  tempDirName: `${reports}/sandbox`,
  ignorePatterns: ['/.data', '/dist', '/docs/screenshots', '/test/{e2e,integration,browser,chaos,bench}'],
  // A busy machine is no endless loop.
  timeoutMS: 15_000,
  concurrency: 1,
  thresholds: { high: 95, low: 85, break: null },
};
