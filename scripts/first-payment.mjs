// `npm run first-payment`: how long somebody waits who clones this commit, types `npm start`, pastes the printed `curl` and plays
// the buyer, until the payment is settled. npm's cache is as it is. Once for each number that is given: `-- 3` is three times.
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
/** Beside a sandbox that runs already. */
const PORTS = { PORT: '4180', CHECKOUT_PORT: '4181' };
const CURL = /^ {2}(curl -s [\s\S]*?\n.*-d '.*')$/m;

function run(command, args, cwd) {
  const { status, stdout } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with ${status}`);
  return stdout;
}

/** @returns what was printed until it matches, and when it did each of the steps that it says on the way */
async function started(child, begunMs) {
  const steps = {};
  let printed = '';
  const read = (text) => {
    printed += text;
    for (const [, step] of text.matchAll(/^(Installing dependencies|Building)/gm))
      steps[step] = performance.now() - begunMs;
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
  for (;;) {
    const [, curl] = CURL.exec(printed) ?? [];
    if (curl !== undefined) return { curl, steps };
    if (child.exitCode !== null) throw new Error(`npm start ended:\n${printed}`);
    await sleep(50);
  }
}

async function firstPayment() {
  const parent = mkdtempSync(join(tmpdir(), 'rappen-first-payment-'));
  const folder = join(parent, 'rappen');
  run('git', ['clone', '--quiet', root, folder], parent);
  const begunMs = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, ...PORTS },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const seconds = (ms) => (ms / 1_000).toFixed(1).padStart(7);
  try {
    const { curl, steps } = await started(child, begunMs);
    const readyMs = performance.now() - begunMs;
    const intent = JSON.parse(run('bash', ['-c', curl], folder));
    run('npm', ['run', '--silent', 'pay', '--', intent.id], folder);
    const [, url, authorization = ''] = /(http\S+)[\s\S]*-H '(Authorization: [^']+)'/.exec(curl) ?? [];
    const status = () =>
      JSON.parse(run('curl', ['-s', `${url}/${intent.id}`, '-H', authorization], folder)).status;
    while (status() !== 'settled') await sleep(100);
    const lines = [
      ...Object.entries(steps).map(([step, ms]) => [`${step} begins`, ms]),
      ['addresses are printed', readyMs],
    ];
    lines.push(['the payment is settled', performance.now() - begunMs]);
    process.stdout.write(`${lines.map(([what, ms]) => `${seconds(ms)} s  ${what}`).join('\n')}\n\n`);
  } finally {
    child.kill('SIGINT');
    if (child.exitCode === null) await once(child, 'exit');
    rmSync(parent, { recursive: true, force: true });
  }
}

process.stdout.write(`${run('git', ['describe', '--always', '--dirty'], root)}\n`);
for (let i = 0; i < times; i += 1) await firstPayment();
