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

const noLonger = new Set<object>();
afterEach(() => noLonger.clear());

/** One whose only part takes so many milliseconds of the event loop. @returns what is called when it has failed */
function shake(server: string, takesMs: number, isTrusted = false) {
  const one = {};
  const handshake = turns.begin(server, () => noLonger.has(one));
  const part = (ms: number) =>
    handshake.wait(() => {
      jest.setSystemTime(Date.now() + ms);
      handedOn.push(server);
      if (isTrusted) handshake.established();
    });
  part(takesMs);
  return { part, fails: () => void noLonger.add(one), established: handshake.established };
}
/** Until it has failed, if its turn comes at once. */
function fail(server: string, takesMs: number) {
  const { fails } = shake(server, takesMs);
  turn();
  fails();
}
const turn = () => jest.advanceTimersToNextTimer();
const pass = (ms: number) => jest.advanceTimersByTime(ms);

it('one goes on in each turn of the event loop, in the order in which they came', () => {
  for (const server of ['a', 'b', 'c']) shake(server, 1, true);
  expect(handedOn).toEqual([]);
  turn();
  expect(handedOn).toEqual(['a']);
  turn();
  expect(handedOn).toEqual(['a', 'b']);
  turn();
  expect(handedOn).toEqual(['a', 'b', 'c']);
});

it.each([
  [50, 450],
  [1, 9],
  [1_000, 2_000],
])('after one of %d ms that failed servers that are not known rest for %d ms', (tookMs, restMs) => {
  fail('hostile', tookMs);
  shake('unknown', 1);
  pass(restMs - 1);
  expect(handedOn).toEqual(['hostile']);
  pass(1);
  expect(handedOn).toEqual(['hostile', 'unknown']);
});

it('and as long while it may still fail', () => {
  const hostile = shake('hostile', 50);
  turn();
  shake('unknown', 1);
  pass(449);
  expect(handedOn).toEqual(['hostile']);
  hostile.established();
  shake('another', 1);
  turn();
  expect(handedOn).toEqual(['hostile', 'unknown']);
});

it('a later one that took less shortens nobody’s rest', () => {
  fail('hostile', 50);
  pass(450);
  fail('another', 20);
  shake('trusted', 0, true);
  pass(180);
  fail('hostile at another port', 90);
  shake('trusted', 0, true);
  turn();
  fail('trusted', 1);
  shake('unknown', 1);
  pass(807);
  expect(handedOn).not.toContain('unknown');
  pass(3);
  expect(handedOn).toContain('unknown');
});

it('servers that have established TLS wait for nobody', () => {
  shake('trusted', 80, true);
  turn();
  fail('hostile', 90);
  shake('unknown', 1);
  shake('trusted', 80, true);
  turn();
  expect(handedOn).toEqual(['trusted', 'hostile', 'trusted']);
});

it('and one handshake of theirs is as long as it is: nobody rests after it', () => {
  shake('trusted', 80, true);
  turn();
  shake('unknown', 1);
  turn();
  expect(handedOn).toEqual(['trusted', 'unknown']);
});

it.each([
  [6, 2 * 6 ** 2],
  [90, 2 * 90 ** 2],
  [900, 60_000],
])('a server that was dear by %d ms rests for %d ms, and lets others pass', (tookMs, restMs) => {
  fail('dear', tookMs);
  shake('dear', 1);
  shake('unknown', 0, true);
  pass(restMs - 1);
  expect(handedOn).toEqual(['dear', 'unknown']);
  pass(1);
  expect(handedOn).toEqual(['dear', 'unknown', 'dear']);
});

it('also if it establishes TLS, until it has not been dear for ten minutes', () => {
  fail('dear', 50);
  pass(5_000);
  shake('dear', 1, true);
  turn();
  let others = 0;
  const restMs = () => {
    const atMs = Date.now();
    fail(`hostile ${(others += 1)}`, 90);
    handedOn = [];
    shake('dear', 0, true);
    while (handedOn.length === 0) turn();
    return Date.now() - atMs - 90;
  };
  expect(restMs()).toBe(2 * 90 ** 2);
  pass(500_000);
  expect(restMs()).toBe(2 * 90 ** 2);
  pass(100_000);
  expect(restMs()).toBe(0);
});

it('what comes behind dear certificates does not rest, and counts with them', () => {
  const dear = shake('dear', 80);
  turn();
  dear.part(10);
  turn();
  dear.fails();
  shake('dear', 1);
  pass(2 * 90 ** 2 - 1);
  expect(handedOn).toHaveLength(2);
  pass(1);
  expect(handedOn).toHaveLength(3);
});

it('what is over is passed by, and nobody rests for it', () => {
  shake('over', 50).fails();
  shake('next', 50);
  turn();
  expect(handedOn).toEqual(['next']);
  pass(100_000);
  expect(handedOn).toEqual(['next']);
});

it('whose rest is not over does not go on for another that is over meanwhile', () => {
  fail('dear', 90);
  shake('unknown', 1).fails();
  shake('dear', 1);
  pass(2 * 90 ** 2 - 1);
  expect(handedOn).toEqual(['dear']);
  pass(1);
  expect(handedOn).toEqual(['dear', 'dear']);
});

it.each([
  [999, 'remembers'],
  [1_000, 'has forgotten'],
])('after %d others it %s a server', (others, what) => {
  for (const server of ['trusted', ...Array.from({ length: others - 1 }, (_, i) => `other ${i}`)]) {
    shake(server, 0, true);
    turn();
  }
  fail('hostile', 90);
  shake('trusted', 0);
  pass(800);
  expect(handedOn.at(-1)).toBe(what === 'remembers' ? 'trusted' : 'hostile');
});
