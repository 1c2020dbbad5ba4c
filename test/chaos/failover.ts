import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { administer, urlOf } from '../support/database/administer.js';
import {
  type InstalledServer,
  makeCluster,
  runInstalled,
  serveCluster,
} from '../support/database/installed-postgres.js';
import { eventually } from '../support/servers/receiver.js';
import { VanishingProxy } from '../support/servers/vanishing-proxy.js';
import type { FailingDatabase } from './crash.js';

const DATABASE = 'rappen';
/** What the primary waits for, by the name under which a standby follows it. */
const STANDBY = 'standby';
/** How long it takes until somebody has noticed that the primary stands still. */
const NOTICED_AFTER_MS = 3_000;
const FOLLOWS_WITHIN_MS = 60_000;
const SETTINGS = ['max_connections=200', 'wal_keep_size=1GB', 'hot_standby=on'];
/** A power cut loses what is not on the disk; here nobody pulls the plug of the machine. */
const WITHOUT_SYNC = ['fsync=off'];

/**
 * A primary with a synchronous standby (PostgreSQL of this machine), behind the one address that a virtual IP or a proxy
 * gives them. When the primary dies or stands still, it is fenced, the standby is promoted, and the address follows.
 */
export class ReplicatedPostgres implements FailingDatabase {
  private failures = 0;

  private constructor(
    private readonly bin: string,
    private readonly settings: readonly string[],
    private readonly folders: string[],
    private primary: InstalledServer,
    private standby: InstalledServer | null,
    private readonly address: VanishingProxy,
  ) {}

  /** @param more settings of both servers */
  static async start(bin: string, more: readonly string[] = WITHOUT_SYNC): Promise<ReplicatedPostgres> {
    const settings = [...SETTINGS, ...more];
    const folder = newFolder();
    makeCluster(bin, folder);
    const primary = await serveCluster(bin, folder, settings);
    await administer(primary.url, [`CREATE DATABASE ${DATABASE}`]);
    const address = await VanishingProxy.start(primary.url);
    return new ReplicatedPostgres(bin, settings, [folder], primary, null, address);
  }

  get url(): string {
    return urlOf(this.address.url, DATABASE);
  }

  /** The primary itself, for whom its failure does not matter. */
  get primaryUrl(): string {
    return urlOf(this.primary.url, DATABASE);
  }

  /** Where the standby may be read. @throws Error while there is none */
  get standbyUrl(): string {
    if (this.standby === null) throw new Error('no standby follows');
    return urlOf(this.standby.url, DATABASE);
  }

  /** From here on a commit is acknowledged only once a standby has it. */
  async follow(): Promise<void> {
    const folder = newFolder();
    this.folders.push(folder);
    const { port } = this.primary;
    const source = `host=127.0.0.1 port=${port} user=owner application_name=${STANDBY}`;
    const asked = ['--wal-method=stream', '--checkpoint=fast', '--write-recovery-conf', '--no-sync'];
    runInstalled(this.bin, folder, 'pg_basebackup', '-D', join(folder, 'cluster'), '-d', source, ...asked);
    this.standby = await serveCluster(this.bin, folder, this.settings);
    await this.waitForStandby(true);
  }

  /** Whether a commit is acknowledged only once a standby has it, from here on. */
  async waitForStandby(waits: boolean): Promise<void> {
    await administer(this.primary.url, [
      `ALTER SYSTEM SET synchronous_standby_names = '${waits ? STANDBY : ''}'`,
      'SELECT pg_reload_conf()',
    ]);
    await eventually(
      () => this.ask(`SELECT sync_state AS seen FROM pg_stat_replication`),
      (state) => state === (waits ? 'sync' : 'async'),
      FOLLOWS_WITHIN_MS,
    );
  }

  /** By turns the primary loses its power, and stands still with its connections open until somebody notices. */
  async fail(): Promise<void> {
    if (this.standby === null) await this.follow();
    const standsStill = this.failures++ % 2 === 1;
    if (standsStill) {
      await this.primary.signal('SIGSTOP');
      await pause(NOTICED_AFTER_MS);
    }
    // Fenced before another takes its place: two primaries would both acknowledge.
    await this.primary.signal('SIGKILL');
    this.primary = this.standby!;
    this.standby = null;
    await administer(this.primary.url, [
      'SELECT pg_promote()',
      // It came with the copy, and there is nobody yet who could acknowledge.
      'ALTER SYSTEM RESET synchronous_standby_names',
      'SELECT pg_reload_conf()',
    ]);
    this.address.turnTo(this.primary.port);
  }

  async stop(): Promise<void> {
    await this.address.stop();
    await this.standby?.signal('SIGKILL');
    await this.primary.signal('SIGKILL');
    for (const folder of this.folders) rmSync(folder, { recursive: true, force: true });
  }

  private async ask(statement: string): Promise<unknown> {
    const client = new Client({ connectionString: this.primary.url });
    await client.connect();
    try {
      return (await client.query<{ seen: unknown }>(statement)).rows[0]?.seen;
    } finally {
      await client.end();
    }
  }
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'rappen-replicated-'));
