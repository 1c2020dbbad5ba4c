import pg, { type PoolClient, type PoolConfig } from 'pg';
import { errorOf } from '../kernel/error-fields.js';

type Connected = Parameters<InstanceType<typeof pg.Pool>['connect']>[0];

export interface JobsFirstOptions extends PoolConfig {
  /** Whether what runs now works for a request; without it nothing does. */
  readonly isForRequest?: () => boolean;
}

/**
 * Who does not work for a request goes first where there is a queue for a connection, until jobs have half of them: the watchers,
 * the outbox, the sweeper. They ask for one statement after the other, and behind as many requests as an overload or a flood keeps
 * waiting each would wait through the whole queue: payments would be seen and told ever later. The other half is for requests,
 * however much there is to do for jobs. Among themselves both keep their order (ADR 78).
 */
export class JobsFirstPool extends pg.Pool {
  readonly isForRequest: () => boolean;
  /** Connections that jobs have. */
  private readonly held = new Set<PoolClient>();
  /** Of those who wait, the jobs. */
  private readonly jobs = new WeakSet<object>();
  private readonly most: number;

  constructor({ isForRequest = () => false, ...options }: JobsFirstOptions) {
    super(options);
    this.isForRequest = isForRequest;
    this.most = Math.max(1, Math.floor(this.options.max / 2));
    // Before the connection is given to the next.
    this.on('release', (_error, client) => {
      if (this.held.delete(client)) this.bringJobsForward();
    });
  }

  override connect(): Promise<PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<PoolClient> | void {
    if (!connected) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (error || !client ? reject(errorOf(error)) : resolve(client)));
      });
    }
    if (this.isForRequest()) return super.connect(connected);
    const before = this.queue.length;
    super.connect((error, client, release) => {
      if (client) this.held.add(client);
      connected(error, client, release);
    });
    const waiting = this.queue[before];
    if (!waiting) return;
    this.jobs.add(waiting);
    this.bringJobsForward();
  }

  private bringJobsForward(): void {
    const { queue } = this;
    const next = queue
      .filter((waiting) => this.jobs.has(waiting))
      .slice(0, Math.max(0, this.most - this.held.size));
    queue.splice(0, queue.length, ...next, ...queue.filter((waiting) => !next.includes(waiting)));
  }

  /** Who waits, the next first. `pg` does not declare it. */
  private get queue(): object[] {
    return (this as unknown as { readonly _pendingQueue: object[] })._pendingQueue;
  }
}
