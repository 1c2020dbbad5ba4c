import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { orLate } from '../../../platform/deadline.js';
import type { SecretBox } from '../../../platform/secrets/secret-box.js';
import { type Claim, claimDue, release } from '../data/claim.statement.js';
import { PROMOTE_BATCH, promoteDue } from '../data/promote.statement.js';
import type { AttemptRecord } from '../data/record.statement.js';
import { FAILED_SLOT_REST_MS, POLL_MS, SHUTDOWN_GRACE_MS } from '../domain/limits.js';
import { attempt, type AttemptContext } from './attempt.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { InFlight } from './in-flight.js';
import type { WebhookSender } from './sender.js';

export interface PumpOptions {
  readonly dataSource: DataSource;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly secretBox: SecretBox;
  /** Called when a turn would probably find something to claim. */
  readonly onRoom: () => void;
  /** Called for each try whose result was recorded. */
  readonly onRecorded?: (record: AttemptRecord) => void;
  readonly random?: () => number;
  readonly restMs?: number;
  /** How often retries whose time has come are looked for; `null` where another one does it. */
  readonly promoteEveryMs?: number | null;
}

/**
 * Keeps deliveries moving: a turn claims what there is room for and starts sending, but waits for none of it, so
 * that the slowest receiver of a batch holds up nobody. Whatever ends makes room and is recorded later, in batches.
 */
export class DeliveryPump {
  private readonly logger = new Logger('Webhooks');
  private readonly inFlight: InFlight;
  private readonly recorder: AttemptRecorder;
  private readonly sends = new Set<Promise<void>>();
  private readonly context: AttemptContext;
  private turning: Promise<unknown> = Promise.resolve();
  /** The last turn claimed nothing because too many results wait for the database. */
  private blocked = false;
  private stopping = false;
  private promotesAtMs = 0;

  constructor(private readonly options: PumpOptions) {
    this.inFlight = new InFlight(options.restMs ?? FAILED_SLOT_REST_MS);
    this.recorder = new AttemptRecorder(
      options.dataSource,
      () => this.blocked && options.onRoom(),
      options.onRecorded,
    );
    this.context = {
      sender: options.sender,
      secretBox: options.secretBox,
      random: options.random ?? Math.random,
      onUnsigned: (error) => this.logger.error({ err: error }, 'webhook could not be signed'),
    };
  }

  /** @returns true when another turn would probably find something: the claim stopped at a limit that no longer holds, or retries came due */
  turn(): Promise<boolean> {
    const turn = this.claimAndPromote();
    this.turning = turn.catch(() => undefined);
    return turn;
  }

  /** Nothing is sent: what cannot be recorded would be sent again. */
  get isBlocked(): boolean {
    return this.blocked;
  }

  /** Resolves once everything that was under way has been sent and recorded. */
  async idle(): Promise<void> {
    while (this.sends.size > 0) await Promise.all(this.sends);
    await this.recorder.flush();
  }

  /** Claims nothing more, and gives what is under way the time that an attempt takes at most. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.turning;
    await orLate(Promise.all(this.sends), SHUTDOWN_GRACE_MS, () => null);
    await this.recorder.flush();
  }

  /** What is due goes first, and does not depend on what comes from the other place. */
  private async claimAndPromote(): Promise<boolean> {
    const isFreed = await this.claimAndStart();
    return (await this.promote()) || isFreed;
  }

  private async claimAndStart(): Promise<boolean> {
    this.blocked = this.recorder.isBehind;
    if (this.stopping || this.blocked || this.inFlight.room <= 0) return false;
    const { room } = this.inFlight;
    const before = this.inFlight.snapshot();
    const askedAtMs = performance.now();
    const claims = await claimDue(this.options.dataSource, before, room);
    if (this.isStopping()) {
      await release(this.options.dataSource, claims);
      return false;
    }
    this.inFlight.noteClaim(
      before,
      room,
      claims.map((claim) => claim.endpointId),
    );
    for (const claim of claims) this.start(claim, askedAtMs);
    return this.inFlight.hasFreed();
  }

  /** A batch; what is left goes with the next turns. @returns whether there was any */
  private async promote(): Promise<boolean> {
    const { dataSource, promoteEveryMs = POLL_MS } = this.options;
    const nowMs = performance.now();
    if (promoteEveryMs === null || this.stopping || this.blocked || nowMs < this.promotesAtMs) return false;
    const promoted = await promoteDue(dataSource).catch((error: unknown) => {
      this.logger.error({ err: error }, 'retries whose time has come could not be put among what is due');
      return 0;
    });
    if (promoted < PROMOTE_BATCH) this.promotesAtMs = nowMs + promoteEveryMs;
    return promoted > 0;
  }

  private start(claim: Claim, askedAtMs: number): void {
    this.inFlight.add(claim.endpointId);
    // The database's clock, carried on by ours: a wrong clock on this machine would make signatures look old.
    const startedAt = new Date(claim.claimedAt.getTime() + (performance.now() - askedAtMs));
    const send = attempt(claim, startedAt, this.context).then((record) => {
      this.inFlight.end(claim.endpointId, record.outcome.kind === 'delivered' ? 'succeeded' : 'failed');
      this.sends.delete(send);
      this.recorder.add(record);
      if (this.inFlight.mayUnblock(claim.endpointId)) this.options.onRoom();
    });
    this.sends.add(send);
  }

  /** A method, because the compiler takes the field for what it was before the claim. */
  private isStopping(): boolean {
    return this.stopping;
  }
}
