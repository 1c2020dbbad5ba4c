import type { Command, Life } from './commands.js';

/** Lives in which the service and the rules disagreed once, as short as they could be made. */
export interface Case {
  readonly title: string;
  readonly life: Life;
}

/** By the place in `RULES`. */
const NO_RULES = 0;
const SEEN_LATE = 1;
const SHORT = 2;
const ALL_RULES = 3;
/** Whose merchant confirms three blocks deep. */
const DEEP = 4;

const life = (rules: number, commands: readonly Command[], more: Partial<Life> = {}): Life => ({
  rules,
  amount: 'small',
  sibling: false,
  commands,
  ...more,
});

const BTC: Command = { do: 'pick', asset: 'BTC' };
const USDC: Command = { do: 'pick', asset: 'USDC' };
const send = (percent: number, coin = 0): Command => ({
  do: 'send',
  coins: [coin],
  percents: [percent],
  to: 'quote',
});
const mine = (blocks = 1, headerS = 0): Command => ({ do: 'mine', blocks, what: 'pool', headerS });
const pay = (
  percent: number,
  asset: 'USDC' | 'USDT' | 'ETH' = 'USDC',
  from: 'buyer' | 'own' = 'buyer',
): Command => ({
  do: 'pay',
  asset,
  percents: [percent],
  to: 'quote',
  from,
});
const ETH: Command = { do: 'pick', asset: 'ETH' };
const inside = (percent: number): Command => ({ do: 'pay-inside', percents: [percent], to: 'quote' });
const COMPARED = { do: 'reconcile', network: 'ethereum' } as const;
const PAST: Command = { do: 'wait', until: 'past-the-end' };
const sendBoth = (percent: number): Command => ({
  do: 'send',
  coins: [0, 1],
  percents: [percent],
  to: 'quote',
});
const again = (nth: number): Command => ({ do: 'resend', nth });

