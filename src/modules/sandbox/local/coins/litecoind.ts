import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { processEnv } from '../../../../config/process.js';
import { readOwnJson } from '../../../../platform/process/own-json.js';
import { takeAlong } from '../children.js';
import { takeOwnership } from '../ownership.js';
import { fingerprint, freePort, hasEnded, stopChild, type Stopping, stopProcess } from '../processes.js';
import { rpc } from '../rpc.js';

export type Coin = 'bitcoin' | 'litecoin';

const PROGRAMS: Readonly<Record<Coin, string>> = { bitcoin: 'bitcoind', litecoin: 'litecoind' };
// A new wallet makes so many keys at once; the usual 1,000 take seconds.
const KEYPOOL = 'keypool=10';
/** What litecoind needs beyond Core: replacement is off by default, and MWEB would break mining at block 432. */
const SETTINGS: Readonly<Record<Coin, readonly string[]>> = {
  bitcoin: [],
  litecoin: ['mempoolreplacement=1', 'vbparams=mweb:4102444800:4102448400'],
};
// A node that is killed checks its whole chain at the next start.
const STOPPING: Stopping = [
  { signal: 'SIGTERM', waitMs: 20_000 },
  { signal: 'SIGKILL', waitMs: 3_000 },
];
const ATTEMPTS = 3;
const READY_MS = 60_000;

export type LocalNodeOptions = { coin: Coin; dataDir: string };

export type LocalNode = {
  /** With the credentials in it. */
  rpcUrl: string;
  /** Where other nodes connect to. */
  peer: string;
  stop: () => Promise<void>;
};

/** The program of a coin's node, or undefined where it is not installed. */
export function nodeProgram(coin: Coin): string | undefined {
  const folders = (processEnv()['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, PROGRAMS[coin])).find(isExecutable);
}

/** Starts a regtest node on 127.0.0.1; one that a killed process left behind in this folder is stopped first. */
export async function startNode(options: LocalNodeOptions): Promise<LocalNode> {
  const program = nodeProgram(options.coin);
  if (program === undefined) throw new Error(`There is no ${PROGRAMS[options.coin]} on the PATH.`);
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  takeOwnership(join(dataDir, 'owner.json'), `The chain in ${dataDir}`);
  await stopLeftover(dataDir);
  const { child, rpcUrl, peer } = await launch(program, options.coin, dataDir);
  return {
    rpcUrl,
    peer,
    async stop() {
      await stopChild(child, STOPPING);
      rmSync(pidFile(dataDir), { force: true });
    },
  };
}

type Launched = { child: ChildProcess; rpcUrl: string; peer: string };

async function launch(program: string, coin: Coin, dataDir: string): Promise<Launched> {
  let problem = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const [rpcPort, peerPort] = [await freePort(), await freePort()];
    const password = randomBytes(16).toString('hex');
    const settings = join(dataDir, 'node.conf');
    writeFileSync(settings, configuration(coin, { rpcPort, peerPort, password }), { mode: 0o600 });
    // In a session of its own, so that a Ctrl-C in the terminal does not kill it before the application has stopped.
    const child = spawn(program, [`-datadir=${dataDir}`, `-conf=${settings}`, '-printtoconsole=0'], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    takeAlong(child);
    const rpcUrl = `http://sandbox:${password}@127.0.0.1:${rpcPort}`;
    const failure = await waitForAnswer(child, rpcUrl, dataDir);
    if (failure === undefined) return { child, rpcUrl, peer: `127.0.0.1:${peerPort}` };
    problem = failure;
    await stopChild(child, STOPPING);
  }
  throw new Error(`${PROGRAMS[coin]} did not start: ${problem}`);
}

function configuration(coin: Coin, at: { rpcPort: number; peerPort: number; password: string }): string {
  return [
    'regtest=1',
    'server=1',
    'fallbackfee=0.0001',
    'listenonion=0',
    'dnsseed=0',
    KEYPOOL,
    ...SETTINGS[coin],
    '[regtest]',
    'rpcbind=127.0.0.1',
    'rpcallowip=127.0.0.1',
    `rpcport=${at.rpcPort}`,
    `bind=127.0.0.1:${at.peerPort}`,
    'rpcuser=sandbox',
    `rpcpassword=${at.password}`,
    '',
  ].join('\n');
}

async function waitForAnswer(
  child: ChildProcess,
  rpcUrl: string,
  dataDir: string,
): Promise<string | undefined> {
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-2_000)));
  child.once('error', (error) => (output += error.message));
  const deadline = Date.now() + READY_MS;
  while (!hasEnded(child) && child.pid !== undefined && Date.now() < deadline) {
    // Again and again, because Debian's program is a script that becomes the node: its command line changes.
    writePid(dataDir, child.pid);
    const answered = await rpc(rpcUrl, 'getblockcount').catch(() => undefined);
    if (answered !== undefined && !hasEnded(child)) {
      child.unref();
      child.stderr?.destroy();
      return undefined;
    }
    await sleep(20);
  }
  await sleep(20);
  return output.trim() || `it ended with ${child.signalCode ?? `status ${child.exitCode}`}`;
}

const LEFTOVER = z.object({ pid: z.number(), fingerprint: z.string() });

const pidFile = (dataDir: string): string => join(dataDir, 'node.pid.json');

function writePid(dataDir: string, pid: number): void {
  const leftover: z.output<typeof LEFTOVER> = { pid, fingerprint: fingerprint(pid) ?? '' };
  writeFileSync(pidFile(dataDir), JSON.stringify(leftover), { mode: 0o600 });
}

async function stopLeftover(dataDir: string): Promise<void> {
  const leftover = readOwnJson(pidFile(dataDir), LEFTOVER);
  if (leftover && fingerprint(leftover.pid) === leftover.fingerprint)
    await stopProcess(leftover.pid, STOPPING);
  rmSync(pidFile(dataDir), { force: true });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
