import { namesOf } from '../../kernel/lookups.js';
import type { Course, Outcome, Scenario } from './scenarios.types.js';

const PAID = ['initiated', 'pending', 'confirmed', 'settled'] as const;
const SETTLED: Outcome = {
  statuses: PAID,
  whenWindowEnds: false,
  settlement: { received: 100, excess: 0 },
  review: null,
};
const UNDERPAID: Outcome = {
  statuses: ['initiated', 'pending', 'expired'],
  whenWindowEnds: true,
  settlement: null,
  review: 'underpaid',
};
const LATE: Outcome = {
  statuses: ['initiated', 'expired'],
  whenWindowEnds: false,
  settlement: null,
  review: 'late',
};
const MISDIRECTED: Outcome = { ...LATE, whenWindowEnds: true, review: 'other-asset' };
const UNPAID: Outcome = { ...MISDIRECTED, review: null };
const LOST: Outcome = {
  statuses: ['initiated', 'pending', 'confirmed', 'failed'],
  whenWindowEnds: false,
  settlement: null,
  review: null,
};

const everywhere = (does: string, outcome: Outcome): Scenario['courses'] => ({
  'evm-token': { does, outcome },
  'evm-coin': { does, outcome },
  'bitcoin-like': { does, outcome },
});

const onEvm = (does: string, outcome: Outcome, elsewhere: Course): Scenario['courses'] => ({
  'evm-token': { does, outcome },
  'evm-coin': { does, outcome },
  'bitcoin-like': elsewhere,
});

/** Everything that buyers and networks do to a payment, defined once: for the command line, the panel and the tests. */
export const SCENARIOS = {
  exact: {
    summary: 'Pays exactly what is asked.',
    courses: everywhere('One transaction of what is missing.', SETTLED),
  },
  short: {
    summary: 'Pays half and leaves it at that.',
    courses: everywhere('One transaction of half of what is missing.', UNDERPAID),
  },
  over: {
    summary: 'Pays a tenth too much.',
    courses: everywhere('One transaction of 110 % of what is missing.', {
      ...SETTLED,
      settlement: { received: 110, excess: 10 },
    }),
  },
  late: {
    summary: 'Pays after the payment window has ended.',
    courses: everywhere('Ends the window, waits until the payment is expired, and pays in full.', LATE),
  },
  split: {
    summary: 'Pays in two parts.',
    courses: everywhere('Two transactions that add up to what is missing.', SETTLED),
  },
  double: {
    summary: 'Pays, and later pays the whole amount again.',
    courses: everywhere('Pays in full, waits until that is settled, and pays the same once more.', {
      ...SETTLED,
      review: 'after-settlement',
    }),
  },
  'wrong-token': {
    summary: 'Pays with another asset of the same network.',
    courses: onEvm('Sends 25 of another listed asset to the address of the quote.', MISDIRECTED, {
      impossible: 'the network has one asset only, its coin',
    }),
  },
  'wrong-network': {
    summary: 'Pays to the right address on the wrong network.',
    courses: onEvm(
      'Sends 25 of a token (or of the coin, where the coin was asked for) to the same address on the other local EVM network.',
      { ...MISDIRECTED, review: 'other-network' },
      { impossible: 'its addresses exist on no other network' },
    ),
  },
  replaced: {
    summary: 'Takes the payment back by a double spend before a block includes it.',
    courses: onEvm(
      'Sends the payment, and before any block a transaction with the same nonce that pays nobody. A payment on an EVM network is observed in a block, so there is nothing to see.',
      UNPAID,
      {
        does: 'Sends the payment, waits until it is seen in the mempool, and spends the same coins to another address with a higher fee.',
        outcome: { ...UNPAID, statuses: ['initiated', 'pending', 'expired'] },
      },
    ),
  },
  'fee-bump': {
    summary: 'Replaces the payment by one that pays the same with a higher fee.',
    courses: onEvm(
      'Sends the payment, and before any block another with the same nonce and a higher fee. Only the second is ever seen.',
      SETTLED,
      {
        does: 'Sends the payment, waits until it is seen in the mempool, and replaces it by one with the same output and a higher fee.',
        outcome: SETTLED,
      },
    ),
  },
  reorg: {
    summary: 'A reorganisation drops the confirmed payment, and a later block includes it again.',
    courses: onEvm(
      'Pays, waits until that is confirmed, replaces the block by an empty one, waits until the payment is missed, and sends the same transaction again.',
      SETTLED,
      {
        does: 'Pays, waits until that is confirmed, invalidates the block, waits until the payment is back in the mempool, and mines on.',
        outcome: SETTLED,
      },
    ),
  },
  'reorg-lost': {
    summary: 'A reorganisation after the window drops the payment for good.',
    courses: onEvm(
      'Pays, waits until that is confirmed, ends the window, replaces the block by an empty one, and uses the nonce for a transaction that pays nobody.',
      LOST,
      {
        does: 'Pays, waits until that is confirmed, ends the window, invalidates the block, and spends the same coins to another address.',
        outcome: LOST,
      },
    ),
  },
  internal: {
    summary: 'Pays through a contract, as smart wallets and exchanges do.',
    courses: {
      'evm-token': {
        impossible: 'it makes no difference: a token is found by its Transfer event, whoever calls it',
      },
      'evm-coin': {
        does: 'Sends the coin to a contract that passes it on by an internal call.',
        outcome: SETTLED,
      },
      'bitcoin-like': { impossible: 'the network has no contracts' },
    },
  },
} as const satisfies Readonly<Record<string, Scenario>>;

export type ScenarioName = keyof typeof SCENARIOS;

export const SCENARIO_NAMES: readonly ScenarioName[] = namesOf(SCENARIOS);

export function isScenario(text: string): text is ScenarioName {
  return Object.hasOwn(SCENARIOS, text);
}
