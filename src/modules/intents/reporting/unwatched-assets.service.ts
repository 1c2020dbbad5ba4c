import { Injectable } from '@nestjs/common';
import { AlertsService } from '../../alerts/alerts.service.js';
import type { NetworkAsset } from '../../chains/chains.types.js';
import { NetworkHealthService } from '../../chains/network-health.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { ReconciliationService } from '../../chains/reconciliation/reconciliation.service.js';
import { GivenAssetsRepository } from './data/given-assets.repository.js';
import { type CheckedNetwork, withUnwatched } from './domain/unwatched.js';

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
    private readonly alerts: AlertsService,
  ) {}

  /** Costs a look into an index for each asset that addresses were ever given out for. */
  async all(): Promise<NetworkAsset[]> {
    return this.health.unwatched(await this.given.all());
  }

  /** Of these, what nobody has acknowledged the alert about: what comes back never will be, and somebody knows it. */
  async unacknowledged(): Promise<NetworkAsset[]> {
    const unheard: NetworkAsset[] = [];
    for (const one of await this.all()) if (!(await this.isAcknowledged(one))) unheard.push(one);
    return unheard;
  }

  /** As `ReconciliationService.check`, with the addresses that no comparison looks at; those of taken-out networks too. */
  async check(networkId?: string): Promise<CheckedNetwork[]> {
    const verdicts = await this.reconciliation.check(networkId);
    const unwatched = (await this.given.all())
      .filter(({ network }) => networkId === undefined || network === networkId)
      .filter(({ network, asset }) => this.networks.asset(network, asset) === null);
    const counted = unwatched.length === 0 ? [] : await this.given.addressesOf(unwatched);
    const told = counted.map(async (one) => ({ ...one, isAcknowledged: await this.isAcknowledged(one) }));
    return withUnwatched(verdicts, await Promise.all(told));
  }

  /** What the alert about it is about: a network of which nothing is configured has one. */
  subjectOf({ network, asset }: NetworkAsset): string {
    return this.networks.network(network) === null ? network : `${network}:${asset}`;
  }

  private async isAcknowledged(one: NetworkAsset): Promise<boolean> {
    const alert = await this.alerts.standing('asset-unwatched', this.subjectOf(one));
    return alert?.acknowledgedAt != null;
  }
}
