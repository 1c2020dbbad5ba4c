import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { IntentWithPayment, PaymentIntent } from '../../src/modules/intents/intents.types.js';
import { type LocalPostgres, startPostgres } from '../../src/modules/sandbox/local/postgres/postgres.js';
import { fingerprint, waitUntil } from '../../src/modules/sandbox/local/processes.js';
import { stablePort } from '../support/servers/ports.js';
import { eventually } from '../support/servers/receiver.js';
import { choose, judge, pay } from './payment.js';
import type { World } from './world.js';

const CREATORS = 8;
const BUYERS = 2;
/** Look at an address and go. */
const LOOKERS = 2;
/** Between two crashes: long enough for writes to be under way. */
const LOAD_MS = 1_500;
const RECOVERED_WITHIN_MS = 120_000;

/** A database that goes away under load and comes back at the same address. */
export interface FailingDatabase {
  /** Resolves once it has come back. */
  fail: () => Promise<void>;
}

/** A PostgreSQL of our own that can be stopped as a power cut stops it, and started again at the same address. */
export class CrashingPostgres implements FailingDatabase {
  private constructor(
    private readonly dataDir: string,
    private running: LocalPostgres,
  ) {}

  static async start(dataDir: string): Promise<CrashingPostgres> {
    return new CrashingPostgres(dataDir, await startPostgres({ dataDir, port: await stablePort() }));
  }

  get url(): string {
    return this.running.url;
  }

