// A lock that is a directory: mkdir is atomic on every file system, and needs no dependency before the install.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';

// The owner renews the lock every 2 s; ten missed renewals mean that it is gone, even where its pid is not ours to see.
const RENEW_MS = 2_000;
const STALE_MS = 20_000;
// npm may outlive a killed owner and still writes to node_modules; nobody installs for longer than this.
const ORPHAN_MS = 300_000;

/** Runs `work({ recordChild })` while no other process does, and releases the lock whatever happens. */
export async function withLock(dir, onWait, work) {
  mkdirSync(dirname(dir), { recursive: true });
  let waited = false;
  while (!tryLock(dir)) {
    if (breakIfStale(dir)) continue;
    if (!waited) onWait();
    waited = true;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const renewal = setInterval(() => renew(dir), RENEW_MS);
  try {
    return await work({ recordChild: (pid) => writeFileSync(join(dir, 'child'), String(pid)) });
  } finally {
    clearInterval(renewal);
    rmSync(dir, { recursive: true, force: true });
  }
}

function tryLock(dir) {
  try {
    mkdirSync(dir);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(join(dir, 'owner'), `${hostname()} ${process.pid}`);
  return true;
}

function breakIfStale(dir) {
  const judged = read(join(dir, 'owner'));
  if (!isStale(dir, judged)) return false;
  // Moved before it is deleted: of two that break at once only one wins, and it can see what it took.
  const taken = `${dir}.${process.pid}`;
  try {
    renameSync(dir, taken);
  } catch {
    return true;
  }
  if (read(join(taken, 'owner')) !== judged) renameSync(taken, dir);
  else rmSync(taken, { recursive: true, force: true });
  return true;
}

function isStale(dir, owner) {
  const ageMs = Date.now() - (statSync(dir, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const child = Number(read(join(dir, 'child')) ?? 0);
  const [host, pid] = (owner ?? '').split(' ');
  const local = host === hostname();
  if (local && child > 0 && ageMs < ORPHAN_MS && isAlive(child)) return false;
  return ageMs > STALE_MS || (local && !isAlive(Number(pid)));
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function renew(dir) {
  try {
    utimesSync(dir, new Date(), new Date());
  } catch {
    // Somebody cleared .data meanwhile; the work goes on, and only the mutual exclusion is lost.
  }
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
