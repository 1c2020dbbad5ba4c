// The committed contract before judges that we did not write: spectral with the OWASP rules, redocly lint without
// errors, redocly score. Part of `npm run check`. Nothing is sent anywhere. What has passed is not judged again.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const DOCUMENT = 'docs/openapi.json';
const TYPES = 'packages/client/src/contract.ts';
const LEAST_SCORE = 90;
const REDOCLY = join(root, 'node_modules/@redocly/cli/bin/cli.js');
const ENV = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

async function spectral() {
  const { default: core } = await import('@stoplight/spectral-core');
  /** @type {{ default: any }} */
  const { default: ruleset } = await import('../../.spectral.mjs');
  const judge = new core.Spectral();
  judge.setRuleset(ruleset);
  const found = await judge.run(JSON.parse(readFileSync(join(root, DOCUMENT), 'utf8')));
  return found.map(({ code, message, path }) => `spectral ${code} at ${path.join('.')}: ${message}`);
}

function redocly(command, ...args) {
  return spawnSync(process.execPath, [REDOCLY, command, DOCUMENT, ...args], {
    cwd: root,
    env: ENV,
    encoding: 'utf8',
    timeout: 60_000,
  });
}

function lint() {
  const { status, stdout, stderr } = redocly('lint', '--extends=recommended', '--max-problems=20');
  return status === 0 ? [] : [`redocly lint:\n${stdout}${stderr}`];
}

/** How simple the contract is to integrate for a program, of 100. */
function score() {
  const { stdout, stderr } = redocly('score', '--format=json');
  if (!stdout.startsWith('{')) return [`redocly score said nothing: ${stderr}`];
  const { agentReadiness } = JSON.parse(stdout);
  return agentReadiness >= LEAST_SCORE
    ? []
    : [`redocly score: ${agentReadiness}, which is below ${LEAST_SCORE}`];
}

async function types() {
  const { clientTypes } = await import('../generate/client-types.mjs');
  const committed = readFileSync(join(root, TYPES), 'utf8');
  return committed === (await clientTypes()) ? [] : [`${TYPES} is of another contract: run npm run openapi`];
}

/** All that the verdict comes from. */
const JUDGED = [
  DOCUMENT,
  TYPES,
  '.spectral.mjs',
  'scripts/check/judge.mjs',
  'scripts/generate/client-types.mjs',
  'package.json',
  'package-lock.json',
];
const MEMORY = join(root, 'node_modules/.cache/contract.sha256');
const hash = createHash('sha256');
for (const path of JUDGED) hash.update(readFileSync(join(root, path))).update('\0');
const judged = hash.digest('hex');

if (!existsSync(MEMORY) || readFileSync(MEMORY, 'utf8') !== judged) {
  const flaws = [...(await spectral()), ...lint(), ...score(), ...(await types())];
  for (const flaw of flaws) process.stdout.write(`${flaw}\n`);
  if (flaws.length === 0) writeFileSync(MEMORY, judged);
  process.exitCode = flaws.length > 0 ? 1 : 0;
}
