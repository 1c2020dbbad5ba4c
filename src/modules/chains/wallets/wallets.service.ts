import { Injectable } from '@nestjs/common';
import type { On } from '../../../database/statement.js';
import { NetworksService } from '../networks/networks.service.js';
import type { Wallet } from '../wallets.types.js';
import { WalletsRepository } from './data/wallets.repository.js';

/** What a merchant is paid into, network by network; how one is set is in the service of its kind. */
@Injectable()
export class WalletsService {
  constructor(
    private readonly rows: WalletsRepository,
    private readonly networks: NetworksService,
  ) {}

  list(merchantId: string, on?: On): Promise<Wallet[]> {
    return this.rows.list(merchantId, on);
  }

  /** Networks of this instance on which the merchant can be paid. */
  async networksOf(merchantId: string): Promise<string[]> {
    const wallets = await this.rows.list(merchantId);
    return wallets.map(({ network }) => network).filter((id) => this.networks.network(id) !== null);
  }
}
