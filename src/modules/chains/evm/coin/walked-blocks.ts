import { entryAt, paired } from '../../../../kernel/lookups.js';
import type { Baseline, CoinMovement } from '../../data/balances/balances.repository.js';
import type { FoundTransfer } from '../../data/ledger.types.js';
import type { Cursor } from '../../data/ledger.types.js';
import { InconsistentNode } from '../../node.errors.js';
import type {
  EvmBlock,
  EvmHeader,
  EvmNode,
  EvmReceipt,
  EvmTransaction,
  InternalCall,
  MinedTransaction,
} from '../node/evm-node.types.js';
import { attribute } from './attribution.js';
import type { Held } from './past-blocks.js';

const UNLISTED = { sender: null, nonce: null };

interface Holder {
  readonly address: string;
  readonly subject: string;
}

/** An address with its account. */
export interface Account extends Holder {
  readonly sinceHeight: number;
  readonly knownAtoms: bigint;
  readonly baselineAtoms: bigint;
}

/** A block, and what the accounts hold after it, in their order; `null` where that is not told. */
export interface ToldBlock {
  readonly block: EvmBlock;
  readonly told: readonly bigint[] | null;
}

/** A part of a walk: in which of its blocks to look. */
export interface Stretch {
  /** All up to here is in it; `null` where that block is not remembered. */
  readonly upTo: Cursor | null;
  readonly blocks: readonly ToldBlock[];
  /** What deposit addresses without keys paid out in these blocks. */
  readonly collected: readonly CoinMovement[];
  /** What comes after it is not told for now: it waits, and is found in its own block afterwards. */
  readonly isCutShort: boolean;
}

export interface WalkTerms {
  /** What is recorded of these blocks as credited. */
  readonly movements: readonly CoinMovement[];
  /** Whether the time of this step is up. */
  readonly isOver: () => boolean;
  /** Whether there is time to ask who paid. */
  readonly isNamed: boolean;
  /** Whether what these hold after the block is told once more, for now. */
  readonly isToldAgain: (block: Cursor, held: readonly Held[]) => Promise<boolean>;
  /** `null` where they are not told for now. */
  readonly receipts: (of: readonly MinedTransaction[]) => Promise<readonly EvmReceipt[] | null>;
}

export interface Walked {
  readonly transfers: readonly FoundTransfer[];
  readonly baselines: readonly Baseline[];
  /** The last block that was looked into, where that is not all of them. */
  readonly upTo: Cursor | null;
  /** Why it is not all of them: there was no time, or something is not told for now. */
  readonly end: 'all' | 'time' | 'untold';
  /** Where traces said that more came in than balances do. */
  readonly contradicted: readonly { readonly address: string; readonly height: number }[];
}

/** What an address sent, in a block that was read. */
interface Sent {
  readonly transaction: EvmTransaction;
  readonly blockHash: string;
}

/**
 * Block by block, so that each movement stands in its own. Where a block's state is not told, in the next one, with what
 * the address itself has sent until then. Looks and traces share the time of one step; when it is up, what is behind
 * waits for the next step, which goes on from there. Each step gets on: by one block with a trace at least. Nothing is looked
 * into from a block on of which nothing is told for now. What is told once alone moves nothing.
 * @param given as of the block before the first
 */
