import { Injectable } from '@nestjs/common';
import type { NetworkAsset } from '../../chains/chains.types.js';
import { NetworkHealthService } from '../../chains/network-health.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { ReconciliationService } from '../../chains/reconciliation/reconciliation.service.js';
import type { ChainVerdict } from '../../chains/reconciliation/reconciliation.types.js';
import { GivenAssetsRepository } from './data/given-assets.repository.js';
import { withUnwatched } from './domain/unwatched.js';

/**
 * What buyers were given addresses for and nobody looks for any more: an asset, or a whole network, that was taken out of
 * the configuration. Whoever has such an address may pay it at any time, and nobody would see it.
 */
@Injectable()
export class UnwatchedAssets {
  constructor(
    private readonly given: GivenAssetsRepository,
    private readonly health: NetworkHealthService,
    private readonly networks: NetworksService,
    private readonly reconciliation: ReconciliationService,
  ) {}

  /** Costs a look into an index for each asset that addresses were ever given out for. */
  async all(): Promise<NetworkAsset[]> {
    return this.health.unwatched(await this.given.all());
  }

  /** As `ReconciliationService.check`, with the addresses that no comparison looks at; those of taken-out networks too. */
  async check(networkId?: string): Promise<ChainVerdict[]> {
    const verdicts = await this.reconciliation.check(networkId);
    const unwatched = (await this.given.all())
      .filter(({ network }) => networkId === undefined || network === networkId)
      .filter(({ network, asset }) => this.networks.asset(network, asset) === null);
    if (unwatched.length === 0) return verdicts;
    return withUnwatched(verdicts, await this.given.addressesOf(unwatched));
  }
}
