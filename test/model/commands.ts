import fc from 'fast-check';
import { RULES } from './reference.js';

/** What somebody does in a life: plain data, so that a life that failed can be kept as it is. */
export type Command =
  | { readonly do: 'pick'; readonly asset: 'BTC' | 'USDC' | 'ETH' }
  /** A transaction that spends one of the buyer's coins; another one of that coin before a block replaces it. */
  | {
      readonly do: 'send';
      readonly coins: readonly number[];
      readonly percents: readonly number[];
      readonly to: Target;
      /** Nobody relays it: a miner has it. */
      readonly hidden?: boolean;
    }
  /** The merchant spends what one of its addresses got. */
  | { readonly do: 'send-own'; readonly nth: number; readonly percent: number; readonly to: Target }
  | { readonly do: 'mine'; readonly blocks: number; readonly what: Mined; readonly headerS: number }
  | { readonly do: 'fork'; readonly depth: number; readonly what: Mined; readonly headerS: number }
  | { readonly do: 'forget' | 'resend'; readonly nth: number }
  /** In a block of the EVM chain; each percent is a transfer of its own in one transaction where it is a token. */
  | {
      readonly do: 'pay';
      readonly asset: 'USDC' | 'USDT' | 'ETH';
      readonly percents: readonly number[];
      readonly to: 'quote' | 'other-quote' | 'sibling';
      readonly from: 'buyer' | 'own';
      readonly fails?: boolean;
    }
  /** In coin that a contract passes on; each percent is a call of its own. */
  | {
      readonly do: 'pay-inside';
      readonly percents: readonly number[];
      readonly to: 'quote' | 'other-quote';
      readonly fails?: boolean;
    }
  | { readonly do: 'blocks'; readonly count: number }
  | { readonly do: 'fork-evm'; readonly depth: number; readonly keep: 'all' | 'none' | 'replaced' }
  /** What forks have taken away is in a block again, where its nonce is still free. */
  | { readonly do: 'back' }
  | { readonly do: 'wait'; readonly until: Wait }
  | { readonly do: 'blind' | 'see'; readonly network: 'bitcoin' | 'ethereum' }
  | { readonly do: 'pool'; readonly loaded: boolean }
  /** A leader stops in the middle of a step, while another one takes over. */
  | { readonly do: 'stall'; readonly network: 'bitcoin' | 'ethereum'; readonly afterCalls: number }
  | { readonly do: 'wake' | 'restart' | 'sweep' }
  /** A leader of an older version, which does not know the token that is paid. */
  | { readonly do: 'old-version'; readonly on: boolean }
  /** What is recorded is compared with the chain. */
  | { readonly do: 'reconcile'; readonly network: 'bitcoin' | 'ethereum' }
  | { readonly do: 'cancel'; readonly by: 'buyer' | 'merchant' }
  | { readonly do: 'accept' | 'dismiss' };

export type Target = 'quote' | 'sibling' | 'elsewhere';
export type Mined = 'pool' | 'nothing' | 'hidden' | 'first';
export type Wait =
  'second' | 'near-the-end' | 'the-end' | 'past-the-end' | 'ten-minutes' | 'two-hours' | 'a-day';

export interface Life {
  readonly rules: number;
  /** CHF 10 settle by shallow blocks, CHF 2,000 by final ones. */
  readonly amount: 'small' | 'large';
  readonly sibling: boolean;
  readonly commands: readonly Command[];
}

const nth = fc.nat(3);
const percents = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom([100], [50], [1], [120], [60], [20], [30]) },
  { weight: 2, arbitrary: fc.constantFrom([50, 50], [1, 99], [100, 100], [0, 100], [30, 30]) },
);
const networks = fc.constantFrom('bitcoin' as const, 'ethereum' as const);
const headerS = fc.constantFrom(0, 0, 0, -7_200, -600, 600, 7_200);
const depth = fc.integer({ min: 1, max: 5 });
const target = fc.constantFrom<Target>('quote', 'quote', 'quote', 'quote', 'elsewhere', 'sibling');
const what = fc.constantFrom<Mined>('pool', 'pool', 'pool', 'nothing', 'hidden', 'first');
const wait = fc.constantFrom<Wait>(
  'second',
  'near-the-end',
  'the-end',
  'past-the-end',
  'past-the-end',
  'ten-minutes',
  'two-hours',
  'a-day',
);

const bitcoin: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      coins: fc.constantFrom([0], [0], [1], [1], [2], [0, 1], [0, 1], [1, 2], [0, 1, 2]),
      percents,
      to: target,
      hidden: fc.constantFrom(false, false, false, true),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('send-own' as const),
      nth,
      percent: fc.constantFrom(100, 40),
      to: target,
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('mine' as const),
      blocks: fc.integer({ min: 1, max: 6 }),
      what,
      headerS,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('fork' as const), depth, what, headerS }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('forget' as const, 'resend' as const), nth }) },
  // Whatever was replaced comes back.
  { weight: 5, arbitrary: fc.record({ do: fc.constant('resend' as const), nth: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pool' as const), loaded: fc.boolean() }) },
);

const evm: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      asset: fc.constantFrom('USDC' as const, 'USDC' as const, 'ETH' as const, 'USDT' as const),
      percents,
      to: fc.constantFrom(
        'quote' as const,
        'quote' as const,
        'quote' as const,
        'other-quote' as const,
        'sibling' as const,
      ),
      from: fc.constantFrom('buyer' as const, 'buyer' as const, 'buyer' as const, 'own' as const),
      fails: fc.constantFrom(false, false, false, false, true),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pay-inside' as const),
      percents,
      to: fc.constantFrom('quote' as const, 'quote' as const, 'other-quote' as const),
      fails: fc.constantFrom(false, false, false, false, true),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('blocks' as const), count: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('fork-evm' as const),
      depth,
      keep: fc.constantFrom('all' as const, 'none' as const, 'replaced' as const),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'back' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('old-version' as const), on: fc.boolean() }) },
);

