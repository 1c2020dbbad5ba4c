// `npm run check`: everything that must hold before a commit. One line for each step; a step's own output only when
// it fails. Two at a time, the longest first, because two cores are the least we expect.
import { spawn } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = 'node_modules/.cache';
const AT_ONCE = 2;

const TYPES = ['types', 'plain'].map((name) => `${cache}/${name}.tsbuildinfo`);
// In build mode the compiler looks first whether any file of ours has changed, and at packages never.
for (const path of TYPES)
  if (isOlder(path, 'node_modules/.package-lock.json')) rmSync(join(root, path), { force: true });

/** @type {[string, string, ...string[]][]} */
const STEPS = [
  [
    'unit tests',
    'jest/bin/jest.js',
    '--config=jest.config.mjs',
    '--selectProjects',
    'unit',
    '--passWithNoTests',
  ],
  // The second is of plain JavaScript: nothing is said of parameters there, but what is imported and called is looked at.
  ['types', 'typescript/bin/tsc', '-b', 'scripts/tsconfig.check.json', 'scripts/tsconfig.plain.json'],
  ['lint', '../scripts/lint.mjs'],
  // By content: a checkout changes every file's time.
  [
    'format',
    'prettier/bin/prettier.cjs',
    '--check',
    '.',
    '--cache',
    '--cache-strategy=content',
    `--cache-location=${cache}/prettier/.prettier-cache`,
  ],
  [
    'boundaries',
    'dependency-cruiser/bin/dependency-cruise.mjs',
    'src',
    'packages/client/src',
    '--config',
    '.dependency-cruiser.cjs',
    '--cache',
    `${cache}/dependency-cruiser`,
    '--cache-strategy',
    'content',
  ],
  ['contract', '../scripts/judge.mjs'],
];
/** What a step reads that another leaves. */
const AFTER = { lint: 'types' };

const seconds = (startedAt) => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;

/** @returns whether the first was written before the second; false without the first */
function isOlder(path, other) {
  const [one, two] = [path, other].map((name) => join(root, name));
  return existsSync(one) && existsSync(two) && statSync(one).mtimeMs < statSync(two).mtimeMs;
}

function runStep([name, script, ...args]) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const command = [join(root, 'node_modules', script), ...args];
    const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('close', (code) => {
      const passed = code === 0;
      process.stdout.write(`${passed ? 'ok    ' : 'FAILED'} ${name.padEnd(12)} ${seconds(startedAt)}\n`);
      if (!passed) process.stdout.write(`${Buffer.concat(output).toString().trimEnd()}\n\n`);
      resolve(passed);
    });
  });
}

const startedAt = performance.now();
const waiting = [...STEPS];
const begun = new Map();
async function work() {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    await begun.get(AFTER[step[0]]);
    begun.set(step[0], runStep(step));
    await begun.get(step[0]);
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, work));
const passed = (await Promise.all(begun.values())).every(Boolean);
process.stdout.write(`${passed ? 'All checks passed' : 'Some checks failed'} in ${seconds(startedAt)}\n`);
process.exitCode = passed ? 0 : 1;
