import { entryAt, paired, valueAt } from '../../../../kernel/lookups.js';
import type {
  BalancesRepository,
  CoinMovement,
  PassedBlock,
} from '../../data/balances/balances.repository.js';
import type { Cursor } from '../../data/ledger.types.js';
import { InconsistentNode } from '../../node.errors.js';
import type { EvmBlock, EvmNode } from '../node/evm-node.types.js';
import { changedBlocks } from './changed-blocks.js';
import type { BalancesTold, PastBlocks } from './past-blocks.js';
import type { Stretch } from './walked-blocks.js';

/** An address with what is known of its balance after a block. */
export interface KnownBalance {
  readonly address: string;
  readonly subject: string;
  readonly knownAtoms: bigint;
  readonly baselineAtoms: bigint;
  /** The block since which its balance is what is known and the baseline. */
  readonly sinceHeight: number;
}

export interface Unseen {
  /** With the blocks in which something changed, ascending; looked for as far as somebody goes on. */
  readonly stretches: AsyncIterable<Stretch> | readonly Stretch[];
  /** What was recorded in the span all the same, because a transaction's value told of it. */
  readonly recorded: readonly CoinMovement[];
}

export interface Sources {
  readonly node: EvmNode;
  readonly repository: BalancesRepository;
  readonly network: string;
  readonly past: PastBlocks;
  /** For how long a step may still ask it. */
  readonly leftMs: () => number;
  readonly collectedIn: (blocks: readonly EvmBlock[]) => Promise<readonly CoinMovement[]>;
}

const NOTHING: Unseen = { stretches: [], recorded: [] };

/**
 * What was passed while the node did not tell balances, or while there was no time, is looked for in its own block
 * afterwards: a buyer who paid in time was in time.
 * @param passed the blocks that were
 * @param blindFrom the last block that was looked into; `null` where that is `to`
 * @param to the last block that was passed
 * @param accounts as of `to`
 */
export async function unseenCoin(
  sources: Sources,
  passed: ReadonlyMap<number, PassedBlock>,
  blindFrom: number | null,
  to: Cursor,
  accounts: readonly KnownBalance[],
): Promise<Unseen> {
  if (blindFrom === null || to.height <= blindFrom || accounts.length === 0) return NOTHING;
  const since = new Map(
    accounts.map(({ address, sinceHeight }) => [address, Math.max(blindFrom, sinceHeight)]),
  );
  const recorded = (await sources.repository.movements(sources.network, accounts, blindFrom)).filter(
    ({ address, height }) => height > valueAt(since, address) && height <= to.height,
  );
  return { stretches: stretchesOf(sources, passed, to, accounts, since, recorded), recorded };
}

async function* stretchesOf(
  { node, past, leftMs, collectedIn }: Sources,
  passed: ReadonlyMap<number, PassedBlock>,
  to: Cursor,
  accounts: readonly KnownBalance[],
  since: ReadonlyMap<string, number>,
  recorded: readonly CoinMovement[],
): AsyncGenerator<Stretch, void> {
  const knownAt = (account: KnownBalance, height: number) =>
    recorded.reduce(
      (known, of) => (of.address === account.address && of.height > height ? known - of.atoms : known),
      account.knownAtoms,
    );
  const addresses = accounts.map(({ address }) => address);
  const spans = accounts.map(({ address, baselineAtoms: before }) => {
    const fromHeight = valueAt(since, address);
    const spentAt = [...passed].flatMap(([height, { spenders }]) =>
      height > fromHeight && height <= to.height && spenders.includes(address) ? [height] : [],
    );
    // Where those are told no more, the last block says what they have cost.
    return { address, fromHeight, before, spentAt: spentAt.length > 0 ? [...spentAt, to.height] : [] };
  });
  // Of blocks that are no longer kept nothing can be asked: what came in them is found in the first that is told.
  const firstKept = [...passed.keys()].reduce((least, height) => Math.min(least, height), to.height);
  const readBlocks = async (heights: readonly number[]) => {
    const blocks = (await Promise.all(heights.map((height) => node.blocks(height, height)))).flat();
    return { blocks, collected: await collectedIn(blocks) };
  };
  let held = new Map<number, BalancesTold>();
  const changed = changedBlocks(spans, firstKept - 1, to.height, async (heights) => {
    // By our own hashes: of what another fork holds at that height nothing is told.
    const blocks = heights.map((height) => ({ height, hash: valueAt(passed, height).hash }));
    const told = await past.balances(
      blocks.map((block) => ({ block, addresses })),
      leftMs(),
    );
    held = new Map(paired(heights.slice(0, told.length), told));
    return [...held].map(
      ([height, all]) =>
        all && paired(accounts, all).map(([account, atoms]) => atoms - knownAt(account, height)),
    );
  });
  const cursorOf = (height: number) => {
    const hash = passed.get(height)?.hash;
    return hash === undefined ? null : { height, hash };
  };
  for await (const { upTo, heights, isCutShort } of changed) {
    for (let left = heights; left.length > 0;) {
      const read = await past.first(left, readBlocks);
      if (!read) {
        yield { upTo: null, blocks: [], collected: [], isCutShort: true };
        return;
      }
      const { blocks, collected } = read.told;
      for (const { height, hash } of blocks) {
        if (hash !== passed.get(height)?.hash)
          throw new InconsistentNode(`block ${height} is another one than the one that was read`);
      }
      left = left.slice(read.some.length);
      yield {
        upTo: cursorOf(entryAt(read.some, -1)),
        blocks: blocks.map((block) => ({ block, told: valueAt(held, block.height) })),
        collected,
        isCutShort: false,
      };
    }
    yield { upTo: cursorOf(upTo), blocks: [], collected: [], isCutShort };
  }
}
