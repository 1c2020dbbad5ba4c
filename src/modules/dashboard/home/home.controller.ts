import { Get } from '@nestjs/common';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { ChainsService } from '../../chains/chains.service.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import { Allow, CurrentVisit, DashboardController } from '../door/allow.js';
import { Visit } from '../door/visit.js';
import { homeView } from './home.view.js';

@DashboardController()
export class HomeController {
  constructor(
    private readonly merchants: MerchantsService,
    private readonly chains: ChainsService,
    private readonly keys: ApiKeysService,
    private readonly webhooks: WebhooksService,
  ) {}

  @Get()
  @Allow('payments:read')
  async show(@CurrentVisit() visit: Visit): Promise<void> {
    const { merchantId } = visit;
    const [merchant, networks, keys, endpoints] = await Promise.all([
      this.merchants.get(merchantId),
      this.chains.walletNetworks(merchantId),
      this.keys.list(merchantId),
      this.webhooks.listEndpoints(merchantId),
    ]);
    const setUp = { status: merchant.status, networks, keys, endpoints };
    await visit.page('home', homeView(merchant.name, setUp));
  }
}
