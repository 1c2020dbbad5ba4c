import { DataSource } from 'typeorm';
import type { TransferState } from '../../../src/modules/chains/chains.types.js';
import { FactsService } from '../../../src/modules/chains/facts.service.js';
import { IntentsJobs } from '../../../src/modules/intents/lifecycle/intents.jobs.js';
import { eventually } from '../servers/receiver.js';
import type { Service } from '../service/service.js';

/** How many of these payments, or of all, have changes that nobody has decided. */
async function undecided(dataSource: DataSource, ids: readonly string[] | null): Promise<number> {
  const [{ open }] = await dataSource.query<[{ open: number }]>(
    'SELECT count(*)::int AS open FROM fact_change WHERE $1::text[] IS NULL OR subject = ANY ($1)',
    [ids],
  );
  return open;
}

/** Applies what has changed until all of it has been decided: a run goes on without what is slow (dust, a busy machine). */
export async function applyAllChanges(service: Service): Promise<void> {
  await eventually(
    async () => {
      await service.app.get(IntentsJobs).applyChanges();
      return undecided(service.app.get(DataSource), null);
    },
    (open) => open === 0,
  );
}

/**
 * Waits until all transfers of these intents, one of each, are in this state, and what that changed has been decided. The facts are
 * read first: once they show something, its change stands beside them until it has been decided.
 */
export async function decidedAs(
  service: Service,
  ids: readonly string[],
  state: TransferState,
): Promise<void> {
  const dataSource = service.app.get(DataSource);
  await eventually(
    async () => {
      const facts = await service.app.get(FactsService).ofEach(dataSource, ids);
      const open = await undecided(dataSource, ids);
      return { open, states: [...facts.values()].flatMap(({ transfers }) => transfers.map((t) => t.state)) };
    },
    ({ open, states }) => open === 0 && states.length === ids.length && states.every((one) => one === state),
  );
}

/** Waits until the watcher of the only network stands at this block. */
export async function watchedUpTo(service: Service, hash: string): Promise<void> {
  await eventually(
    () => service.app.get(DataSource).query<{ hash: string }[]>('SELECT hash FROM chain_cursor'),
    ([row]) => row?.hash === hash,
  );
}
