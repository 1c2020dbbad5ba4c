import { Get, Post, Query } from '@nestjs/common';
import { AuditLog } from '../../../accounts/audit/audit-log.service.js';
import { may } from '../../../accounts/permissions.pure.js';
import { NetworksService } from '../../../chains/networks/networks.service.js';
import { DestinationsService } from '../../../chains/wallets/destinations.service.js';
import { ExtendedKeysService } from '../../../chains/wallets/extended-keys.service.js';
import { GapsService } from '../../../chains/wallets/gaps.service.js';
import { pathTo } from '../../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../../session/allow.js';
import { RequestContext } from '../../session/request-context.js';
import { settingsTabs } from '../tabs.js';
import { wholeOf } from '../values.js';
import { previewView, savedText, skipView, walletFormView, walletsView } from './wallets.view.js';

const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** Where the money goes: the one setting with which a thief could take all that comes. */
@DashboardController('wallets')
export class WalletsController {
  constructor(
    private readonly networks: NetworksService,
    private readonly extendedKeys: ExtendedKeysService,
    private readonly destinations: DestinationsService,
    private readonly gaps: GapsService,
    private readonly audit: AuditLog,
  ) {}

  @Get()
  @Allow('settings:read')
  async list(@CurrentContext() context: RequestContext): Promise<void> {
    const model = walletsView(context.say, {
      tabs: settingsTabs(context.say, context.who, 'Wallets'),
      mayChange: may(context.who, 'wallets:manage'),
      networks: this.networks.all(),
      keys: await this.extendedKeys.list(context.merchantId),
      destinations: await this.destinations.list(context.merchantId),
      gaps: await this.gaps.of(context.merchantId),
      byAddress: (network) => this.destinations.isOffered(network),
    });
    await context.page('settings/wallets', model);
  }

  @Get('new')
  @Allow('wallets:manage', { fresh: true })
  async ask(@CurrentContext() context: RequestContext, @Query('network') network: unknown): Promise<void> {
    await context.page('settings/wallet-new', this.form(context, text(network), ''));
  }

  /** Nothing is stored yet: first the owner compares addresses with the wallet. */
  @Post('new')
  @Allow('wallets:manage', { fresh: true, unrecorded: 'nothing is stored' })
  async preview(@CurrentContext() context: RequestContext): Promise<void> {
    const { merchantId, form } = context;
    const [network, xpub] = [form.text('network'), form.text('xpub')];
    try {
      const preview = await this.extendedKeys.preview({ merchantId, network, xpub });
      const tabs = settingsTabs(context.say, context.who, 'Wallets');
      const searched = this.extendedKeys.told(preview.scan);
      const model = previewView(context.say, tabs, preview, this.networks.network(network), searched);
      await context.page('settings/wallet-preview', model);
    } catch (error) {
      await context.refused(error, 'settings/wallet-new', this.form(context, network, xpub));
    }
  }

  @Post()
  @Allow('wallets:manage', { fresh: true })
  async save(@CurrentContext() context: RequestContext): Promise<void> {
    const { merchantId, form, actor } = context;
    const [network, xpub] = [form.text('network'), form.text('xpub')];
    try {
      const set = await this.extendedKeys.set({ merchantId, network, xpub }, this.audit.by(actor));
      context.redirect(
        pathTo('wallets'),
        savedText(context.say, this.networks.network(network), set, this.extendedKeys.told(set.scan)),
      );
    } catch (error) {
      await context.refused(error, 'settings/wallet-new', this.form(context, network, xpub));
    }
  }

  @Get('skip')
  @Allow('wallets:manage', { fresh: true })
  async askSkip(@CurrentContext() context: RequestContext): Promise<void> {
    await context.page('settings/wallet-skip', await this.skipForm(context));
  }

  @Post('skip')
  @Allow('wallets:manage', { fresh: true })
  async skip(@CurrentContext() context: RequestContext): Promise<void> {
    const { merchantId, form, actor } = context;
    const wanted = { merchantId, network: form.text('network'), to: wholeOf(form.text('to') || 'nothing') };
    try {
      const { nextIndex } = await this.extendedKeys.skip(wanted, this.audit.by(actor));
      context.redirect(
        pathTo('wallets'),
        context.say('The next address has index {index}.', { index: nextIndex }),
      );
    } catch (error) {
      await context.refused(error, 'settings/wallet-skip', await this.skipForm(context));
    }
  }

  private form({ who, say }: RequestContext, network: string, typed: string) {
    return walletFormView(say, settingsTabs(say, who, 'Wallets'), this.networks.all(), network, typed);
  }

  private async skipForm({ who, say, merchantId, form }: RequestContext) {
    const networks = this.networks.all();
    const typed = { network: form.text('network'), to: form.text('to') };
    return skipView(
      say,
      settingsTabs(say, who, 'Wallets'),
      networks,
      await this.extendedKeys.list(merchantId),
      typed,
    );
  }
}
