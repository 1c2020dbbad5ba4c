import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { Mailer, type OutgoingMail } from '../../../platform/mail/mailer.js';
import { FacesService } from '../../merchants/faces.service.js';
import { letterHeadOf } from '../../merchants/letter-head.pure.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import {
  ALERT_LIST_URL,
  ALERT_READERS,
  ALERT_URL,
  type AlertListUrl,
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

  /** @returns `false` when nobody is mailed it by itself @throws Error when no server took it */
  async send(alert: Notice['alert']): Promise<boolean> {
    const { to, whose, ...face } = await this.audience(alert.merchantId);
    const readers = await this.readersOf(to, alert.merchantId);
    const admitted = await this.mails.admit(
      alert,
      readers.flatMap((of) => of.to),
    );
    // One mail for a language. When the second is refused both are tried again, the first with the id that it had.
    for (const of of readers) {
      const now = of.to.flatMap(({ email }) => (admitted.has(email) ? [email] : []));
      if (now.length === 0) continue;
      const mail = mailAbout(alert, of, whose, this.urlOf(alert));
      await this.mailer.send({ ...mail, ...face, to: now, id: `${alert.id}_${of.language}` });
    }
    return admitted.size > 0;
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
