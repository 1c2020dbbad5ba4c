import type { NetworkHealth } from '../../../chains/chains.types.js';
import type { RateHealth, SourceHealth } from '../../../rates/rates.types.js';
import { countText } from '../../domain/paging.js';
import { percentText } from '../../domain/percent.js';
import { ago, moment, span, type TimeText } from '../../domain/times.js';
import type { PageModel } from '../../session/request-context.js';
import type { StatusLabel } from '../../payments/messages.js';
import { findingsOf, partLabel, whyClosed } from './findings.js';
import type { Board } from './health-board.js';

/** @param now the database's, or this process' when it does not answer @param isSandbox its prices are fixed */
export function healthView(board: Board, now: Date, isSandbox: boolean): PageModel {
  const findings = findingsOf(board);
  return {
    title: 'Health',
    now: moment(now),
    findings: findings.map((finding) => ({ ...finding, word: finding.tone === 'bad' ? 'wrong' : 'watch' })),
    isWell: findings.length === 0,
    hasNetworks: board.networks?.length !== 0,
    networks: board.networks?.map((network) => networkRow(network, board, now)) ?? null,
    isSandbox,
    rates: board.rates.map(rateRow),
    queues: queueRows(board),
    server: serverFacts(board),
    tables:
      board.tables?.map(({ name, bytes, rows }) => ({
        name,
        size: sizeText(bytes),
        rows: rows === null ? '–' : `about ${countText(Math.round(rows))}`,
      })) ?? null,
  };
}

function networkRow(health: NetworkHealth, { watchers }: Board, now: Date) {
  const { network, height, nodeHeight, blockTime, syncedAt, crossCheck } = health;
  const watcher = watchers.find((one) => one.network === network) ?? null;
  const why = whyClosed(health, watcher);
  const state: StatusLabel =
    why === null ? { text: 'offered', tone: 'good' } : { text: 'not offered', tone: 'bad' };
  return {
    network,
    state,
    why,
    height: height === null ? null : countText(height),
    lag: height === null || nodeHeight === null ? null : countText(Math.max(0, nodeHeight - height)),
    block: timeOf(blockTime, now),
    seen: timeOf(syncedAt, now),
    second: crossCheck === null ? null : SECOND[crossCheck],
    watched: watcher?.watching ? 'here' : 'by another instance, or by none',
    failures: watcher && watcher.failures > 0 ? watcher.failures : null,
  };
}

const SECOND: Readonly<Record<NonNullable<NetworkHealth['crossCheck']>, StatusLabel>> = {
  agrees: { text: 'agrees', tone: 'good' },
  silent: { text: 'silent', tone: 'warn' },
  disagrees: { text: 'disagrees', tone: 'bad' },
};

function rateRow({ asset, currency, price, ageS, deviationBps, sources }: RateHealth) {
  return {
    pair: `${asset}/${currency}`,
    price,
    age: ageS === null ? null : span(ageS),
    deviation: deviationBps === null ? null : `${percentText(deviationBps)} %`,
    sources: sources.map(sourceLine),
  };
}

function sourceLine({ name, part, price, ageS, via }: SourceHealth) {
  const word: StatusLabel = { text: partLabel(part), tone: part === 'used' ? 'good' : 'warn' };
  const said = price === null || ageS === null ? null : `${price}, ${span(ageS)} old`;
  return { name, word, said, via, isUsed: part === 'used' };
}

interface QueueRow {
  readonly name: string;
  readonly meaning: string;
  /** `null`: it could not be learned. */
  readonly waiting: string | null;
  readonly oldest: string | null;
}

function queueRows({ facts, undecided, webhooks, reviews, notices }: Board): QueueRow[] {
  const row = (
    name: string,
    meaning: string,
    count: number | undefined,
    ageS: number | undefined,
  ): QueueRow => ({
    name,
    meaning,
    waiting: count === undefined ? null : countText(count),
    oldest: count && ageS ? span(ageS) : null,
  });
  const sending = webhooks ? `; ${countText(webhooks.sending)} are being sent now` : '';
  const notice = (channel: 'mail' | 'webhook') =>
    notices ? (notices.find((one) => one.channel === channel) ?? { count: 0, oldestAgeS: 0 }) : null;
  const [mail, webhook] = [notice('mail'), notice('webhook')];
  return [
    row('News from the chains', 'payments to be decided again', facts?.subjects, facts?.oldestAgeS),
    row('Ended windows', 'payments to be expired', undecided?.count, undecided?.oldestAgeS),
    row(
      'Webhooks',
      `deliveries that are due or wait for another try${sending}`,
      webhooks?.pending,
      webhooks?.oldestAgeS,
    ),
    row('Alerts by mail', 'to merchants and to you', mail?.count, mail?.oldestAgeS),
    row('Alerts by webhook', 'to you', webhook?.count, webhook?.oldestAgeS),
    row('Review', 'payments that wait for their merchants', reviews?.count, reviews?.oldestAgeS),
  ];
}

function serverFacts({ server }: Board) {
  if (!server) return null;
  const { version, bytes, connections, maxConnections, oldestTransactionS, migrations } = server;
  return {
    version,
    size: sizeText(bytes),
    connections,
    maxConnections,
    oldest: oldestTransactionS === null ? 'none is open' : span(oldestTransactionS),
    migrations: migrations.length,
    last: migrations.at(-1)?.replace(/\d{13}$/, '') ?? 'none',
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
