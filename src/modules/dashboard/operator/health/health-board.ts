import { Injectable, Logger } from '@nestjs/common';
import { DatabaseStatus, type ServerStatus, type TableSize } from '../../../../database/database-status.js';
import { namesOf } from '../../../../kernel/lookups.js';
import { orLate } from '../../../../platform/deadline.js';
import { AlertsService } from '../../../alerts/alerts.service.js';
import type { NoticeBacklog } from '../../../alerts/alerts.types.js';
import type { FactBacklog, NetworkAsset } from '../../../chains/chains.types.js';
import { FactsService } from '../../../chains/facts.service.js';
import type { NetworkHealth, WatcherStats } from '../../../chains/health.types.js';
import { NetworkHealthService } from '../../../chains/network-health.service.js';
import type { Backlog } from '../../../intents/payments.types.js';
import { PaymentsService } from '../../../intents/reporting/payments.service.js';
import { UnwatchedAssets } from '../../../intents/reporting/unwatched-assets.service.js';
import { ReviewsService } from '../../../intents/review/reviews.service.js';
import { RateBook } from '../../../rates/rates.service.js';
import type { RateHealth } from '../../../rates/rates.types.js';
import { WebhooksService } from '../../../webhooks/webhooks.service.js';
import type { WebhookBacklog } from '../../../webhooks/webhooks.types.js';

/** Longer than any of these takes on a day without trouble. The page does not wait on. */
const DEADLINE_MS = 3_000;

/** What has to be asked of the database; each by itself, so that one that hangs hides nothing of the others. */
export interface Asked {
  readonly networks: readonly NetworkHealth[];
  /** What addresses were given out for and nobody looks for any more. */
  readonly unwatched: readonly NetworkAsset[];
  readonly facts: FactBacklog;
  readonly undecided: Backlog;
  readonly reviews: Backlog;
  readonly webhooks: WebhookBacklog;
  readonly notices: readonly NoticeBacklog[];
  readonly alerts: number;
  readonly server: ServerStatus;
  readonly tables: readonly TableSize[];
}

export type Part = keyof Asked;

/** `null`: it could not be learned in time. */
export type Answers = { readonly [P in Part]: Asked[P] | null };

/** How the instance does, as this process sees it now. */
export interface Board extends Answers {
  /** What this process' watchers and price sources say: from memory, always there. */
  readonly watchers: readonly WatcherStats[];
  readonly rates: readonly RateHealth[];
}

/** Brings together what the readiness check and the metrics say, for a person in a hurry. */
@Injectable()
export class HealthBoard {
  private readonly logger = new Logger(HealthBoard.name);
  private readonly questions: { readonly [P in Part]: () => Promise<Asked[P]> };
  private readonly underWay = new Map<Part, Promise<unknown>>();

  constructor(
    private readonly health: NetworkHealthService,
    private readonly rates: RateBook,
    facts: FactsService,
    payments: PaymentsService,
    reviews: ReviewsService,
    webhooks: WebhooksService,
    alerts: AlertsService,
    unwatched: UnwatchedAssets,
    database: DatabaseStatus,
  ) {
    this.questions = {
      networks: () => health.all(),
      unwatched: () => unwatched.all(),
      facts: () => facts.backlog(),
      undecided: () => payments.undecided(),
      reviews: () => reviews.backlog(),
      webhooks: () => webhooks.backlog(),
      notices: () => alerts.unsent(),
      alerts: () => alerts.openCount(null),
      server: () => database.server(),
      tables: () => database.tables(),
    };
  }

  /** Answers within a few seconds, whatever the database does. */
  async read(): Promise<Board> {
    const parts = namesOf(this.questions);
    const answers = await Promise.all(parts.map(async (part) => [part, await this.ask(part)] as const));
    const asked = Object.fromEntries(answers) as unknown as Answers;
    return { ...asked, watchers: this.health.watchers(), rates: this.rates.health() };
  }

  private async ask(part: Part): Promise<unknown> {
    return orLate(this.question(part), DEADLINE_MS, () => null);
  }

  /** One at a time: a page that is loaded again and again in an incident must not take all connections. */
  private question(part: Part): Promise<unknown> {
    const earlier = this.underWay.get(part);
    if (earlier) return earlier;
    const asked = this.questions[part]()
      .catch((error: unknown) => {
        this.logger.warn({ part, err: error }, 'a part of the health page cannot be read');
        return null;
      })
      .finally(() => this.underWay.delete(part));
    this.underWay.set(part, asked);
    return asked;
  }
}
