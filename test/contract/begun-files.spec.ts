import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { begunAgain } from '../support/run/begun-files.js';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'rappen-test-begun-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Two files for two workers, of which the first does `what` once; the last comes when it is known whether that is noted. */
function runWith(what: string): { readonly status: number | null; readonly noted: string } {
  const [noted, once] = [join(folder, 'noted'), join(folder, 'once')];
  for (const file of [noted, once]) rmSync(file, { force: true });
  const specs = {
    'dies.spec.js': `const fs = require('node:fs');
      it('dies once', () => new Promise((done) => {
        if (fs.existsSync(${JSON.stringify(once)})) return done();
        fs.writeFileSync(${JSON.stringify(once)}, '');
        ${what};
      }));`,
    'stays.spec.js': `it('stays', () => expect(1).toBe(1));`,
  };
  for (const [name, text] of Object.entries(specs)) writeFileSync(join(folder, name), text);
  const config = {
    rootDir: folder,
    testEnvironment: join(ROOT, 'test/support/jest/shared-environment.cjs'),
    runtime: join(ROOT, 'test/support/jest/shared-runtime.cjs'),
    transform: { '\\.js$': [join(ROOT, 'node_modules/@swc/jest'), { module: { type: 'commonjs' } }] },
    maxWorkers: 2,
    workerIdleMemoryLimit: '1GB',
  };
  const { status } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/jest/bin/jest.js'), '--config', JSON.stringify(config), '--no-cache'],
    { cwd: folder, env: { ...process.env, TEST_FILES_BEGUN: noted, CI: 'true' }, encoding: 'utf8' },
  );
  return { status, noted: readFileSync(noted, 'utf8') };
}

it('finds what Jest begins again after a worker died in it, though the run is green', () => {
  const { status, noted } = runWith('process.reallyExit(7)');
  expect(status).toBe(0);
  expect(begunAgain(noted)).toEqual([join(folder, 'dies.spec.js')]);
});

const begun = (file: string, by: number, heapBytes = 300e6) => ({ file, by, heapBytes });
const ended = (pid: number) => ({ ended: pid });
it.each([
  [
    'does not count what a worker had that was told to end',
    [begun('a', 1), ended(1), begun('a', 2), begun('b', 2)],
    [],
  ],
  ['does not count what a worker had that was too large', [begun('a', 1, 950e6), begun('a', 2)], []],
  [
    'counts what the first of two had, whatever became of the second',
    [begun('a', 1), begun('a', 2, 950e6), ended(2)],
    ['a'],
  ],
])('%s', (_what, lines, again) => {
  expect(begunAgain(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))).toEqual(again);
});

it('has a worker that is told to end write it down and end what it started', () => {
  const noted = join(folder, 'told');
  const script = `require(${JSON.stringify(join(ROOT, 'test/support/jest/shared-environment.cjs'))});
    process.on('exit', (code) => console.log('left with', code)); process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 60_000);`;
  const { status, stdout } = spawnSync(process.execPath, ['-e', script], {
    cwd: ROOT,
    env: { ...process.env, TEST_FILES_BEGUN: noted },
    encoding: 'utf8',
  });
  expect([status, stdout.trim()]).toEqual([143, 'left with 143']);
  expect(readFileSync(noted, 'utf8')).toMatch(/^\{"ended":\d+\}\n$/);
});
