import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { ChainsModule } from '../chains/chains.module.js';
import { IntentsModule } from '../intents/intents.module.js';
import { MerchantsModule } from '../merchants/merchants.module.js';
import { RatesModule } from '../rates/rates.module.js';
import { SiteModule } from '../site/site.module.js';
import { TreasuryModule } from '../treasury/treasury.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AccountController } from './account/account.controller.js';
import { InvitationsController } from './account/invitations.controller.js';
import { MerchantSwitchController } from './account/merchant-switch.controller.js';
import { PasskeysController } from './account/passkeys.controller.js';
import { PasswordController } from './account/password.controller.js';
import { RecoveryCodesController } from './account/recovery-codes.controller.js';
import { SecondFactorController } from './account/second-factor.controller.js';
import { AlertsController } from './alerts/alerts.controller.js';
import { AlertsPage } from './alerts/alerts-page.js';
import { KeysController } from './developers/keys/keys.controller.js';
import { RequestsController } from './developers/requests/requests.controller.js';
import { DeliveriesController } from './developers/webhooks/deliveries.controller.js';
import { EndpointChangesController } from './developers/webhooks/endpoint-changes.controller.js';
import { EndpointsController } from './developers/webhooks/endpoints.controller.js';
import { HomeController } from './home/home.controller.js';
import { OperatorAlertsController } from './operator/alerts.controller.js';
import { OperatorAuditController } from './operator/audit.controller.js';
import { OperatorHealthController } from './operator/health/health.controller.js';
import { HealthBoard } from './operator/health/health-board.js';
import { MerchantFiles } from './operator/merchant-files.js';
import { OperatorMerchantsController } from './operator/merchants.controller.js';
import { AccountingExportController } from './payments/accounting-export.controller.js';
import { PaymentsController } from './payments/payments.controller.js';
import { SavedViewsController } from './payments/saved-views.controller.js';
import { RefundsController } from './refunds/refunds.controller.js';
import { ReviewController } from './review/review.controller.js';
import { DashboardPages } from './session/pages/dashboard.pages.js';
import { Navigation } from './session/pages/navigation.js';
import { RequestPace } from './session/request-pace.js';
import { SessionGuard } from './session/session.guard.js';
import { SessionForgeries } from './session/session-forgeries.js';
import { AppearanceController } from './settings/appearance.controller.js';
import { AuditController } from './settings/audit/audit.controller.js';
import { PeopleController } from './settings/people.controller.js';
import { SettingsController } from './settings/settings.controller.js';
import { AddressWalletsController } from './settings/wallets/address-wallets.controller.js';
import { AddressesController } from './settings/wallets/addresses.controller.js';
import { WalletsController } from './settings/wallets/wallets.controller.js';
import { CodeController } from './sign-in/code.controller.js';
import { ConfirmController } from './sign-in/confirm.controller.js';
import { ForgottenController } from './sign-in/forgotten.controller.js';
import { LanguageController } from './sign-in/language.controller.js';
import { LinkController } from './sign-in/link.controller.js';
import { PasskeyController } from './sign-in/passkey.controller.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignInPace } from './sign-in/sign-in-pace.js';
import { TreasuryController } from './treasury/treasury.controller.js';

@Module({
  imports: [
    AccountsModule,
    AlertsModule,
    AuthModule,
    ChainsModule,
    IntentsModule,
    MerchantsModule,
    RatesModule,
    SiteModule,
    TreasuryModule,
    WebhooksModule,
  ],
  controllers: [
    AccountController,
    AddressesController,
    AlertsController,
    AppearanceController,
    AuditController,
    AccountingExportController, // before PaymentsController, which would take its path for an id
    CodeController,
    ConfirmController,
    DeliveriesController,
    EndpointChangesController,
    EndpointsController,
    ForgottenController,
    HomeController,
    InvitationsController,
    KeysController,
    LanguageController,
    LinkController,
    MerchantSwitchController,
    OperatorAlertsController,
    OperatorAuditController,
    OperatorHealthController,
    OperatorMerchantsController,
    PasskeyController,
    PasskeysController,
    PasswordController,
    PaymentsController,
    PeopleController,
    RecoveryCodesController,
    RequestsController,
    RefundsController,
    ReviewController,
    SavedViewsController,
    SecondFactorController,
    SettingsController,
    SignInController,
    AddressWalletsController,
    TreasuryController,
    WalletsController,
  ],
  providers: [
    AlertsPage,
    DashboardPages,
    SessionForgeries,
    SessionGuard,
    HealthBoard,
    MerchantFiles,
    Navigation,
    RequestPace,
    SignInPace,
  ],
})
export class DashboardModule {}
