// Makes a fresh clone work with one command: run by npm before start, test, check and cli.
// Plain Node without dependencies, silent when there is nothing to do, and never on standard output,
// which belongs to the command that follows (`npm run cli -- … --json`).
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium, hasHeadlessShell } from './ensure/chromium.mjs';
import { withLock } from './ensure/lock.mjs';
import { installedPostgres, withoutCluster } from './ensure/postgres.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const at = (...parts) => join(root, ...parts);
// Both stamps are written last and lie inside what they vouch for: an interrupted run leaves none, and is repeated.
const INSTALLED = at('node_modules', '.rappen-installed');
const BUILT = at('dist', '.rappen-built');

const say = (text) => process.stderr.write(`${text}\n`);

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  say(`Rappen needs Node.js 20.19 or newer; this is ${process.version}. See https://nodejs.org/`);
  process.exit(1);
}

// The Node version counts too, because native add-ons are built for one.
const installKey = () =>
  createHash('sha256')
    .update(readFileSync(at('package-lock.json')))
    .update(process.version)
    .digest('hex');

/** Of which lock file `node_modules` is, and whether the tools of packages/tools are in it. */
const installed = () => (existsSync(INSTALLED) ? readFileSync(INSTALLED, 'utf8') : '');
const hasPackages = () => installed() === installKey() || hasTools();
const hasTools = () => installed() === `${installKey()} tools`;

/** What the service and its sandbox need: a quarter of all packages. */
async function installPackages(recordChild) {
  say('Installing dependencies (npm ci, about a quarter of a minute) …');
  await npm(recordChild, installKey(), 'ci', '--workspaces=false');
}

/** Beside what is there already, because a service that was started here may be loading it: `npm ci` would empty it first. */
async function installTools(recordChild) {
  say('Installing what tests and checks need (npm, about half a minute) …');
  await npm(recordChild, `${installKey()} tools`, ...(hasPackages() ? ['install', '--no-save'] : ['ci']));
}

async function npm(recordChild, stamp, ...command) {
  // What only adds leaves true what the stamp says, however it ends.
  if (command[0] === 'ci') rmSync(INSTALLED, { force: true });
  // --include=dev, because npm may be configured to leave out what the sandbox needs.
  // --prefer-offline, because what the lock names does not change: npm would ask about each of a thousand packages that it has.
  const args = [
    ...command,
    '--include=dev',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const cli = process.env.npm_execpath ?? '';
  if (/npm-cli\.js$/.test(cli)) await run(process.execPath, [cli, ...args], { recordChild });
  else await run('npm', args, { recordChild, shell: process.platform === 'win32' });
  writeFileSync(INSTALLED, stamp);
}

function newestChangeMs(path) {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry) return 0;
  if (!entry.isDirectory()) return entry.mtimeMs;
  // The folder's own time tells of files that were deleted or renamed.
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newestChangeMs(join(path, name))));
}

function isBuilt() {
  const built = statSync(BUILT, { throwIfNoEntry: false });
  if (!built || !existsSync(at('dist', 'main.js'))) return false;
  const inputs = ['src', 'views', 'package.json', 'package-lock.json', 'scripts/build.mjs', 'scripts/build'];
  return Math.max(...inputs.map((name) => newestChangeMs(at(name)))) <= built.mtimeMs;
}

async function build(recordChild) {
  say('Building …');
  const startedAt = new Date();
  rmSync(BUILT, { force: true });
  await run(process.execPath, [at('scripts/build.mjs')], { recordChild });
  writeFileSync(BUILT, '');
  // Dated to the start, so that a file saved while it was built is built next time.
  utimesSync(BUILT, startedAt, startedAt);
}

const canInstall = () => existsSync('/etc/debian_version') && process.getuid?.() === 0;

/** Said before anything else is done, because half a minute of installing would not change it. */
function refuseWithoutBrowser() {
  if (canInstall() || findChromium()) return;
  say('The browser tests need Chromium, and none was found.');
  say('  Debian or Ubuntu:  sudo apt-get install chromium fonts-dejavu-core');
  say('  macOS:             brew install --cask chromium');
  say('  elsewhere:         install Chromium or Chrome and set CHROMIUM_PATH to its executable');
  process.exit(1);
}

let hasLists = false;

async function aptInstall(recordChild, ...packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const quiet = ['-qq', '-o', 'DPkg::Lock::Timeout=300'];
  if (!hasLists) await run('apt-get', [...quiet, 'update'], { recordChild, env });
  hasLists = true;
  await run('apt-get', [...quiet, 'install', '-y', '--no-install-recommends', ...packages], {
    recordChild,
    env,
  });
}

/** The headless shell where Debian has a package of it; a whole Chromium does the same in more time. */
async function installBrowser(recordChild) {
  say('Installing Chromium for the browser tests (apt-get) …');
  try {
    await aptInstall(recordChild, 'chromium-headless-shell', 'fonts-dejavu-core');
  } catch (error) {
    say(error.message);
    if (!findChromium()) await aptInstall(recordChild, 'chromium', 'fonts-dejavu-core');
  }
  if (!findChromium()) throw new Error('apt-get finished, but there is still no chromium on the PATH.');
}

