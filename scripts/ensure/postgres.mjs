// Shared by ensure.mjs and the tests, so that both agree on which server is meant.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian puts a server with all its programs; the PostgreSQL from npm has no `pg_dump` and no `pg_basebackup`. */
const VERSIONS = '/usr/lib/postgresql';
const PROGRAMS = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'pg_basebackup'];
/** The oldest that the service runs on. */
const OLDEST = 15;
/** What Debian's package reads before it makes a cluster. */
const CLUSTERS = '/etc/postgresql-common/createcluster.d';

/** The folder with the programs of the newest whole PostgreSQL of this machine, or `null`. */
export function installedPostgres(versions = VERSIONS) {
  const found = existsSync(versions) ? readdirSync(versions).map(Number) : [];
  const newestFirst = found.filter((version) => version >= OLDEST).sort((a, b) => b - a);
  const folders = newestFirst.map((version) => join(versions, String(version), 'bin'));
  return folders.find((bin) => PROGRAMS.every((program) => existsSync(join(bin, program)))) ?? null;
}

/** Without this the package would make a cluster as it is installed, and the machine start that with itself ever after. */
export async function withoutCluster(install, clusters = CLUSTERS) {
  mkdirSync(clusters, { recursive: true });
  const file = join(clusters, 'rappen-tests.conf');
  writeFileSync(file, 'create_main_cluster = false\n');
  try {
    return await install();
  } finally {
    // Whoever installs another PostgreSQL later gets what Debian makes of it.
    rmSync(file, { force: true });
  }
}
