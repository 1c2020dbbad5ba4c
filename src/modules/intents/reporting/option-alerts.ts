import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Readiness } from '../../../platform/health/readiness.js';
import { ScheduledJob } from '../../../platform/jobs/scheduled-job.js';
import { AlertsService } from '../../alerts/alerts.service.js';
import type { AlertSubject, NewAlert } from '../../alerts/alerts.types.js';
import type { NetworkAsset } from '../../chains/chains.types.js';
import type { AssetClosure, NetworkHealth } from '../../chains/health.types.js';
import { NetworkHealthService } from '../../chains/network-health.service.js';
import { NetworksService } from '../../chains/networks/networks.service.js';
import { RateBook } from '../../rates/rates.service.js';
import type { RateHealth } from '../../rates/rates.types.js';
import { utcMinute } from './domain/utc-minute.js';
import { UnwatchedAssets } from './unwatched-assets.service.js';

const LOOK_EVERY_MS = 20_000;
/** Looks in a row: what passes within a minute is nobody's alert. */
const LOOKS_BEFORE_ALERT = 3;
/** Longer than the pause between two looks of any instance: prices are held in memory, so one may miss what another has. */
const UNSEEN_BEFORE_RESOLVED_S = 120;

const KINDS = [
  'network-unavailable',
  'network-halted',
  'finality-stalled',
  'finality-given-up',
  'coin-unwatched',
  'rates-unavailable',
  'asset-unwatched',
] as const;
/** What to say of one thing that may keep options closed, while it does. */
type Trouble = NewAlert<(typeof KINDS)[number]>;
type Look = Trouble | null;
/** With what people call the network: ids stand in what programs read, and in commands. */
type Named<Of> = Of & { readonly networkName: string };

/** Tells the operator when ways to pay are closed because we cannot see a network or do not know a price. */
@Injectable()
export class OptionAlerts {
  /** How often each trouble was seen, of those that the last look saw. */
  private inARow: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly dataSource: DataSource,
    private readonly readiness: Readiness,
    private readonly health: NetworkHealthService,
    private readonly networks: NetworksService,
    private readonly rates: RateBook,
    private readonly alerts: AlertsService,
    private readonly unwatched: UnwatchedAssets,
  ) {}

  /** Before the first catch-up every network is behind, which is nobody's trouble. */
  @ScheduledJob('option-alerts', LOOK_EVERY_MS)
  async lookOnceOpen(): Promise<void> {
    if (this.readiness.isOpen) await this.look();
  }

  async look(): Promise<void> {
    await this.alerts.follow(this.dataSource.manager, KINDS, () => this.troubles(), {
      isDue: (trouble) => (this.inARow.get(keyOf(trouble)) ?? 0) >= LOOKS_BEFORE_ALERT,
      unseenForS: () => UNSEEN_BEFORE_RESOLVED_S,
    });
  }

  private async troubles(): Promise<Trouble[]> {
    const health = (await this.health.all()).map((one) => this.named(one));
    const assets = this.networks.all().flatMap(({ id, assets: listed }) => {
      const closed = health.find(({ network }) => network === id)?.closedAssets ?? {};
      return listed.map(({ symbol }) =>
        lookAtAsset(this.named({ network: id, asset: symbol }), closed[symbol]),
      );
    });
    const networks = [lookAtNetwork, lookAtHalt, lookAtFinality, lookAtGivenUp, lookAtCrowd].flatMap(
      (lookAt) => health.map(lookAt),
    );
    const left = this.unwatchedOf(await this.unwatched.all());
    const looks = [...networks, ...assets, ...left, lookAtRates(this.rates.health())];
    const troubles = looks.filter((trouble) => trouble !== null);
    const before = this.inARow;
    this.inARow = new Map(troubles.map(keyOf).map((key) => [key, (before.get(key) ?? 0) + 1]));
    return troubles;
  }

  /** One for each asset, and one for a network of which nothing is configured. */
  private unwatchedOf(left: readonly NetworkAsset[]): Trouble[] {
    const isGone = ({ network }: NetworkAsset) => this.networks.network(network) === null;
    const gone = [...new Set(left.filter(isGone).map(({ network }) => network))];
    const assetsOf = (id: string) => left.filter(({ network }) => network === id).map(({ asset }) => asset);
    return [
      ...gone.map((network) => unwatchedNetwork(network, assetsOf(network))),
      ...left.filter((one) => !isGone(one)).map((one) => unwatchedAsset(this.named(one))),
    ];
  }

  private named<Of extends { readonly network: string }>(one: Of): Named<Of> {
    return { ...one, networkName: this.networks.nameOf(one.network) };
  }
}

