import type { AssetClosure, NetworkHealth, WatcherStats } from '../../../chains/chains.types.js';
import type { RateHealth } from '../../../rates/rates.types.js';
import { lasting } from '../../domain/times.js';
import type { PlainText } from '../../language/german/german.js';
import type { Say } from '../../language/say.js';
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

const NAMES = {
  networks: 'the networks',
  facts: 'the news from the chains',
  undecided: 'the ended payment windows',
  reviews: 'the review queue',
  webhooks: 'the webhook deliveries',
  notices: 'the alerts to be sent',
  alerts: 'the open alerts',
  server: 'the database server',
  tables: 'the tables',
} as const satisfies Record<Part, PlainText>;

/** What is wrong, worst first; empty when nothing is that can be seen from here. */
export function findingsOf(say: Say, board: Board): Finding[] {
  const findings = [
    ...unknowns(say, board),
    ...(board.networks ?? []).flatMap((network) => networkFindings(say, network, board.watchers)),
    ...board.rates.flatMap((rate) => rateFinding(say, rate)),
    ...sourceFindings(say, board.rates),
    ...queueFindings(say, board),
    ...serverFindings(say, board),
    ...alertFinding(say, board),
  ];
  return findings.sort((a, b) => Number(b.tone === 'bad') - Number(a.tone === 'bad'));
}

function unknowns(say: Say, board: Board): Finding[] {
  const parts = (Object.keys(NAMES) as Part[]).filter((part) => board[part] === null);
  if (parts.length === 0) return [];
  const names = parts.map((part) => say(NAMES[part])).join(', ');
  const text = say(
    'The database was slow to answer, or refused: {names} could not be learned. Nothing is known of them, good or bad.',
    { names },
  );
  return [{ tone: 'bad', text, path: null }];
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

function networkFindings(say: Say, health: NetworkHealth, watchers: readonly WatcherStats[]): Finding[] {
  const watcher = watchers.find(({ network }) => network === health.network) ?? null;
  const why = whyClosed(say, health, watcher);
  if (why === null)
    return [
      ...closedAssetFindings(say, health),
      ...unsearched(say, health),
      ...stalledFinality(say, health),
      ...crowding(say, health),
      ...(watcher ? stumbling(say, watcher) : []),
    ];
  const text = say('{network} is not offered at the checkout: {why}.', { network: health.network, why });
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

function rateFinding(say: Say, { asset, currency, price, sources }: RateHealth): Finding[] {
  if (price !== null) return [];
  const said = sources.map(({ name, part }) => `${name} ${partLabel(say, part)}`).join(', ');
  const why = said || say('no source is configured');
  const text = say('{asset} has no price in {currency} and cannot be chosen: {why}.', {
    asset,
    currency,
    why,
  });
  return [{ tone: 'bad', text, path: '#rates' }];
}

type SourcePart = RateHealth['sources'][number]['part'];

const PARTS = {
  used: 'counts',
  alone: 'is alone',
  silent: 'is silent',
  stale: 'has an old price',
  deviant: 'is too far from the others',
} as const satisfies Record<SourcePart, PlainText>;

export function partLabel(say: Say, part: SourcePart): string {
  return say(PARTS[part]);
}

/** A source that fails for pairs which others still price: nothing is closed, but the next failure may close it. */
function sourceFindings(say: Say, rates: readonly RateHealth[]): Finding[] {
  const failing = new Map<string, string[]>();
  for (const { asset, currency, price, sources } of rates) {
    if (price === null) continue;
    for (const { name, part } of sources.filter((source) => source.part !== 'used')) {
      const key = `${name} ${partLabel(say, part)}`;
      failing.set(key, [...(failing.get(key) ?? []), `${asset}/${currency}`]);
    }
  }
  return [...failing].map(([source, pairs]) => {
    const text = say('{source} for {pairs}. The other sources give a price.', {
      source,
      pairs: pairs.join(', '),
    });
    return { tone: 'warn', text, path: '#rates' };
  });
}

function queueFindings(say: Say, { webhooks, facts, undecided, notices }: Board): Finding[] {
  const findings: Finding[] = [];
  const add = (tone: Finding['tone'], text: string) => findings.push({ tone, text, path: '#queues' });
  if (facts && facts.oldestAgeS > DECISIONS_LATE_S) {
    const told = { count: facts.subjects, time: lasting(say, facts.oldestAgeS) };
    const news =
      'News from the chain about {count, plural, one {# payment} other {# payments}} has not been decided for {time}.';
    add('bad', say(news, told));
  }
  if (undecided && undecided.oldestAgeS > DECISIONS_LATE_S) {
    const told = { count: undecided.count, time: lasting(say, undecided.oldestAgeS) };
    const ended =
      '{count, plural, one {# payment window} other {# payment windows}} ended without a decision, the first {time} ago.';
    add('bad', say(ended, told));
  }
  if (webhooks && webhooks.oldestAgeS > WEBHOOKS_LATE_S) {
    const time = lasting(say, webhooks.oldestAgeS);
    add('bad', say('Webhook deliveries are late: one has been due for {time}.', { time }));
  }
  for (const { channel, count, oldestAgeS } of notices ?? []) {
    if (oldestAgeS <= NOTICES_LATE_S) continue;
    const text =
      channel === 'mail'
        ? '{count, plural, one {# alert} other {# alerts}} cannot be sent by mail, the first for {time}.'
        : '{count, plural, one {# alert} other {# alerts}} cannot be sent to the operator’s webhook, the first for {time}.';
    add('warn', say(text, { count, time: lasting(say, oldestAgeS) }));
  }
  return findings;
}

function serverFindings(say: Say, { server }: Board): Finding[] {
  if (!server) return [];
  const { missingMigrations, connections, maxConnections, oldestTransactionS } = server;
  const findings: Finding[] = [];
  const add = (tone: Finding['tone'], text: string) => findings.push({ tone, text, path: '#database' });
  if (missingMigrations.length > 0) {
    const lacks =
      'The database lacks {count, plural, one {# migration} other {# migrations}}: run “migrate”.';
    add('bad', say(lacks, { count: missingMigrations.length }));
  }
  if (connections * 100 >= maxConnections * CONNECTIONS_FULL) {
    const taken = { used: connections, most: maxConnections };
    add('warn', say('{used} of the server’s {most} connections are taken.', taken));
  }
  if (oldestTransactionS !== null && oldestTransactionS > LONG_TRANSACTION_S) {
    const time = lasting(say, oldestTransactionS);
    add('warn', say('A transaction has been open for {time}: nothing is cleaned behind it.', { time }));
  }
  return findings;
}

function alertFinding(say: Say, { alerts }: Board): Finding[] {
  if (!alerts) return [];
  const text = say('{count, plural, one {# alert} other {# alerts}} that nobody has acknowledged.', {
    count: alerts,
  });
  return [{ tone: 'warn', text, path: pathTo('operatorAlerts') }];
}
