import { RpcRequestError } from 'viem';
import { type BalancesAsked, PastBlocks } from './past-blocks.js';

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

const error = (code: number) =>
  new RpcRequestError({ body: {}, error: { code, message: 'no' }, url: 'http://node' });
const LIMIT = error(-32005);
const INTERNAL = error(-32603);

/** All others are below it. */
const NEWEST = 1_000;

const blocks = (count: number, from = 1): BalancesAsked[] =>
  Array.from({ length: count }, (_, i) => ({
    block: { height: from + i, hash: String(from + i) },
    addresses: ['0xa'],
  }));

/** Tells of a block its height, where it answers; with how many are asked at the same time at most. */
function telling(answer: (height: number) => Promise<unknown> | null) {
  const asked: number[] = [];
  let [open, most] = [0, 0];
  const balances = async (_: readonly string[], hash: string) => {
    asked.push(Number(hash));
    most = Math.max(most, (open += 1));
    await Promise.resolve();
    try {
      const said = await (answer(Number(hash)) ?? Promise.resolve('told'));
      return said === null ? null : [BigInt(hash)];
    } finally {
      open -= 1;
    }
  };
  const past = new PastBlocks({ balances, hasBlock: () => Promise.resolve(false) });
  past.newest = NEWEST;
  return {
    past,
    asked,
    mostAtOnce: () => {
      const highest = most;
      most = 0;
      return highest;
    },
  };
}

const never = () => new Promise(() => undefined);
const toldOf = async (past: PastBlocks, of: BalancesAsked[], ms = 0) => {
  const told = past.balances(of);
  await jest.advanceTimersByTimeAsync(ms);
  return (await told).map((balances) => balances && Number(balances[0]));
};

it('tells of all blocks, sixteen at once', async () => {
  const { past, mostAtOnce } = telling(() => null);
  expect(await toldOf(past, blocks(40))).toEqual(blocks(40).map(({ block }) => block.height));
  expect(mostAtOnce()).toBe(16);
  expect(await toldOf(past, [])).toEqual([]);
});

it('keeps what was told before a refusal, asks for fewer, and for more again', async () => {
  let limit = 5;
  let answered = 0;
  const { past, mostAtOnce } = telling(() => ((answered += 1) > limit ? Promise.reject(LIMIT) : null));
  expect(await toldOf(past, blocks(16))).toEqual([1, 2, 3, 4, 5]);
  expect(mostAtOnce()).toBe(16);
  answered = 0;
  expect(await toldOf(past, blocks(11, 6))).toEqual([6, 7, 8, 9, 10]);
  expect(mostAtOnce()).toBe(8);
  answered = 0;
  expect(await toldOf(past, blocks(6, 11))).toEqual([11, 12, 13, 14, 15]);
  expect(mostAtOnce()).toBe(4);
  limit = Infinity;
  await toldOf(past, blocks(200));
  expect(mostAtOnce()).toBe(16);
});

it('is late after three seconds with what was told by then, and asks aside what it would ask, until that is quick', async () => {
  let answers = (height: number): Promise<unknown> | null => (height < 4 ? null : never());
  const { past, asked } = telling((height) => answers(height));
  expect(await toldOf(past, blocks(16), 3_000)).toEqual([1, 2, 3]);
  // There was something: no rest.
  expect(await toldOf(past, blocks(13, 4), 3_000)).toEqual([]);
  const before = asked.length;
  expect(await toldOf(past, blocks(13, 4))).toEqual([]);
  expect(await toldOf(past, blocks(13, 4))).toEqual([]);
  expect(asked.slice(before)).toEqual([4, 5, 6, 7]);
  await jest.advanceTimersByTimeAsync(3_000);
  answers = () => null;
  expect(await toldOf(past, blocks(13, 4))).toEqual([]);
  expect(await toldOf(past, blocks(13, 4))).toHaveLength(13);
});

it.each([
  ['an error that is no limit', () => Promise.reject(INTERNAL)],
  ['that a state is not kept', () => Promise.resolve(null)],
])('takes %s for a state that is told no more once it is repeated for ten seconds', async (_, answer) => {
  const { past } = telling((height) => (height <= 3 ? answer() : null));
  for (let i = 0; i < 3; i += 1) {
    expect(await toldOf(past, blocks(5))).toEqual([]);
    await jest.advanceTimersByTimeAsync(4_000);
  }
  expect(await toldOf(past, blocks(5))).toEqual([null, null, null, 4, 5]);
});

it('waits for what is limited, however long', async () => {
  const { past } = telling((height) => (height <= 3 ? Promise.reject(LIMIT) : null));
  for (let i = 0; i < 3; i += 1) {
    expect(await toldOf(past, blocks(5))).toEqual([]);
    await jest.advanceTimersByTimeAsync(60_000);
  }
});

