import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertsModule } from '../alerts/alerts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { ChainsModule } from '../chains/chains.module.js';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { RatesModule } from '../rates/rates.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { BuyerActionsService } from './buyer-actions.service.js';
import { CheckoutIntentsService } from './checkout-intents.service.js';
import { BookRows } from './data/read-books.js';
import { IntentEntity } from './data/intent.entity.js';
import { ReviewDecisionEntity } from './data/review-decision.entity.js';
import { ReviewEntryEntity } from './data/review-entry.entity.js';
import { PaymentRows } from './data/payments.js';
import { Reviews } from './data/reviews.js';
import { QuoteEntity } from './data/quote.entity.js';
import { StoryRows } from './data/stories.js';
import { IntentRows } from './data/read-intents.js';
import { ExportsService } from './exports.service.js';
import { EventLogController } from './event-log.controller.js';
import { PaymentEventsService } from './payment-events.service.js';
import { IntentsController } from './intents.controller.js';
import { IntentsJobs } from './intents.jobs.js';
import { IntentsService } from './intents.service.js';
import { InvariantsService } from './invariants.service.js';
import { PaymentOptions } from './payment-options.js';
import { PaymentStoriesService } from './payment-stories.service.js';
import { IssuedAddressesService } from './issued-addresses.service.js';
import { PaymentsService } from './payments.service.js';
import { ChainAlerts } from './chain-alerts.js';
import { OptionAlerts } from './option-alerts.js';
import { ReviewTelemetry } from './review.telemetry.js';
import { MoneyAnnouncer } from './money-announcer.js';
import { UnsettledMoneyRows } from './data/unsettled-money.js';
import { RefundRequestEntity } from './data/refund-request.entity.js';
import { RefundRequests } from './data/refund-requests.js';
import { RescueService } from './rescue.service.js';
import { ReviewQueue } from './review-queue.js';
import { ReviewsService } from './reviews.service.js';
import { SettlementWatch } from './settlement-watch.js';
import { StatusMetrics } from './status.metrics.js';
import { StatusWriter } from './status-writer.js';
import { IntentRepairService } from './intent-repair.service.js';
import { Undecidable } from './undecidable.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      IntentEntity,
      QuoteEntity,
      ReviewEntryEntity,
      ReviewDecisionEntity,
      RefundRequestEntity,
    ]),
    AlertsModule,
    AuthModule,
    ChainsModule,
    MerchantsModule,
    RatesModule,
    WebhooksModule,
  ],
  controllers: [IntentsController, EventLogController],
  providers: [
    IntentRows,
    PaymentEventsService,
    PaymentRows,
    StoryRows,
    Reviews,
    ReviewQueue,
    ReviewTelemetry,
    ChainAlerts,
    OptionAlerts,
    SettlementWatch,
    UnsettledMoneyRows,
    MoneyAnnouncer,
    ReviewsService,
    StatusWriter,
    Undecidable,
    IntentRepairService,
    StatusMetrics,
    IntentsService,
    PaymentOptions,
    CheckoutIntentsService,
    BuyerActionsService,
    RefundRequests,
    RescueService,
    BookRows,
    ExportsService,
    IntentsJobs,
    InvariantsService,
    IssuedAddressesService,
    PaymentsService,
    PaymentStoriesService,
  ],
  exports: [
    PaymentsService,
    PaymentStoriesService,
    IntentsService,
    CheckoutIntentsService,
    BuyerActionsService,
    RescueService,
    ExportsService,
    InvariantsService,
    IssuedAddressesService,
    ReviewsService,
  ],
})
export class IntentsModule {}
