import { Client, type ClientConfig } from 'pg';

const LOOK_EVERY_MS = 1_000;
/** Unanswered for so long, a statement is asked after. Nearly all are answered within a hundredth of it. */
const QUIET_MS = 4_000;
/** The answer may have been on its way while we asked. */
const GRACE_MS = 1_000;
const ASKING_TIMEOUT_MS = 2_000;

/** What the database says of a session; nothing where a pooler stands between, whose session numbers are its own. */
const SESSION = `
  SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1 AND state = 'active') AS "isWorking",
         pg_backend_pid() = $2 AS "isDirect"`;

/** What `pg` does not declare: its pool asks for the same. */
interface Inner {
  readonly processID: number | null;
  readonly connection: { readonly stream: { readonly bytesRead: number; destroy(): void } };
  _getActiveQuery(): unknown;
}

interface Unanswered {
  readonly query: unknown;
  readonly bytesRead: number;
  readonly sinceMs: number;
}

const clients = new Set<LiveClient>();
let looking: NodeJS.Timeout | null = null;

/**
 * A connection whose packets vanish looks like one whose answer takes long, for as long as TCP believes in it: a
 * quarter of an hour. So the database is asked on a new connection whether it still works on the statement. If it does
 * not, the old connection is cut, and with it the idle ones of its pool, which went the same way. A statement that
 * takes long is left alone, however long it takes.
 */
export class LiveClient extends Client {
  private unanswered: Unanswered | null = null;
  private isAsking = false;

  constructor(private readonly given: ClientConfig) {
    super(given);
    clients.add(this);
    this.once('end', () => clients.delete(this));
    // The pool listens while nobody has the connection, and who has it waits for its statement. Between the two an error
    // would find nobody and end the process: a dying server may end a connection in the packet that opens it.
    this.on('error', () => undefined);
    looking ??= setInterval(lookAtAll, LOOK_EVERY_MS).unref();
  }

  look(nowMs: number): void {
    const query = this.inner._getActiveQuery() ?? null;
    const { bytesRead } = this.inner.connection.stream;
    const before = this.unanswered;
    if (query === null) this.unanswered = null;
    else if (before?.query !== query || before.bytesRead !== bytesRead)
      this.unanswered = { query, bytesRead, sinceMs: nowMs };
    else if (nowMs - before.sinceMs >= QUIET_MS && !this.isAsking) void this.ask(before);
  }

  private async ask(about: Unanswered): Promise<void> {
    this.isAsking = true;
    try {
      if (!(await this.isForgotten())) return;
      await new Promise((resolve) => setTimeout(resolve, GRACE_MS));
      this.look(performance.now());
      if (this.unanswered !== about) return;
      for (const client of clients) if (client === this || client.isIdleBeside(this)) client.cut();
    } catch {
      // The database cannot be reached at all just now, so nothing is known: asked again at the next look.
    } finally {
      this.isAsking = false;
    }
  }

  private async isForgotten(): Promise<boolean> {
    const timeouts = { connectionTimeoutMillis: ASKING_TIMEOUT_MS, query_timeout: ASKING_TIMEOUT_MS };
    const asking = new Client({ ...this.given, ...timeouts });
    asking.on('error', () => undefined);
    try {
      await asking.connect();
      const values = [this.inner.processID, (asking as unknown as Inner).processID];
      const { rows } = await asking.query<{ isWorking: boolean; isDirect: boolean }>(SESSION, values);
      return rows[0] !== undefined && rows[0].isDirect && !rows[0].isWorking;
    } finally {
      void asking.end().catch(() => undefined);
    }
  }

  private isIdleBeside(other: LiveClient): boolean {
    return this.given === other.given && this.getTransactionStatus() === 'I' && !this.inner._getActiveQuery();
  }

  /** Whoever waits gets an error, and the pool lets go of it. */
  private cut(): void {
    this.inner.connection.stream.destroy();
  }

  private get inner(): Inner {
    return this as unknown as Inner;
  }
}

function lookAtAll(): void {
  const nowMs = performance.now();
  for (const client of clients) client.look(nowMs);
  if (clients.size > 0 || !looking) return;
  clearInterval(looking);
  looking = null;
}
