import { Get, Query } from '@nestjs/common';
import { DatabaseClock } from '../../../database/clock.js';
import { AlertsService } from '../../alerts/alerts.service.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { NetworkHealthService } from '../../chains/network-health.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { WalletsService } from '../../chains/wallets/wallets.service.js';
import { PaymentsService } from '../../intents/reporting/payments.service.js';
import { ReviewsService } from '../../intents/review/reviews.service.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import { RateBook } from '../../rates/rates.service.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { RequestContext } from '../session/request-context.js';
import { homeView, periodOf } from './home.view.js';

@DashboardController()
export class HomeController {
  constructor(
    private readonly clock: DatabaseClock,
    private readonly merchants: MerchantsService,
    private readonly payments: PaymentsService,
    private readonly reviews: ReviewsService,
    private readonly health: NetworkHealthService,
    private readonly networks: NetworksService,
    private readonly wallets: WalletsService,
    private readonly rates: RateBook,
    private readonly keys: ApiKeysService,
    private readonly webhooks: WebhooksService,
    private readonly alerts: AlertsService,
  ) {}

  @Get()
  @Allow('payments:read')
  async show(@CurrentContext() context: RequestContext, @Query('days') days: unknown): Promise<void> {
    const { merchantId } = context;
    const period = periodOf(days);
    const now = await this.clock.now();
    const [merchant, summary, reviewCount, networks, health, keys, endpoints, troubles, alerts] =
      await Promise.all([
        this.merchants.get(merchantId),
        this.payments.summary(merchantId, period, now),
        this.reviews.count(merchantId),
        this.wallets.networksOf(merchantId),
        this.health.seen(),
        this.keys.list(merchantId),
        this.webhooks.listEndpoints(merchantId),
        this.webhooks.troubles(merchantId),
        this.alerts.list({ merchantId, open: true }),
      ]);
    const configured = networks.flatMap((id) => this.networks.network(id) ?? []);
    const standing = {
      status: merchant.status,
      reviewCount,
      onlyReview: reviewCount === 1 ? await this.onlyReview(merchantId) : null,
      endpoints: troubles,
      networks: configured.map(({ id, name }) => ({
        name,
        state: health.find(({ network }) => network === id)?.state ?? 'starting',
      })),
      unpriced: this.unpriced(configured.flatMap(({ assets }) => assets.map(({ symbol }) => symbol))),
      alerts: alerts.items,
    };
    const setUp = { networks, keys, endpoints, isToleranceChosen: merchant.toleranceChosen };
    await context.page(
      'home',
      homeView(context.say, { merchantName: merchant.name, period, standing, summary, setUp }),
    );
  }

  private async onlyReview(merchantId: string): Promise<string | null> {
    const [entry, ...others] = await this.reviews.list(merchantId);
    return entry && others.length === 0 ? entry.intentId : null;
  }

  private unpriced(assets: readonly string[]) {
    return this.rates
      .health()
      .filter(({ price, asset }) => price === null && assets.includes(asset))
      .map(({ asset, currency }) => [asset, currency] as const);
  }
}
