import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { Mailer, type OutgoingMail } from '../../../platform/mail/mailer.js';
import { FacesService } from '../../merchants/faces.service.js';
import { letterHeadOf } from '../../merchants/letter-head.pure.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import { ALERT_READERS, ALERT_URL, type AlertUrl, type ReadersOf } from '../alerts.types.js';
import type { Notice } from '../data/notices.repository.js';
import { type AlertsOwner, mailAbout } from '../domain/wording.js';

interface Audience extends Pick<OutgoingMail, 'to' | 'head' | 'logo'> {
  readonly whose: AlertsOwner;
}

/** Alerts as mails, to those who are set for them at the time of sending. */
@Injectable()
export class AlertMail {
  constructor(
    private readonly mailer: Mailer,
    private readonly merchants: MerchantsService,
    private readonly faces: FacesService,
    @Inject(ALERT_URL) private readonly urlOf: AlertUrl,
    @Inject(ALERT_READERS) private readonly readersOf: ReadersOf,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @returns `false` when there is nobody to write to @throws Error when no server took it */
  async send(alert: Notice['alert']): Promise<boolean> {
    const { to, whose, ...face } = await this.audience(alert.merchantId);
    if (to.length === 0) return false;
    // One mail for a language. When the second is refused both are tried again, the first with the id that it had.
    for (const readers of await this.readersOf(to, alert.merchantId)) {
      const mail = mailAbout(alert, readers, whose, this.urlOf(alert));
      await this.mailer.send({ ...mail, ...face, to: readers.to, id: `${alert.id}_${readers.language}` });
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
