import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { begunAgain } from '../support/run/begun-files.js';

const ROOT = join(import.meta.dirname, '../..');
/** For what hangs: nothing ends a process that is waited for in this way, Jest's own limit neither. */
const LONGEST_MS = 120_000;
const folder = mkdtempSync(join(tmpdir(), 'rappen-test-begun-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Run {
  readonly status: number | null;
  readonly noted: string;
}

/**
 * A run with two workers, of files in order of their length; Jest ends each worker when its file has ended.
 * @param preload what Jest's own process loads before it
 * @throws Error with what was noted, where it does not end
 */
function runOf(specs: Readonly<Record<string, string>>, preload = ''): Run {
  for (const file of readdirSync(folder)) rmSync(join(folder, file));
  for (const [name, text] of Object.entries(specs)) writeFileSync(join(folder, name), text);
  const noted = join(folder, 'noted');
  const first = join(folder, 'preload.cjs');
  writeFileSync(noted, '');
  writeFileSync(first, preload);
  const config = {
    rootDir: folder,
    testEnvironment: join(ROOT, 'test/support/jest/shared-environment.cjs'),
    runtime: join(ROOT, 'test/support/jest/shared-runtime.cjs'),
    transform: { '\\.js$': [join(ROOT, 'node_modules/@swc/jest'), { module: { type: 'commonjs' } }] },
    maxWorkers: 2,
    workerIdleMemoryLimit: '1KB',
    testTimeout: LONGEST_MS,
  };
  const jestOf = ['--require', first, join(ROOT, 'node_modules/jest/bin/jest.js')];
  const { status, error } = spawnSync(
    process.execPath,
    [...jestOf, '--config', JSON.stringify(config), '--no-cache'],
    {
      cwd: folder,
      env: { ...process.env, TEST_FILES_BEGUN: noted, CI: 'true' },
      encoding: 'utf8',
      timeout: LONGEST_MS,
      killSignal: 'SIGKILL',
    },
  );
  const lines = readFileSync(noted, 'utf8');
  if (error) throw new Error(`Jest has not ended (${error.message}). What was noted:\n${lines}`);
  return { status, noted: lines };
}

it('finds what Jest begins again after a worker died in it, though the run is green, and though the worker was large', () => {
  const once = JSON.stringify(join(folder, 'once'));
  const { status, noted } = runOf({
    'dies.spec.js': `const fs = require('node:fs');
      it('dies once', () => new Promise((done) => {
        if (fs.existsSync(${once})) return done();
        fs.writeFileSync(${once}, '');
        process.reallyExit(7);
      }));`,
    'stays.spec.js': `it('stays', () => expect(1).toBe(1));`,
  });
  expect(status).toBe(0);
  expect(begunAgain(noted)).toEqual([join(folder, 'dies.spec.js')]);
});

it('finds none in what Jest begins again because it ended the worker for its memory', () => {
  const timesBegun = (noted: string) => noted.split('last.spec.js').length - 1;
  const LAST_BEGUN = `require('node:fs').readFileSync(process.env.TEST_FILES_BEGUN, 'utf8').split('last.spec.js').length - 1`;
  // Where Jest's own process is gone, nobody waits any more.
  const untilLastBegun = (times: number) =>
    `while (process.connected && ${LAST_BEGUN} < ${times}) await new Promise((done) => setTimeout(done, 20));`;
  const specs = {
    'busy.spec.js': `it('is busy until the last has begun', async () => {
        ${untilLastBegun(1)}
      });${' '.repeat(1_000)}`,
    // Does not hear that it is to end, so that it is killed in the last file, which comes to it while the other worker is busy.
    'quick.spec.js': `it('is quick', () => void process.removeAllListeners('SIGTERM').on('SIGTERM', () => undefined));
      ${' '.repeat(900)}`,
    'last.spec.js': `it('stays until it has begun again', async () => {
        ${untilLastBegun(2)}
      });`,
  };
  // Jest kills it half a second after it has asked it to end, on a busy machine before it has begun the last file; so the kill waits.
  const preload = `const { ChildProcess } = require('node:child_process');
    const { kill } = ChildProcess.prototype;
    ChildProcess.prototype.kill = function (signal) {
      if (signal !== 'SIGKILL') return kill.call(this, signal);
      const looks = setInterval(() => {
        if (${LAST_BEGUN} < 1) return;
        clearInterval(looks);
        kill.call(this, signal);
      }, 20);
      return true;
    };`;
  const { status, noted } = runOf(specs, preload);
  expect(timesBegun(noted)).toBe(2);
  expect(status).toBe(0);
  expect(begunAgain(noted)).toEqual([]);
});

const begun = (file: string, by: number) => ({ file, by });
const tooLarge = (pid: number) => ({ tooLarge: pid });
it.each([
  [
    'does not count what a worker began when it was too large',
    [begun('b', 1), tooLarge(1), begun('a', 1), begun('a', 2), begun('c', 2)],
    [],
  ],
  ['counts what a worker began before it was too large', [begun('a', 1), tooLarge(1), begun('a', 2)], ['a']],
  ['counts what a worker began while another was', [tooLarge(2), begun('a', 1), begun('a', 3)], ['a']],
  [
    'counts what the first of two had, whatever became of the second',
    [begun('a', 1), tooLarge(2), begun('a', 2)],
    ['a'],
  ],
  [
    'counts what the second of two had, whatever became of the first',
    [tooLarge(1), begun('a', 1), begun('a', 2), begun('a', 3)],
    ['a'],
  ],
])('%s', (_what, lines, again) => {
  expect(begunAgain(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))).toEqual(again);
});

it('has a worker that is told to end do so with what it started', () => {
  const script = `require(${JSON.stringify(join(ROOT, 'test/support/jest/shared-environment.cjs'))});
    process.on('exit', (code) => console.log('left with', code)); process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 60_000);`;
  const options = { cwd: ROOT, encoding: 'utf8', timeout: LONGEST_MS } as const;
  const { status, stdout } = spawnSync(process.execPath, ['-e', script], options);
  expect([status, stdout.trim()]).toEqual([143, 'left with 143']);
});