export async function walkBlocks(
  node: EvmNode,
  coin: string,
  given: readonly Account[],
  stretches: AsyncIterable<Stretch>,
  { movements, isOver, isNamed, isToldAgain, receipts: receiptsOf }: WalkTerms,
): Promise<Walked> {
  const accounts = given.map((account) => ({ ...account }));
  const transfers: FoundTransfer[] = [];
  const baselines: Baseline[] = [];
  const collected: CoinMovement[] = [];
  const contradicted: { address: string; height: number }[] = [];
  const walked = { transfers, baselines, contradicted };
  let untold: Sent[] = [];
  let upTo: Cursor | null = null;
  let [after, toldAt] = [-1, -1];
  let hasAsked = false;
  for await (const stretch of stretches) {
    collected.push(...stretch.collected);
    for (const { block, told } of stretch.blocks) {
      const known = sums(movements.filter(({ height }) => height > after && height <= block.height));
      after = block.height;
      for (const account of accounts) account.knownAtoms += known.get(account.address) ?? 0n;
      const begun = new Set(addressesOf(accounts.filter(({ sinceHeight }) => sinceHeight < block.height)));
      for (const transaction of block.listed) {
        const { sender } = transaction;
        if (sender !== null && begun.has(sender)) untold.push({ transaction, blockHash: block.hash });
      }
      if (!told) continue;
      const sent = untold;
      untold = [];
      const paidOut = sums(collected.filter(({ height }) => height > toldAt && height <= block.height));
      const moved = accounts.flatMap((account, at) => {
        const atoms = entryAt(told, at);
        const changeAtoms = atoms - account.knownAtoms - account.baselineAtoms;
        const own = sent.filter(({ transaction }) => transaction.sender === account.address);
        const isStill = changeAtoms === 0n && own.length === 0 && !paidOut.has(account.address);
        if (isStill || !begun.has(account.address)) return [];
        return [{ account, held: { address: account.address, atoms }, changeAtoms, own }];
      });
      const asks = moved.length > 0 && (isNamed || moved.some(({ own }) => own.length > 0));
      if (asks && hasAsked && isOver()) return { ...walked, upTo, end: 'time' };
      hasAsked ||= asks;
      const receipts =
        sent.length === 0
          ? []
          : await receiptsOf(sent.map(({ transaction: { txid }, blockHash }) => ({ txid, blockHash })));
      if (!receipts) return { ...walked, upTo, end: 'untold' };
      const held = moved.map((one) => one.held);
      if (held.length > 0 && !(await isToldAgain(block, held))) return { ...walked, upTo, end: 'untold' };
      toldAt = block.height;
      upTo = block;
      if (moved.length === 0) continue;
      const calls = isNamed ? await node.internalCalls(block) : null;
      const costs = paired(sent, receipts);
      for (const { account, changeAtoms } of moved) {
        const paid = calls?.filter(({ to }) => to === account.address) ?? null;
        const { paidAtoms, feesAtoms } = spentBy(costs, account.address);
        const goneAtoms = paidAtoms + feesAtoms + (paidOut.get(account.address) ?? 0n);
        const credits = attribute(changeAtoms + goneAtoms, paid, feesAtoms);
        if (credits.isContradicted) contradicted.push({ address: account.address, height: block.height });
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
    // What an owner sent in a block that is not told belongs to the next that is.
    if (untold.length === 0) upTo = stretch.upTo ?? upTo;
    if (stretch.isCutShort) return { ...walked, upTo, end: 'untold' };
    if (upTo !== null && isOver()) return { ...walked, upTo, end: 'time' };
  }
  // What an owner sent and no later block has told of is not looked into yet.
  return untold.length > 0 ? { ...walked, upTo, end: 'untold' } : { ...walked, upTo: null, end: 'all' };
}

/**
 * What the address itself moved away, and paid for that, of which its balance does not tell, nor a trace where it came
 * before the block. What it sends to itself moves nothing, and what failed costs its fee alone.
 * @param sent since balances were told last
 */
function spentBy(
  sent: readonly (readonly [Sent, EvmReceipt])[],
  address: string,
): { readonly paidAtoms: bigint; readonly feesAtoms: bigint } {
  let [paidAtoms, feesAtoms] = [0n, 0n];
  for (const [{ transaction, blockHash }, receipt] of sent) {
    if (transaction.sender !== address) continue;
    // Another block's transaction, listed here as the address' own, would make its fee look like what came in.
    if (receipt.blockHash !== blockHash)
      throw new InconsistentNode(
        `the receipt of ${transaction.txid} is of another block than the one that was read`,
      );
    feesAtoms += receipt.feeAtoms;
    if (receipt.succeeded && transaction.to !== address) paidAtoms += transaction.valueAtoms;
  }
  return { paidAtoms, feesAtoms };
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
    const { sender, nonce } = block.listed.find((one) => one.txid === txid) ?? UNLISTED;
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
    txid: hash,
    output: `balance:${address}`,
    sender: null,
    nonce: null,
    payers: [],
    asset: coin,
    address,
    subject,
    amountAtoms,
    block: { height, hash, time },
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

export function movementsOf(
  found: readonly Pick<FoundTransfer, 'address' | 'block' | 'amountAtoms'>[],
): CoinMovement[] {
  return found.map(({ address, block, amountAtoms: atoms }) => ({
    address,
    height: block.height,
    atoms,
  }));
}