const keyOf = ({ kind, subject }: AlertSubject) => `${kind} ${subject}`;

function lookAtNetwork(health: Named<NetworkHealth>): Look {
  const { network, networkName, state, height, nodeHeight, syncedAt, reason } = health;
  const about = { kind: 'network-unavailable', subject: network } as const;
  if (state === 'open') return null;
  const since = syncedAt ? `since ${utcMinute(syncedAt)}` : 'since the start';
  const detail =
    `The newest block of ${networkName} has not been seen ${since} (we are at ${height ?? 'no block'}, its node at ` +
    `${nodeHeight ?? 'none'}). Nobody can choose it at the checkout until it has been caught up; payments that are ` +
    `under way are kept and decided then. ${reason ? `What the watcher says: ${reason}. ` : ''}Look at the node, and ` +
    'at the log of this service.';
  const summary = `${networkName} is not offered: its newest block has not been seen`;
  const data = { network, state, height, nodeHeight };
  return { ...about, merchantId: null, summary, detail, data };
}

/** Closed for want of a common block is more than unavailable: it does not pass by itself. */
function lookAtHalt({ network, networkName, state, reason }: Named<NetworkHealth>): Look {
  const about = { kind: 'network-halted', subject: network } as const;
  if (state !== 'halted') return null;
  const summary = `${networkName} is halted: its node is on another chain`;
  const detail =
    `What the watcher says: ${reason} It does not go on by itself. Look with \`chain show --network ${network}\`; ` +
    'the operations manual has the ways out under "A network that halts".';
  return { ...about, merchantId: null, summary, detail, data: { network, reason } };
}

/** Nothing is closed by it: what waits for fewer blocks, or for none, goes on. */
function lookAtFinality(health: Named<NetworkHealth>): Look {
  const { network, networkName, isFinalityStalled, unfinalForS } = health;
  const about = { kind: 'finality-stalled', subject: network } as const;
  if (!isFinalityStalled || unfinalForS === null) return null;
  const summary = `No block of ${networkName} has become final for long`;
  const detail =
    `Blocks of ${networkName} come, and none has become final for ${Math.floor(unfinalForS / 60)} minutes. Payments that ` +
    'wait for finality are kept and wait with it; those that wait for a number of blocks go on. Compare what the node ' +
    'calls final with a block explorer: if only the node stands still, use another one.';
  return { ...about, merchantId: null, summary, detail, data: { network } };
}

/** Over a week after the last time: nothing tells when somebody has looked. */
function lookAtGivenUp({ network, networkName, finalGivenUp }: Named<NetworkHealth>): Look {
  const about = { kind: 'finality-given-up', subject: network } as const;
  if (!finalGivenUp) return null;
  const { at, fromHeight } = finalGivenUp;
  const summary = `Blocks of ${networkName} that were final have been given up`;
  const detail =
    `The chain of ${networkName} has other blocks from ${fromHeight} on than those that were held to be final there, since ` +
    `${utcMinute(at)}. What was paid in them is looked for anew; merchants are told of their payments that rest on one. ` +
    'Compare the node with a block explorer: if it was wrong about what is final, or is now on another chain, use another ' +
    'one. This alert ends after seven days.';
  const data = { network, at: at.toISOString(), fromHeight };
  return { ...about, merchantId: null, summary, detail, data };
}

