import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { messageOf } from '../../../kernel/error-fields.js';
import { isGivenUp, isUnreachable } from '../../../platform/problems/unreachable.js';
import { AlertsService } from '../../alerts/alerts.service.js';

/** In a row: a database that fails over fails many decisions once, and that is no trouble of an intent. */
const FAILURES_BEFORE_ALERT = 3;
/** Longer than the pause between two tries of any instance. */
const UNSEEN_BEFORE_RESOLVED_S = 120;
/** More than this at once is trouble of another kind, which the first of them tell of. */
const MOST_REMEMBERED = 1_000;

interface Failure {
  readonly message: string;
  readonly times: number;
  /** Of the database's trouble, and not of the intent's. */
  readonly passes: boolean;
}

/** Intents that cannot be decided: said to the operator, and to the log once for each new reason. The others go on. */
@Injectable()
export class Undecidable {
  private readonly logger = new Logger(Undecidable.name);
  private readonly failing = new Map<string, Failure>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly alerts: AlertsService,
  ) {}

  /** Whether this instance knows that it cannot be decided: trouble of the database says that only when it lasts. */
  has(intentId: string): boolean {
    const failure = this.failing.get(intentId);
    return failure !== undefined && (!failure.passes || failure.times >= FAILURES_BEFORE_ALERT);
  }

  /** One try. @returns whether it was decided: what fails is told of, and stops nobody else */
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
    const message = messageOf(error);
    const before = this.failing.get(intentId);
    const times = (before?.times ?? 0) + 1;
    if (before || this.failing.size < MOST_REMEMBERED)
      this.failing.set(intentId, { message, times, passes: passes(error) });
    if (before?.message !== message)
      this.logger.error({ intentId, err: error }, 'intent could not be advanced');
    if (times % FAILURES_BEFORE_ALERT !== 0) return;
    await this.alerts
      .raise(this.dataSource.manager, alertOf(intentId, message))
      .catch((err: unknown) => this.logger.warn({ intentId, err }, 'alert could not be raised'));
  }

  private async decided(intentId: string): Promise<void> {
    const before = this.failing.get(intentId);
    if (!before) return;
    this.failing.delete(intentId);
    if (before.times < FAILURES_BEFORE_ALERT) return;
    await this.alerts.resolve(this.dataSource.manager, 'intent-undecidable', intentId);
  }

  /** What another instance decided, or this one before it started anew, is told of by nobody any more. */
  async resolveOld(): Promise<void> {
    for (const { subject } of await this.open())
      await this.alerts.resolve(
        this.dataSource.manager,
        'intent-undecidable',
        subject,
        UNSEEN_BEFORE_RESOLVED_S,
      );
  }

  private async open() {
    const { items } = await this.alerts.list({ merchantId: null, open: true, pageSize: 100 });
    return items.filter(({ kind, subject }) => kind === 'intent-undecidable' && !this.failing.has(subject));
  }
}

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
    data: { message: message.slice(0, 1_000) },
  } as const;
}
