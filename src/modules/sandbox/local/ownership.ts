import { renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { readOwnJson } from '../../../platform/process/own-json.js';
import { fingerprint } from './processes.js';

const OWNER = z.object({ pid: z.number(), fingerprint: z.string() });

/**
 * Notes in `file` that this process owns what lies beside it. Throws while another live process does: taking over
 * the server of a sandbox that still runs would pull the database from under it. A dead owner is replaced.
 */
export function takeOwnership(file: string, what: string): void {
  const owner = readOwnJson(file, OWNER);
  if (owner && owner.pid !== process.pid && fingerprint(owner.pid) === owner.fingerprint) {
    throw new Error(`${what} is in use by process ${owner.pid}. Stop that process first.`);
  }
  const mine: z.output<typeof OWNER> = { pid: process.pid, fingerprint: fingerprint(process.pid) ?? '' };
  writeFileSync(`${file}.new`, JSON.stringify(mine), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
