// `npm run check`: everything that must hold before a commit. One line for each step; a step's own output only when
// it fails. Two at a time, because two cores are the least we expect: lint waits for the types, and the two together take
// as long as all the rest, so they go first, and the rest has what they leave of the processor.
import { spawn } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';
import { setPriority } from 'node:os';
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
  ['types', 'typescript/bin/tsc', '-b', 'scripts/tsconfig.check.json'],
  ['unit tests', 'jest/bin/jest.js', '--config=jest.config.mjs', '--selectProjects', 'unit'],
  ['lint', '../scripts/check/lint.mjs'],
  // Plain JavaScript: nothing is said of parameters there, but what is imported and called is looked at.
  ['plain types', 'typescript/bin/tsc', '-b', 'scripts/tsconfig.plain.json'],
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
    '.dependency-cruiser.mjs',
    '--cache',
    `${cache}/dependency-cruiser`,
    '--cache-strategy',
    'content',
  ],
  ['contract', '../scripts/check/judge.mjs'],
];
/** What a step reads that another leaves. */
const AFTER = { lint: 'types' };
/** By which a step that others wait for, or that is the last to end, has a core to itself. */
const NICENESS = 10;
const isHurried = (name) => name in AFTER || Object.values(AFTER).includes(name);

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
    if (!isHurried(name) && child.pid) setPriority(child.pid, NICENESS);
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
const ended = new Set();
/** The first whose turn it is: one that waits for another keeps nobody from the rest. */
const mayBegin = (step) => !(step[0] in AFTER) || ended.has(AFTER[step[0]]);
async function work() {
  while (waiting.length > 0) {
    const at = Math.max(0, waiting.findIndex(mayBegin));
    const [step] = waiting.splice(at, 1);
    const [name] = step;
    await begun.get(AFTER[name]);
    begun.set(name, runStep(step));
    await begun.get(name);
    ended.add(name);
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, work));
const passed = (await Promise.all(begun.values())).every(Boolean);
process.stdout.write(`${passed ? 'All checks passed' : 'Some checks failed'} in ${seconds(startedAt)}\n`);
process.exitCode = passed ? 0 : 1;
