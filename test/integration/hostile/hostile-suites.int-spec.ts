import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { struck } from '../../chain/hostile/harmless.js';
import { runsOf, seedOf } from '../../support/run/seed.js';

/**
 * The watchers' own suites once more, on nodes that fail single calls (test/chain/hostile/harmless.ts): everything must come out
 * as it does on honest nodes. `HOSTILE_SUITES=<seed>` repeats what has failed, in the suite alone.
 */
const SHORT = ['chains-assets', 'bitcoin-deposits'];
/** Every suite of a watcher that is stepped by hand (it starts a chain's fixture), but for these. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  'says what its node does itself': [
    'bitcoin-second-node',
    'bitcoin-untold-mempool',
    'bitcoin-without-peers',
    'chains-blindness',
    'chains-collected',
    'chains-depth-told',
    'chains-finality',
    'chains-node',
    'chains-pruned-node',
    'chains-second-node',
    'chains-swept-unseen',
    'outage-replacement',
  ],
  'counts calls': ['chains-costs', 'bitcoin-costs'],
  'expects traces, which a node may fail to give': [
    'chains-internal',
    'chains-same-place',
    'reconcile-crowded',
  ],
  'watches nothing, or asks a node who it is': [
    'chains-known-assets',
    'bitcoin-identity',
    'chains-identity',
    'wallet-scan-bitcoin',
  ],
  'has watchers that go by themselves': ['chains-lease', 'database-half-open'],
  'asks for a comparison, which is through such a node in hostile-comparison': [
    'reconcile-bitcoin',
    'reconcile-collections',
    'reconcile-evm',
    'reconcile-pruned',
    'reconcile-refused',
  ],
};
const BESIDE = join(import.meta.dirname, '..');
/** In whichever folder a suite stands, by its name alone. */
const PATHS = new Map(
  readdirSync(BESIDE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.int-spec.ts') && !basename(file).startsWith('hostile-'))
    .filter((file) => /\b(?:ChainTest|BitcoinTest)\.start\(/.test(readFileSync(join(BESIDE, file), 'utf8')))
    .map((file) => [basename(file, '.int-spec.ts'), `../${file}`] as const),
);
const SUITES = [...PATHS.keys()];
const KNOWN = new Set([...SHORT, ...Object.values(LEFT_OUT).flat()]);
const LONG = SUITES.filter((suite) => !KNOWN.has(suite));

const RUNS = runsOf('HOSTILE_SUITES_RUNS', 0);
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
    afterAll(() => expect({ suite, isStruck: struck() > before }).toEqual({ suite, isStruck: true }));
  });
});

it('names no suite that is none', () =>
  expect([...KNOWN].filter((suite) => !SUITES.includes(suite))).toEqual([]));
