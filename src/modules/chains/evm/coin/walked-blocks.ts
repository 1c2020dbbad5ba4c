import type { Baseline, CoinMovement } from '../../data/balances.repository.js';
import type { FoundTransfer } from '../../data/ledger.types.js';
import type { Cursor } from '../../data/ledger.types.js';
import { attribute } from './attribution.js';
import type { EvmBlock, EvmHeader, EvmNode, EvmTransaction, InternalCall } from '../node/evm-node.types.js';
import { SLOW_MS } from '../node/rest.js';

const UNLISTED = { sender: null, nonce: null };

interface Holder {
  readonly address: string;
  readonly subject: string;
}

/** An address with its running account while blocks are walked through. */
export interface Account extends Holder {
  readonly sinceHeight: number;
  knownAtoms: bigint;
  baselineAtoms: bigint;
}

export interface Walked {
  readonly transfers: readonly FoundTransfer[];
  readonly baselines: readonly Baseline[];
  /** The last block that there was time for; `null` where that is all of them. */
  readonly upTo: Cursor | null;
}

/**
 * Block by block, so that each movement stands in its own. Where a block's state is not told, in the next one, with what
 * the address itself has sent until then. Traces get their time in one step, and at least one block gets its own: what
 * is behind it keeps its names for the next step.
 * @param accounts as of the block before the first, kept running
 * @param balances after each block; `null` where they are not told
 * @param known of these blocks: what is recorded as credited, and what deposit addresses without keys paid out
 */
export async function walkBlocks(
  node: EvmNode,
  coin: string,
  accounts: readonly Account[],
  blocks: readonly EvmBlock[],
  balances: readonly (readonly bigint[] | null)[],
  {
    movements,
    collected,
  }: { readonly movements: readonly CoinMovement[]; readonly collected: readonly CoinMovement[] },
): Promise<Walked> {
  const spent = new Set<string>();
  const transfers: FoundTransfer[] = [];
  const baselines: Baseline[] = [];
  let untold: EvmTransaction[] = [];
  let lastTold: EvmBlock | null = null;
  let tracedMs = 0;
  for (const [i, block] of blocks.entries()) {
    const after = blocks[i - 1]?.height ?? -1;
    const known = sums(movements.filter(({ height }) => height > after && height <= block.height));
    for (const account of accounts) account.knownAtoms += known.get(account.address) ?? 0n;
    const begun = new Set(addressesOf(accounts.filter(({ sinceHeight }) => sinceHeight < block.height)));
    untold.push(...block.transactions.filter(({ sender }) => sender !== null && begun.has(sender)));
    for (const { sender } of untold) spent.add(sender!);
    const told = balances[i];
    if (!told) continue;
    const sent = untold;
    untold = [];
    const toldAt = lastTold?.height ?? -1;
    const paidOut = sums(collected.filter(({ height }) => height > toldAt && height <= block.height));
    const moved = accounts.flatMap((account, at) => {
      const changeAtoms = told[at]! - account.knownAtoms - account.baselineAtoms;
      const own = sent.filter(({ sender }) => sender === account.address);
      const isStill = changeAtoms === 0n && own.length === 0 && !paidOut.has(account.address);
      return isStill || !begun.has(account.address) ? [] : [{ account, changeAtoms, own }];
    });
    if (moved.length > 0 && tracedMs >= SLOW_MS) return { transfers, baselines, upTo: lastTold };
    lastTold = block;
    if (moved.length === 0) continue;
    const beganMs = performance.now();
    const calls = await node.internalCalls(block);
    tracedMs += performance.now() - beganMs;
    for (const { account, changeAtoms, own } of moved) {
      const paid = calls?.filter(({ to }) => to === account.address) ?? null;
      const gainedAtoms =
        (await gained(node, own, account.address, changeAtoms)) + (paidOut.get(account.address) ?? 0n);
      const credits = attribute(gainedAtoms, paid, spent.has(account.address));
      const found = foundIn(block, coin, account, credits);
      const credited = found.reduce((sum, { amountAtoms }) => sum + amountAtoms, 0n);
      transfers.push(...found);
      account.knownAtoms += credited;
      if (credited === changeAtoms) continue;
      account.baselineAtoms += changeAtoms - credited;
      const { address, baselineAtoms: unexplainedAtoms } = account;
      baselines.push({ address, height: block.height, hash: block.hash, unexplainedAtoms });
    }
  }
  return { transfers, baselines, upTo: null };
}

/**
 * What came in while the address itself paid out, of which its balance does not tell, nor a trace where it came before
 * the block. Receipts do not tell all fees of all networks, so what is no more than the fees is taken for one.
 * @param own what it has sent since its balance was told last
 */
async function gained(
  node: EvmNode,
  own: readonly EvmTransaction[],
  address: string,
  changeAtoms: bigint,
): Promise<bigint> {
  if (own.length === 0) return changeAtoms;
  const receipts = await node.receipts(own.map(({ txid }) => txid));
  const feesAtoms = receipts.reduce((sum, { feeAtoms }) => sum + feeAtoms, 0n);
  const paidAtoms = own.reduce((sum, { to, valueAtoms }, i) => {
    return receipts[i]!.succeeded && to !== address ? sum + valueAtoms : sum;
  }, 0n);
  const gainedAtoms = changeAtoms + paidAtoms + feesAtoms;
  return gainedAtoms > feesAtoms ? gainedAtoms : changeAtoms;
}

function foundIn(
  block: EvmBlock,
  coin: string,
  { address, subject }: Holder,
  { calls, restAtoms }: { readonly calls: readonly InternalCall[]; readonly restAtoms: bigint },
): FoundTransfer[] {
  const { height, hash, time } = block;
  const common = { asset: coin, address, subject, block: { height, hash, time } };
  const found: FoundTransfer[] = calls.map(({ txid, path, payers, valueAtoms }) => {
    // A transaction that no block lists (see credits.ts) has its traces too; how much came is what the balance says.
    const { sender, nonce } = block.transactions.find((one) => one.txid === txid) ?? UNLISTED;
    return {
      ...common,
      txid,
      output: `call:${path}`,
      amountAtoms: valueAtoms,
      sender,
      nonce,
      payers,
    };
  });
  return restAtoms === 0n ? found : [...found, restOf(block, coin, { address, subject }, restAtoms)];
}

/** What an address gained that no transaction is known for: one movement of the block. */
export function restOf(
  { height, hash, time }: EvmHeader,
  coin: string,
  { address, subject }: Holder,
  amountAtoms: bigint,
): FoundTransfer {
  return {
    ...{ txid: hash, output: `balance:${address}`, sender: null, nonce: null, payers: [] },
    ...{ asset: coin, address, subject, amountAtoms, block: { height, hash, time } },
  };
}

export function addressesOf(of: readonly { readonly address: string }[]): string[] {
  return of.map(({ address }) => address);
}

export function sums(movements: readonly CoinMovement[]): ReadonlyMap<string, bigint> {
  const sum = new Map<string, bigint>();
  for (const { address, atoms } of movements) sum.set(address, (sum.get(address) ?? 0n) + atoms);
  return sum;
}
