import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ScheduledJob } from '../../../platform/jobs/scheduled-job.js';
import { AlertsService } from '../../alerts/alerts.service.js';
import type { NewAlert } from '../../alerts/alerts.types.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { GapsService } from '../../chains/wallets/gaps.service.js';
import { GAP_ALARM, GAP_LIMIT, type KeyGap } from '../../chains/wallets/gaps.types.js';
import { WalletsService } from '../../chains/wallets/wallets.service.js';

const LOOK_EVERY_MS = 60_000;

/** Tells a merchant before its wallet stops looking for what its buyers pay, until somebody has paid or the key is replaced. */
@Injectable()
export class GapAlerts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly gaps: GapsService,
    private readonly wallets: WalletsService,
    private readonly networks: NetworksService,
    private readonly alerts: AlertsService,
  ) {}

  @ScheduledJob('gap-alerts', LOOK_EVERY_MS)
  async look(): Promise<void> {
    await this.alerts.follow(this.dataSource.manager, ['wallet-gap'], async () => {
      const near = (await this.gaps.all()).filter(({ unused }) => unused >= GAP_ALARM);
      return Promise.all(near.map(async (gap) => gapAlert(gap, await this.namesOf(gap))));
    });
  }

  /** Of the networks that are paid to the key. */
  private async namesOf({ id, merchantId }: KeyGap): Promise<string[]> {
    const wallets = await this.wallets.list(merchantId);
    const paidTo = wallets.filter((wallet) => wallet.kind === 'extended-key' && wallet.extendedKeyId === id);
    return paidTo.map(({ network }) => this.networks.nameOf(network)).sort();
  }
}

export function gapAlert(
  { id, merchantId, family, hint, unused }: KeyGap,
  networkNames: readonly string[],
): NewAlert<'wallet-gap'> {
  return {
    kind: 'wallet-gap',
    subject: id,
    merchantId,
    summary: `Your wallet ${hint} may soon not show what is paid on ${networkNames.join(', ')}`,
    detail:
      `The last ${unused} addresses of ${hint} were given to buyers who have not paid. Most wallets look at ` +
      `${GAP_LIMIT} addresses behind the last that was paid, and may not show money beyond. It is there all the same, ` +
      'and Rappen sees it. Raise the gap limit of your wallet to 100 or more: docs/wallets.md says how. This alert ends ' +
      'by itself when one of these addresses is paid, or the wallet is replaced.',
    data: { key: id, family, unused, limit: GAP_LIMIT },
  };
}
