import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { begunAgain } from './begun-files.js';
import { endOfJest } from './jest-process.js';
import { namedTests, type Outcomes, unproven } from './named-tests.js';

const ROOT = join(import.meta.dirname, '../../..');
const RESULTS = join(ROOT, '.data', 'test-results.json');
const BEGUN = join(ROOT, '.data', 'test-files-begun.txt');

type Outcome = Outcomes extends ReadonlyMap<string, infer Of> ? Of : never;

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: Outcome;
}

/**
 * Runs the three suites, and holds what their documents say against the outcome: a rule is kept when the test that its
 * row names ran and passed. With arguments it is Jest alone.
 */
export async function main(args: string[]): Promise<void> {
  if (args.length > 0) {
    process.exitCode = (await endOfJest(args)).code;
    return;
  }
  const { results, leftRunning, again } = await run();
  const failed = results.filter(({ status }) => status === 'failed').map(({ name }) => shortly(name));
  const missing = unproven(namedTests(), outcomesOf(results));
  say('Failed:', failed);
  say(
    'Tests that docs/ names did not all run and pass:',
    missing.map(({ file, title }) => `${file} › ${title}`),
  );
  say('A test left something running:', leftRunning);
  say('Begun again by Jest after their worker had died in them:', again);
  process.exitCode = failed.length + missing.length + leftRunning.length + again.length > 0 ? 1 : 0;
}

interface Ran {
  readonly results: FileResult[];
  readonly leftRunning: readonly string[];
  readonly again: string[];
}

async function run(): Promise<Ran> {
  mkdirSync(join(ROOT, '.data'), { recursive: true });
  for (const file of [RESULTS, BEGUN]) rmSync(file, { force: true });
  const { code, leftRunning } = await endOfJest(['--json', `--outputFile=${RESULTS}`], {
    TEST_FILES_BEGUN: BEGUN,
  });
  if (!existsSync(RESULTS)) throw new Error(`Jest ended with ${code} before it had an outcome.`);
  const { testResults } = JSON.parse(readFileSync(RESULTS, 'utf8')) as { testResults: FileResult[] };
  // Of Jest's own, such as a reporter's or a teardown's: no file answers for it.
  if (code !== 0 && leftRunning.length === 0 && testResults.every(({ status }) => status !== 'failed'))
    throw new Error(`Jest ended with ${code}, though no file failed.`);
  const begun = existsSync(BEGUN) ? readFileSync(BEGUN, 'utf8') : '';
  return {
    results: testResults,
    leftRunning,
    again: begunAgain(begun).map(shortly),
  };
}

function outcomesOf(files: readonly FileResult[]): Outcomes {
  return new Map(files.map(({ name, assertionResults }) => [shortly(name), assertionResults]));
}

const shortly = (file: string): string => relative(ROOT, file);

function say(heading: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  process.stderr.write(`\n${heading}\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
}
