import type { DataSource } from 'typeorm';
import type { Term } from '../../src/modules/chains/data/fenced.statement.js';
import type { StepEnd, Watcher } from '../../src/modules/chains/watching/watcher.types.js';

/** A watcher that a test moves by hand, whoever holds the lease. */
export interface SteppedWatcher extends Pick<Watcher, 'counts'> {
  step(): Promise<StepEnd>;
}

/** The network's present term, whosever it is; where there is none, one that has run out. */
export async function presentTerm(dataSource: DataSource, network: string): Promise<Term> {
  await dataSource.query(
    `INSERT INTO watch_lease (network, holder, term, expires_at) VALUES ($1, 'a test', 1, 'epoch') ON CONFLICT DO NOTHING`,
    [network],
  );
  const [row] = await dataSource.query<[{ number: string }]>(
    'SELECT term::text AS number FROM watch_lease WHERE network = $1',
    [network],
  );
  return { network, number: row.number } as Term;
}

export function stepped(watcher: Watcher, dataSource: DataSource, network: string): SteppedWatcher {
  return {
    counts: watcher.counts,
    step: async () => watcher.step(await presentTerm(dataSource, network)),
  };
}