  /** Like `pg_ctl stop -m immediate`: no checkpoint, no good-bye; the next start recovers from the log. */
  async fail(): Promise<void> {
    const pid = Number(readFileSync(join(this.dataDir, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGQUIT');
    if (!(await waitUntil(() => fingerprint(pid) === undefined, RECOVERED_WITHIN_MS))) {
      throw new Error('PostgreSQL did not stop');
    }
    const port = Number(new URL(this.url).port);
    this.running = await startPostgres({ dataDir: this.dataDir, port });
  }

  stop(): Promise<void> {
    return this.running.stop();
  }
}

export interface CrashReport {
  /** Creations that were answered with 201. */
  readonly acknowledged: number;
  /** Creations whose answer never came or was 503. */
  readonly unanswered: number;
  /** Of these, how many had been written all the same. */
  readonly writtenUnheard: number;
  readonly payments: number;
  /** Addresses that buyers were shown. */
  readonly addresses: number;
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<string, number>>;
  /** For each crash, from its beginning until a creation was acknowledged that began after it. */
  readonly awayMs: readonly number[];
}

/** What a merchant sends, and what it knows about it. */
class Creations {
  readonly acknowledged: PaymentIntent[] = [];
  readonly unanswered: string[] = [];
  readonly statuses: Record<string, number> = {};

  constructor(private readonly world: World) {}

  /** Once, without trying again: that is asked for later. @throws Error for an undocumented answer */
  async create(): Promise<void> {
    const idempotencyKey = randomUUID();
    const response = await this.post(idempotencyKey).catch(() => null);
    if (response?.status === 201) {
      this.acknowledged.push((await response.json()) as PaymentIntent);
    } else {
      this.unanswered.push(idempotencyKey);
      await pause(20);
    }
  }

  /** Asked again, exactly as they were. @returns how many had been written although nobody was told */
  async settleUnanswered(): Promise<number> {
    let written = 0;
    for (const key of this.unanswered) {
      const response = await this.post(key);
      if (response.status === 200) written += 1;
      else if (response.status !== 201) throw new Error(`a repetition was answered with ${response.status}`);
      this.acknowledged.push((await response.json()) as PaymentIntent);
    }
    return written;
  }

  /** Every acknowledged intent is still what was acknowledged. @throws Error */
  async verify(): Promise<void> {
    for (const intent of this.acknowledged) {
      const response = await fetch(`${this.world.service.url}/api/v1/intents/${intent.id}`, {
        headers: { authorization: `Bearer ${this.world.shop.key}` },
      });
      const { payment: _, ...found } = (await response.json()) as IntentWithPayment;
      if (JSON.stringify(found) !== JSON.stringify(intent)) {
        throw new Error(`acknowledged ${JSON.stringify(intent)}, found ${JSON.stringify(found)}`);
      }
    }
  }

  private async post(idempotencyKey: string): Promise<Response> {
    const { service, shop } = this.world;
    const response = await fetch(`${service.url}/api/v1/intents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 8, currency: 'CHF', title: `Order ${idempotencyKey}`, idempotencyKey }),
    });
    this.statuses[response.status] = (this.statuses[response.status] ?? 0) + 1;
    if (response.status > 500 || response.status === 500) await mustBeDocumented(response.clone());
    return response;
  }
}

async function mustBeDocumented(response: Response): Promise<void> {
  const { code } = (await response.json().catch(() => ({}))) as { code?: string };
  if (response.status === 503 && code === 'unavailable') return;
  throw new Error(`an undocumented answer: ${response.status} ${code}`);
}

/**
 * The database fails again and again under creations and payments; the service is never restarted.
 * @throws Error when an acknowledged write is lost or changed, an event does not arrive, or the service does not recover
 */
export async function surviveCrashes(
  world: World,
  database: FailingDatabase,
  crashes: number,
  onCrash: (number: number) => void = () => undefined,
): Promise<CrashReport> {
  const creations = new Creations(world);
  const awayMs: number[] = [];
  let payments = 0;
  let over = false;
  const lane = async (work: () => Promise<void>) => {
    try {
      while (!over) await work();
    } finally {
      // One that has failed ends the others too: nobody looks at what they do any more.
      over = true;
    }
  };
  const buyer = (account: number) => async () => {
    await judge(world, await pay(world, account));
    payments += 1;
  };
  const crashing = (async () => {
    for (let crash = 1; crash <= crashes && !over; crash++) {
      await pause(LOAD_MS);
      const startedAt = performance.now();
      await database.fail();
      const before = creations.acknowledged.length;
      await eventually(
        () => creations.acknowledged.length,
        (now) => now > before,
        RECOVERED_WITHIN_MS,
      );
      awayMs.push(Math.round(performance.now() - startedAt));
      const shown = world.issued.size;
      await eventually(
        () => world.issued.size,
        (now) => now > shown + 1,
        RECOVERED_WITHIN_MS,
      );
      onCrash(crash);
    }
    over = true;
  })();
  await Promise.all([
    crashing,
    ...Array.from({ length: CREATORS }, () => lane(() => creations.create())),
    ...Array.from({ length: BUYERS }, (_, account) => lane(buyer(account))),
    ...Array.from({ length: LOOKERS }, () => lane(async () => void (await choose(world)))),
  ]);
  const unanswered = creations.unanswered.length;
  const writtenUnheard = await creations.settleUnanswered();
  await creations.verify();
  await everyAddressIsKept(world);
  await everythingArrived(world);
  const { acknowledged, statuses } = creations;
  const counts = { acknowledged: acknowledged.length, unanswered, writtenUnheard, payments };
  return { ...counts, addresses: world.issued.size, statuses, awayMs };
}

/** What a buyer was shown is still that intent's, and nobody else's. */
async function everyAddressIsKept(world: World): Promise<void> {
  const rows = await world.rows<{ address: string; intentId: string }>(
    'SELECT address, intent_id AS "intentId" FROM quote',
  );
  const holders = new Map(rows.map(({ address, intentId }) => [address, intentId]));
  const lost = [...world.issued].filter(([address, id]) => holders.get(address) !== id);
  if (lost.length > 0) throw new Error(`shown, and not theirs any more: ${JSON.stringify(lost)}`);
}

async function everythingArrived(world: World): Promise<void> {
  await eventually(
    () => world.rows<{ n: number }>(`SELECT count(*)::int AS n FROM delivery WHERE state <> 'delivered'`),
    ([row]) => row?.n === 0,
    RECOVERED_WITHIN_MS,
  );
  const arrived = new Set(world.receiver.events.map(({ id }) => id));
  const rows = await world.rows<{ id: string }>('SELECT id FROM event');
  const missing = rows.filter(({ id }) => !arrived.has(id));
  if (missing.length > 0) throw new Error(`${missing.length} events never arrived`);
}
