import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fingerprint } from './processes.js';

type Owner = { pid: number; fingerprint: string };

/**
 * Notes in `file` that this process owns what lies beside it. Throws while another live process does: taking over
 * the server of a sandbox that still runs would pull the database from under it. A dead owner is replaced.
 */
export function takeOwnership(file: string, what: string): void {
  const owner = read(file);
  if (owner !== undefined && owner.pid !== process.pid && fingerprint(owner.pid) === owner.fingerprint) {
    throw new Error(`${what} is in use by process ${owner.pid}. Stop that process first.`);
  }
  const mine: Owner = { pid: process.pid, fingerprint: fingerprint(process.pid) ?? '' };
  writeFileSync(`${file}.new`, JSON.stringify(mine), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function read(file: string): Owner | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isOwner(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isOwner(value: unknown): value is Owner {
  return typeof value === 'object' && value !== null && 'pid' in value && 'fingerprint' in value;
}