export const CASES: readonly Case[] = [
  {
    title: 'what comes back counts for itself alone, and for no other money that had taken its place',
    life: life(SHORT, [BTC, send(20), send(20, 1), PAST, sendBoth(40), send(30, 1), again(0), mine(3)]),
  },
  {
    title: 'what was sent in time does not grow by replacements, however often they come and go',
    life: life(SHORT, [
      BTC,
      send(1),
      send(20, 1),
      PAST,
      sendBoth(21),
      send(20, 0),
      again(1),
      sendBoth(40),
      send(30, 1),
      again(3),
      sendBoth(50),
      send(30, 0),
      again(5),
      mine(3),
    ]),
  },
  {
    title:
      'of two payments of one coin that were seen in time one counts, the other in nobody’s place either',
    life: life(SHORT, [
      BTC,
      send(30),
      { ...send(1), to: 'elsewhere' } as Command,
      send(30),
      PAST,
      again(0),
      sendBoth(60),
      send(30, 1),
      again(2),
      mine(3),
    ]),
  },
  {
    title: 'late money is no earlier by what comes back beside it, where a rule takes late money too',
    life: life(ALL_RULES, [
      BTC,
      PAST,
      send(20),
      send(20, 1),
      { do: 'wait', until: 'two-hours' } as const,
      sendBoth(40),
      send(30, 1),
      again(0),
      mine(3),
    ]),
  },
  {
    title: 'what comes back takes its time back from who had it, and that one keeps what it replaced itself',
    life: life(SHORT, [BTC, send(20), send(30, 1), PAST, sendBoth(50), send(30, 1), again(0), mine(3)]),
  },
  {
    title: 'too little that nobody mined for longer than a day after the window is for a person',
    life: life(SHORT, [
      BTC,
      send(60),
      { do: 'wait', until: 'a-day' },
      { do: 'wait', until: 'two-hours' },
      mine(3),
    ]),
  },
  {
    title: 'too little that was mined within a day after the window is short, and no more',
    life: life(SHORT, [BTC, send(60), PAST, { do: 'wait', until: 'two-hours' }, mine(3)]),
  },
  {
    title: 'dust in time, replaced by the whole amount after the window, is no free option on the rate',
    life: life(SEEN_LATE, [BTC, send(1), PAST, send(100), mine(3)]),
  },
  {
    title: 'a replacement of dust that was given up long ago inherits nothing',
    life: life(SEEN_LATE, [
      BTC,
      send(1),
      { do: 'forget', nth: 0 } as const,
      { do: 'wait', until: 'a-day' } as const,
      send(100),
      mine(3),
    ]),
  },
  {
    title: 'an unconfirmed replacement by half fails nothing, and the first one may be mined after all',
    life: life(NO_RULES, [
      BTC,
      send(100),
      PAST,
      send(50),
      { do: 'mine', blocks: 3, what: 'first', headerS: 0 },
    ]),
  },
  {
    title: 'a quote that is deep enough settles, whatever waits at another one',
    life: life(NO_RULES, [BTC, USDC, send(100), pay(100), { do: 'blocks', count: 5 }]),
  },
  {
    title: 'a deep quote does not fail with another one that nobody mines',
    life: life(NO_RULES, [
      BTC,
      USDC,
      send(100),
      pay(100),
      PAST,
      { do: 'wait', until: 'a-day' } as const,
      { do: 'blocks', count: 5 },
    ]),
  },
  {
    title: 'a shallow extra does not stand in the way of an accept',
    life: life(NO_RULES, [BTC, PAST, send(100), mine(3), send(1, 1), { do: 'accept' }]),
  },
  {
    title: 'a shallow extra does not stand in the way of a rule',
    life: life(ALL_RULES, [BTC, PAST, send(100), mine(1), send(1, 1), mine(1), send(1, 2), mine(1)]),
  },
  {
    title: 'a header before the end makes nobody punctual while we can see',
    life: life(SEEN_LATE, [BTC, PAST, send(100), mine(1, -600), mine(2)]),
  },
  {
    title: 'what the merchant moves from one issued address to another is no payment',
    life: life(
      NO_RULES,
      [
        BTC,
        { ...send(100), to: 'sibling' } as Command,
        mine(),
        { do: 'send-own', nth: 0, percent: 100, to: 'quote' },
        mine(3),
      ],
      { sibling: true },
    ),
  },
  {
    title: 'gas from an address of the merchant is no payment',
    life: life(NO_RULES, [USDC, pay(100), { do: 'blocks', count: 3 }, pay(1, 'USDC', 'own')], {
      sibling: true,
    }),
  },
  {
    title: 'money at another quote before the settlement did not come after it',
    life: life(NO_RULES, [BTC, USDC, send(50), pay(100), { do: 'blocks', count: 5 }, mine(3)]),
  },
  {
    title: 'a replacement with two outputs takes over once what it replaces',
    life: life(SEEN_LATE, [
      BTC,
      send(50),
      PAST,
      { do: 'send', coins: [0], percents: [50, 50], to: 'quote' },
      mine(3),
    ]),
  },
  {
    title: 'of a double spend that is mined on two branches one side counts',
    life: life(NO_RULES, [
      BTC,
      send(100),
      mine(),
      { do: 'send', coins: [0], percents: [100], to: 'elsewhere', hidden: true },
      { do: 'fork', depth: 1, what: 'hidden', headerS: 0 },
      { do: 'fork', depth: 3, what: 'first', headerS: 0 },
      mine(3),
    ]),
  },
  {
    title: 'a double spend that is two blocks deep decides nothing where a merchant confirms at three',
    life: life(DEEP, [
      BTC,
      { do: 'wait', until: 'near-the-end' },
      send(100),
      mine(),
      PAST,
      { do: 'send', coins: [0], percents: [100], to: 'elsewhere', hidden: true },
      { do: 'fork', depth: 1, what: 'hidden', headerS: 0 },
      { do: 'fork', depth: 3, what: 'first', headerS: 0 },
      mine(5),
    ]),
  },
  {
    title: 'a leader that stood still with an old mempool changes nothing when it wakes',
    life: life(NO_RULES, [
      BTC,
      send(100),
      { do: 'stall', network: 'bitcoin', afterCalls: 3 } as const,
      send(120),
      { do: 'wake' } as const,
      { do: 'wait', until: 'past-the-end' } as const,
      mine(3),
    ]),
  },
  {
    title: 'what is confirmed stays with its quote, although another one is deep first',
    life: life(NO_RULES, [BTC, USDC, pay(100), send(100), mine(2), { do: 'blocks', count: 3 }]),
  },
  {
    title: 'picking the quote again that was paid changes nothing',
    life: life(NO_RULES, [BTC, USDC, send(100), BTC]),
  },
  {
    title: 'what a leader of an older version does not know is found by a newer one',
    life: life(NO_RULES, [
      USDC,
      { do: 'old-version', on: true } as const,
      pay(100, 'USDT'),
      pay(50),
      { do: 'fork-evm', depth: 2, keep: 'all' } as const,
      { do: 'old-version', on: false } as const,
      PAST,
      { do: 'blocks', count: 9 } as const,
    ]),
  },
  {
    title: 'late money that a reorganisation took leaves the queue when its grace time is over',
    life: life(NO_RULES, [
      USDC,
      PAST,
      pay(100),
      { do: 'fork-evm', depth: 1, keep: 'none' } as const,
      { do: 'wait', until: 'ten-minutes' },
    ]),
  },
  {
    title:
      'the day after which an unconfirmed payment is given up goes on only while what waits is looked at',
    life: life(NO_RULES, [
      BTC,
      send(100),
      { do: 'wait', until: 'a-day' } as const,
      { do: 'pool', loaded: false } as const,
      { do: 'wait', until: 'two-hours' } as const,
    ]),
  },
  {
    title: 'late money that was announced as final, and left the chain, is told of again',
    life: life(NO_RULES, [
      BTC,
      { do: 'wait', until: 'two-hours' } as const,
      send(100),
      mine(2),
      { do: 'fork', depth: 2, what: 'hidden', headerS: 0 },
    ]),
  },
  {
    title: 'coin that a contract pays settles as any other, in another block too',
    life: life(NO_RULES, [
      ETH,
      inside(50),
      inside(70),
      { do: 'fork-evm', depth: 2, keep: 'all' } as const,
      { do: 'blocks', count: 9 },
    ]),
  },
  {
    title:
      'coin that a contract pays to an address of yesterday is found by the comparison, once it is final',
    life: life(ALL_RULES, [
      ETH,
      { do: 'wait', until: 'a-day' } as const,
      { do: 'wait', until: 'two-hours' } as const,
      inside(100),
      COMPARED,
      { do: 'blocks', count: 9 } as const,
      COMPARED,
      COMPARED,
    ]),
  },
  {
    title: 'the comparison leaves coin alone within an hour of the watcher, and finds it at a later block',
    life: life(ALL_RULES, [
      ETH,
      { do: 'wait', until: 'a-day' } as const,
      inside(100),
      { do: 'blocks', count: 9 } as const,
      COMPARED,
      COMPARED,
      { do: 'blocks', count: 9 } as const,
      COMPARED,
      COMPARED,
    ]),
  },
  {
    title: 'a comparison with the chain changes nothing of what the watcher has recorded',
    life: life(NO_RULES, [
      BTC,
      USDC,
      ETH,
      send(50),
      pay(50),
      inside(50),
      pay(20, 'ETH'),
      mine(3),
      { do: 'blocks', count: 9 } as const,
      COMPARED,
      { ...COMPARED, network: 'bitcoin' } as const,
      { do: 'fork-evm', depth: 3, keep: 'all' } as const,
      COMPARED,
      PAST,
      COMPARED,
    ]),
  },
  {
    title: 'late coin of an EVM network is late, whoever was blind when it came',
    life: life(SEEN_LATE, [
      USDC,
      { do: 'blind', network: 'ethereum' } as const,
      PAST,
      pay(100),
      { do: 'see', network: 'ethereum' } as const,
      { do: 'blocks', count: 9 } as const,
    ]),
  },
  {
    title: 'what was sent after the end is late, although nobody could see by then: its block says so',
    life: life(SEEN_LATE, [
      BTC,
      { do: 'blind', network: 'bitcoin' } as const,
      { do: 'wait', until: 'two-hours' } as const,
      send(100),
      mine(3),
      { do: 'see', network: 'bitcoin' } as const,
      mine(3),
    ]),
  },
  {
    title: 'a header from before the end makes nobody punctual where we were blind only after it',
    life: life(SEEN_LATE, [
      BTC,
      PAST,
      { do: 'blind', network: 'bitcoin' } as const,
      { do: 'wait', until: 'ten-minutes' } as const,
      send(100),
      mine(1, -7_200),
      { do: 'see', network: 'bitcoin' } as const,
      mine(3),
    ]),
  },
  {
    title:
      'what is sent again after an outage stands for what went missing before it, while nobody saw (EVM)',
    life: life(SEEN_LATE, [
      USDC,
      pay(100),
      { do: 'fork-evm', depth: 1, keep: 'none' } as const,
      { do: 'blind', network: 'ethereum' } as const,
      PAST,
      pay(100),
      { do: 'see', network: 'ethereum' } as const,
      { do: 'blocks', count: 9 } as const,
      { do: 'blocks', count: 9 } as const,
    ]),
  },
  {
    title:
      'what is sent again after an outage stands for what went missing before it, while nobody saw (Bitcoin)',
    life: life(SEEN_LATE, [
      BTC,
      send(100),
      { do: 'forget', nth: 0 } as const,
      { do: 'blind', network: 'bitcoin' } as const,
      { do: 'wait', until: 'two-hours' } as const,
      { do: 'wait', until: 'second' } as const,
      send(100),
      { do: 'see', network: 'bitcoin' } as const,
      mine(6),
    ]),
  },
];
