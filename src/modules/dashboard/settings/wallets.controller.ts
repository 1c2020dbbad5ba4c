import { Get, Post, Query } from '@nestjs/common';
import { may } from '../../accounts/accounts.types.js';
import { ChainsService } from '../../chains/chains.service.js';
import { Allow, CurrentVisit, DashboardController } from '../door/allow.js';
import { Visit } from '../door/visit.js';
import { WalletChangesService } from '../wallet-changes.service.js';
import { settingsTabs } from './tabs.js';
import { wholeOf } from './values.js';
import { previewView, savedText, skipView, walletFormView, walletsView } from './wallets.view.js';

const WALLETS = '/dashboard/settings/wallets';
const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** Where the money goes: the one setting with which a thief could take all that comes. */
@DashboardController('settings/wallets')
export class WalletsController {
  constructor(
    private readonly chains: ChainsService,
    private readonly changes: WalletChangesService,
  ) {}

  @Get()
  @Allow('settings:read')
  async list(@CurrentVisit() visit: Visit): Promise<void> {
    const model = walletsView({
      tabs: settingsTabs(visit.who, 'Wallets'),
      mayChange: may(visit.who, 'wallets:manage'),
      networks: this.chains.networks(),
      keys: await this.chains.extendedKeys(visit.merchantId),
    });
    await visit.page('settings/wallets', model);
  }

  @Get('new')
  @Allow('wallets:manage', { fresh: true })
  async ask(@CurrentVisit() visit: Visit, @Query('network') network: unknown): Promise<void> {
    await visit.page('settings/wallet-new', this.form(visit, text(network), ''));
  }

  /** Nothing is stored yet: first the owner compares addresses with the wallet. */
  @Post('new')
  @Allow('wallets:manage', { fresh: true })
  async preview(@CurrentVisit() visit: Visit): Promise<void> {
    const { merchantId, form } = visit;
    const [network, xpub] = [form.text('network'), form.text('xpub')];
    try {
      const preview = await this.chains.previewWallet({ merchantId, network, xpub });
      const tabs = settingsTabs(visit.who, 'Wallets');
      const searched = this.chains.told(preview.scan);
      const model = previewView(tabs, preview, this.chains.network(network), searched);
      await visit.page('settings/wallet-preview', model);
    } catch (error) {
      await visit.refused(error, 'settings/wallet-new', this.form(visit, network, xpub));
    }
  }

  @Post()
  @Allow('wallets:manage', { fresh: true })
  async save(@CurrentVisit() visit: Visit): Promise<void> {
    const { merchantId, form, actor } = visit;
    const [network, xpub] = [form.text('network'), form.text('xpub')];
    try {
      const set = await this.changes.set({ merchantId, network, xpub }, actor);
      visit.redirect(WALLETS, savedText(this.chains.network(network), set, this.chains.told(set.scan)));
    } catch (error) {
      await visit.refused(error, 'settings/wallet-new', this.form(visit, network, xpub));
    }
  }

  @Get('skip')
  @Allow('wallets:manage', { fresh: true })
  async askSkip(@CurrentVisit() visit: Visit): Promise<void> {
    await visit.page('settings/wallet-skip', await this.skipForm(visit));
  }

  @Post('skip')
  @Allow('wallets:manage', { fresh: true })
  async skip(@CurrentVisit() visit: Visit): Promise<void> {
    const { merchantId, form, actor } = visit;
    const wanted = { merchantId, network: form.text('network'), to: wholeOf(form.text('to') || 'nothing') };
    try {
      await this.changes.skip(wanted, actor);
    } catch (error) {
      return visit.refused(error, 'settings/wallet-skip', await this.skipForm(visit));
    }
    visit.redirect(WALLETS, `The next address has index ${wanted.to}.`);
  }

  private form({ who }: Visit, network: string, typed: string) {
    return walletFormView(settingsTabs(who, 'Wallets'), this.chains.networks(), network, typed);
  }

  private async skipForm({ who, merchantId, form }: Visit) {
    const networks = this.chains.networks();
    const typed = { network: form.text('network'), to: form.text('to') };
    return skipView(
      settingsTabs(who, 'Wallets'),
      networks,
      await this.chains.extendedKeys(merchantId),
      typed,
    );
  }
}
