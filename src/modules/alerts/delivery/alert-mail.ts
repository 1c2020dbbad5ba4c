import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { errorOf } from '../../../kernel/error-fields.js';
import { isRefused, Mailer, type OutgoingMail } from '../../../platform/mail/mailer.js';
import { FacesService } from '../../merchants/faces.service.js';
import { letterHeadOf } from '../../merchants/letter-head.pure.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import {
  ALERT_LIST_URL,
  ALERT_READERS,
  ALERT_URL,
  type AlertListUrl,
  type AlertReader,
  type AlertUrl,
  type ReadersOf,
} from '../alerts.types.js';
import { AlertMailsRepository, type CollectedMail } from '../data/alert-mails.repository.js';
import type { Notice } from '../data/notices.repository.js';
import { type AlertsOwner, mailAbout, mailAboutMore } from '../domain/wording.js';

interface Audience extends Pick<OutgoingMail, 'to' | 'head' | 'logo'> {
  readonly whose: AlertsOwner;
}

/** Alerts as mails, to those who are set for them at the time of sending, as far as each mailbox has room (ADR 85). */
@Injectable()
export class AlertMail {
  constructor(
    private readonly mailer: Mailer,
    private readonly mails: AlertMailsRepository,
    private readonly merchants: MerchantsService,
    private readonly faces: FacesService,
    @Inject(ALERT_URL) private readonly urlOf: AlertUrl,
    @Inject(ALERT_LIST_URL) private readonly listUrlOf: AlertListUrl,
    @Inject(ALERT_READERS) private readonly readersOf: ReadersOf,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @returns `false` when nobody is mailed it by itself @throws Error when no server took it for anybody, and one may later */
  async send(alert: Notice['alert']): Promise<boolean> {
    const { to, whose, ...face } = await this.audience(alert.merchantId);
    const readers = await this.readersOf(to, alert.merchantId);
    const admitted = await this.mails.admit(
      alert,
      readers.flatMap((of) => of.to),
    );
    // One mail for a language. No mailbox waits for another: whose mail was not taken while others' was gets one of its own later.
    let [isTaken, failure]: [boolean, Error | null] = [false, null];
    const later: AlertReader[] = [];
    for (const of of readers) {
      const recipients = of.to.filter(({ email }) => admitted.has(email));
      if (recipients.length === 0) continue;
      const mail = { ...mailAbout(alert, of, whose, this.urlOf(alert)), ...face };
      const to = recipients.map(({ email }) => email);
      try {
        const { deferred } = await this.mailer.send({ ...mail, to, id: `${alert.id}_${of.language}` });
        isTaken = true;
        later.push(...recipients.filter(({ email }) => deferred.includes(email)));
      } catch (error) {
        if (isRefused(error)) continue;
        failure ??= errorOf(error);
        later.push(...recipients);
      }
    }
    if (failure && !isTaken) throw failure;
    await this.mails.leaveToLater(alert, later);
    return isTaken;
  }

  /** @returns `false` when the address is set for these alerts no more @throws Error when no server took it */
  async sendCollected({ id, address, merchantId, standsFor, createdAt }: CollectedMail): Promise<boolean> {
    const { to, whose, ...face } = await this.audience(merchantId);
    if (!to.includes(address)) return false;
    for (const { language } of await this.readersOf([address], merchantId)) {
      const mail = mailAboutMore(standsFor, createdAt, language, whose, this.listUrlOf(merchantId));
      await this.mailer.send({ ...mail, ...face, to: [address], id });
    }
    return true;
  }

  private async audience(merchantId: string | null): Promise<Audience> {
    const { baseUrl, operator } = this.config;
    if (merchantId === null) return { to: operator.emails, whose: { instance: baseUrl } };
    const merchant = await this.merchants.get(merchantId);
    const logo = merchant.logo && (await this.faces.logo(merchant.logo.hash));
    const addressed = { to: merchant.alertEmails, whose: { merchant: merchant.name } };
    return logo
      ? { ...addressed, head: letterHeadOf(merchant), logo }
      : { ...addressed, head: letterHeadOf({ ...merchant, logo: null }) };
  }
}
