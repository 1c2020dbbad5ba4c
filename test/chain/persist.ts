import type { ChainTest } from './chains-fixture.js';
import type { SteppedWatcher } from './term.js';

/** Between two looks, as far as the watcher knows. */
const BETWEEN_MS = 4_000;
const MOST_LOOKS = 60;

/** Looks as the service's loop does, until coin is looked into as far as the node will ever tell. */
export async function persist(test: ChainTest, watcher: SteppedWatcher): Promise<void> {
  const real = performance.now.bind(performance);
  let skippedMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => real() + skippedMs);
  try {
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const end = await watcher.step().catch(() => 'failed');
      const cursor = await test.chains.ledger.cursor('ethereum');
      if (end === 'synced' && cursor?.coinBlindFrom === null) return;
      skippedMs += BETWEEN_MS;
    }
  } finally {
    clock.mockRestore();
  }
  throw new Error('the watcher does not go on');
}
