import { HandshakeTurns } from './handshake-turns.js';

/** Of the parts that were handed on, in their order. */
let handedOn: string[];
let turns: HandshakeTurns;

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  handedOn = [];
  turns = new HandshakeTurns({
    nowMs: () => Date.now(),
    // As much as they say they take.
    measure(work) {
      const before = Date.now();
      work();
      return Date.now() - before;
    },
  });
});
afterEach(() => jest.useRealTimers());

const noLonger = new Set<string>();
afterEach(() => noLonger.clear());

/** @param takesMs of the event loop */
const wait = (server: string, takesMs: number, go = begin(server)) =>
  go(() => {
    jest.setSystemTime(Date.now() + takesMs);
    handedOn.push(server);
  });
const begin = (server: string) => turns.begin(server, () => noLonger.has(server));
const turn = () => jest.advanceTimersToNextTimer();
const pass = (ms: number) => jest.advanceTimersByTime(ms);

it('one goes on in each turn of the event loop, in the order in which they came', () => {
  for (const server of ['a', 'b', 'c']) wait(server, 5);
  expect(handedOn).toEqual([]);
  turn();
  expect(handedOn).toEqual(['a']);
  turn();
  expect(handedOn).toEqual(['a', 'b']);
  turn();
  expect(handedOn).toEqual(['a', 'b', 'c']);
});

it('after one that was dear nobody goes on for nine times as long', () => {
  wait('dear', 50);
  wait('next', 1);
  turn();
  pass(449);
  expect(handedOn).toEqual(['dear']);
  pass(1);
  expect(handedOn).toEqual(['dear', 'next']);
});

it('nor does one that comes meanwhile, and who was not dear waits for two seconds at most', () => {
  wait('endless', 1_000);
  turn();
  wait('later', 1);
  pass(1_999);
  expect(handedOn).toEqual(['endless']);
  pass(1);
  expect(handedOn).toEqual(['endless', 'later']);
});

it('a server that was dear rests for longer, and lets all others pass', () => {
  wait('dear', 90);
  turn();
  for (const server of ['dear', 'other']) wait(server, 90);
  pass(810);
  expect(handedOn).toEqual(['dear', 'other']);
  wait('third', 1);
  pass(810);
  expect(handedOn).toEqual(['dear', 'other', 'third']);
  pass(2 * 90 ** 2 - 812);
  expect(handedOn).toHaveLength(3);
  pass(1);
  expect(handedOn).toEqual(['dear', 'other', 'third', 'dear']);
});

it('what comes behind dear certificates does not rest, and counts with them', () => {
  const dear = begin('dear');
  wait('dear', 80, dear);
  turn();
  wait('dear', 10, dear);
  wait('dear', 1);
  turn();
  expect(handedOn).toEqual(['dear', 'dear']);
  pass(2 * 90 ** 2 - 1);
  expect(handedOn).toHaveLength(2);
  pass(1);
  expect(handedOn).toHaveLength(3);
});

it('of those that were dear the one that was the least so is next, and each minute one goes on', () => {
  for (const [server, ms] of [
    ['dearest', 900],
    ['dear', 20],
  ] as const)
    wait(server, ms);
  pass(2_000);
  wait('dearest', 900);
  wait('dear', 20);
  pass(800);
  expect(handedOn).toEqual(['dearest', 'dear', 'dear']);
  pass(59_999);
  expect(handedOn).toHaveLength(3);
  pass(1);
  expect(handedOn).toEqual(['dearest', 'dear', 'dear', 'dearest']);
});

it.each([
  ['has not established TLS since', 0, 2 * 12 ** 2],
  ['has established it once, is taken for half as dear', 1, 2 * 6 ** 2],
  ['has established it again, is one of the others', 2, 9 * 12],
])('a dear one that %s', (_, times, restMs) => {
  wait('dear', 12);
  turn();
  for (let i = 0; i < times; i += 1) turns.established('dear');
  wait('dear', 1);
  pass(restMs - 1);
  expect(handedOn).toHaveLength(1);
  pass(1);
  expect(handedOn).toHaveLength(2);
});

it('what is over is passed by, and nobody rests for it', () => {
  for (const server of ['over', 'next']) wait(server, 50);
  noLonger.add('over');
  turn();
  expect(handedOn).toEqual(['next']);
  pass(100_000);
  expect(handedOn).toEqual(['next']);
});

it('whose rest is not over does not go on for another that is over meanwhile', () => {
  wait('dear', 90);
  turn();
  for (const server of ['dear', 'over']) wait(server, 1);
  noLonger.add('over');
  pass(2 * 90 ** 2 - 1);
  expect(handedOn).toEqual(['dear']);
  pass(1);
  expect(handedOn).toEqual(['dear', 'dear']);
});

it('remembers a thousand servers', () => {
  wait('first', 50);
  turn();
  const isFirstRemembered = (others: number) => {
    for (let i = 0; i < others; i += 1) wait(`other ${i}`, 10);
    pass(200 * others);
    handedOn = [];
    for (const server of ['first', 'new']) wait(server, 1);
    pass(100_000);
    return handedOn[0] === 'new';
  };
  expect(isFirstRemembered(999)).toBe(true);
  expect(isFirstRemembered(1_000)).toBe(false);
});
