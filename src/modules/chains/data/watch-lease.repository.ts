import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Client } from 'pg';
import { Subject } from 'rxjs';
import type { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { statement } from '../../../database/statement.js';
import type { Term } from './fenced.statement.js';

/** A leader that stalls is followed so long after its last renewal; five renewals may fail before. */
export const LEASE_MS = 5_000;
const LEASE = `interval '${LEASE_MS / 1_000} seconds'`;
/** A lease that would last longer than any is given is of a clock that has gone back since, and over. */
const IS_HELD = `expires_at > clock_timestamp() AND expires_at <= clock_timestamp() + ${LEASE}`;
/** The session has no answer for so long: it is given up, and another one opened. */
export const ANSWER_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 1_500;

/**
 * $1 is us, $2 and $3 the networks and terms that we hold, $4 the other networks.
 * Rows that are locked are skipped: a write of the old term is under way, and the next look is a second away. What is
 * ours without our knowing it (the answer was lost) is taken anew.
 */
const LOOK = statement(
  'chains-look',
  `WITH renewed AS (
     UPDATE watch_lease l SET expires_at = clock_timestamp() + ${LEASE}
       FROM unnest($2::text[], $3::bigint[]) AS held (network, term)
      WHERE l.network = held.network AND l.term = held.term
     RETURNING l.network, l.term
   ), vacant AS (
     SELECT network FROM watch_lease
      WHERE network = ANY ($4) AND (NOT (${IS_HELD}) OR holder = $1)
        FOR UPDATE SKIP LOCKED
   ), taken AS (
     UPDATE watch_lease l SET holder = $1, term = l.term + 1, expires_at = clock_timestamp() + ${LEASE}
       FROM vacant v WHERE l.network = v.network
     RETURNING l.network, l.term
   ), opened AS (
     INSERT INTO watch_lease (network, holder, term, expires_at)
     SELECT network, $1, 1, clock_timestamp() + ${LEASE} FROM unnest($4::text[]) AS wanted (network)
      WHERE NOT EXISTS (SELECT FROM watch_lease l WHERE l.network = wanted.network)
     ON CONFLICT DO NOTHING
     RETURNING network, term
   )
   SELECT network, term FROM renewed UNION ALL SELECT * FROM taken UNION ALL SELECT * FROM opened`,
);

const SEIZE = `
  UPDATE watch_lease SET holder = $2, term = term + 1, expires_at = clock_timestamp() WHERE network = $1
  RETURNING term`;

const STANDING = `
  SELECT holder, term, expires_at AS "expiresAt", ${IS_HELD} AS "isHeld"
    FROM watch_lease WHERE network = $1`;

const RELEASE = `
  UPDATE watch_lease l SET expires_at = clock_timestamp()
    FROM unnest($1::text[], $2::bigint[]) AS held (network, term)
   WHERE l.network = held.network AND l.term = held.term`;

export interface LeaseStanding {
  readonly holder: string;
  readonly term: string;
  readonly expiresAt: Date;
  readonly isHeld: boolean;
}

/**
 * Which instance watches a network: the one with the lease. What this process believes about it only saves work; what
 * keeps a leader from writing that stalled and was replaced is the term (`fenced`). On a connection of its own, so
 * that a busy pool never costs the lease, and in one statement for all networks.
 */
@Injectable()
export class WatchLeaseRepository {
  /** A network that has just become ours. */
  readonly taken = new Subject<string>();
  private readonly logger = new Logger(WatchLeaseRepository.name);
  private readonly holder = `${hostname()}/${process.pid}/${randomBytes(6).toString('hex')}`;
  private held: ReadonlyMap<string, Term> = new Map();
  private client: Promise<Client> | null = null;
  private renewedMs: number | null = null;
  private looking: Promise<unknown> = Promise.resolve();
  private released = false;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** `null` while another instance has it. */
  termOf(network: string): Term | null {
    return this.held.get(network) ?? null;
  }

  /** A term for one command: whoever watches the network is fenced off, and takes it again within a second or so. */
  async seize(dataSource: DataSource, network: string): Promise<Term> {
    // TypeORM answers an UPDATE with its rows and their number.
    const [[row]] = await dataSource.query<[{ term: string }[], number]>(SEIZE, [network, this.holder]);
    if (!row) throw new Error(`nobody has ever watched ${network}`);
    return { network, number: row.term } as Term;
  }

  /** Who watches a network, as the database knows it; `null` before the first. */
  async standing(dataSource: DataSource, network: string): Promise<LeaseStanding | null> {
    const [row] = await dataSource.query<LeaseStanding[]>(STANDING, [network]);
    return row ?? null;
  }

  /** To be called every second: renews what is ours and takes what nobody holds. */
  async look(): Promise<void> {
    await this.inTurn(async () => {
      if (this.released) return;
      try {
        await this.lookNow();
      } catch (error) {
        this.disconnect();
        // Somebody else may have it by now. It comes back with a new term, or with the old one if nobody took it.
        if (this.renewedMs === null || performance.now() - this.renewedMs > LEASE_MS) this.held = new Map();
        throw error;
      }
    });
  }

  /** A write was refused: the next look says who has it. */
  lost(term: Term): void {
    if (this.held.get(term.network) === term) this.keep([...this.held.values()].filter((t) => t !== term));
  }

  /** Another instance may take the networks at once. Nothing is taken any more. */
  async release(): Promise<void> {
    this.released = true;
    await this.inTurn(async () => {
      const terms = [...this.held.values()];
      this.held = new Map();
      const { client } = this;
      try {
        if (client && terms.length > 0) await (await client).query(RELEASE, columns(terms));
      } catch (error) {
        this.logger.warn(`the leases were not given back and run out by themselves: ${String(error)}`);
      }
      this.disconnect();
    });
  }

  private async lookNow(): Promise<void> {
    this.client ??= this.connect();
    const client = await this.client;
    const askedMs = performance.now();
    const terms = [...this.held.values()];
    const others = this.config.networks.map(({ id }) => id).filter((id) => !this.held.has(id));
    const values = [this.holder, ...columns(terms), others];
    const { name, text } = LOOK;
    const { rows } = await client.query<{ network: string; term: string }>({ name, text, values });
    this.renewedMs = askedMs;
    const before = this.held;
    this.keep(
      rows.map(({ network, term: number }) => {
        const term = this.held.get(network);
        return term?.number === number ? term : ({ network, number } as Term);
      }),
    );
    for (const id of this.held.keys()) if (!before.has(id)) this.taken.next(id);
  }

  private keep(terms: readonly Term[]): void {
    this.held = new Map(terms.map((term) => [term.network, term]));
  }

  /** One statement at a time on the connection. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.looking.then(work);
    this.looking = turn.catch(() => undefined);
    return turn;
  }

  private async connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.config.databaseUrl,
      application_name: 'rappen-watch',
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
    });
    // Without a listener the loss of the connection would end the process; the next look opens another one.
    client.on('error', (error) => this.logger.warn(`the session of the leases failed: ${error.message}`));
    await client.connect();
    return client;
  }

  /** `end` of a connection with a statement under way cuts it, so a half-open one does not linger. */
  private disconnect(): void {
    const { client } = this;
    this.client = null;
    void client?.then((connected) => connected.end()).catch(() => undefined);
  }
}

function columns(terms: readonly Term[]): [networks: string[], terms: string[]] {
  return [terms.map(({ network }) => network), terms.map(({ number }) => number)];
}
