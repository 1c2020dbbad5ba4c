import { Get, Post } from '@nestjs/common';
import { may } from '../../accounts/accounts.types.js';
import { MerchantSettingsService } from '../../accounts/admission/merchant-settings.service.js';
import { ChainsService } from '../../chains/chains.service.js';
import { MerchantsService } from '../../merchants/merchants.service.js';
import { Allow, CurrentVisit, DashboardController } from '../door/allow.js';
import { confirmPath, Visit } from '../door/visit.js';
import { generalOf, generalSettings, typedGeneral, type GeneralFields } from './general.js';
import { settingsTabs } from './tabs.js';
import { storedTerms, termsSettings, typedTerms, type Value } from './terms-form.js';
import { termsView } from './terms.view.js';

@DashboardController('settings')
export class SettingsController {
  constructor(
    private readonly merchants: MerchantsService,
    private readonly settings: MerchantSettingsService,
    private readonly chains: ChainsService,
  ) {}

  @Get()
  @Allow('settings:read')
  async general(@CurrentVisit() visit: Visit): Promise<void> {
    const merchant = await this.merchants.get(visit.merchantId);
    await visit.page('settings/general', generalView(visit, generalOf(merchant)));
  }

  @Post()
  @Allow('settings:manage')
  async setGeneral(@CurrentVisit() visit: Visit): Promise<void> {
    const typed = typedGeneral(visit.form);
    try {
      await this.settings.change(visit.merchantId, generalSettings(typed), visit.actor);
    } catch (error) {
      return visit.refused(error, 'settings/general', generalView(visit, typed));
    }
    visit.redirect('/dashboard/settings', 'Saved.');
  }

  @Get('payments')
  @Allow('settings:read')
  async terms(@CurrentVisit() visit: Visit): Promise<void> {
    const merchant = await this.merchants.get(visit.merchantId);
    const value = storedTerms(merchant, this.chains.networks());
    await visit.page('settings/payments', await this.termsModel(visit, value));
  }

  @Post('payments')
  @Allow('settings:manage')
  async setTerms(@CurrentVisit() visit: Visit): Promise<void> {
    const { merchantId, actor, form } = visit;
    const { networkTerms } = await this.merchants.get(merchantId);
    const value = typedTerms(form);
    try {
      const settings = termsSettings(value, this.chains.networks(), networkTerms);
      await this.settings.change(merchantId, settings, actor);
    } catch (error) {
      return visit.refused(error, 'settings/payments', await this.termsModel(visit, value));
    }
    visit.redirect('/dashboard/settings/payments', 'Saved. Quotes made from now on go by it.');
  }

  private async termsModel(visit: Visit, value: Value) {
    return termsView({
      tabs: settingsTabs(visit.who, 'Payments'),
      ...changing(visit, '/dashboard/settings/payments'),
      networks: this.chains.networks(),
      wallets: await this.chains.walletNetworks(visit.merchantId),
      value,
    });
  }
}

function generalView(visit: Visit, fields: GeneralFields) {
  const tabs = settingsTabs(visit.who, 'General');
  return { title: 'Settings', tabs, ...changing(visit, '/dashboard/settings'), ...fields };
}

/** Who may change something does so after a proof of identity: before it the fields are only shown. */
function changing({ who }: Visit, path: string) {
  const isOwner = may(who, 'settings:manage');
  return { isOwner, mayChange: isOwner && who.isFresh, confirm: isOwner ? confirmPath(who, path) : null };
}
