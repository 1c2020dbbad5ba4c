import { struck } from '../chain/harmless.js';
import { seedOf } from '../support/seed.js';

/**
 * The watchers' own suites once more, on nodes that fail single calls (test/chain/harmless.ts): everything must come out
 * as it does on honest nodes. `HOSTILE_SUITES=<seed>` repeats what has failed, in the suite alone.
 *
 * Left out is what says what it does to its node itself (chains-blindness, -finality, -node, -pruned-node, -second-
 * node, hostile-*), what counts calls (chains-costs, bitcoin-costs) or expects traces, which a node may fail to give
 * (chains-internal, chains-same-place), and what has no watcher that is stepped by hand: chains-wallets and chains-
 * known-assets watch nothing, bitcoin-identity asks who a node is, and in chains-depths-intents, chains-lease, bitcoin-
 * announced, -lateness, -partition and -payment, before-issue, own-movements and reconcile-* the service watches or
 * compares by itself, as it does among worse nodes in hostile-evm and hostile-bitcoin.
 */
const SHORT = ['chains-assets', 'bitcoin-deposits'];
const LONG = [
  ...['chains-deposits', 'chains-depths', 'chains-halted', 'chains-identity', 'chains-reorganisation'],
  ...['bitcoin-reorganisation', 'bitcoin-replacement'],
];

const RUNS = Number(process.env['HOSTILE_SUITES_RUNS'] ?? 0);
const SEED = seedOf('HOSTILE_SEED', 'HOSTILE_SUITES_RUNS');
const SEEDS = Array.from({ length: RUNS || 1 }, (_, i) => SEED + i);
/** A look that hangs, or fails again and again, takes seconds. */
const TEST_MS = 300_000;

jest.setTimeout(TEST_MS);

describe.each(SEEDS)('with HOSTILE_SUITES=%i', (seed) => {
  beforeAll(() => {
    process.env['HOSTILE_SUITES'] = String(seed);
  });
  afterAll(() => {
    delete process.env['HOSTILE_SUITES'];
  });

  describe.each([...SHORT, ...(RUNS > 0 ? LONG : [])])('%s', (suite) => {
    let before = 0;
    beforeAll(() => {
      before = struck();
    });
    jest.isolateModules(() => jest.requireActual(`./${suite}.int-spec.ts`));
    // After the suite's own, which tells of its node.
    afterAll(() => expect(struck()).toBeGreaterThan(before));
  });
});
