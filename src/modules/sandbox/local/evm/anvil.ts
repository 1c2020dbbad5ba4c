import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { readOwnJson } from '../../../../platform/process/own-json.js';
import { takeAlong } from '../children.js';
import { Miner } from '../miner.js';
import { takeOwnership } from '../ownership.js';
import { fingerprint, freePort, hasEnded, stopChild, type Stopping, stopProcess } from '../processes.js';
import { rpc } from '../rpc.js';
import { keepSaving, removeUnpacked, saveState, unpackState } from './anvil-state.js';

const STOPPING: Stopping = [
  { signal: 'SIGTERM', waitMs: 3_000 },
  { signal: 'SIGKILL', waitMs: 3_000 },
];
const ATTEMPTS = 3;
// Loading a month of one-second blocks takes this long on a slow machine.
const READY_MS = 60_000;
// eth_getBalance at an older block than this fails; unlimited, anvil writes states under the home folder for ever.
const HISTORY_BLOCKS = 512;

export type AnvilOptions = {
  /** Where the chain survives restarts and kill -9; without it the chain is thrown away. */
  stateFile?: string;
  port?: number;
  /** Seconds between blocks; without it a block is mined for each transaction. */
  blockTimeS?: number;
  /** `safe` lies this many blocks back, `finalized` twice as many. Anvil's default is 32. */
  slotsInAnEpoch?: number;
  chainId?: number;
  /** Of how many blocks the state is kept. Each costs memory: of 512 anvil keeps a third of a gigabyte. */
  historyBlocks?: number;
  /** Keeps every step of every transaction, for `debug_traceTransaction`. */
  stepsTracing?: boolean;
};

export type LocalAnvil = {
  rpcUrl: string;
  chainId: number;
  /** Null where a block is mined for each transaction. */
  miner: Miner | null;
  stop: () => Promise<void>;
};

/** Starts anvil on 127.0.0.1; one that a killed process left behind with this state file is saved and stopped first. */
export async function startAnvil(options: AnvilOptions = {}): Promise<LocalAnvil> {
  const chainId = options.chainId ?? 31337;
  const stateFile = options.stateFile === undefined ? undefined : resolve(options.stateFile);
  if (stateFile !== undefined) {
    mkdirSync(dirname(stateFile), { recursive: true, mode: 0o700 });
    takeOwnership(`${stateFile}.owner`, `The chain in ${stateFile}`);
    await stopLeftover(stateFile);
  }
  const { child, rpcUrl } = await launch(options, chainId, stateFile);
  const keeper = stateFile === undefined ? undefined : keepSaving(rpcUrl, stateFile);
  const miner = options.blockTimeS === undefined ? null : mineEvery(rpcUrl, options.blockTimeS);
  return {
    rpcUrl,
    chainId,
    miner,
    async stop() {
      miner?.stop();
      await keeper?.stop();
      if (stateFile !== undefined && !hasEnded(child))
        await saveState(rpcUrl, stateFile).catch(() => undefined);
      await stopChild(child, STOPPING);
      if (stateFile !== undefined) rmSync(pidFile(stateFile), { force: true });
    },
  };
}

/**
 * By us: with a block time of its own below three seconds anvil keeps 1,500 states whatever `--prune-history` says, half
 * a gigabyte of them.
 */
const mineEvery = (rpcUrl: string, seconds: number): Miner =>
  new Miner(() => rpc(rpcUrl, 'evm_mine'), seconds * 1_000);

type Launched = { child: ChildProcess; rpcUrl: string };

async function launch(options: AnvilOptions, chainId: number, stateFile?: string): Promise<Launched> {
  const binary = anvilBinary();
  let problem = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = options.port ?? (await freePort());
    const rpcUrl = `http://127.0.0.1:${port}`;
    const args = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId), '--quiet'];
    args.push('--prune-history', String(options.historyBlocks ?? HISTORY_BLOCKS));
    if (options.blockTimeS !== undefined) args.push('--no-mining');
    if (options.slotsInAnEpoch !== undefined)
      args.push('--slots-in-an-epoch', String(options.slotsInAnEpoch));
    if (options.stepsTracing) args.push('--steps-tracing');
    const unpacked = stateFile === undefined ? undefined : unpackState(stateFile);
    if (unpacked !== undefined) args.push('--load-state', unpacked);
    // In a session of its own, so that a Ctrl-C in the terminal does not kill it before the application has stopped.
    const child = spawn(binary, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    takeAlong(child);
    if (stateFile !== undefined) writePid(stateFile, child.pid, rpcUrl);
    const failure = await waitForAnswer(child, rpcUrl);
    if (stateFile !== undefined) removeUnpacked(stateFile);
    if (failure === undefined) return { child, rpcUrl };
    problem = failure;
    await stopChild(child, STOPPING);
  }
  throw new Error(`anvil did not start: ${problem}`);
}

async function waitForAnswer(child: ChildProcess, rpcUrl: string): Promise<string | undefined> {
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-2_000)));
  child.once('error', (error) => (output += error.message));
  const deadline = Date.now() + READY_MS;
  while (!hasEnded(child) && child.pid !== undefined && Date.now() < deadline) {
    const answered = await rpc(rpcUrl, 'eth_chainId').catch(() => undefined);
    // Another program's port may answer too, so the child must still be there.
    if (answered !== undefined && !hasEnded(child)) {
      letGo(child);
      return undefined;
    }
    await sleep(20);
  }
  await sleep(20);
  return output.trim() || `it ended with ${child.signalCode ?? `status ${child.exitCode}`}`;
}

/** Neither the child nor its pipe keeps our process from ending. */
function letGo(child: ChildProcess): void {
  child.unref();
  if (child.stderr instanceof Socket) child.stderr.unref();
}

function anvilBinary(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = `@foundry-rs/anvil-${process.platform === 'win32' ? 'win32' : process.platform}-${architecture}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil');
  } catch {
    throw new Error(`There is no anvil for this platform (${name}).`);
  }
}

const LEFTOVER = z.object({ pid: z.number(), rpcUrl: z.string(), fingerprint: z.string() });

const pidFile = (stateFile: string): string => `${stateFile}.pid`;

function writePid(stateFile: string, pid: number | undefined, rpcUrl: string): void {
  if (pid === undefined) return;
  const leftover: z.output<typeof LEFTOVER> = { pid, rpcUrl, fingerprint: fingerprint(pid) ?? '' };
  writeFileSync(pidFile(stateFile), JSON.stringify(leftover), { mode: 0o600 });
}

async function stopLeftover(stateFile: string): Promise<void> {
  const leftover = readOwnJson(pidFile(stateFile), LEFTOVER);
  if (leftover !== null && fingerprint(leftover.pid) === leftover.fingerprint) {
    // It went on after its parent was killed, and may hold more than was saved.
    await saveState(leftover.rpcUrl, stateFile).catch(() => undefined);
    await stopProcess(leftover.pid, STOPPING);
  }
  rmSync(pidFile(stateFile), { force: true });
}
