import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOfJest } from '../support/run/jest-process.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rappen-jest-'));
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** After how many milliseconds Jest says that it, or a worker, cannot end: on a busy machine an end takes time, too. */
interface Patience {
  readonly openHandlesTimeout?: number;
  readonly workerGracefulExitTimeout?: number;
}
const LONG = 60_000;

/**
 * A run whose files pass; where there are two, each has a worker.
 * @param tests what each of the files does
 * @param teardown what the run's teardown does
 */
function endOfRun(
  tests: readonly string[],
  teardown: string,
  { openHandlesTimeout = LONG, workerGracefulExitTimeout = LONG }: Patience = {},
) {
  const config = {
    rootDir: folder,
    testMatch: ['<rootDir>/*.test.js'],
    transform: {},
    globalTeardown: '<rootDir>/teardown.js',
    maxWorkers: 2,
    openHandlesTimeout,
    workerGracefulExitTimeout,
  };
  for (const [i, does] of tests.entries())
    writeFileSync(join(folder, `${i}.test.js`), `test('holds', () => { ${does} });`);
  writeFileSync(join(folder, 'teardown.js'), `module.exports = () => { ${teardown} };`);
  return endOfJest([`--config=${JSON.stringify(config)}`]);
}

it('a run that leaves nothing behind ends by itself', async () => {
  expect(await endOfRun([''], '')).toEqual({ code: 0, leftRunning: [] });
});

it('a run with a worker that had to be ended, because its test has left a timer, says so', async () => {
  const stays = 'setInterval(() => undefined, 1_000);';
  const { code, leftRunning } = await endOfRun([stays, ''], '', { workerGracefulExitTimeout: 100 });
  // To Jest itself such a run has passed.
  expect([code, leftRunning.length]).toEqual([0, 1]);
  expect(leftRunning[0]).toContain('has failed to exit gracefully and has been force exited');
});

it('a run that cannot end, because its teardown has left a timer and a program, is ended and says why', async () => {
  const { code, leftRunning } = await endOfRun(
    [''],
    `const { spawn } = require('node:child_process');
     const stays = 'setInterval(() => undefined, 1_000)';
     const { pid } = spawn(process.execPath, ['-e', stays], { stdio: ['ignore', 'ignore', 'inherit'] });
     require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'pid'))}, String(pid));
     setInterval(() => undefined, 1_000);`,
    { openHandlesTimeout: 100 },
  );
  process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')));
  expect([code, leftRunning.length]).toEqual([1, 1]);
  expect(leftRunning[0]).toContain('Jest did not exit 0.1 seconds after the test run has completed.');
});
