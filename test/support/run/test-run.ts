import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { begunAgain } from './begun-files.js';
import { endOfJest } from './jest-process.js';
import { namedTests } from './named-tests.js';
import { type FileResult, type Ran, verdictOn } from './verdict.js';

const ROOT = join(import.meta.dirname, '../../..');
const RESULTS = join(ROOT, '.data', 'test-results.json');
const BEGUN = join(ROOT, '.data', 'test-files-begun.txt');

/**
 * Runs the three suites, and holds what their documents say against the outcome. With arguments it is Jest alone.
 */
export async function main(args: string[]): Promise<void> {
  if (args.length > 0) {
    process.exitCode = (await endOfJest(args)).code;
    return;
  }
  const { code, complaints } = verdictOn(await run(), namedTests());
  for (const { heading, lines } of complaints)
    process.stderr.write(`\n${heading}\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
  process.exitCode = code;
}

async function run(): Promise<Ran> {
  mkdirSync(join(ROOT, '.data'), { recursive: true });
  for (const file of [RESULTS, BEGUN]) rmSync(file, { force: true });
  const { code, leftRunning } = await endOfJest(['--json', `--outputFile=${RESULTS}`], {
    TEST_FILES_BEGUN: BEGUN,
  });
  if (!existsSync(RESULTS)) throw new Error(`Jest ended with ${code} before it had an outcome.`);
  const { testResults } = JSON.parse(readFileSync(RESULTS, 'utf8')) as { testResults: FileResult[] };
  const begun = existsSync(BEGUN) ? readFileSync(BEGUN, 'utf8') : '';
  return {
    code,
    results: testResults.map((result) => ({ ...result, name: shortly(result.name) })),
    leftRunning,
    again: begunAgain(begun).map(shortly),
  };
}

const shortly = (file: string): string => relative(ROOT, file);
