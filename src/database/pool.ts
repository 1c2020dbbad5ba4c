import pg, { type PoolClient, type PoolConfig } from 'pg';

type Connected = Parameters<InstanceType<typeof pg.Pool>['connect']>[0];

export interface JobsFirstOptions extends PoolConfig {
  /** Whether what runs now works for a request; without it nothing does. */
  readonly isForRequest?: () => boolean;
}

/**
 * Who does not work for a request goes first where there is a queue for a connection: the watchers, the outbox, the sweeper.
 * Their work is bounded, and asks for one statement after the other; behind as many requests as an overload or a flood keeps
 * waiting, each of their statements would wait through the whole queue, and payments would be seen and told ever later.
 * Among themselves they keep their order, and so do requests (ADR 78).
 */
export class JobsFirstPool extends pg.Pool {
  private readonly jobs = new WeakSet<object>();
  readonly isForRequest: () => boolean;

  constructor({ isForRequest = () => false, ...options }: JobsFirstOptions) {
    super(options);
    this.isForRequest = isForRequest;
  }

  override connect(): Promise<PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<PoolClient> | void {
    const before = this.queue.length;
    const result = connected ? super.connect(connected) : super.connect();
    if (this.queue.length > before && !this.isForRequest()) this.moveForward();
    return result;
  }

  private moveForward(): void {
    const last = this.queue.pop();
    if (!last) return;
    this.jobs.add(last);
    const place = this.queue.findIndex((waiting) => !this.jobs.has(waiting));
    this.queue.splice(place < 0 ? this.queue.length : place, 0, last);
  }

  /** Who waits, the next first. `pg` does not declare it. */
  private get queue(): object[] {
    return (this as unknown as { readonly _pendingQueue: object[] })._pendingQueue;
  }
}
