import type { BalancesRepository, CoinMovement, PassedBlock } from '../../data/balances.repository.js';
import type { Cursor } from '../../data/ledger.types.js';
import { InconsistentNode } from '../../node.errors.js';
import { changedBlocks } from './changed-blocks.js';
import type { EvmBlock, EvmNode } from '../node/evm-node.types.js';

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
  /** Those in which something changed, ascending. */
  readonly blocks: readonly EvmBlock[];
  /** What was recorded in the span all the same, because a transaction's value told of it. */
  readonly recorded: readonly CoinMovement[];
}

const NOTHING: Unseen = { blocks: [], recorded: [] };
/** A day of blocks is halved in 13 looks; beyond these, what came is found at the end of the span. */
const MOST_LOOKS = 500;
/** Nobody is paid on the network meanwhile. */
const LONGEST_MS = 20_000;

/**
 * What was passed while the node did not tell balances is looked for in its own block once it does: a buyer who paid in
 * time was in time.
 * @param passed the blocks that were
 * @param blindFrom the last block of which the node told balances then
 * @param to the last block that was passed
 * @param accounts as of `to`
 */
export async function unseenCoin(
  { node, repository, network }: { node: EvmNode; repository: BalancesRepository; network: string },
  passed: ReadonlyMap<number, PassedBlock>,
  blindFrom: number,
  to: Cursor,
  accounts: readonly KnownBalance[],
): Promise<Unseen> {
  if (to.height <= blindFrom || accounts.length === 0) return NOTHING;
  const untilMs = performance.now() + LONGEST_MS;
  // By our own hashes: of what another fork holds at that height nothing is told. Old states are nobody's duty.
  const heldAt = async (height: number, addresses: readonly string[]) => {
    const hash = passed.get(height)?.hash;
    if (hash === undefined || performance.now() > untilMs) return null;
    return node.balances(addresses, hash).catch(() => null);
  };
  const held = await heldAt(
    to.height,
    accounts.map(({ address }) => address),
  );
  const since = new Map(
    accounts.map(({ address, sinceHeight }) => [address, Math.max(blindFrom, sinceHeight)]),
  );
  const recorded = (await repository.movements(network, accounts, blindFrom)).filter(
    ({ address, height }) => height > since.get(address)! && height <= to.height,
  );
  const knownAt = (account: KnownBalance, height: number) =>
    recorded.reduce(
      (known, of) => (of.address === account.address && of.height > height ? known - of.atoms : known),
      account.knownAtoms,
    );
  const byAddress = new Map(accounts.map((account) => [account.address, account]));
  const spans = accounts.map(({ address, baselineAtoms, knownAtoms }, i) => {
    const fromHeight = since.get(address)!;
    const spentAt = [...passed].flatMap(([height, { spenders }]) =>
      height > fromHeight && height <= to.height && spenders.includes(address) ? [height] : [],
    );
    return {
      ...{ address, fromHeight, spentAt },
      ...{ before: baselineAtoms, after: held ? held[i]! - knownAtoms : baselineAtoms },
    };
  });
  const heights = await changedBlocks(
    spans,
    to.height,
    async (height, addresses) => {
      const told = await heldAt(height, addresses);
      return told && told.map((atoms, i) => atoms - knownAt(byAddress.get(addresses[i]!)!, height));
    },
    // What it does not tell of the last block, it tells of none before.
    held ? MOST_LOOKS : 0,
  );
  const blocks: EvmBlock[] = [];
  for (const height of heights) {
    const [block] = await node.blocks(height, height);
    if (block?.hash !== passed.get(height)?.hash)
      throw new InconsistentNode(`block ${height} is another one than the one that was read`);
    blocks.push(block!);
  }
  return { blocks, recorded };
}
