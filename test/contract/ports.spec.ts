import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takes } from '../support/servers/ports.js';

const PORT = 20_000;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rappen-ports-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const takenBy = (pid: number) => writeFileSync(join(folder, String(PORT)), String(pid));

it('a port is one test’s, until its process has ended', () => {
  expect([takes(folder, PORT), takes(folder, PORT)]).toEqual([true, false]);
  takenBy(spawnSync(process.execPath, ['--version']).pid);
  // Who finds it left behind takes it the next time: another may be doing so at this moment.
  expect([takes(folder, PORT), takes(folder, PORT)]).toEqual([false, true]);
});

it('a process that is somebody else’s has its port as well', () => {
  takenBy(1);
  expect([takes(folder, PORT), takes(folder, PORT)]).toEqual([false, false]);
});

it('where nothing can be written, that is said, and no other port is tried', () => {
  expect(() => takes(join(folder, 'none'), PORT)).toThrow('ENOENT');
});
