import { DataSource } from 'typeorm';
import type { TransferState } from '../../../src/modules/chains/chains.types.js';
import { FactsService } from '../../../src/modules/chains/facts.service.js';
import { IntentsJobs } from '../../../src/modules/intents/lifecycle/intents.jobs.js';
import { Undecidable } from '../../../src/modules/intents/lifecycle/undecidable.js';
import { eventually } from '../servers/receiver.js';
import type { Service } from '../service/service.js';

type Running = Pick<Service, 'app'>;

/** Which of these payments, or of all, have changes that nobody has decided. */
async function undecided(dataSource: DataSource, ids: readonly string[] | null): Promise<string[]> {
  const rows = await dataSource.query<{ subject: string }[]>(
    'SELECT subject FROM fact_change WHERE $1::text[] IS NULL OR subject = ANY ($1)',
    [ids],
  );
  return rows.map(({ subject }) => subject);
}

/** One run of a job, and what it has left behind: it goes on without what is slow (dust, a busy machine). */
async function whole(app: Running['app'], job: 'applyChanges' | 'sweep' | 'sweepOverdue'): Promise<void> {
  const jobs = app.get(IntentsJobs);
  await jobs[job]();
  // As at a shutdown, which waits for just that.
  await jobs.beforeApplicationShutdown();
}

/**
 * Applies what has changed until all of it has been decided.
 * @param besides what is left as it is: nobody can decide it
 * @throws where another cannot be decided either, and at once: none of it is waited for
 */
export async function applyAllChanges({ app }: Running, besides: readonly string[] = []): Promise<void> {
  let failed: readonly string[] = [];
  await eventually(
    async () => {
      await whole(app, 'applyChanges');
      const open = (await undecided(app.get(DataSource), null)).filter((id) => !besides.includes(id));
      const before = failed;
      failed = open.filter((id) => app.get(Undecidable).has(id));
      // Twice: a try that was under way before may know nothing of what has been mended.
      const stuck = failed.filter((id) => before.includes(id));
      if (stuck.length > 0) throw new Error(`cannot be decided: ${stuck.join(', ')}`);
      return open;
    },
    (open) => open.length === 0,
  );
}

/** Decides all whose window has ended, as the sweeper does. */
export const sweepAll = ({ app }: Running): Promise<void> => whole(app, 'sweep');

/** Decides all whose money may have vanished for good, as the sweeper of these does. */
export const sweepAllOverdue = ({ app }: Running): Promise<void> => whole(app, 'sweepOverdue');

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
      return {
        open: open.length,
        states: [...facts.values()].flatMap(({ transfers }) => transfers.map((t) => t.state)),
      };
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
