// The unit tests of one folder, as scripts/mutate.mjs changes it, with packages loaded once: Jest is started for each change.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import jest from '../../../jest.config.mjs';

// From the folder into which Stryker copies the project.
const rootDir = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
const area = process.env.MUTATE_AREA ?? 'kernel';
const folder = area === 'kernel' ? 'kernel' : `modules/${area}`;
/** @type {any} */
const project = jest.projects.find(({ displayName: name }) => name === 'unit');
const { displayName, testMatch, ...unit } = project;
void [displayName, testMatch];

export default {
  ...unit,
  rootDir,
  roots: [join(rootDir, 'src')],
  testMatch: [`<rootDir>/src/${folder}/**/*.spec.ts`],
  // One loads dictionaries of megabytes, the other looks up names: the rules of `domain/` are in neither.
  testPathIgnorePatterns: ['password-strength', 'node-failure'],
  testTimeout: 60_000,
  testEnvironment: join(rootDir, 'test/support/jest/shared-environment.cjs'),
  testSequencer: join(rootDir, 'test/support/jest/named-tests-sequencer.cjs'),
  runtime: join(rootDir, 'test/support/jest/shared-runtime.cjs'),
};
