// `npm run check`: everything that must hold before a commit. One line for each step; a step's own output only when
// it fails. Two at a time, the longest first, because two cores are the least we expect.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = 'node_modules/.cache';
const AT_ONCE = 2;

const STEPS = [
  // By content: a checkout changes every file's time.
  [
    'lint',
    'eslint/bin/eslint.js',
    '.',
    '--max-warnings=0',
    '--cache',
    '--cache-strategy=content',
    `--cache-location=${cache}/eslint/`,
  ],
  // With a memory of its own: what has not changed is not read again.
  [
    'types',
    'typescript/bin/tsc',
    '--noEmit',
    '--incremental',
    '--tsBuildInfoFile',
    `${cache}/types.tsbuildinfo`,
    '-p',
    'tsconfig.json',
  ],
  [
    'unit tests',
    'jest/bin/jest.js',
    '--config=jest.config.mjs',
    '--selectProjects',
    'unit',
    '--passWithNoTests',
  ],
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
  ],
  ['contract', '../scripts/judge.mjs'],
];

const seconds = (startedAt) => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;

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
const results = [];
async function work() {
  for (let step = waiting.shift(); step; step = waiting.shift()) results.push(await runStep(step));
}
await Promise.all(Array.from({ length: AT_ONCE }, work));
const passed = results.every(Boolean);
process.stdout.write(`${passed ? 'All checks passed' : 'Some checks failed'} in ${seconds(startedAt)}\n`);
process.exitCode = passed ? 0 : 1;
