import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { namedTests, unproven, type Outcomes } from './named-tests.js';

const ROOT = join(import.meta.dirname, '../..');
const RESULTS = join(ROOT, '.data', 'test-results.json');
const PROJECTS = ['--selectProjects', 'unit', 'integration', 'e2e'];
/** More than so many files do not fail by chance. */
const MOST_RUN_AGAIN = 3;

type Outcome = Outcomes extends ReadonlyMap<string, infer Of> ? Of : never;

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: Outcome;
}

/**
 * Runs the three suites, and holds what their documents say against the outcome: a rule is kept when the test that its
 * row names ran and passed. With arguments it is Jest alone.
 *
 * A file that failed is run once more, by itself: the suites share two cores with real nodes, a browser and a database,
 * and a test that is right may still run out of its minute there. What passes only then is named at the end, and is a
 * defect to be mended; what fails twice fails the run.
 */
export async function main(args: string[]): Promise<void> {
  if (args.length > 0) {
    process.exitCode = await jest(args);
    return;
  }
  const first = await run([]);
  const failed = first.filter(({ status }) => status === 'failed').map(({ name }) => name);
  const again =
    failed.length > 0 && failed.length <= MOST_RUN_AGAIN
      ? await run(['--runInBand', '--runTestsByPath', ...failed])
      : [];
  const outcomes = outcomesOf([...first, ...again]);
  const stillFailed = failed.filter((name) => again.find((file) => file.name === name)?.status !== 'passed');
  const missing = unproven(namedTests(), outcomes);
  say(
    'Failed, and passed when run once more:',
    failed.filter((name) => !stillFailed.includes(name)).map(shortly),
  );
  say('Failed:', stillFailed.map(shortly));
  say(
    'Tests that docs/ names did not all run and pass:',
    missing.map(({ file, title }) => `${file} › ${title}`),
  );
  process.exitCode = stillFailed.length + missing.length > 0 ? 1 : 0;
}

async function run(args: readonly string[]): Promise<FileResult[]> {
  mkdirSync(join(ROOT, '.data'), { recursive: true });
  rmSync(RESULTS, { force: true });
  const code = await jest(['--json', `--outputFile=${RESULTS}`, ...args]);
  const { testResults } = JSON.parse(readFileSync(RESULTS, 'utf8')) as { testResults: FileResult[] };
  // Of Jest's own, such as a reporter's or a teardown's: no file answers for it.
  if (code !== 0 && testResults.every(({ status }) => status !== 'failed'))
    throw new Error(`Jest ended with ${code}, though no file failed.`);
  return testResults;
}

function jest(args: readonly string[]): Promise<number> {
  const command = [join(ROOT, 'node_modules/jest/bin/jest.js'), ...PROJECTS, ...args];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, { cwd: ROOT, stdio: 'inherit' });
    child.on('error', reject).on('close', (code) => resolve(code ?? 1));
  });
}

/** The later of two results of one file counts. */
function outcomesOf(files: readonly FileResult[]): Outcomes {
  return new Map(files.map(({ name, assertionResults }) => [shortly(name), assertionResults]));
}

const shortly = (file: string): string => relative(ROOT, file);

function say(heading: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  process.stderr.write(`\n${heading}\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
}
