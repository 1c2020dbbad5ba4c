import type { AssetClosure, NetworkHealth, WatcherStats } from '../../../chains/chains.types.js';
import type { RateHealth } from '../../../rates/rates.types.js';
import { plural, span } from '../../domain/times.js';
import { pathTo } from '../../paths.http.js';
import type { Board, Part } from './health-board.js';

export interface Finding {
  readonly tone: 'bad' | 'warn';
  /** What is wrong, and what it means for somebody. */
  readonly text: string;
  /** Where there is more about it. */
  readonly path: string | null;
}

/** A fresh delivery is sent within a second; what waits a minute waits for something. */
const WEBHOOKS_LATE_S = 60;
/** Facts are decided and windows end within a second or two. */
const DECISIONS_LATE_S = 30;
/** The way out is tried every five seconds, and again half a minute after a failure. */
const NOTICES_LATE_S = 120;
/** Our own end after 15 seconds: longer is somebody with a console, and vacuum cannot clean behind it. */
const LONG_TRANSACTION_S = 60;
/** One failure is the weather. */
const FAILURES_TO_WATCH = 3;
/** In percent of what the server allows: the rest is gone in one deployment. */
const CONNECTIONS_FULL = 80;

const NAMES: Readonly<Record<Part, string>> = {
  networks: 'the networks',
  facts: 'the news from the chains',
  undecided: 'the ended payment windows',
  reviews: 'the review queue',
  webhooks: 'the webhook deliveries',
  notices: 'the alerts to be sent',
  alerts: 'the open alerts',
  server: 'the database server',
  tables: 'the tables',
};

/** What is wrong, worst first; empty when nothing is that can be seen from here. */
export function findingsOf(board: Board): Finding[] {
  const findings = [
    ...unknowns(board),
    ...(board.networks ?? []).flatMap((network) => networkFindings(network, board.watchers)),
    ...board.rates.flatMap(rateFinding),
    ...sourceFindings(board.rates),
    ...queueFindings(board),
    ...serverFindings(board),
    ...alertFinding(board),
  ];
  return findings.sort((a, b) => Number(b.tone === 'bad') - Number(a.tone === 'bad'));
}

function unknowns(board: Board): Finding[] {
  const parts = (Object.keys(NAMES) as Part[]).filter((part) => board[part] === null);
  if (parts.length === 0) return [];
  const names = parts.map((part) => NAMES[part]).join(', ');
  const text = `The database was slow to answer, or refused: ${names} could not be learned. Nothing is known of them, good or bad.`;
  return [{ tone: 'bad', text, path: null }];
}

/** Why nobody can choose a network, in words; `null` when it is offered. */
export function whyClosed(health: NetworkHealth, watcher: WatcherStats | null): string | null {
  const { state, height, nodeHeight, crossCheck } = health;
  if (state === 'open') return null;
  if (state === 'disputed') return 'its two nodes say different things';
  if (state === 'halted') return 'it is halted: its node is on another chain';
  const reason =
    crossCheck === 'silent'
      ? 'its second node does not answer'
      : state === 'starting'
        ? 'none of its blocks has been read yet'
        : height !== null && nodeHeight !== null && nodeHeight > height
          ? `we are ${plural(nodeHeight - height, 'block')} behind its node`
          : 'its node shows nothing new';
  const detail = watcher?.lastError ?? health.reason;
  return detail ? `${reason} (${detail})` : reason;
}

function networkFindings(health: NetworkHealth, watchers: readonly WatcherStats[]): Finding[] {
  const watcher = watchers.find(({ network }) => network === health.network) ?? null;
  const why = whyClosed(health, watcher);
  if (why === null)
    return [
      ...closedAssetFindings(health),
      ...unsearched(health),
      ...crowding(health),
      ...(watcher ? stumbling(watcher) : []),
    ];
  const text = `${health.network} is not offered at the checkout: ${why}.`;
  return [{ tone: 'bad', text, path: '#networks' }];
}

const ASSET_WORDS: Readonly<Record<AssetClosure, string>> = {
  'balances-unknown':
    'its node does not say what addresses hold, or says it or traces blocks too slowly, so coin from a contract would be seen late',
  'catching-up': 'blocks that were passed without looking for it are being searched',
  'too-many-addresses':
    'more addresses have open windows than can be compared with every block, so coin from a contract would be seen late at merchants who issue more than their share',
};

function closedAssetFindings({ network, closedAssets }: NetworkHealth): Finding[] {
  return Object.entries(closedAssets).map(([symbol, closure]) => {
    const text = `${symbol} on ${network} is not offered at the checkout: ${ASSET_WORDS[closure]}.`;
    return { tone: 'bad', text, path: '#networks' };
  });
}

