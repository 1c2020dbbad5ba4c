import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { readRpc } from '../rpc.js';

// A dump costs 40 ms of anvil's time per hour of one-second blocks, and it stands still meanwhile: never more than 5 %.
const SHORTEST_PAUSE_MS = 1_000;
const PAUSE_PER_DUMP = 20;
const DUMP_TIMEOUT_MS = 60_000;

/**
 * Writes the chain to `stateFile` (gzip, 0.6 MB per hour of one-second blocks), and keeps the one before as
 * `.previous`. We dump ourselves: anvil's own --state-interval overwrites the only copy in place.
 */
export async function saveState(rpcUrl: string, stateFile: string): Promise<void> {
  // A block mined during the dump would leave accounts and blocks of different heights in one file.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const before = await readRpc(z.string(), rpcUrl, 'eth_blockNumber');
    const dump = await readRpc(z.string(), rpcUrl, 'anvil_dumpState', [], DUMP_TIMEOUT_MS);
    if ((await readRpc(z.string(), rpcUrl, 'eth_blockNumber')) !== before) continue;
    writeDurably(stateFile, Buffer.from(dump.slice(2), 'hex'));
    return;
  }
}

function writeDurably(stateFile: string, bytes: Buffer): void {
  const fresh = `${stateFile}.new`;
  const file = openSync(fresh, 'w', 0o600);
  writeFileSync(file, bytes);
  fsyncSync(file);
  closeSync(file);
  if (existsSync(stateFile)) renameSync(stateFile, `${stateFile}.previous`);
  renameSync(fresh, stateFile);
}

/** Unpacks the newest whole state into a file that anvil loads; undefined when there is none, so a new chain starts. */
export function unpackState(stateFile: string): string | undefined {
  for (const candidate of [stateFile, `${stateFile}.previous`]) {
    const json = readWhole(candidate);
    if (json === undefined) continue;
    const unpacked = `${stateFile}.json`;
    writeFileSync(unpacked, json, { mode: 0o600 });
    return unpacked;
  }
  return undefined;
}

export function removeUnpacked(stateFile: string): void {
  rmSync(`${stateFile}.json`, { force: true });
}

function readWhole(path: string): Buffer | undefined {
  try {
    const json = gunzipSync(readFileSync(path));
    JSON.parse(json.toString('utf8'));
    return json;
  } catch {
    // Missing or cut short by a power failure: the caller tries the copy before it.
    return undefined;
  }
}

export type StateKeeper = { stop: () => Promise<void> };

/** Saves the state again and again, because a kill -9 gives anvil no chance to; `stop` waits for a save under way. */
export function keepSaving(rpcUrl: string, stateFile: string): StateKeeper {
  const state: { stopped: boolean; timer?: NodeJS.Timeout; saving: Promise<void> } = {
    stopped: false,
    saving: Promise.resolve(),
  };
  const schedule = (pauseMs: number): void => {
    state.timer = setTimeout(() => {
      state.saving = save();
    }, pauseMs).unref();
  };
  const save = async (): Promise<void> => {
    const startedAt = performance.now();
    // A failed save leaves the last good one in place, and the next comes soon.
    await saveState(rpcUrl, stateFile).catch(() => undefined);
    if (!state.stopped)
      schedule(Math.max(SHORTEST_PAUSE_MS, (performance.now() - startedAt) * PAUSE_PER_DUMP));
  };
  schedule(SHORTEST_PAUSE_MS);
  return {
    async stop() {
      state.stopped = true;
      clearTimeout(state.timer);
      await state.saving;
    },
  };
}