it('waits for a state whose error has passed before, as any other', async () => {
  let isRefused = true;
  const { past } = telling((height) => (height === 3 && isRefused ? Promise.reject(INTERNAL) : null));
  for (let i = 0; i < 2; i += 1) {
    expect(await toldOf(past, blocks(5))).toEqual([1, 2]);
    await jest.advanceTimersByTimeAsync(6_000);
  }
  isRefused = false;
  expect(await toldOf(past, blocks(5))).toEqual([1, 2, 3, 4, 5]);
});

it('asks for whatever else there is, and holds up nothing for it', async () => {
  const { past } = telling(() => null);
  expect(await past.ask('blocks', () => Promise.resolve('told'))).toBe('told');
  expect(await past.ask('blocks', () => Promise.reject(LIMIT))).toBeNull();
  const late = past.ask('blocks', never);
  await jest.advanceTimersByTimeAsync(3_000);
  expect(await late).toBeNull();
});

it('keeps what was told beyond what is not, so that a node may forget it meanwhile', async () => {
  let newest = 8;
  const { past, asked } = telling((height) => (height <= newest - 4 ? Promise.resolve(null) : null));
  for (let i = 0; i < 3; i += 1) {
    expect(await toldOf(past, blocks(8))).toEqual([]);
    await jest.advanceTimersByTimeAsync(4_000);
    newest += 3;
  }
  const before = asked.length;
  expect(await toldOf(past, blocks(8))).toEqual([null, null, null, null, 5, 6, 7, 8]);
  expect(asked.slice(before)).toEqual([1, 2, 3, 4]);
});

describe('what was told of the newest block', () => {
  const newest = { height: NEWEST, hash: String(NEWEST) };

  /** A node that adds a block after so long, and until then answers out of its state. */
  function adding(ms: number) {
    const balances = jest.fn(() => Promise.resolve([performance.now() < ms ? 2n : 1n]));
    const past = new PastBlocks({ balances, hasBlock: () => Promise.resolve(performance.now() >= ms) });
    past.newest = NEWEST;
    return { past, balances };
  }

  it.each([0, 40, 700])('is asked again once there is a newer one, here after %s ms', async (ms) => {
    const { past } = adding(ms);
    const sure = past.sure({ block: newest, addresses: ['0xa'] }, [2n]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await sure).toEqual([1n]);
  });

  it('is asked again after a second where none comes', async () => {
    const { past, balances } = adding(Infinity);
    const sure = past.sure({ block: newest, addresses: ['0xa'] }, [2n]);
    await jest.advanceTimersByTimeAsync(900);
    expect(balances).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(100);
    expect(await sure).toEqual([2n]);
  });

  it('is not known where that is refused', async () => {
    const past = new PastBlocks({
      balances: () => Promise.reject(LIMIT),
      hasBlock: () => Promise.reject(LIMIT),
    });
    past.newest = NEWEST;
    const sure = past.sure({ block: newest, addresses: ['0xa'] }, [2n]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await sure).toBeNull();
  });

  it('is taken as it is of an older block', async () => {
    const { past, balances } = adding(0);
    expect(await past.sure({ block: { height: 1, hash: '1' }, addresses: ['0xa'] }, [2n])).toEqual([2n]);
    expect(balances).not.toHaveBeenCalled();
  });

  it('is not kept', async () => {
    const { past, balances } = adding(10);
    const asked = [{ block: newest, addresses: ['0xa'] }];
    expect(await past.balances(asked)).toEqual([[2n]]);
    await jest.advanceTimersByTimeAsync(10);
    expect(await past.balances(asked)).toEqual([[1n]]);
    expect(balances).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['says nothing of another state', () => Promise.resolve(null)],
    ['fails of another state', () => Promise.reject(INTERNAL)],
  ])('is taken as it is of a node that %s, once that is repeated', async (_, balances) => {
    const past = new PastBlocks({ balances, hasBlock: () => Promise.resolve(true) });
    past.newest = NEWEST;
    const sure = () => past.sure({ block: newest, addresses: ['0xa'] }, [2n]);
    expect([await sure(), await sure()]).toEqual([null, null]);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await sure()).toEqual([2n]);
  });

  it('is not kept where it was the newest when it was asked', async () => {
    const { past } = adding(10);
    const asked = [{ block: newest, addresses: ['0xa'] }];
    const first = past.balances(asked);
    past.newest = NEWEST + 1;
    expect(await first).toEqual([[2n]]);
    await jest.advanceTimersByTimeAsync(10);
    expect(await past.balances(asked)).toEqual([[1n]]);
  });
});