const time: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('wait' as const), until: wait }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('blind' as const, 'see' as const), network: networks }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('stall' as const),
      network: networks,
      afterCalls: fc.integer({ min: 1, max: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('reconcile' as const), network: networks }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('wake' as const, 'restart' as const, 'sweep' as const) }),
  },
);

const people: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('pick' as const),
      asset: fc.constantFrom('BTC' as const, 'USDC' as const, 'ETH' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('cancel' as const),
      by: fc.constantFrom('buyer' as const, 'merchant' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('accept' as const, 'dismiss' as const) }) },
);

const first = (asset: 'BTC' | 'USDC' | 'ETH') => ({ do: 'pick', asset }) as const;
const enough = fc.constantFrom([100], [100], [100], [120], [50, 50], [3_000]);
const deepEnough = fc.integer({ min: 2, max: 5 });
const undone = fc.integer({ min: 1, max: 8 });

/** A payment that is settled at once, and whose money is taken away and comes back. */
const settledCoin: fc.Arbitrary<Command[]> = fc
  .tuple(
    enough,
    deepEnough,
    fc.array(
      fc.oneof(
        {
          weight: 4,
          arbitrary: fc.record({ do: fc.constant('fork' as const), depth: undone, what, headerS }),
        },
        {
          weight: 4,
          arbitrary: fc.record({
            do: fc.constant('mine' as const),
            blocks: fc.integer({ min: 1, max: 3 }),
            what,
            headerS,
          }),
        },
        { weight: 2, arbitrary: bitcoin },
      ),
      { minLength: 2, maxLength: 8 },
    ),
  )
  .map(([percents, blocks, more]): Command[] => [
    first('BTC'),
    { do: 'send', coins: [0], percents, to: 'quote' },
    { do: 'mine', blocks, what: 'pool', headerS: 0 },
    ...more,
  ]);
const settledToken: fc.Arbitrary<Command[]> = fc
  .tuple(
    enough,
    deepEnough,
    fc.array(
      fc.oneof(
        {
          weight: 4,
          arbitrary: fc.record({
            do: fc.constant('fork-evm' as const),
            depth: undone,
            keep: fc.constantFrom('all' as const, 'none' as const, 'none' as const, 'replaced' as const),
          }),
        },
        { weight: 4, arbitrary: fc.constant({ do: 'back' as const }) },
        { weight: 2, arbitrary: evm },
      ),
      { minLength: 2, maxLength: 8 },
    ),
  )
  .map(([percents, count, more]): Command[] => [
    first('USDC'),
    { do: 'pay', asset: 'USDC', percents, to: 'quote', from: 'buyer' },
    { do: 'blocks', count },
    ...more,
  ]);
const MOST_COMMANDS = 20;

/** Most lives are of one network, so that what an adversary does meets what it did before. */
export const lives: fc.Arbitrary<Life> = fc.record({
  rules: fc.nat(RULES.length - 1),
  amount: fc.constantFrom('small' as const, 'small' as const, 'large' as const),
  sibling: fc.constantFrom(false, false, true),
  commands: fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .array(
          fc.oneof(
            { weight: 6, arbitrary: bitcoin },
            { weight: 3, arbitrary: time },
            { weight: 1, arbitrary: people },
          ),
          { maxLength: MOST_COMMANDS },
        )
        .map((commands): Command[] => [first('BTC'), ...commands]),
    },
    {
      weight: 3,
      arbitrary: fc
        .array(
          fc.oneof(
            { weight: 6, arbitrary: evm },
            { weight: 3, arbitrary: time },
            { weight: 1, arbitrary: people },
          ),
          { maxLength: MOST_COMMANDS },
        )
        .map((commands): Command[] => [first('USDC'), ...commands]),
    },
    {
      weight: 2,
      arbitrary: fc
        .array(
          fc.oneof(
            { weight: 6, arbitrary: evm },
            { weight: 3, arbitrary: time },
            { weight: 1, arbitrary: people },
          ),
          { maxLength: MOST_COMMANDS },
        )
        .map((commands): Command[] => [first('ETH'), ...commands]),
    },
    { weight: 2, arbitrary: settledCoin },
    { weight: 2, arbitrary: settledToken },
    {
      weight: 2,
      arbitrary: fc
        .array(
          fc.oneof(
            { weight: 3, arbitrary: bitcoin },
            { weight: 3, arbitrary: evm },
            { weight: 3, arbitrary: time },
            { weight: 1, arbitrary: people },
          ),
          { maxLength: MOST_COMMANDS },
        )
        .map((commands): Command[] => [first('BTC'), first('USDC'), ...commands]),
    },
  ),
});
