import { Get, Inject, Query } from '@nestjs/common';
import { CONFIG, type Config } from '../../../../config/config.types.js';
import { csvOf } from '../../../../kernel/text/csv.js';
import { DestinationsService } from '../../../chains/wallets/destinations.service.js';
import { ExtendedKeysService } from '../../../chains/wallets/extended-keys.service.js';
import { IssuedAddressesService } from '../../../intents/reporting/issued-addresses.service.js';
import { Allow, CurrentContext, DashboardController } from '../../session/allow.js';
import { RequestContext } from '../../session/request-context.js';
import { settingsTabs } from '../tabs.js';
import { addressesView, issuersOf } from './addresses.view.js';
import { ADDRESS_COLUMNS } from './addresses-csv.js';

const PAGE_SIZE = 50;

/** What the merchant's wallets have issued. */
@DashboardController('wallets')
export class AddressesController {
  constructor(
    private readonly extendedKeys: ExtendedKeysService,
    private readonly destinations: DestinationsService,
    private readonly issued: IssuedAddressesService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('addresses')
  @Allow('settings:read')
  async list(
    @CurrentContext() context: RequestContext,
    @Query('key') asked: unknown,
    @Query('before') before: unknown,
  ): Promise<void> {
    const { merchantId } = context;
    const issuers = issuersOf(
      context.say,
      await this.extendedKeys.list(merchantId),
      await this.destinations.list(merchantId),
      this.config.networks,
    );
    // Another merchant's is none of these.
    const issuer =
      issuers.find(({ id }) => id === asked) ?? issuers.find(({ isUsed }) => isUsed) ?? issuers[0];
    const after = typeof before === 'string' && /^(\d{1,10}|0x[0-9a-f]{40})$/.test(before) ? before : null;
    const rows = issuer ? await this.issued.page(merchantId, issuer, after, PAGE_SIZE + 1) : [];
    const tabs = settingsTabs(context.say, context.who, 'Wallets');
    await context.page(
      'settings/addresses',
      addressesView(context.say, {
        tabs,
        issuers,
        issuer: issuer ?? null,
        rows,
        pageSize: PAGE_SIZE,
        isFirst: after === null,
      }),
    );
  }

  @Get('addresses.csv')
  @Allow('settings:read')
  async export(@CurrentContext() context: RequestContext): Promise<void> {
    await context.csv('addresses.csv', csvOf(ADDRESS_COLUMNS, this.issued.all(context.merchantId)));
  }
}
