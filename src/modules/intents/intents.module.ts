import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertsModule } from '../alerts/alerts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { ChainsModule } from '../chains/chains.module.js';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { RatesModule } from '../rates/rates.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { EventLogController } from './api/event-log.controller.js';
import { IntentsController } from './api/intents.controller.js';
import { PaymentEventsService } from './api/payment-events.service.js';
import { BuyerActionsService } from './checkout/buyer-actions.service.js';
import { CheckoutIntentsService } from './checkout/checkout-intents.service.js';
import { CheckoutRefundsService } from './checkout/checkout-refunds.service.js';
import { RefundRequestEntity } from './checkout/data/refund-request.entity.js';
import { RefundRequestsRepository } from './checkout/data/refund-requests.repository.js';
import { PaymentOptions } from './checkout/payment-options.js';
import { RefundOffers } from './checkout/refund-offers.service.js';
import { RefundRequestsService } from './checkout/refund-requests.service.js';
import { SharedFacts } from './checkout/shared-facts.js';
import { IntentsRepository } from './data/intents.repository.js';
import { IntentRepairService } from './lifecycle/intent-repair.service.js';
import { IntentsJobs } from './lifecycle/intents.jobs.js';
import { IntentsService } from './lifecycle/intents.service.js';
import { StatusMetrics } from './lifecycle/status.metrics.js';
import { StatusWriter } from './lifecycle/status-writer.js';
import { Undecidable } from './lifecycle/undecidable.js';
import { ChainAlerts } from './reporting/chain-alerts.js';
import { AccountingExportRepository } from './reporting/data/accounting-export.repository.js';
import { GivenAssetsRepository } from './reporting/data/given-assets.repository.js';
import { PaymentDetailsRepository } from './reporting/data/payment-details.repository.js';
import { PaymentsRepository } from './reporting/data/payments.repository.js';
import { ExportsService } from './reporting/exports.service.js';
import { GapAlerts } from './reporting/gap-alerts.js';
import { InvariantsService } from './reporting/invariants.service.js';
import { IssuedAddressesService } from './reporting/issued-addresses.service.js';
import { OptionAlerts } from './reporting/option-alerts.js';
import { PaymentDetailsService } from './reporting/payment-details.service.js';
import { PaymentsService } from './reporting/payments.service.js';
import { UnwatchedMetrics } from './reporting/unwatched.metrics.js';
import { UnwatchedAssets } from './reporting/unwatched-assets.service.js';
import { RefundClaims } from './review/refund-claims.js';
import { RefundFollower } from './review/refund-follower.service.js';
import { RefundsJobs } from './review/refunds.jobs.js';
import { RefundsService } from './review/refunds.service.js';
import { ReviewMetrics } from './review/review.metrics.js';
import { ReviewsService } from './review/reviews.service.js';
import { RefundFollowingRepository } from './unsettled/data/refund-following.repository.js';
import { RefundsRepository } from './unsettled/data/refunds.repository.js';
import { ReviewDecisionEntity } from './unsettled/data/review-decision.entity.js';
import { ReviewEntryEntity } from './unsettled/data/review-entry.entity.js';
import { ReviewsRepository } from './unsettled/data/reviews.repository.js';
import { UnsettledMoneyRepository } from './unsettled/data/unsettled-money.repository.js';
import { MoneyAnnouncer } from './unsettled/money-announcer.js';
import { ReviewQueue } from './unsettled/review-queue.js';
import { SettlementWatch } from './unsettled/settlement-watch.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([ReviewEntryEntity, ReviewDecisionEntity, RefundRequestEntity]),
    AlertsModule,
    AuthModule,
    ChainsModule,
    MerchantsModule,
    RatesModule,
    WebhooksModule,
  ],
  controllers: [IntentsController, EventLogController],
  providers: [
    IntentsRepository,
    PaymentEventsService,
    PaymentsRepository,
    PaymentDetailsRepository,
    RefundsRepository,
    RefundFollowingRepository,
    RefundFollower,
    RefundClaims,
    RefundsService,
    RefundsJobs,
    ReviewsRepository,
    ReviewQueue,
    ReviewMetrics,
    ChainAlerts,
    GapAlerts,
    OptionAlerts,
    GivenAssetsRepository,
    UnwatchedAssets,
    UnwatchedMetrics,
    SettlementWatch,
    UnsettledMoneyRepository,
    MoneyAnnouncer,
    ReviewsService,
    StatusWriter,
    Undecidable,
    IntentRepairService,
    StatusMetrics,
    IntentsService,
    PaymentOptions,
    SharedFacts,
    CheckoutIntentsService,
    BuyerActionsService,
    RefundRequestsRepository,
    RefundOffers,
    RefundRequestsService,
    CheckoutRefundsService,
    AccountingExportRepository,
    ExportsService,
    IntentsJobs,
    InvariantsService,
    IssuedAddressesService,
    PaymentsService,
    PaymentDetailsService,
  ],
  exports: [
    PaymentsService,
    PaymentDetailsService,
    IntentsService,
    CheckoutIntentsService,
    BuyerActionsService,
    RefundRequestsService,
    ExportsService,
    InvariantsService,
    IssuedAddressesService,
    RefundsService,
    ReviewsService,
    UnwatchedAssets,
  ],
})
export class IntentsModule {}
