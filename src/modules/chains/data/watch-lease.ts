import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Client } from 'pg';
import { CONFIG, type Config } from '../../../config/config.types.js';

/** Any constant will do as long as nothing else takes it as the first half of an advisory lock. */
const LOCK_CLASS = 7_267_737;
const QUERY_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Which instance watches a network: the one whose session holds its advisory lock. PostgreSQL lets go of it
 * the moment the session ends, however the process died. It needs a connection of its own, because a pool would
 * hand the session to others; and it is only about not doing work twice: the cursor's compare-and-set is what
 * keeps two watchers correct.
 */
@Injectable()
export class WatchLease implements OnApplicationShutdown {
  private readonly logger = new Logger(WatchLease.name);
  private readonly held = new Set<string>();
  private client: Promise<Client> | null = null;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Takes the network if nobody else has it; asked again, makes sure that it is still ours. */
  async hold(network: string): Promise<boolean> {
    this.client ??= this.connect();
    const client = this.client;
    try {
      if (this.held.has(network)) {
        await (await client).query('SELECT 1');
      } else {
        const { rows } = await (
          await client
        ).query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, hashtext($2)) AS taken', [
          LOCK_CLASS,
          network,
        ]);
        if (rows[0]?.taken && this.client === client) this.held.add(network);
      }
      return this.held.has(network);
    } catch (error) {
      this.forget(client);
      throw error;
    }
  }

  holds(network: string): boolean {
    return this.held.has(network);
  }

  /** After the jobs have stopped (they do so before the shutdown), so that nobody works without the lock. */
  async onApplicationShutdown(): Promise<void> {
    const client = this.client;
    if (!client) return;
    this.client = null;
    this.held.clear();
    await client.then((connected) => connected.end()).catch(() => undefined);
  }

  private async connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.config.databaseUrl,
      application_name: 'rappen-watch',
      keepAlive: true,
      query_timeout: QUERY_TIMEOUT_MS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    // Without a listener the loss of the connection would end the process.
    client.on('error', (error) =>
      this.logger.warn(`the session of the watchers' locks failed: ${error.message}`),
    );
    await client.connect();
    const opened = this.client;
    client.on('end', () => this.forget(opened));
    return client;
  }

  private forget(client: Promise<Client> | null): void {
    if (client === null || this.client !== client) return;
    this.client = null;
    this.held.clear();
    void client.then((connected) => connected.end()).catch(() => undefined);
  }
}
