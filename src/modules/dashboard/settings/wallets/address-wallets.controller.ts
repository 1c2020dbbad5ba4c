import { Get, Post, Query } from '@nestjs/common';
import { AuditLog } from '../../../accounts/audit/audit-log.service.js';
import { NetworksService } from '../../../chains/networks/networks.service.js';
import { DestinationsService } from '../../../chains/wallets/destinations.service.js';
import { pathTo } from '../../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../../session/allow.js';
import { RequestContext } from '../../session/request-context.js';
import { settingsTabs } from '../tabs.js';
import { addressFormView, addressPreviewView } from './address-wallets.view.js';

const FORM = 'settings/wallet-address';

/** Wallets by one address: what most shopkeepers have to give. */
@DashboardController('addressWallet')
export class AddressWalletsController {
  constructor(
    private readonly networks: NetworksService,
    private readonly destinations: DestinationsService,
    private readonly audit: AuditLog,
  ) {}

  @Get()
  @Allow('wallets:manage', { fresh: true })
  async ask(@CurrentContext() context: RequestContext, @Query('network') network: unknown): Promise<void> {
    await context.page(FORM, this.form(context, typeof network === 'string' ? network : '', ''));
  }

  /** Nothing is stored yet: first the owner compares the address with the wallet. */
  @Post()
  @Allow('wallets:manage', { fresh: true, unrecorded: 'nothing is stored' })
  async preview(@CurrentContext() context: RequestContext): Promise<void> {
    const { merchantId, form } = context;
    const [network, address] = [form.text('network'), form.text('address')];
    try {
      const preview = await this.destinations.preview({ merchantId, network, address });
      const tabs = settingsTabs(context.say, context.who, 'Wallets');
      const named = { id: network, name: this.networks.nameOf(network) };
      const model = addressPreviewView(context.say, tabs, preview, named);
      await context.page('settings/wallet-address-preview', model);
    } catch (error) {
      await context.refused(error, FORM, this.form(context, network, address));
    }
  }

  @Post('save')
  @Allow('wallets:manage', { fresh: true })
  async save(@CurrentContext() context: RequestContext): Promise<void> {
    const { merchantId, form, actor } = context;
    const [network, address] = [form.text('network'), form.text('address')];
    const wanted = { merchantId, network, address };
    try {
      const { destination, changes } = await this.destinations.set(wanted, this.audit.by(actor));
      const text = context.say(
        'Saved. Quotes on {network} from now on pay out to {address} alone. This is change {number} of this wallet.',
        { network: this.networks.network(network)?.name ?? network, address: destination, number: changes },
      );
      context.redirect(pathTo('wallets'), text);
    } catch (error) {
      await context.refused(error, FORM, this.form(context, network, address));
    }
  }

  private form({ who, say }: RequestContext, network: string, typed: string) {
    const networks = this.networks.all().filter(({ family }) => family === 'evm');
    const offered = networks.filter((one) => this.destinations.isOffered(one));
    const others = networks.filter((one) => !offered.includes(one));
    return addressFormView(say, settingsTabs(say, who, 'Wallets'), offered, others, network, typed);
  }
}
