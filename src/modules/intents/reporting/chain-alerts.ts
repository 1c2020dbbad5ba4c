import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { recordedAmountText } from '../../../kernel/crypto-amount.js';
import { ScheduledJob } from '../../../platform/jobs/scheduled-job.js';
import { AlertsService } from '../../alerts/alerts.service.js';
import type { NewAlert } from '../../alerts/alerts.types.js';
import { AssetDecimals, type DecimalsOf } from '../../chains/networks/asset-decimals.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { ReconciliationService } from '../../chains/reconciliation/reconciliation.service.js';
import type { Difference, DifferenceKind } from '../../chains/reconciliation/reconciliation.types.js';
import { utcMinute } from './domain/utc-minute.js';

const LOOK_EVERY_MS = 20_000;
/** In an alert's words; the rest are counted. */
const MOST_NAMED = 10;
const MOST_READ = 1_000;
/** Longer than the pause between two looks of any instance: another one may have a network that this one has no more. */
const UNSEEN_BEFORE_RESOLVED_S = 120;

const KINDS = ['chain-difference', 'chain-uncompared'] as const;
type Kind = (typeof KINDS)[number];

const SAY: Readonly<Record<DifferenceKind, string>> = {
  unrecorded: 'arrived and was not recorded (it is now, and the payment is decided again)',
  unexplained: 'is held beyond what is recorded',
  missing: 'is recorded, and the chain does not hold it (nothing was changed)',
  swept: 'lies there and nothing is recorded, and yet the address has sent: what it sent had come unseen',
  collected: 'was collected from a deposit address and was not recorded as collected (it is now)',
  unissued: 'lies at an address of a key that this database never issued (its index is passed over)',
};

/**
 * Tells the operator when a chain holds other money of ours than is recorded, until the next comparison finds it the same;
 * and when no comparison has come to its end for long, because nobody would hear of such money then.
 */
@Injectable()
export class ChainAlerts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly networks: NetworksService,
    private readonly decimals: AssetDecimals,
    private readonly reconciliation: ReconciliationService,
    private readonly alerts: AlertsService,
  ) {}

  @ScheduledJob('chain-alerts', LOOK_EVERY_MS)
  async look(): Promise<void> {
    const networks = this.networks.all().map(({ id }) => id);
    await this.alerts.follow(this.dataSource.manager, KINDS, () => this.troublesOf(networks), {
      // Differences are in the database, where all instances with this network see the same.
      unseenForS: ({ kind, subject }) =>
        kind === 'chain-difference' && networks.includes(subject) ? 0 : UNSEEN_BEFORE_RESOLVED_S,
    });
  }

  private async troublesOf(networks: readonly string[]): Promise<NewAlert<Kind>[]> {
    const troubles: NewAlert<Kind>[] = [];
    const overdue = await this.reconciliation.overdue();
    const decimalsOf = await this.decimals.known();
    for (const network of networks) {
      const differences = await this.reconciliation.differences(network, MOST_READ);
      const networkName = this.networks.nameOf(network);
      if (differences.length > 0) troubles.push(differs({ network, networkName, differences }, decimalsOf));
      const since = overdue.get(network);
      if (since) troubles.push(uncompared({ network, networkName, since }));
    }
    return troubles;
  }
}

function say(difference: Difference, decimalsOf: DecimalsOf): string {
  const { network, asset, address, kind, chainAtoms, recordedAtoms, height, key } = difference;
  const atoms = chainAtoms > recordedAtoms ? chainAtoms - recordedAtoms : recordedAtoms - chainAtoms;
  const decimals = decimalsOf(network, asset);
  const where = key ? `${address} (key ${key.id}, index ${key.index})` : address;
  return `${recordedAmountText({ atoms, decimals, asset })} at ${where}, block ${height}: ${SAY[kind]}.`;
}

/** Texts say what people call a network; its id stands in what programs read, and in commands. */
interface Named {
  readonly network: string;
  readonly networkName: string;
}

function differs(
  { network, networkName, differences }: Named & { readonly differences: readonly Difference[] },
  decimalsOf: DecimalsOf,
): NewAlert<'chain-difference'> {
  const named = differences.slice(0, MOST_NAMED);
  const more = differences.length - named.length;
  const detail =
    `${named.map((one) => say(one, decimalsOf)).join(' ')}${more > 0 ? ` And ${more} more.` : ''} Run "check --chain", ` +
    'and see "Compared with the chain" in docs/operations.md. This alert ends by itself when the two are the same.';
  return {
    kind: 'chain-difference',
    subject: network,
    merchantId: null,
    detail,
    summary: `${differences.length} ${differences.length === 1 ? 'difference' : 'differences'} from the chain on ${networkName}`,
    data: { network, differences: named.map(dataOf), total: differences.length },
  };
}

function uncompared({
  network,
  networkName,
  since,
}: Named & { readonly since: Date }): NewAlert<'chain-uncompared'> {
  return {
    kind: 'chain-uncompared',
    subject: network,
    merchantId: null,
    data: { network, since: since.toISOString() },
    summary: `${networkName} has not been compared with its chain since ${since.toISOString().slice(0, 10)} (UTC)`,
    detail:
      `No comparison of all addresses on ${networkName} has come to its end since ${utcMinute(since)}: money that the ` +
      'watcher missed since then may not have been noticed. Payments go on. The log says why ("cannot be compared"), ' +
      `and so does "check --chain --network ${network}"; see "Compared with the chain" in docs/operations.md. This ` +
      'alert ends by itself when a comparison has ended.',
  };
}

function dataOf({ chainAtoms, recordedAtoms, network: _, ...difference }: Difference) {
  return { ...difference, chainAtoms: chainAtoms.toString(), recordedAtoms: recordedAtoms.toString() };
}
