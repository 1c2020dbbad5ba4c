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

/**
 * A run of one file that passes.
 * @param teardown what its teardown does
 * @param openHandlesTimeout after how many milliseconds Jest says that it cannot end: on a busy machine an end takes time, too
 */
function endOfRun(teardown: string, openHandlesTimeout: number) {
  const config = {
    rootDir: folder,
    testMatch: ['<rootDir>/a.js'],
    transform: {},
    globalTeardown: '<rootDir>/teardown.js',
    openHandlesTimeout,
  };
  writeFileSync(join(folder, 'a.js'), `test('holds', () => undefined);`);
  writeFileSync(join(folder, 'teardown.js'), `module.exports = () => { ${teardown} };`);
  return endOfJest([`--config=${JSON.stringify(config)}`]);
}

it('a run that leaves nothing behind ends by itself', async () => {
  expect(await endOfRun('', 60_000)).toEqual({ code: 0, leftRunning: [] });
});

it('a run that cannot end, because its teardown has left a timer and a program, is ended and says why', async () => {
  const { code, leftRunning } = await endOfRun(
    `const { spawn } = require('node:child_process');
     const stays = 'setInterval(() => undefined, 1_000)';
     const { pid } = spawn(process.execPath, ['-e', stays], { stdio: ['ignore', 'ignore', 'inherit'] });
     require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'pid'))}, String(pid));
     setInterval(() => undefined, 1_000);`,
    100,
  );
  process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')));
  expect([code, leftRunning.length]).toEqual([1, 1]);
  expect(leftRunning[0]).toContain('Jest did not exit 0.1 seconds after the test run has completed.');
});
