import type { NetworkConfig } from '../../../config/config.types.js';
import type { Cursor } from '../data/ledger.types.js';
import { Finality } from './finality.js';
import { CheckedNode } from './node/checked-node.js';
import type { EvmHeader, EvmNode, EvmTips } from './node/evm-node.types.js';

/** Nothing was final before, and of all that is told the same was read. */
const OURS = [
  { safeHeight: -1, finalizedHeight: -1 },
  { holding: (told: readonly Cursor[]) => Promise.resolve(new Set(told.map(({ height }) => height))) },
] as const;
/** A block each second; where no tag is known, final at 900 seconds. */
const network = { blockIntervalS: 1, finalizedAfterS: 900 } as NetworkConfig;
const BEGAN_MS = Date.UTC(2026, 0, 1);
const TIP = 10_150;
const OLD_ENOUGH = TIP - 900;
const DAY_S = 86_400;
const timeOf = (height: number, lateByS = 0) => new Date(BEGAN_MS + (height + lateByS) * 1_000);
const header = (height: number, lateByS = 0): EvmHeader => ({
  height,
  hash: `0x${height}`,
  parentHash: `0x${height - 1}`,
  time: timeOf(height, lateByS),
});

interface Situation {
  /** How much later than it is its newest block says that it is; at each look. */
  readonly lateByS?: (look: number) => number;
  /** The same of headers that are asked for by their height. */
  readonly headerLateByS?: (height: number, asked: number) => number;
  /** Height of the block that it calls final; `null` where it knows no such tag. */
  readonly finalizedHeight?: number | null;
  readonly tip?: number;
}

function node({ lateByS, headerLateByS, finalizedHeight = null, tip = TIP }: Situation = {}): EvmNode {
  let [looks, asked] = [0, 0];
  const tagged =
    finalizedHeight === null
      ? []
      : [{ tag: 'finalized', height: finalizedHeight, hash: `0x${finalizedHeight}` }];
  const tips = (): EvmTips => ({
    chainId: 1,
    latest: header(tip, lateByS?.(looks++)),
    safeHeight: null,
    finalizedHeight,
    isTimed: finalizedHeight === null,
    tagged,
    knownTags: [],
  });
  const answers: Pick<EvmNode, 'tips' | 'header'> = {
    tips: () => Promise.resolve(tips()),
    header: (height) =>
      Promise.resolve(height > TIP ? null : header(height, headerLateByS?.(height, asked++))),
  };
  return answers as EvmNode;
}

/** The highest block that was ever final in these looks, of which some may fail. */
async function finalAfterLooks(of: EvmNode, now = timeOf(TIP)): Promise<number> {
  const finality = new Finality(network, of, () => Promise.resolve(now));
  let final = -1;
  for (let look = 0; look < 4; look += 1) {
    const tips = await of
      .tips()
      .then((seen) => finality.of(seen, ...OURS))
      .catch(() => null);
    final = Math.max(final, tips?.finalizedHeight ?? -1);
  }
  return final;
}

const always = () => DAY_S;
const once = (look: number) => (look === 1 ? DAY_S : 0);

describe('what is old enough to be final', () => {
  it('is what has the age, by the times of blocks', async () => {
    expect(await finalAfterLooks(node())).toBe(OLD_ENOUGH);
    expect(await finalAfterLooks(new CheckedNode(node(), node()))).toBe(OLD_ENOUGH);
  });

  it.each([
    ['the first, of the same block', () => new CheckedNode(node({ lateByS: always }), node())],
    ['the second, of the same block', () => new CheckedNode(node(), node({ lateByS: always }))],
    ['the first, a block behind', () => new CheckedNode(node({ lateByS: always, tip: TIP - 1 }), node())],
    ['the second, a block behind', () => new CheckedNode(node(), node({ lateByS: always, tip: TIP - 1 }))],
    [
      'one that calls its tip final',
      () => new CheckedNode(node(), node({ lateByS: always, finalizedHeight: TIP })),
    ],
  ])('is never more because of two nodes one tells a false time of its newest block: %s', async (_, of) => {
    expect(await finalAfterLooks(of())).toBeLessThanOrEqual(OLD_ENOUGH);
  });

  it('is not what one of two nodes says was long ago', async () => {
    const liar = node({ headerLateByS: () => -DAY_S });
    const finality = new Finality(network, new CheckedNode(node(), liar), () => Promise.resolve(timeOf(TIP)));
    const seen = await node().tips();
    await expect(finality.of(seen, ...OURS)).rejects.toThrow('do not agree about block');
  });

  it('is not more by a false time that one node alone tells once', async () => {
    expect(await finalAfterLooks(node({ lateByS: once }))).toBeLessThanOrEqual(OLD_ENOUGH);
    // The pace of blocks is twice what the network is said to have: of a young block it says that it is old.
    const quick = { ...network, blockIntervalS: 10 } as NetworkConfig;
    const liar = node({ headerLateByS: (height, asked) => (height < TIP && asked === 1 ? -DAY_S : 0) });
    const finality = new Finality(quick, liar, () => Promise.resolve(timeOf(TIP)));
    await expect(finality.of(await liar.tips(), ...OURS)).rejects.toThrow('the node says that block');
    expect((await finality.of(await liar.tips(), ...OURS)).finalizedHeight).toBeLessThanOrEqual(OLD_ENOUGH);
  });

  it('is not more by what a node says of the future, as often as it likes', async () => {
    const liar = node({ lateByS: always, headerLateByS: (height) => (height === TIP ? DAY_S : 0) });
    expect(await finalAfterLooks(liar)).toBeLessThanOrEqual(OLD_ENOUGH);
  });

  it.each([90, 150, 880, 1_000])('is later, and not never, by a clock that is %i s slow', async (slowS) => {
    const clock = timeOf(TIP - slowS);
    const final = await finalAfterLooks(node(), clock);
    expect(final).toBeLessThanOrEqual(OLD_ENOUGH - slowS);
    expect(final).toBeGreaterThan(-1);
    const clocks = [clock, timeOf(TIP)];
    const finality = new Finality(network, node(), () => Promise.resolve(clocks.shift()!));
    await finality.of(await node().tips(), ...OURS);
    expect((await finality.of(await node().tips(), ...OURS)).finalizedHeight).toBe(OLD_ENOUGH);
  });

  it('is nothing new while the node has another newest block by now', async () => {
    const gone: EvmNode = { ...node(), header: () => Promise.resolve(null) };
    expect(await finalAfterLooks(gone)).toBe(-1);
  });
});
