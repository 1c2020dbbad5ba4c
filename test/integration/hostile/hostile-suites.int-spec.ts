import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { struck } from '../../chain/harmless.js';
import { seedOf } from '../../support/seed.js';

/**
 * The watchers' own suites once more, on nodes that fail single calls (test/chain/harmless.ts): everything must come out
 * as it does on honest nodes. `HOSTILE_SUITES=<seed>` repeats what has failed, in the suite alone.
 */
const SHORT = ['chains-assets', 'bitcoin-deposits'];
/** Every suite of a watcher that is stepped by hand, but for these. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'says what its node does itself': [
    'bitcoin-second-node',
    'chains-blindness',
    'chains-depth-told',
    'chains-finality',
    'chains-node',
    'chains-other-height',
    'chains-pruned-node',
    'chains-second-node',
    'chains-swept-unseen',
  ],
  'counts calls': ['chains-costs', 'bitcoin-costs'],
  'expects traces, which a node may fail to give': ['chains-internal', 'chains-same-place'],
  'watches nothing, or asks a node who it is': ['chains-wallets', 'chains-known-assets', 'bitcoin-identity'],
  'has a service that watches by itself, as in hostile-evm and hostile-bitcoin': [
    'chains-depths-intents',
    'chains-lease',
    'bitcoin-announced',
    'bitcoin-coming-back',
    'bitcoin-lateness',
    'bitcoin-partition',
    'bitcoin-payment',
  ],
};
const BESIDE = join(import.meta.dirname, '..');
/** In whichever folder a suite stands, by its name alone. */
const PATHS = new Map(
  readdirSync(BESIDE, { recursive: true, encoding: 'utf8' }).flatMap((file) => {
    const suite = /^((?:chains|bitcoin)-.+)\.int-spec\.ts$/.exec(basename(file))?.[1];
    return suite === undefined ? [] : [[suite, `../${file}`] as const];
  }),
);
const SUITES = [...PATHS.keys()];
const KNOWN = new Set([...SHORT, ...Object.values(LEFT_OUT).flat()]);
const LONG = SUITES.filter((suite) => !KNOWN.has(suite));

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
    jest.isolateModules(() => jest.requireActual(PATHS.get(suite)!));
    // After the suite's own, which tells of its node.
    afterAll(() => expect(struck()).toBeGreaterThan(before));
  });
});

it('names no suite that is none', () =>
  expect([...KNOWN].filter((suite) => !SUITES.includes(suite))).toEqual([]));