/** A wallet that was just set, while the node was away or takes minutes to look through its unspent outputs. */
function unsearched({ network, unsearchedWallets }: NetworkHealth): Finding[] {
  if (unsearchedWallets === 0) return [];
  const text =
    `${plural(unsearchedWallets, 'wallet')} on ${network} cannot be chosen at the checkout until its node has said which ` +
    'addresses were used before.';
  return [{ tone: 'warn', text, path: '#networks' }];
}

/** More addresses than a step can ask for: coin that a contract pays to the others is found by the comparison. */
function crowding({ network, coinUnwatched }: NetworkHealth): Finding[] {
  if (coinUnwatched === 0) return [];
  const text =
    `${network} has more recent addresses than can be compared with every block, by ${coinUnwatched} at least: coin ` +
    'that a contract pays to those is found later, once it is final.';
  return [{ tone: 'warn', text, path: '#networks' }];
}

/** Still offered: the last tip is fresh enough, but not for long when nobody answers. */
function stumbling({ network, failures, lastError }: WatcherStats): Finding[] {
  if (failures < FAILURES_TO_WATCH) return [];
  const text = `The node of ${network} has failed ${failures} times in a row: ${lastError}.`;
  return [{ tone: 'warn', text, path: '#networks' }];
}

function rateFinding({ asset, currency, price, sources }: RateHealth): Finding[] {
  if (price !== null) return [];
  const said = sources.map(({ name, part }) => `${name} ${partLabel(part)}`).join(', ');
  const text = `${asset} has no price in ${currency} and cannot be chosen: ${said || 'no source is configured'}.`;
  return [{ tone: 'bad', text, path: '#rates' }];
}

export function partLabel(part: RateHealth['sources'][number]['part']): string {
  const words = {
    used: 'counts',
    alone: 'is alone',
    silent: 'is silent',
    stale: 'has an old price',
  } as const;
  return part === 'deviant' ? 'is too far from the others' : words[part];
}

/** A source that fails for pairs which others still price: nothing is closed, but the next failure may close it. */
function sourceFindings(rates: readonly RateHealth[]): Finding[] {
  const failing = new Map<string, string[]>();
  for (const { asset, currency, price, sources } of rates) {
    if (price === null) continue;
    for (const { name, part } of sources.filter((source) => source.part !== 'used')) {
      const key = `${name} ${partLabel(part)}`;
      failing.set(key, [...(failing.get(key) ?? []), `${asset}/${currency}`]);
    }
  }
  return [...failing].map(([source, pairs]) => {
    const text = `${source} for ${pairs.join(', ')}. The other sources give a price.`;
    return { tone: 'warn', text, path: '#rates' };
  });
}

function queueFindings({ webhooks, facts, undecided, notices }: Board): Finding[] {
  const findings: Finding[] = [];
  const say = (tone: Finding['tone'], text: string) => findings.push({ tone, text, path: '#queues' });
  if (facts && facts.oldestAgeS > DECISIONS_LATE_S) {
    const count = plural(facts.subjects, 'payment');
    say('bad', `News from the chain about ${count} has not been decided for ${span(facts.oldestAgeS)}.`);
  }
  if (undecided && undecided.oldestAgeS > DECISIONS_LATE_S) {
    const count = plural(undecided.count, 'payment window');
    say('bad', `${count} ended without a decision, the first ${span(undecided.oldestAgeS)} ago.`);
  }
  if (webhooks && webhooks.oldestAgeS > WEBHOOKS_LATE_S) {
    say('bad', `Webhook deliveries are late: one has been due for ${span(webhooks.oldestAgeS)}.`);
  }
  for (const { channel, count, oldestAgeS } of notices ?? []) {
    if (oldestAgeS <= NOTICES_LATE_S) continue;
    const way = channel === 'mail' ? 'by mail' : 'to the operator’s webhook';
    say('warn', `${plural(count, 'alert')} cannot be sent ${way}, the first for ${span(oldestAgeS)}.`);
  }
  return findings;
}

function serverFindings({ server }: Board): Finding[] {
  if (!server) return [];
  const { missingMigrations, connections, maxConnections, oldestTransactionS } = server;
  const findings: Finding[] = [];
  const say = (tone: Finding['tone'], text: string) => findings.push({ tone, text, path: '#database' });
  if (missingMigrations.length > 0)
    say('bad', `The database lacks ${plural(missingMigrations.length, 'migration')}: run “migrate”.`);
  if (connections * 100 >= maxConnections * CONNECTIONS_FULL)
    say('warn', `${connections} of the server’s ${maxConnections} connections are taken.`);
  if (oldestTransactionS !== null && oldestTransactionS > LONG_TRANSACTION_S)
    say('warn', `A transaction has been open for ${span(oldestTransactionS)}: nothing is cleaned behind it.`);
  return findings;
}

function alertFinding({ alerts }: Board): Finding[] {
  if (!alerts) return [];
  const text = `${plural(alerts, 'alert')} that nobody has acknowledged.`;
  return [{ tone: 'warn', text, path: pathTo('operatorAlerts') }];
}