const onPath = (program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => folder && existsSync(join(folder, program)));

// Whoever names a Bitcoin Core for the suite needs no other node.
const hasNode = () => Boolean(process.env.BITCOIN_RPC_URL) || onPath('litecoind');

const sayNodeTestsSkipped = (why) => {
  say(`\n  ${why}: the tests of Bitcoin and Litecoin will be SKIPPED.`);
  say('  Install litecoind, or set BITCOIN_RPC_URL to a regtest Bitcoin Core.\n');
};

/** Unlike the browser, a missing node stops nothing but, under CI, its own tests: no system but Debian has a package of it. */
async function installNode(recordChild) {
  if (!canInstall()) return sayNodeTestsSkipped('No litecoind was found');
  say('Installing litecoind, the node of the Bitcoin and Litecoin tests (apt-get) …');
  try {
    await aptInstall(recordChild, 'litecoind');
  } catch (error) {
    say(error.message);
  }
  if (!hasNode()) sayNodeTestsSkipped('litecoind could not be installed');
}

/** Of the snippets of docs/. Go is not among them: it takes 81 MB to download and 464 MB of disk, PHP 3 and 16. */
const LANGUAGES = { python3: 'python3', php: 'php-cli' };
const missingLanguages = () => Object.keys(LANGUAGES).filter((program) => !onPath(program));

/** A missing language stops nothing but, under CI, its own test. */
async function installLanguages(recordChild) {
  if (canInstall()) {
    say(`Installing ${missingLanguages().join(' and ')} for the tests of the snippets (apt-get) …`);
    const packages = missingLanguages().map((program) => LANGUAGES[program]);
    await aptInstall(recordChild, ...packages).catch((error) => say(error.message));
  }
  if (missingLanguages().length > 0)
    say(`\n  Without ${missingLanguages().join(' and ')} their snippets are NOT tested.\n`);
}

/** Of its programs alone: each test of a restore or a failover makes a cluster for itself. 52 MB to download, 210 of disk. */
async function installPostgres(recordChild) {
  if (canInstall()) {
    say('Installing PostgreSQL for the tests of restores and failovers (apt-get) …');
    await withoutCluster(() => aptInstall(recordChild, 'postgresql')).catch((error) => say(error.message));
  }
  if (installedPostgres() === null)
    say(
      "\n  Without Debian's PostgreSQL (postgresql), 15 or newer, restores and failovers are NOT tested.\n",
    );
}

/** @returns {Promise<void>} */
function run(command, args, { recordChild, ...options }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
    if (child.pid) recordChild(child.pid);
    const pass = (signal) => child.kill(signal);
    process.on('SIGINT', pass).on('SIGTERM', pass);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.off('SIGINT', pass).off('SIGTERM', pass);
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')} failed (${signal ?? `exit status ${code}`})`));
    });
  });
}

/** A service may run on what lies here: installing would empty `node_modules` under it. */
function refuseInProduction() {
  if (process.env.NODE_ENV !== 'production') return;
  say('NODE_ENV is production: nothing is installed or built here, because a service may be running on it.');
  say('The service and its command line need neither: node dist/main.js, node dist/cli/main.js --help');
  say('To prepare a clone:  NODE_ENV= node scripts/ensure.mjs --build');
  process.exit(1);
}

async function main(flags) {
  refuseOldNode();
  const needsTools = flags.includes('--tools');
  // Who has had the tools keeps them.
  const install = needsTools || existsSync(at('node_modules/@rappen/tools')) ? installTools : installPackages;
  const steps = [{ done: needsTools ? hasTools : hasPackages, work: install }];
  if (flags.includes('--build')) steps.push({ done: isBuilt, work: build });
  if (flags.includes('--browser')) {
    refuseWithoutBrowser();
    const hasBrowser = () => hasHeadlessShell() || (!canInstall() && findChromium() !== undefined);
    steps.push({ done: hasBrowser, work: installBrowser });
  }
  if (flags.includes('--nodes')) steps.push({ done: hasNode, work: installNode });
  if (flags.includes('--languages'))
    steps.push({ done: () => missingLanguages().length === 0, work: installLanguages });
  if (flags.includes('--postgres'))
    steps.push({ done: () => installedPostgres() !== null, work: installPostgres });
  if (steps.every((step) => step.done())) return;
  refuseInProduction();
  const onWait = () => say('Another process is installing or building here; waiting for it …');
  await withLock(at('.data', 'ensure.lock'), onWait, async ({ recordChild }) => {
    // Asked again under the lock: whoever held it may have done the work meanwhile.
    for (const step of steps) if (!step.done()) await step.work(recordChild);
  });
}

main(process.argv.slice(2)).catch((error) => {
  say(error.message);
  process.exitCode = 1;
});
