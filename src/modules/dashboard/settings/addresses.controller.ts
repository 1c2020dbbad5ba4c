import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { Get, Query } from '@nestjs/common';
import { ChainsService } from '../../chains/chains.service.js';
import { IssuedAddressesService } from '../../intents/reporting/issued-addresses.service.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { RequestContext } from '../session/request-context.js';
import { addressesCsv } from './addresses-csv.js';
import { addressesView } from './addresses.view.js';
import { settingsTabs } from './tabs.js';

const PAGE_SIZE = 50;

/** What the merchant's keys have issued. */
@DashboardController('settings/wallets')
export class AddressesController {
  constructor(
    private readonly chains: ChainsService,
    private readonly issued: IssuedAddressesService,
  ) {}

  @Get('addresses')
  @Allow('settings:read')
  async list(
    @CurrentContext() context: RequestContext,
    @Query('key') asked: unknown,
    @Query('before') before: unknown,
  ): Promise<void> {
    const keys = await this.chains.extendedKeys(context.merchantId);
    // Another merchant's key is none of these.
    const key =
      keys.find(({ id }) => id === asked) ?? keys.find(({ networks }) => networks.length > 0) ?? keys[0];
    const index = typeof before === 'string' && /^\d{1,10}$/.test(before) ? Number(before) : null;
    const rows = key ? await this.issued.page(context.merchantId, key.id, index, PAGE_SIZE + 1) : [];
    const tabs = settingsTabs(context.who, 'Wallets');
    await context.page(
      'settings/addresses',
      addressesView({ tabs, keys, key: key ?? null, rows, pageSize: PAGE_SIZE, isFirst: index === null }),
    );
  }

  @Get('addresses.csv')
  @Allow('settings:read')
  async export(@CurrentContext() { merchantId, response }: RequestContext): Promise<void> {
    response.type('text/csv').attachment('addresses.csv');
    await pipeline(Readable.from(addressesCsv(this.issued.all(merchantId))), response);
  }
}
