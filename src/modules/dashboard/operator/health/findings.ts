import { namesOf } from '../../../../kernel/lookups.js';
import type { PlainText } from '../../language/german/german.js';
import type { Say } from '../../language/say.js';
import { pathTo } from '../../paths.http.js';
import type { NetworkName } from '../../settings/audit/audit-details.js';
import type { Finding } from './finding.types.js';
import type { Board, Part } from './health-board.js';
import { networkFindings, unwatchedFindings } from './network-findings.js';
import { queueFindings } from './queue-findings.js';
import { rateFindings } from './rate-findings.js';
import { serverFindings } from './server-findings.js';

const NAMES = {
  networks: 'the networks',
  unwatched: 'what is not looked for any more',
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
export function findingsOf(say: Say, board: Board, nameOf: NetworkName): Finding[] {
  const findings = [
    ...unknowns(say, board),
    ...(board.networks ?? []).flatMap((network) => networkFindings(say, network, board.watchers, nameOf)),
    ...unwatchedFindings(say, board.unwatched ?? [], nameOf),
    ...rateFindings(say, board.rates),
    ...queueFindings(say, board),
    ...serverFindings(say, board),
    ...alertFinding(say, board),
  ];
  return findings.sort((a, b) => Number(b.tone === 'bad') - Number(a.tone === 'bad'));
}

function unknowns(say: Say, board: Board): Finding[] {
  const parts = namesOf(NAMES).filter((part) => board[part] === null);
  if (parts.length === 0) return [];
  const names = parts.map((part) => say(NAMES[part])).join(', ');
  const text = say(
    'The database was slow to answer, or refused: {names} could not be learned. Nothing is known of them, good or bad.',
    { names },
  );
  return [{ tone: 'bad', text, path: null }];
}

function alertFinding(say: Say, { alerts }: Board): Finding[] {
  if (!alerts) return [];
  const text = say('{count, plural, one {# alert} other {# alerts}} that nobody has acknowledged.', {
    count: alerts,
  });
  return [{ tone: 'warn', text, path: pathTo('operatorAlerts') }];
}
