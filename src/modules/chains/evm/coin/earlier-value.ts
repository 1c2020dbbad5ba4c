import { paired } from '../../../../kernel/lookups.js';
import type { Baseline, WatchedBalance } from '../../data/balances/balances.repository.js';
import type { Cursor, FoundTransfer } from '../../data/ledger.types.js';
import { InconsistentNode } from '../../node.errors.js';
import type { EvmNode } from '../node/evm-node.types.js';
import type { BalancesTold, PastBlocks } from './past-blocks.js';
import { addressesOf, restOf } from './walked-blocks.js';

export interface EarlierValue {
  readonly transfers: readonly FoundTransfer[];
  /** Without those of whose block nothing is told any more. */
  readonly baselines: readonly Baseline[];
  /** Whether all of it is told. Until then no look at these addresses could tell old money from a payment. */
  readonly isWhole: boolean;
}

/** Addresses whose last block of that time is the same. */
interface Group {
  readonly block: Cursor;
  readonly holders: WatchedBalance[];
}

/**
 * What lay at addresses before anybody was told of them: money of which a movement is recorded in the last block of that
 * time, where it pays nothing.
 */
export async function earlierValue(
  node: EvmNode,
  coin: string,
  past: PastBlocks,
  watched: readonly WatchedBalance[],
): Promise<EarlierValue> {
  const groups = groupsOf(watched);
  const told = await past.balances(
    groups.map(({ block, holders }) => ({ block, addresses: addressesOf(holders) })),
  );
  const transfers: FoundTransfer[] = [];
  const baselines: Baseline[] = [];
  let isWhole = told.length === groups.length;
  for (const [{ block, holders }, balances] of paired(groups.slice(0, told.length), told)) {
    const sure = balances && (await past.sure({ block, addresses: addressesOf(holders) }, balances));
    if (balances && !sure) {
      isWhole = false;
      continue;
    }
    const rests = restsOf(holders, sure);
    const credited = rests.filter(({ atoms }) => atoms > 0n);
    if (credited.length > 0) {
      const header = await past.ask('blocks', () => node.header(block.height));
      if (!header) {
        isWhole = false;
        continue;
      }
      if (header.hash !== block.hash)
        throw new InconsistentNode(`block ${block.height} is another one than the one that was read`);
      for (const { holder, atoms } of credited) transfers.push(restOf(header, coin, holder, atoms));
    }
    for (const { holder, atoms } of rests) {
      const unexplainedAtoms = atoms < 0n ? atoms : 0n;
      baselines.push({ address: holder.address, ...block, unexplainedAtoms });
    }
  }
  return { transfers, baselines, isWhole };
}

/** What they held then besides what is recorded of it; of a state that is told no more, nothing. */
function restsOf(holders: readonly WatchedBalance[], held: BalancesTold) {
  if (!held) return [];
  return paired(holders, held).map(([holder, atoms]) => ({ holder, atoms: atoms - holder.knownBeforeAtoms }));
}

function groupsOf(watched: readonly WatchedBalance[]): Group[] {
  const groups = new Map<string, Group>();
  for (const holder of watched) {
    const { unexplainedAtoms, reference: block } = holder;
    if (unexplainedAtoms !== null || !block) continue;
    const group = groups.get(block.hash) ?? { block, holders: [] };
    group.holders.push(holder);
    groups.set(block.hash, group);
  }
  return [...groups.values()].sort((one, other) => one.block.height - other.block.height);
}
