import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { KnownAssetsRepository } from '../data/known-assets.repository.js';
import { NetworksService } from './networks.service.js';

/** Of an asset of a network; `null` where nobody knows: then an amount of it is a number of atoms, and nothing else. */
export type DecimalsOf = (network: string, asset: string) => number | null;

/** How finely assets are divided, those too that are configured no more: what was recorded of them stays (ADR 46). */
@Injectable()
export class AssetDecimals {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rows: KnownAssetsRepository,
    private readonly networks: NetworksService,
  ) {}

  async known(): Promise<DecimalsOf> {
    const rows = await this.rows.decimals(this.dataSource.manager);
    return (network, asset) =>
      this.networks.asset(network, asset)?.decimals ??
      rows.find((known) => known.network === network && known.symbol === asset)?.decimals ??
      null;
  }
}
