import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { DataSource } from 'typeorm';
import { Jobs } from '../../../platform/jobs.js';
import { SecretBox } from '../../../platform/secret-box.js';
import { DisableNotices } from '../disable-notices.js';
import { OutboxService } from '../outbox.service.js';
import { DeliveryPump } from './delivery-pump.js';
import { NOTICE_EVERY_MS, POLL_MS, RECOVER_EVERY_MS } from './limits.js';
import { recover } from '../data/recover.statement.js';
import { WebhookSender } from './sender.js';

/** Runs the pump: woken by commits of this process, and by the clock for those of others and for later tries. */
@Injectable()
export class DispatcherService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly pump: DeliveryPump;
  private wake: () => void = () => undefined;
  private commits: Subscription | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly sender: WebhookSender,
    private readonly outbox: OutboxService,
    private readonly jobs: Jobs,
    private readonly notices: DisableNotices,
    secretBox: SecretBox,
  ) {
    this.pump = new DeliveryPump({
      dataSource,
      sender,
      secretBox,
      onRoom: () => this.wake(),
    });
  }

  onModuleInit(): void {
    const dispatch = this.jobs.define({
      name: 'webhooks.dispatch',
      everyMs: POLL_MS,
      run: () => this.pump.turn(),
    });
    this.jobs.define({
      name: 'webhooks.notices',
      everyMs: NOTICE_EVERY_MS,
      run: async () => void (await this.notices.announce()),
    });
    this.jobs.define({ name: 'webhooks.recover', everyMs: RECOVER_EVERY_MS, run: () => this.recover() });
    this.wake = () => dispatch.wake();
    this.commits = this.outbox.committed.subscribe(this.wake);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.commits?.unsubscribe();
    await this.pump.stop();
    await this.sender.close();
  }

  private async recover(): Promise<void> {
    if ((await recover(this.dataSource)) > 0) this.wake();
  }
}
