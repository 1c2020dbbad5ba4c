// `npm run mutate [-- kernel rates …]`: changes the code that decides about money, delivery and sign-in in every small
// way, folder by folder, and looks which changes the folder's unit tests do not notice. What was tried before and has not
// changed since is not tried again (`.data/mutation`); `--force` tries all of it.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AREAS } from './mutation-areas.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Percent of the changes that a test has run through. */
const LEAST = 85;

const words = process.argv.slice(2);
const flags = words.filter((word) => word.startsWith('-'));
const named = words.filter((word) => !word.startsWith('-'));
const unknown = named.filter((area) => !AREAS.includes(area));
if (unknown.length > 0)
  throw new Error(`no such folder: ${unknown.join(', ')}; there are ${AREAS.join(', ')}`);

function stryker(area) {
  const program = join(root, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
  const env = { ...process.env, MUTATE_AREA: area };
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, 'run', ...flags], { cwd: root, env, stdio: 'inherit' });
    child.on('close', (code) => resolve(code === 0));
  });
}

function countOf(area) {
  const report = JSON.parse(readFileSync(join(root, '.data', 'mutation', area, 'report.json'), 'utf8'));
  const states = Object.values(report.files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (...wanted) => states.filter((status) => wanted.includes(status)).length;
  return { noticed: count('Killed', 'Timeout'), survived: count('Survived'), uncovered: count('NoCoverage') };
}

const scoreOf = ({ noticed, survived }) => (100 * noticed) / Math.max(1, noticed + survived);
const line = (...cells) => `${cells.map((cell) => String(cell).padStart(10)).join('')}\n`;

const rows = [];
for (const area of named.length > 0 ? named : AREAS) {
  mkdirSync(join(root, '.data', 'mutation', area), { recursive: true });
  const startedAt = performance.now();
  if (!(await stryker(area))) throw new Error(`the run over ${area} did not end`);
  rows.push({ area, ...countOf(area), minutes: (performance.now() - startedAt) / 60_000 });
}
process.stdout.write(`\n${line('folder', 'noticed', 'survived', 'uncovered', 'score', 'minutes')}`);
for (const row of rows) {
  const { area, noticed, survived, uncovered, minutes } = row;
  process.stdout.write(
    line(area, noticed, survived, uncovered, `${scoreOf(row).toFixed(1)} %`, minutes.toFixed(1)),
  );
}
if (rows.some((row) => scoreOf(row) < LEAST)) {
  process.stdout.write(
    `\nA folder is below ${LEAST} %: .data/mutation/<folder>/report.html shows what survived.\n`,
  );
  process.exitCode = 1;
}
