import { lasting } from '../../domain/times.js';
import type { Say } from '../../language/say.js';
import type { Finding } from './finding.types.js';
import type { Board } from './health-board.js';

/** Our own end after 15 seconds: longer is somebody with a console, and vacuum cannot clean behind it. */
const LONG_TRANSACTION_S = 60;
/** In percent of what the server allows: the rest is gone in one deployment. */
const CONNECTIONS_FULL = 80;

/** What is wrong with the database. */
export function serverFindings(say: Say, { server }: Board): Finding[] {
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
