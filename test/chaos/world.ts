import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type QueryResultRow } from 'pg';
import { createTestDatabase } from '../support/database/database.js';
import { startTestAnvil, type TestAnvil } from '../support/nodes/anvil.js';
import { Receiver } from '../support/servers/receiver.js';
import { commandProcess, type Ended } from '../support/service/command-line.js';
import { type ProcessShop, ServiceProcess } from '../support/service/service-process.js';
import { patientRows } from './patient-query.js';

const FAULT_POINTS = join(import.meta.dirname, 'fault-points.mjs');
/** No limit of a key or an address may stand in the way of a load. */
const NO_LIMITS = { RATE_LIMIT_READS_PER_MINUTE: '1000000', RATE_LIMIT_WRITES_PER_MINUTE: '1000000' };

export interface WorldOptions {
  /** Otherwise a database of its own in the cluster of the test run. */
  readonly databaseUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A shop on the built service, everything real: what happens to the service here happens to nobody else. */
export class World {
  /** Which intent an address was shown for, whatever the database remembers of it. */
  readonly issued = new Map<string, string>();

  private constructor(
    readonly databaseUrl: string,
    readonly anvil: TestAnvil,
    readonly receiver: Receiver,
    readonly service: ServiceProcess,
    readonly shop: ProcessShop,
    private readonly drop: () => Promise<void>,
  ) {}

  static async create({ databaseUrl: given, env }: WorldOptions = {}): Promise<World> {
    const own = given === undefined ? await createTestDatabase() : null;
    const databaseUrl = given ?? own!.url;
    const anvil = await startTestAnvil();
    const receiver = await Receiver.start();
    const service = await ServiceProcess.create({
      databaseUrl,
      chain: anvil,
      preload: FAULT_POINTS,
      env: { ...NO_LIMITS, ...env },
    });
    try {
      await service.start();
      const shop = await service.shop('chaos', [receiver.url]);
      receiver.secret = shop.endpoints[0]!.secret;
      return new World(databaseUrl, anvil, receiver, service, shop, async () => own?.drop());
    } catch (error) {
      // Nobody gets a world that they could stop, and its processes would hold the test's worker open.
      await service.stop('SIGKILL');
      await Promise.all([anvil.stop(), receiver.stop()]);
      await own?.drop();
      throw error;
    }
  }

  /** Stops everything, after the command line has found nothing wrong with the money. */
  async stop(): Promise<void> {
    await this.service.stop();
    const findings = await this.check();
    await this.dispose();
    if (findings !== '') throw new Error(`cli check: ${findings}`);
  }

  async dispose(): Promise<void> {
    await this.service.stop('SIGKILL');
    await this.receiver.stop();
    await this.anvil.stop();
    await this.drop();
  }

  /**
   * What a dead process had claimed becomes due when its lease has run out. The time is moved on instead of waited
   * for, and only while no process lives that the lease could protect.
   */
  async letLeasesRunOut(): Promise<void> {
    await this.rows(
      `UPDATE delivery SET lease_until = clock_timestamp() - interval '1 second' WHERE state = 'sending'`,
    );
    await this.rows(`UPDATE watch_lease SET expires_at = clock_timestamp()`);
  }

  /** What is asked of the database besides the service: again, while it is the database that is away. */
  rows<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return patientRows<Row>(this.databaseUrl, text, values);
  }

  /**
   * Calls until an answer comes: a merchant's server or a buyer's browser that does not give up. What had no answer
   * is asked again, exactly as it was.
   * @throws Error for an answer that no outage explains
   */
  async persist(url: string, init: RequestInit): Promise<Response> {
    const deadline = Date.now() + 120_000;
    for (;;) {
      const response = await fetch(url, { redirect: 'manual', ...init }).catch(() => null);
      if (response && response.status < 400) return response;
      if (response && response.status !== 503) {
        throw new Error(
          `${init.method} ${url}: ${response.status} ${await response.text()}\n${this.service.printed}`,
        );
      }
      if (Date.now() > deadline) throw new Error(`${init.method} ${url}: no answer\n${this.service.printed}`);
      await pause(20);
    }
  }

  /** @returns what `cli check` finds, or nothing */
  async check(): Promise<string> {
    const { code, stdout, stderr } = await this.command(this.databaseUrl, 'check', '--json');
    return code === 0 ? '' : stdout + stderr;
  }

  /** The command line against a database that may be another one. */
  command(databaseUrl: string, ...words: string[]): Promise<Ended> {
    const { rpcUrl, tokens } = this.anvil;
    return commandProcess({ databaseUrl, rpcUrl, tokens }, ...words);
  }
}
