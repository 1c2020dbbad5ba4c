import { wholeText } from '../../../../kernel/text/staff-languages.js';
import type { NetworkHealth } from '../../../chains/health.types.js';
import { priceText } from '../../../rates/rates.pure.js';
import type { RateHealth, SourceHealth } from '../../../rates/rates.types.js';
import { MOST_COUNTED } from '../../../webhooks/webhooks.types.js';
import { countedText } from '../../domain/counted.js';
import { percentText } from '../../domain/percent.js';
import { ago, lasting, moment, type TimeText } from '../../domain/times.js';
import type { PlainText, Text } from '../../language/german/german.js';
import type { Say } from '../../language/say.js';
import type { StatusLabel } from '../../payments/messages.js';
import type { PageModel } from '../../session/request-context.js';
import type { NetworkName } from '../../settings/audit/audit-details.js';
import { findingsOf } from './findings.js';
import type { Board } from './health-board.js';
import { whyClosed } from './network-findings.js';
import { partLabel } from './rate-findings.js';

/** @param now the database's, or this process' when it does not answer @param isSandbox its prices are fixed */
export function healthView(
  say: Say,
  board: Board,
  now: Date,
  isSandbox: boolean,
  nameOf: NetworkName,
): PageModel {
  const findings = findingsOf(say, board, nameOf);
  return {
    title: say('Health'),
    now: moment(now),
    findings: findings.map((finding) => ({
      ...finding,
      word: say(finding.tone === 'bad' ? 'wrong|a finding' : 'watch|a finding'),
    })),
    isWell: findings.length === 0,
    hasNetworks: board.networks?.length !== 0,
    networks:
      board.networks?.map((network) => ({
        ...networkRow(say, network, board, now),
        name: nameOf(network.network),
      })) ?? null,
    isSandbox,
    rates: board.rates.map((rate) => rateRow(say, rate)),
    queues: queueRows(say, board),
    server: serverFacts(say, board),
    tables:
      board.tables?.map(({ name, bytes, rows }) => ({
        name,
        size: sizeText(bytes),
        rows: rows === null ? '–' : say('about {count, number}', { count: Math.round(rows) }),
      })) ?? null,
  };
}

function networkRow(say: Say, health: NetworkHealth, { watchers }: Board, now: Date) {
  const { network, height, nodeHeight, blockTime, syncedAt, crossCheck } = health;
  const watcher = watchers.find((one) => one.network === network) ?? null;
  const why = whyClosed(say, health, watcher);
  const state: StatusLabel =
    why === null ? { text: say('offered'), tone: 'good' } : { text: say('not offered'), tone: 'bad' };
  return {
    state,
    why,
    height: height === null ? null : wholeText(say.language, height),
    lag:
      height === null || nodeHeight === null
        ? null
        : wholeText(say.language, Math.max(0, nodeHeight - height)),
    block: timeOf(blockTime, now),
    seen: timeOf(syncedAt, now),
    second: crossCheck === null ? null : secondLabel(say, crossCheck),
    watched: watcher?.watching ? say('here|watched') : say('by another instance, or by none'),
    failures: watcher && watcher.failures > 0 ? watcher.failures : null,
  };
}

type CrossCheck = NonNullable<NetworkHealth['crossCheck']>;

const SECOND = {
  agrees: { text: 'agrees|a node', tone: 'good' },
  silent: { text: 'silent|a node', tone: 'warn' },
  disagrees: { text: 'disagrees|a node', tone: 'bad' },
} as const satisfies Record<CrossCheck, StatusLabel & { readonly text: Text }>;

function secondLabel(say: Say, crossCheck: CrossCheck): StatusLabel {
  const { text, tone } = SECOND[crossCheck];
  return { text: say(text), tone };
}

function rateRow(say: Say, { asset, currency, price, ageS, deviationBps, sources }: RateHealth) {
  return {
    pair: `${asset}/${currency}`,
    price: price && priceText(price),
    age: ageS === null ? null : lasting(say, ageS),
    deviation: deviationBps === null ? null : `${percentText(deviationBps)} %`,
    sources: sources.map((source) => sourceLine(say, source)),
  };
}

function sourceLine(say: Say, { name, part, price, ageS, via }: SourceHealth) {
  const word: StatusLabel = { text: partLabel(say, part), tone: part === 'used' ? 'good' : 'warn' };
  const said =
    price === null || ageS === null
      ? null
      : say('{price}, {time} old', { price: priceText(price), time: lasting(say, ageS) });
  return { name, word, said, via, isUsed: part === 'used' };
}

interface QueueRow {
  readonly name: string;
  readonly meaning: string;
  /** `null`: it could not be learned. */
  readonly waiting: string | null;
  readonly oldest: string | null;
}

function queueRows(say: Say, { facts, undecided, webhooks, reviews, notices }: Board): QueueRow[] {
  const row = (
    name: PlainText,
    meaning: PlainText | { readonly said: string },
    count: number | undefined,
    ageS: number | undefined,
    most = Infinity,
  ): QueueRow => ({
    name: say(name),
    meaning: typeof meaning === 'string' ? say(meaning) : meaning.said,
    waiting: count === undefined ? null : countedText(say, count, most),
    oldest: count && ageS ? lasting(say, ageS) : null,
  });
  const deliveries = webhooks
    ? say(
        'deliveries that are due or wait for another try; {count, plural, one {# is} other {# are}} being sent now',
        { count: webhooks.sending },
      )
    : say('deliveries that are due or wait for another try');
  const notice = (channel: 'mail' | 'webhook') =>
    notices ? (notices.find((one) => one.channel === channel) ?? { count: 0, oldestAgeS: 0 }) : null;
  const [mail, webhook] = [notice('mail'), notice('webhook')];
  return [
    row('News from the chains', 'payments to be decided again', facts?.subjects, facts?.oldestAgeS),
    row('Ended windows', 'payments to be expired', undecided?.count, undecided?.oldestAgeS),
    row('Webhooks', { said: deliveries }, webhooks?.pending, webhooks?.oldestAgeS, MOST_COUNTED),
    row('Alerts by mail', 'to merchants and to you', mail?.count, mail?.oldestAgeS),
    row('Alerts by webhook', 'to you', webhook?.count, webhook?.oldestAgeS),
    row('Review', 'payments that wait for their merchants', reviews?.count, reviews?.oldestAgeS),
  ];
}

function serverFacts(say: Say, { server }: Board) {
  if (!server) return null;
  const { version, bytes, connections, maxConnections, oldestTransactionS, migrations } = server;
  return {
    version,
    size: sizeText(bytes),
    connections,
    maxConnections,
    oldest: oldestTransactionS === null ? say('none is open') : lasting(say, oldestTransactionS),
    migrations: migrations.length,
    last: migrations.at(-1)?.replace(/\d{13}$/, '') ?? say('none|wallets, keys or colours'),
    missing: server.missingMigrations.join(', '),
  };
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** "1.4 GB". */
export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)));
  const value = bytes / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

function timeOf(date: Date | null, now: Date): TimeText | null {
  return date && (date > now ? moment(date) : ago(date, now));
}
