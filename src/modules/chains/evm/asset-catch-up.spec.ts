import type { NetworkConfig } from '../../../config/config.types.js';
import type { Term } from '../data/fenced.statement.js';
import type { LedgerRepository } from '../data/ledger.repository.js';
import type { Covering, Cursor, WatchedCursor } from '../data/ledger.types.js';
import { AssetCatchUp } from './asset-catch-up.js';
import { AssetViews } from './asset-view.js';
import type { EvmBlock, EvmNode } from './node/evm-node.types.js';

const TIP = 200;
const TERM = { network: 'ethereum', number: 1n } as unknown as Term;
const network = {
  id: 'ethereum',
  family: 'evm',
  rpcUrl: 'http://127.0.0.1:9',
  assets: [{ symbol: 'ETH', contract: null, decimals: 18, dustAtoms: 0n }],
} as unknown as NetworkConfig;

/** Of a chain by its name: "a 7" follows "a 6", and up to `shared` all have those of "a". */
const hashOn = (chain: string, height: number, shared = -1) => `${height <= shared ? 'a' : chain} ${height}`;

function stage() {
  let chain = 'a';
  let fails = 0;
  let covered = 0;
  let isLocked = false;
  const asked: number[] = [];
  const writes: Covering[] = [];
  const node = {
    blocks: (from: number, to: number) => {
      asked.push(from);
      const heights = Array.from({ length: to - from + 1 }, (_, i) => from + i);
      return Promise.resolve(
        heights.map((height): EvmBlock => {
          const [hash, parentHash] = [hashOn(chain, height), hashOn(chain, height - 1)];
          return {
            height,
            hash,
            parentHash,
            time: new Date(0),
            logsBloom: '0x',
            transactions: [],
            listed: [],
          };
        }),
      );
    },
  } as unknown as EvmNode;
  const ledger = {
    // The last hundred blocks are kept.
    storedAt: (_: string, heights: readonly number[]): Promise<Cursor[]> =>
      Promise.resolve(
        heights.filter((h) => h > TIP - 100).map((height) => ({ height, hash: `a ${height}` })),
      ),
    issued: () => (fails-- > 0 ? Promise.reject(new Error('no answer now')) : Promise.resolve(new Map())),
    anyForwarder: () => Promise.resolve(false),
    cover: (_: Term, step: Covering) => {
      if (isLocked) return Promise.reject(new Error('lock timeout'));
      writes.push(step);
      covered = step.toHeight;
      return Promise.resolve(true);
    },
  } as unknown as LedgerRepository;
  const catchUp = new AssetCatchUp(network, node, ledger, new AssetViews(network.assets, node));
  return {
    asked,
    writes,
    serve: (name: string) => (chain = name),
    fail: (times: number) => (fails = times),
    lock: (to: boolean) => (isLocked = to),
    some: () => {
      const covering = new Map([['native', covered]]);
      const cursor = { height: TIP, hash: `a ${TIP}`, covered: covering } as unknown as WatchedCursor;
      jest.advanceTimersByTime(60_000); // past the pause after a failure
      return catchUp.some(TERM, cursor);
    },
  };
}

beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

describe('blocks in which an asset that is behind is searched for', () => {
  it('are written of once they reach one that was read, and not before', async () => {
    const { some, writes } = stage();
    while (writes.length === 0) await some();
    expect(writes[0]).toMatchObject({ fromHeight: 0, assetKeys: ['native'] });
    expect(writes[0]!.toHeight).toBeGreaterThan(TIP - 100);
    while (await some());
    expect(writes.at(-1)!.toHeight).toBe(TIP);
  });

  it('are not read again after a look that failed, nor after a write that did', async () => {
    const { some, asked, writes, fail, lock } = stage();
    for (let i = 0; i < 3; i += 1) await some();
    fail(1);
    expect(await some()).toBe(false);
    lock(true);
    while (await some());
    lock(false);
    const before = asked.length;
    await some();
    expect(asked.filter((from) => from === 1)).toHaveLength(1);
    expect(asked.length).toBe(before + 1);
    expect(writes).toMatchObject([{ fromHeight: 0 }]);
  });

  it('are read anew from where the asset is where some were of a fork', async () => {
    const { some, asked, writes, serve } = stage();
    await some();
    serve('b');
    while (await some());
    expect(writes).toEqual([]);
    serve('a');
    asked.length = 0;
    while (await some());
    expect(asked[0]).toBe(1);
    expect(writes.at(-1)!.toHeight).toBe(TIP);
  });
});
