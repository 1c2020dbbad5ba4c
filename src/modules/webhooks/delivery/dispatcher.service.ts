import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { DataSource } from 'typeorm';
import { Jobs } from '../../../platform/jobs/jobs.js';
import { ScheduledJob } from '../../../platform/jobs/scheduled-job.js';
import { SecretBox } from '../../../platform/secrets/secret-box.js';
import { Recovery } from '../data/recover.statement.js';
import { NOTICE_EVERY_MS, POLL_MS, RECOVER_EVERY_MS } from '../domain/limits.js';
import { OutboxService } from '../outbox.service.js';
import { AttemptMetrics } from './attempt.metrics.js';
import { DeliveryPump } from './delivery-pump.js';
import { DisableNotices } from './disable-notices.js';
import { WebhookSender } from './sender.js';

const DISPATCH = 'webhooks.dispatch';

/** Runs the pump: woken by commits of this process, and by the clock for those of others and for later tries. */
@Injectable()
export class DispatcherService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(DispatcherService.name);
  private readonly pump: DeliveryPump;
  private readonly recovery: Recovery;
  private commits: Subscription | null = null;

  constructor(
    dataSource: DataSource,
    private readonly sender: WebhookSender,
    private readonly outbox: OutboxService,
    private readonly jobs: Jobs,
    private readonly notices: DisableNotices,
    attempts: AttemptMetrics,
    secretBox: SecretBox,
  ) {
    this.recovery = new Recovery(dataSource, (endpointId, err) =>
      this.logger.error({ endpointId, err }, 'deliveries could not follow their endpoint'),
    );
    this.pump = new DeliveryPump({
      dataSource,
      sender,
      secretBox,
      onRoom: () => this.wake(),
      onRecorded: ({ outcome }) => attempts.ended(outcome),
    });
  }

  onModuleInit(): void {
    this.commits = this.outbox.committed.subscribe(() => this.wake());
  }

  @ScheduledJob(DISPATCH, POLL_MS)
  dispatch(): Promise<boolean> {
    return this.pump.turn();
  }

  /** Leases that have run out, and deliveries that follow their endpoint: until nothing is left. */
  @ScheduledJob('webhooks.recover', RECOVER_EVERY_MS)
  async recover(): Promise<boolean> {
    const isAny = (await this.recovery.turn()) > 0;
    if (isAny) this.wake();
    return isAny;
  }

  @ScheduledJob('webhooks.notices', NOTICE_EVERY_MS)
  async announce(): Promise<void> {
    await this.notices.announce();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.commits?.unsubscribe();
    await this.pump.stop();
    await this.sender.close();
  }

  private wake(): void {
    this.jobs.wake(DISPATCH);
  }
}
