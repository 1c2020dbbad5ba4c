import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError } from '../../../kernel/domain-error.js';
import { isTerminal, mayBecome } from '../../../kernel/intent-status.js';
import { AlertsService } from '../../alerts/alerts.service.js';
import type { Intent } from '../domain/model.js';
import { UNCONFIRMED_LIMIT_MS } from '../domain/transfers.js';
import type { IntentChange, PaymentIntent } from '../intents.types.js';
import { IntentsService } from './intents.service.js';
import { StatusWriter } from './status-writer.js';

/** Why an intent stands still. */
export interface Undecided {
  readonly message: string;
  readonly since: Date;
  readonly lastTriedAt: Date;
}

/** The two ends of a payment that nobody was paid by. */
export type ClosedAs = 'expired' | 'failed';

/** What the operator may do with a payment that cannot be decided. */
@Injectable()
export class IntentRepairService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly intents: IntentsService,
    private readonly writer: StatusWriter,
    private readonly alerts: AlertsService,
  ) {}

  /** As it is stored. @throws DomainError `intent-not-found` */
  async show(id: string): Promise<PaymentIntent & { readonly undecided: Undecided | null }> {
    return { ...(await this.intents.peek(id)), undecided: await this.undecided(id) };
  }

  /** One try now. @throws DomainError `intent-not-found`, or the error because of which it cannot be decided */
  async decide({ whose, id, by }: IntentChange): Promise<PaymentIntent> {
    await this.writer.underLock(whose, id, async (tx, { intent: { merchantId, status } }) => {
      await by.record(tx, { merchantId, action: 'intent.decided', subject: id, detail: { status } });
    });
    await this.writer.advance(id);
    await this.alerts.resolve(this.dataSource.manager, 'intent-undecidable', id);
    return this.intents.peek(id);
  }

  /**
   * The last resort, for one that the service gave up on and that still cannot be decided. Its money goes to the queue.
   * @throws DomainError `intent-not-found`, `conflict`
   */
  async close(change: IntentChange, as: ClosedAs, note: string): Promise<PaymentIntent> {
    const { id } = change;
    const undecided = await this.undecided(id);
    if (!undecided) {
      await this.intents.peek(id);
      throw conflict('Nothing says that it cannot be decided: `intent decide` brings it up to now.');
    }
    const { message } = undecided;
    if (await this.canBeDecided(change)) throw conflict('It could be decided by now, and was.');
    await this.writer.close(change, as, { message, note }, (intent, now) => mayBeClosed(intent, as, now));
    await this.alerts.resolve(this.dataSource.manager, 'intent-undecidable', id);
    return this.intents.peek(id);
  }

  private async undecided(id: string): Promise<Undecided | null> {
    const alert = await this.alerts.standing('intent-undecidable', id);
    if (!alert) return null;
    const { data, summary, raisedAt: since, lastRaisedAt: lastTriedAt } = alert;
    const message = typeof data['message'] === 'string' ? data['message'] : summary;
    return { message, since, lastTriedAt };
  }

  private async canBeDecided(change: IntentChange): Promise<boolean> {
    return this.decide(change).then(
      () => true,
      () => false,
    );
  }
}

/** The ends mean what they always mean, as far as the row says it: nothing is called failed that was never complete. */
function mayBeClosed({ status, completedAt, expiresAt }: Intent, as: ClosedAs, now: Date): void {
  if (isTerminal(status)) throw conflict(`It is over already: ${status}.`);
  if (now <= expiresAt) throw conflict(`Its window is open until ${expiresAt.toISOString()}.`);
  const end = completedAt === null ? 'expired' : 'failed';
  if (as !== end || !mayBecome(status, as)) {
    throw conflict(`It was ${completedAt ? '' : 'never '}complete: it can be closed as ${end} alone.`);
  }
  const failsAt = new Date(expiresAt.getTime() + UNCONFIRMED_LIMIT_MS);
  if (as === 'failed' && now < failsAt) throw conflict(`It may fail from ${failsAt.toISOString()} on.`);
}

function conflict(message: string): DomainError {
  return new DomainError('conflict', 'conflict', message);
}
