import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config/config.types.js';
import { Mailer, type OutgoingMail } from '../../../platform/mail/mailer.js';
import { FacesService } from '../../merchants/faces.service.js';
import { letterHeadOf } from '../../merchants/letter-head.pure.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import { ALERT_URL, type AlertUrl } from '../alerts.types.js';
import type { Notice } from '../data/notices.repository.js';
import { mailAbout } from '../domain/wording.js';

interface Audience extends Pick<OutgoingMail, 'to' | 'head' | 'logo'> {
  readonly whose: string;
}

/** Alerts as mails, to those who are set for them at the time of sending. */
@Injectable()
export class AlertMail {
  constructor(
    private readonly mailer: Mailer,
    private readonly merchants: MerchantsService,
    private readonly faces: FacesService,
    @Inject(ALERT_URL) private readonly urlOf: AlertUrl,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @returns `false` when there is nobody to write to @throws Error when no server took it */
  async send(alert: Notice['alert']): Promise<boolean> {
    const { to, whose, ...face } = await this.audience(alert.merchantId);
    if (to.length === 0) return false;
    const mail = mailAbout(alert, whose, this.urlOf(alert));
    await this.mailer.send({ ...mail, ...face, to, id: alert.id });
    return true;
  }

  private async audience(merchantId: string | null): Promise<Audience> {
    const { baseUrl, operator } = this.config;
    if (merchantId === null) return { to: operator.emails, whose: `the instance at ${baseUrl}` };
    const merchant = await this.merchants.get(merchantId);
    const logo = merchant.logo && (await this.faces.logo(merchant.logo.hash));
    const addressed = { to: merchant.alertEmails, whose: merchant.name };
    return logo
      ? { ...addressed, head: letterHeadOf(merchant), logo }
      : { ...addressed, head: letterHeadOf({ ...merchant, logo: null }) };
  }
}
