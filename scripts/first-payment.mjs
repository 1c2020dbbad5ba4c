// `npm run first-payment`: how long somebody waits who clones this commit, types `npm start`, pastes the printed `curl` and plays
// the buyer, until the payment is settled. npm's cache is as it is. `-- 3` does it three times.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const times = Number(process.argv[2] ?? 1);
if (!Number.isInteger(times) || times < 1) throw new Error('How often? A number, 1 or more.');
/** Of whatever it waits for, something has gone wrong by then. */
const GIVEN_UP_MS = 300_000;
const CURL = /^ {2}(curl -s [\s\S]*?\n.*-d '.*')$/m;
const STEPS = /^(Installing dependencies|Building)/gm;
/** Nothing of the caller's but how to find programs: no database, no addresses, no data of theirs. */
const { PATH, HOME, PORT = '4180', CHECKOUT_PORT = '4181' } = process.env;
const env = { PATH, HOME, PORT, CHECKOUT_PORT };

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => stopping.abort(new Error(`ended by ${signal}`)));

function run(command, args, cwd) {
  const { status, stdout } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with ${status}`);
  return stdout;
}

/** @returns what the look finds at last @throws Error where that takes too long, or somebody ends this */
async function until(look, what) {
  const deadline = performance.now() + GIVEN_UP_MS;
  for (;;) {
    stopping.signal.throwIfAborted();
    const found = look();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`${what} takes more than ${GIVEN_UP_MS / 1_000} s`);
    await sleep(50);
  }
}

/** @returns the command to paste, once it is printed, and when each of the steps began that are said before it */
async function started(child, begunMs) {
  const steps = [];
  let printed = '';
  const read = (text) => {
    printed += text;
    for (const [, step] of text.matchAll(STEPS)) steps.push([`${step} begins`, performance.now() - begunMs]);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
  const curl = await until(() => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`npm start ended:\n${printed}`);
    return CURL.exec(printed)?.[1];
  }, 'npm start');
  return { curl, steps };
}

async function paid(folder, curl) {
  const { id } = JSON.parse(run('bash', ['-c', curl], folder));
  run('npm', ['run', '--silent', 'pay', '--', id], folder);
  const [, url, authorization = ''] = /(http\S+)[\s\S]*-H '(Authorization: [^']+)'/.exec(curl) ?? [];
  const status = () => JSON.parse(run('curl', ['-s', `${url}/${id}`, '-H', authorization], folder)).status;
  await until(() => status() === 'settled', 'the payment');
}

async function firstPayment() {
  const parent = mkdtempSync(join(tmpdir(), 'rappen-first-payment-'));
  try {
    const folder = join(parent, 'rappen');
    run('git', ['clone', '--quiet', root, folder], parent);
    const begunMs = performance.now();
    const child = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'exit');
    try {
      const { curl, steps } = await started(child, begunMs);
      steps.push(['the addresses are printed', performance.now() - begunMs]);
      await paid(folder, curl);
      steps.push(['the payment is settled', performance.now() - begunMs]);
      const lines = steps.map(([what, ms]) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${what}\n`);
      process.stdout.write(`${lines.join('')}\n`);
    } finally {
      child.kill('SIGINT');
      await ended;
    }
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

process.stdout.write(`${run('git', ['rev-parse', '--short', 'HEAD'], root)}\n`);
for (let i = 0; i < times; i += 1) await firstPayment();