/** What is left out is found all the same, but late: who paid waits for finality, and then for the comparison. */
function lookAtCrowd({ network, networkName, coinUnwatched }: Named<NetworkHealth>): Look {
  const about = { kind: 'coin-unwatched', subject: network } as const;
  if (coinUnwatched === 0) return null;
  const summary = `${networkName} has more recent addresses than are compared with every block`;
  const detail =
    `The balances of ${coinUnwatched} addresses of the last day are not compared with every block. Coin that a contract ` +
    'pays to them is found by the comparison with the chain, once it is final; tokens and plain payments are not ' +
    'concerned. While some of them have open windows the coin is not offered. It ends when fewer intents are opened.';
  return { ...about, merchantId: null, summary, detail, data: { network, coinUnwatched } };
}

const WHY_ASSET_CLOSED: Readonly<Record<AssetClosure, string>> = {
  'balances-unknown':
    'The node does not say what addresses hold (eth_call by the hash of a block), or says it, or traces blocks, more ' +
    'slowly than blocks come; so coin that a smart wallet or an exchange pays from a contract would be seen late. What ' +
    'comes meanwhile is found, and recorded, when the node says it again. Slow traces close it for half a minute, ' +
    'then coin goes on without the names of its payers. If it lasts, use a faster node that keeps the state of its ' +
    'last blocks.',
  'catching-up':
    'Blocks were passed without looking for it, as by an instance with an older list of assets. They are being ' +
    'searched; make sure that all instances have the same configuration.',
  'too-many-addresses':
    'More addresses with open windows are issued than can be compared with every block, so coin that a smart wallet or ' +
    'an exchange pays from a contract would be seen late at some of them. Merchants who issue more than their share do ' +
    'not offer it until fewer are open.',
};

function lookAtAsset(
  { network, networkName, asset }: Named<NetworkAsset>,
  closure: AssetClosure | undefined,
): Look {
  const about = { kind: 'network-unavailable', subject: `${network}:${asset}` } as const;
  if (!closure) return null;
  const summary = `${asset} on ${networkName} is not offered: we would not see all of it`;
  const data = { network, asset, closure };
  return { ...about, merchantId: null, summary, detail: WHY_ASSET_CLOSED[closure], data };
}

const UNWATCHED =
  'What is paid to them is not seen. Put it back into the configuration of all instances: the blocks that were passed are ' +
  'then searched. See "Take an asset or a network out" in docs/operations.md. This alert ends by itself when it is looked ' +
  'for again. Where it never will be, acknowledge it.';

/** Whoever has an address may pay it at any time: that it is offered no more says nothing to them. */
function unwatchedAsset({ network, networkName, asset }: Named<NetworkAsset>): Trouble {
  return {
    kind: 'asset-unwatched',
    subject: `${network}:${asset}`,
    merchantId: null,
    summary: `${asset} on ${networkName} is not looked for any more`,
    detail:
      `Buyers were given addresses for ${asset} on ${networkName}, and it is not in the configuration any more. ` +
      UNWATCHED,
    data: { network, assets: [asset] },
  };
}

function unwatchedNetwork(network: string, assets: readonly string[]): Trouble {
  return {
    kind: 'asset-unwatched',
    subject: network,
    merchantId: null,
    summary: `${network} is not watched any more`,
    detail:
      `Buyers were given addresses for ${assets.join(', ')} on ${network}, and the network is not in the configuration ` +
      'any more. ' +
      UNWATCHED,
    data: { network, assets },
  };
}

function lookAtRates(health: readonly RateHealth[]): Look {
  const about = { kind: 'rates-unavailable', subject: 'rates' } as const;
  const pairs = health
    .filter(({ price }) => price === null)
    .map(({ asset, currency }) => `${asset}/${currency}`);
  if (pairs.length === 0) return null;
  const detail =
    `No price is fresh enough, or the sources differ too much, for ${pairs.join(', ')}. These options are closed at ` +
    'the checkout until there is a price again. /health/ready names the sources that fail.';
  const summary = `No rate for ${pairs.length === 1 ? pairs[0] : `${pairs.length} pairs`}`;
  return { ...about, merchantId: null, summary, detail, data: { pairs } };
}
