import type { NetworkAsset } from '../../../chains/chains.types.js';
import type { AssetClosure, NetworkHealth, WatcherStats } from '../../../chains/health.types.js';
import { lasting } from '../../domain/times.js';
import type { PlainText } from '../../language/german/german.js';
import type { Say } from '../../language/say.js';
import type { NetworkName } from '../../settings/audit/audit-details.js';
import type { Finding } from './finding.types.js';

/** Fewer in a row mend themselves, nearly always. */
const FAILURES_TO_WATCH = 3;

/** What keeps a network, or an asset on it, from the checkout, and what may soon. */
export function networkFindings(
  say: Say,
  health: NetworkHealth,
  watchers: readonly WatcherStats[],
  nameOf: NetworkName,
): Finding[] {
  const named = { ...health, network: nameOf(health.network) };
  const watcher = watchers.find(({ network }) => network === health.network) ?? null;
  const why = whyClosed(say, health, watcher);
  if (why === null)
    return [
      ...closedAssetFindings(say, named),
      ...unsearched(say, named),
      ...stalledFinality(say, named),
      ...crowding(say, named),
      ...(watcher ? stumbling(say, { ...watcher, network: named.network }) : []),
    ];
  const text = say('{network} is not offered at the checkout: {why}.', { network: named.network, why });
  return [{ tone: 'bad', text, path: '#networks' }];
}

const ASSET_WORDS = {
  'balances-unknown':
    'its node does not say what addresses hold, or says it or traces blocks too slowly, so coin from a contract would be seen late',
  'catching-up': 'blocks that were passed without looking for it are being searched',
  'too-many-addresses':
    'more addresses have open windows than can be compared with every block, so coin from a contract would be seen late at merchants who issue more than their share',
} as const satisfies Record<AssetClosure, PlainText>;

function closedAssetFindings(say: Say, { network, closedAssets }: NetworkHealth): Finding[] {
  return Object.entries(closedAssets).map(([symbol, closure]) => {
    const why = say(ASSET_WORDS[closure]);
    const text = say('{symbol} on {network} is not offered at the checkout: {why}.', {
      symbol,
      network,
      why,
    });
    return { tone: 'bad', text, path: '#networks' };
  });
}

/** Taken out of the configuration, while whoever was given an address may pay it at any time. */
export function unwatchedFindings(
  say: Say,
  unwatched: readonly NetworkAsset[],
  nameOf: NetworkName,
): Finding[] {
  return unwatched.map(({ network, asset }) => {
    const text = say(
      'Buyers were given addresses for {asset} on {network}, and it is not in the configuration any more: what they pay is not seen.',
      { asset, network: nameOf(network) },
    );
    return { tone: 'bad', text, path: '#networks' };
  });
}

/** A wallet that was just set, while the node was away or takes minutes to look through its unspent outputs. */
function unsearched(say: Say, { network, unsearchedWallets }: NetworkHealth): Finding[] {
  if (unsearchedWallets === 0) return [];
  const text = say(
    '{count, plural, one {# wallet} other {# wallets}} on {network} cannot be chosen at the checkout until its node has said which addresses were used before.',
    { count: unsearchedWallets, network },
  );
  return [{ tone: 'warn', text, path: '#networks' }];
}

/** Everything is seen, and what waits for finality waits in vain. */
function stalledFinality(say: Say, { network, isFinalityStalled, unfinalForS }: NetworkHealth): Finding[] {
  if (!isFinalityStalled || unfinalForS === null) return [];
  const text = say(
    'No block of {network} has become final for {duration}: payments that wait for it stay pending or confirmed. Compare what its node calls final with a block explorer.',
    { network, duration: lasting(say, unfinalForS) },
  );
  return [{ tone: 'bad', text, path: '#networks' }];
}

/** More addresses than a step can ask for: coin that a contract pays to the others is found by the comparison. */
function crowding(say: Say, { network, coinUnwatched }: NetworkHealth): Finding[] {
  if (coinUnwatched === 0) return [];
  const text = say(
    '{network} has more recent addresses than can be compared with every block, by {count} at least: coin that a contract pays to those is found later, once it is final.',
    { network, count: coinUnwatched },
  );
  return [{ tone: 'warn', text, path: '#networks' }];
}

/** Still offered: the last tip is fresh enough, but not for long when nobody answers. */
function stumbling(say: Say, { network, failures, lastError }: WatcherStats): Finding[] {
  if (failures < FAILURES_TO_WATCH) return [];
  const text = say('The node of {network} has failed {failures} times in a row: {error}.', {
    network,
    failures,
    error: String(lastError),
  });
  return [{ tone: 'warn', text, path: '#networks' }];
}

/** Why nobody can choose a network, in words; `null` when it is offered. */
export function whyClosed(say: Say, health: NetworkHealth, watcher: WatcherStats | null): string | null {
  const { state, height, nodeHeight, crossCheck } = health;
  if (state === 'open') return null;
  if (state === 'disputed') return say('its two nodes say different things');
  if (state === 'halted') return say('it is halted: its node is on another chain');
  const reason =
    crossCheck === 'silent'
      ? say('its second node does not answer')
      : state === 'starting'
        ? say('none of its blocks has been read yet')
        : height !== null && nodeHeight !== null && nodeHeight > height
          ? say('we are {count, plural, one {# block} other {# blocks}} behind its node', {
              count: nodeHeight - height,
            })
          : say('its node shows nothing new');
  const detail = watcher?.lastError ?? health.reason;
  return detail ? `${reason} (${detail})` : reason;
}
