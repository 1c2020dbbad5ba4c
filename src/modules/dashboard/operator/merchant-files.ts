import { Injectable } from '@nestjs/common';
import { AdmissionService } from '../../accounts/admission/admission.service.js';
import { InvitationsService } from '../../accounts/people/invitations.service.js';
import { MembersService } from '../../accounts/people/members.service.js';
import { AlertsService } from '../../alerts/alerts.service.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { WalletsService } from '../../chains/wallets/wallets.service.js';
import { PaymentsService } from '../../intents/reporting/payments.service.js';
import { ReviewsService } from '../../intents/review/reviews.service.js';
import { FacesService } from '../../merchants/faces.service.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import type { MerchantFile } from './merchant.view.js';
import { TURNOVER_DAYS } from './merchants-list.view.js';

/** Brings together what the modules know of one merchant. */
@Injectable()
export class MerchantFiles {
  constructor(
    private readonly merchants: MerchantsService,
    private readonly faces: FacesService,
    private readonly admission: AdmissionService,
    private readonly payments: PaymentsService,
    private readonly reviews: ReviewsService,
    private readonly alerts: AlertsService,
    private readonly wallets: WalletsService,
    private readonly keys: ApiKeysService,
    private readonly webhooks: WebhooksService,
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
  ) {}

  /** @throws DomainError `merchant-not-found` */
  async read(id: string): Promise<MerchantFile> {
    const merchant = await this.merchants.get(id);
    const [history, turnover, openReviews, openAlerts] = await Promise.all([
      this.admission.history(id),
      this.payments.turnoverOf([id], TURNOVER_DAYS),
      this.reviews.count(id),
      this.alerts.openCount(id),
    ]);
    const [logo, networks, keys, endpoints, people, invitations] = await Promise.all([
      merchant.logo && this.faces.logo(merchant.logo.hash),
      this.wallets.networksOf(id),
      this.keys.list(id),
      this.webhooks.listEndpoints(id),
      this.members.list(id),
      this.invitations.open(id),
    ]);
    const figures = { turnover: turnover.get(id) ?? [], openReviews, openAlerts };
    return { merchant, logo, history, ...figures, networks, keys, endpoints, people, invitations };
  }
}
