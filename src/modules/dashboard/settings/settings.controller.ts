import { Get, Post } from '@nestjs/common';
import { DatabaseClock } from '../../../database/clock.js';
import { AuditLog } from '../../accounts/audit/audit-log.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { WalletsService } from '../../chains/wallets/wallets.service.js';
import { PaymentsService } from '../../intents/reporting/payments.service.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { RequestContext } from '../session/request-context.js';
import { changing } from './changing.js';
import { type GeneralFields, generalOf, generalSettings, typedGeneral } from './general.js';
import { settingsTabs } from './tabs.js';
import { PROPOSED_TOLERANCE_BPS, termsView } from './terms.view.js';
import { storedTerms, termFields, termsSettings, typedTerms, type Value } from './terms-form.js';

@DashboardController('settings')
export class SettingsController {
  constructor(
    private readonly merchants: MerchantsService,
    private readonly audit: AuditLog,
    private readonly networks: NetworksService,
    private readonly wallets: WalletsService,
    private readonly payments: PaymentsService,
    private readonly clock: DatabaseClock,
  ) {}

  @Get()
  @Allow('settings:read')
  async general(@CurrentContext() context: RequestContext): Promise<void> {
    const merchant = await this.merchants.get(context.merchantId);
    await context.page('settings/general', generalView(context, generalOf(merchant)));
  }

  @Post()
  @Allow('settings:manage')
  async setGeneral(@CurrentContext() context: RequestContext): Promise<void> {
    const typed = typedGeneral(context.form);
    try {
      const by = this.audit.by(context.actor);
      await this.merchants.set(context.merchantId, generalSettings(typed), by);
    } catch (error) {
      return context.refused(error, 'settings/general', generalView(context, typed), {
        supportContact: 'support',
        alertEmails: 'alerts',
      });
    }
    context.redirect(pathTo('settings'), context.say('Saved.'));
  }

  @Get('payments')
  @Allow('settings:read')
  async terms(@CurrentContext() context: RequestContext): Promise<void> {
    const merchant = await this.merchants.get(context.merchantId);
    const value = storedTerms(merchant, this.networks.all());
    await context.page('settings/payments', await this.termsModel(context, value));
  }

  @Post('payments')
  @Allow('settings:manage')
  async setTerms(@CurrentContext() context: RequestContext): Promise<void> {
    const { merchantId, actor, form } = context;
    const { networkTerms } = await this.merchants.get(merchantId);
    const value = typedTerms(form);
    try {
      const settings = termsSettings(value, this.networks.all(), networkTerms);
      await this.merchants.set(merchantId, settings, this.audit.by(actor));
    } catch (error) {
      return context.refused(
        error,
        'settings/payments',
        await this.termsModel(context, value),
        termFields(this.networks.all()),
      );
    }
    context.redirect(pathTo('paymentSettings'), context.say('Saved. Quotes made from now on go by it.'));
  }

  /** The answer to the offer; another number is chosen in the form below it. */
  @Post('payments/tolerance')
  @Allow('settings:manage')
  async setTolerance(@CurrentContext() context: RequestContext): Promise<void> {
    const { merchantId, actor, form } = context;
    const toleranceBps = form.text('accept') === 'yes' ? PROPOSED_TOLERANCE_BPS : 0;
    await this.merchants.set(merchantId, { toleranceBps, toleranceChosen: true }, this.audit.by(actor));
    const said =
      toleranceBps === 0
        ? 'Saved. Payments have to arrive whole.'
        : 'Saved. Payments may arrive up to 1 % short.';
    context.redirect(pathTo('paymentSettings'), context.say(said));
  }

  private async termsModel(context: RequestContext, value: Value) {
    const [{ toleranceChosen }, now] = await Promise.all([
      this.merchants.get(context.merchantId),
      this.clock.now(),
    ]);
    return termsView(context.say, {
      tabs: settingsTabs(context.say, context.who, 'Payments'),
      ...changing(context, pathTo('paymentSettings')),
      networks: this.networks.all(),
      wallets: await this.wallets.networksOf(context.merchantId),
      value,
      isToleranceChosen: toleranceChosen,
      forgiven: await this.payments.forgivenLastMonth(context.merchantId, now),
    });
  }
}

function generalView(context: RequestContext, fields: GeneralFields) {
  const tabs = settingsTabs(context.say, context.who, 'General|of the settings');
  return { title: context.say('Settings'), tabs, ...changing(context, pathTo('settings')), ...fields };
}
