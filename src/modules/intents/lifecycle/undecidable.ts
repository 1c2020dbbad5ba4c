import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { messageOf } from '../../../kernel/error-fields.js';
import { isGivenUp, isUnreachable } from '../../../platform/problems/unreachable.js';
import { AlertsService } from '../../alerts/alerts.service.js';

/** In a row: a database that fails over fails many decisions once, and that is no trouble of an intent. */
const FAILURES_BEFORE_ALERT = 3;
/**
 * Longer than any instance pauses between two tries. What has not failed again for so long has been decided by somebody, who tells
 * nobody: a reader, a buyer's page, another instance.
 */
const REMEMBERED_S = 120;
/** More than this at once is trouble of another kind, which the first of them tell of. */
const MOST_REMEMBERED = 1_000;
const MAX_MESSAGE = 1_000;

interface Failure {
  readonly message: string;
  readonly times: number;
  /** Of the database's trouble, and not of the intent's. */
  readonly passes: boolean;
  /** The last time. */
  readonly atMs: number;
}

/** Intents that cannot be decided: said to the operator, and to the log once for each new reason. The others go on. */
@Injectable()
export class Undecidable {
  private readonly logger = new Logger(Undecidable.name);
  /** Whose last failure is the longest ago first. */
  private readonly failing = new Map<string, Failure>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly alerts: AlertsService,
  ) {}

  /** Whether this instance knows that it cannot be decided: trouble of the database says that only when it lasts. */
  has(intentId: string): boolean {
    const failure = this.recent(intentId);
    return failure !== undefined && (!failure.passes || failure.times >= FAILURES_BEFORE_ALERT);
  }

  /** One try, which never rejects. @returns whether it was decided: what fails is told of, and stops nobody else */
  try(intentId: string, decide: () => Promise<void>): Promise<boolean> {
    return this.attempt(intentId, decide, () => false);
  }

  /** The same for who reads: what may be decided in a moment must not be shown as it was. @throws what passes */
  tryToRead(intentId: string, decide: () => Promise<void>): Promise<boolean> {
    return this.attempt(intentId, decide, passes);
  }

  private async attempt(
    intentId: string,
    decide: () => Promise<void>,
    isThrown: (error: unknown) => boolean,
  ): Promise<boolean> {
    try {
      await decide();
    } catch (error) {
      if (isThrown(error)) throw error;
      await this.failed(intentId, error);
      return false;
    }
    await this.decided(intentId);
    return true;
  }

  private async failed(intentId: string, error: unknown): Promise<void> {
    const message = messageOf(error).slice(0, MAX_MESSAGE);
    const before = this.recent(intentId);
    const times = (before?.times ?? 0) + 1;
    if (!this.remember(intentId, { message, times, passes: passes(error), atMs: performance.now() })) return;
    if (before?.message !== message)
      this.logger.error({ intentId, err: error }, 'intent could not be advanced');
    if (times % FAILURES_BEFORE_ALERT !== 0) return;
    await this.alerts
      .raise(this.dataSource.manager, alertOf(intentId, message))
      .catch((err: unknown) => this.logger.warn({ intentId, err }, 'alert could not be raised'));
  }

  private recent(intentId: string): Failure | undefined {
    const failure = this.failing.get(intentId);
    return failure && isRecent(failure) ? failure : undefined;
  }

  /** @returns whether there was room: one that fails for good finds it as soon as another is forgotten */
  private remember(intentId: string, failure: Failure): boolean {
    const isNew = !this.failing.delete(intentId);
    for (const [id, longestAgo] of this.failing) {
      if (isRecent(longestAgo)) break;
      this.failing.delete(id);
    }
    if (this.failing.size >= MOST_REMEMBERED) return false;
    this.failing.set(intentId, failure);
    if (isNew && this.failing.size === MOST_REMEMBERED)
      this.logger.error({ intents: MOST_REMEMBERED }, 'so many intents fail that no others are named');
    return true;
  }

  private async decided(intentId: string): Promise<void> {
    const before = this.failing.get(intentId);
    if (!before) return;
    this.failing.delete(intentId);
    if (before.times < FAILURES_BEFORE_ALERT) return;
    // Where it cannot be, it is one of those `unseen` below, which are tried again.
    await this.alerts
      .resolve(this.dataSource.manager, 'intent-undecidable', intentId)
      .catch((err: unknown) => this.logger.warn({ intentId, err }, 'alert could not be resolved'));
  }

  /**
   * Of which an alert stands though this instance has not seen them fail lately. Somebody may have decided them; or they fail as
   * ever, and this instance has started anew, or the database was away: only a try can tell.
   */
  async unseen(): Promise<string[]> {
    const standing = await this.alerts.standingOf('intent-undecidable');
    return standing.filter((intentId) => !this.recent(intentId));
  }

  /** A try has shown it; unless another instance, which may know less networks, still sees it fail. */
  async over(intentId: string): Promise<void> {
    await this.alerts.resolve(this.dataSource.manager, 'intent-undecidable', intentId, REMEMBERED_S);
  }
}

const isRecent = ({ atMs }: Failure) => performance.now() - atMs < REMEMBERED_S * 1_000;

/** Whether later it may be decided though nothing of the intent has changed. */
const passes = (error: unknown) => isUnreachable(error) || isGivenUp(error);

function alertOf(intentId: string, message: string) {
  return {
    kind: 'intent-undecidable',
    subject: intentId,
    merchantId: null,
    summary: `Payment ${intentId} cannot be decided`,
    detail:
      `Every try to bring payment ${intentId} up to date fails: ${message.slice(0, 300)}. Its status stands still; all ` +
      `other payments go on. The log has the error once, with this id; \`intent show ${intentId}\` has it too, and ` +
      `\`intent decide ${intentId}\` tries again at once when its cause is mended.`,
    data: { message },
  } as const;
}
