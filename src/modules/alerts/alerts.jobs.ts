import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.types.js';
import { exponentialWaitMs } from '../../kernel/backoff.js';
import { fieldsOf } from '../../kernel/error-fields.js';
import { ScheduledJob } from '../../platform/jobs/scheduled-job.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { AlertMailsRepository } from './data/alert-mails.repository.js';
import { type Channel, type Notice, NoticesRepository } from './data/notices.repository.js';
import { AlertMail } from './delivery/alert-mail.js';
import { OperatorWebhook } from './delivery/operator-webhook.js';

/** How long an alert waits for its mail at most; nobody reads theirs faster. */
const EVERY_MS = 5_000;
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 3_600_000;
/** With the waits above a day and a few hours: whoever has no mail for that long looks at the dashboard. */
const MAX_ATTEMPTS = 32;

/** Sends what was raised. */
@Injectable()
export class AlertsJobs implements OnModuleInit {
  private readonly logger = new Logger(AlertsJobs.name);

  constructor(
    private readonly notices: NoticesRepository,
    private readonly mails: AlertMailsRepository,
    private readonly mail: AlertMail,
    private readonly mailer: Mailer,
    private readonly webhook: OperatorWebhook,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    if (!this.mailer.configured && this.config.mode === 'production')
      this.logger.warn('SMTP_URL is not set: alerts are shown and counted, but not mailed');
  }

  @ScheduledJob('alert-mail', EVERY_MS)
  async mailNext(): Promise<boolean> {
    return this.mailer.configured && ((await this.sendCollected()) || (await this.sendNext('mail')));
  }

  @ScheduledJob('alert-webhook', EVERY_MS)
  async postNext(): Promise<boolean> {
    return this.webhook.configured && this.sendNext('webhook');
  }

  /** @returns whether there was one; there may be more */
  async sendNext(channel: Channel): Promise<boolean> {
    const notice = await this.notices.claim(channel);
    if (!notice) return false;
    let isSent: boolean;
    try {
      isSent = await this.send(notice);
    } catch (error) {
      const { alert, attempts } = notice;
      const waitMs = this.waitAfter(error, attempts, { alertId: alert.id, channel });
      await (waitMs === null ? this.notices.drop(notice) : this.notices.retryIn(waitMs, notice));
      return true;
    }
    // Where this fails it was sent all the same: once its lease is over it goes again.
    await (isSent ? this.notices.sent(notice) : this.notices.drop(notice));
    return true;
  }

  /** What was more than a mailbox is mailed one by one. @returns whether there was something; there may be more */
  async sendCollected(): Promise<boolean> {
    const mail = await this.mails.claimCollected();
    if (!mail) return false;
    let isSent: boolean;
    try {
      isSent = await this.mail.sendCollected(mail);
    } catch (error) {
      const waitMs = this.waitAfter(error, mail.attempts, { mailId: mail.id, channel: 'mail' });
      await (waitMs === null ? this.mails.drop(mail) : this.mails.retryIn(waitMs, mail));
      return true;
    }
    await (isSent ? this.mails.sent(mail) : this.mails.drop(mail));
    return true;
  }

  /** @returns `false` when there is nobody to tell */
  private async send({ channel, alert, about }: Notice): Promise<boolean> {
    if (channel === 'mail') return this.mail.send(alert);
    await this.webhook.send(alert, about);
    return true;
  }

  /** @returns `null` when that was the last try */
  private waitAfter(error: unknown, attempts: number, of: Readonly<Record<string, string>>): number | null {
    // Not the error itself: a mail server's answer quotes addresses.
    const { code, responseCode } = fieldsOf(error);
    const isLast = attempts >= MAX_ATTEMPTS;
    this.logger.warn({ ...of, attempts, code, responseCode, isLast }, 'alert not sent');
    return isLast ? null : exponentialWaitMs(attempts - 1, FIRST_WAIT_MS, LONGEST_WAIT_MS);
  }
}
