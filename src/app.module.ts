import { type DynamicModule, Module } from '@nestjs/common';
import { PRODUCT } from './app.product.js';
import type { Config } from './config/config.types.js';
import { DatabaseModule } from './database/database.module.js';
import { AccountsModule } from './modules/accounts/accounts.module.js';
import { AlertsModule } from './modules/alerts/alerts.module.js';
import { AuthModule } from './modules/auth/auth.module.js';
import { ChainsModule } from './modules/chains/chains.module.js';
import { CheckoutModule } from './modules/checkout/checkout.module.js';
import { AlertReadersModule } from './modules/dashboard/alert-readers.module.js';
import { DashboardModule } from './modules/dashboard/dashboard.module.js';
import { PageUrlsModule } from './modules/dashboard/page-urls.module.js';
import { IntentsModule } from './modules/intents/intents.module.js';
import { MerchantsModule } from './modules/merchants/merchants.module.js';
import { RatesModule } from './modules/rates/rates.module.js';
import { SiteModule } from './modules/site/site.module.js';
import { TreasuryModule } from './modules/treasury/treasury.module.js';
import { WebhooksModule } from './modules/webhooks/webhooks.module.js';
import { isForRequest } from './platform/observability/trace.js';
import { PlatformModule } from './platform/platform.module.js';

/** The service: everything that runs in production. */
@Module({})
export class AppModule {
  /** @param extra modules of the sandbox, which production never loads */
  static with(
    config: Config,
    extra: readonly NonNullable<DynamicModule['imports']>[number][] = [],
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.with(config, PRODUCT),
        DatabaseModule.with(isForRequest),
        SiteModule,
        PageUrlsModule,
        AlertReadersModule,
        MerchantsModule,
        AccountsModule,
        AlertsModule,
        AuthModule,
        RatesModule,
        ChainsModule,
        WebhooksModule,
        IntentsModule,
        TreasuryModule,
        CheckoutModule,
        DashboardModule,
        ...extra,
      ],
    };
  }
}
