import { groupedBy, paired } from '../../../../kernel/lookups.js';
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
import { attribute, type Attribution } from './attribution.js';

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
  /** What the accounts hold after the block for sure: `told`, unless it is the newest. `null` where it is not told for now. */
  readonly sure: (block: Cursor, told: readonly bigint[]) => Promise<readonly bigint[] | null>;
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
 * into from a block on of which nothing is told for now.
 * @param given as of the block before the first
 */
export async function walkBlocks(
  node: Pick<EvmNode, 'internalCalls'>,
  coin: string,
  given: readonly Account[],
  stretches: AsyncIterable<Stretch>,
  terms: WalkTerms,
): Promise<Walked> {
  const walk = new Walk(node, coin, given, terms);
  for await (const stretch of stretches) {
    const end = await walk.through(stretch);
    if (end !== null) return walk.ended(end);
  }
  return walk.ended('all');
}

type CutShort = Exclude<Walked['end'], 'all'>;
type KnownAccount = Omit<Account, 'knownAtoms' | 'baselineAtoms'> & {
  knownAtoms: bigint;
  baselineAtoms: bigint;
};

interface MovedAccount {
  readonly account: KnownAccount;
  readonly changeAtoms: bigint;
}

/** What has come to an account: its balance's change with what has left it. */
interface Came {
  readonly atoms: bigint;
  readonly feesAtoms: bigint;
  /** What traces say that it was paid; `null` without them. */
  readonly calls: readonly InternalCall[] | null;
}

function isExplained({ atoms, calls }: Came): boolean {
  return atoms === (calls ?? []).reduce((sum, { valueAtoms }) => sum + valueAtoms, 0n);
}

/** A walk under way. */
class Walk {
  private readonly accounts: KnownAccount[];
  private readonly transfers: FoundTransfer[] = [];
  private readonly baselines: Baseline[] = [];
  private readonly contradicted: { address: string; height: number }[] = [];
  private readonly collected: CoinMovement[] = [];
  /** What accounts sent since balances were told last. */
  private untold: Sent[] = [];
  private upTo: Cursor | null = null;
  /** Up to where what is recorded is known. */
  private knownUpTo = -1;
  private toldAt = -1;
  private hasAsked = false;

  constructor(
    private readonly node: Pick<EvmNode, 'internalCalls'>,
    private readonly coin: string,
    given: readonly Account[],
    private readonly terms: WalkTerms,
  ) {
    this.accounts = given.map((account) => ({ ...account }));
  }

  /** @returns why it ends here, if it does */
  async through({ upTo, blocks, collected, isCutShort }: Stretch): Promise<CutShort | null> {
    this.collected.push(...collected);
    for (const { block, told } of blocks) {
      this.know(block);
      const end = told && (await this.look(block, told));
      if (end !== null) return end;
    }
    // What an owner sent in a block that is not told belongs to the next that is.
    if (this.untold.length === 0) this.upTo = upTo ?? this.upTo;
    if (isCutShort) return 'untold';
    return this.upTo !== null && this.terms.isOver() ? 'time' : null;
  }

  ended(end: Walked['end']): Walked {
    const { transfers, baselines, contradicted, upTo } = this;
    const walked = { transfers, baselines, contradicted };
    if (end !== 'all') return { ...walked, upTo, end };
    // What an owner sent and no later block has told of is not looked into yet.
    return this.untold.length > 0 ? { ...walked, upTo, end: 'untold' } : { ...walked, upTo: null, end };
  }

  /** What is recorded of a block, and what it lists of the accounts' own. */
  private know(block: EvmBlock): void {
    const { knownUpTo, terms } = this;
    const isNew = ({ height }: CoinMovement) => height > knownUpTo && height <= block.height;
    const known = sums(terms.movements.filter(isNew));
    this.knownUpTo = block.height;
    for (const account of this.accounts) account.knownAtoms += known.get(account.address) ?? 0n;
    const begun = new Set(addressesOf(this.accounts.filter(hasBegunBefore(block))));
    for (const transaction of block.listed) {
      const { sender } = transaction;
      if (sender !== null && begun.has(sender)) this.untold.push({ transaction, blockHash: block.hash });
    }
  }

  /** @param told what the accounts hold after the block */
  private async look(block: EvmBlock, told: readonly bigint[]): Promise<CutShort | null> {
    const { isOver, isNamed, receipts: receiptsOf } = this.terms;
    const sent = this.untold;
    this.untold = [];
    const isSince = ({ height }: CoinMovement) => height > this.toldAt && height <= block.height;
    const paidOut = sums(this.collected.filter(isSince));
    const senders = new Set(sent.map(({ transaction }) => transaction.sender));
    const hasLeft = (address: string) => senders.has(address) || paidOut.has(address);
    const moved = this.movedIn(block, told, hasLeft);
    const asks = moved.length > 0 && (isNamed || moved.some(({ account }) => senders.has(account.address)));
    if (asks && this.hasAsked && isOver()) return 'time';
    this.hasAsked ||= asks;
    const mined = sent.map(({ transaction: { txid }, blockHash }) => ({ txid, blockHash }));
    const receipts = mined.length === 0 ? [] : await receiptsOf(mined);
    if (!receipts) return 'untold';
    const calls = isNamed && moved.length > 0 ? await this.node.internalCalls(block) : null;
    // Once for a block: both may be thousands, and whoever pays for it chooses how many.
    const callsTo = calls && groupedBy(calls, ({ to }) => to);
    const costsOf = groupedBy(paired(sent, receipts), ([{ transaction }]) => transaction.sender ?? '');
    const cameTo = ({ account: { address }, changeAtoms }: MovedAccount): Came => {
      const { paidAtoms, feesAtoms } = spentBy(costsOf.get(address) ?? [], address);
      const atoms = changeAtoms + paidAtoms + feesAtoms + (paidOut.get(address) ?? 0n);
      return { atoms, feesAtoms, calls: callsTo && (callsTo.get(address) ?? []) };
    };
    // What the block itself tells to the atom needs no second answer.
    const isTold = moved.every((one) => isExplained(cameTo(one)));
    const sure = isTold ? told : await this.terms.sure(block, told);
    if (!sure) return 'untold';
    this.toldAt = block.height;
    this.upTo = block;
    const listed = new Map(block.listed.map((transaction) => [transaction.txid, transaction]));
    for (const one of sure === told ? moved : this.movedIn(block, sure, hasLeft)) {
      const { atoms, feesAtoms, calls: own } = cameTo(one);
      this.credit(block, listed, one, attribute(atoms, own, feesAtoms));
    }
    return null;
  }

  /** Accounts that hold other than is known, or that something has left. */
  private movedIn(
    block: EvmBlock,
    told: readonly bigint[],
    hasLeft: (address: string) => boolean,
  ): MovedAccount[] {
    const hasBegun = hasBegunBefore(block);
    return paired(this.accounts, told).flatMap(([account, heldAtoms]) => {
      const changeAtoms = heldAtoms - account.knownAtoms - account.baselineAtoms;
      const isStill = changeAtoms === 0n && !hasLeft(account.address);
      return isStill || !hasBegun(account) ? [] : [{ account, changeAtoms }];
    });
  }

  /** Credits what came, and remembers what else has become of the balance. */
  private credit(
    block: EvmBlock,
    listed: Listed,
    { account, changeAtoms }: MovedAccount,
    came: Attribution,
  ): void {
    const { address } = account;
    if (came.isContradicted) this.contradicted.push({ address, height: block.height });
    const found = foundIn(block, listed, this.coin, account, came);
    const creditedAtoms = found.reduce((sum, { amountAtoms }) => sum + amountAtoms, 0n);
    this.transfers.push(...found);
    account.knownAtoms += creditedAtoms;
    if (creditedAtoms === changeAtoms) return;
    account.baselineAtoms += changeAtoms - creditedAtoms;
    const { height, hash } = block;
    this.baselines.push({ address, height, hash, unexplainedAtoms: account.baselineAtoms });
  }
}

const hasBegunBefore =
  ({ height }: EvmBlock) =>
  ({ sinceHeight }: Account) =>
    sinceHeight < height;

/**
 * What the address itself moved away, and paid for that, of which its balance does not tell, nor a trace where it came
 * before the block. What it sends to itself moves nothing, and what failed costs its fee alone.
 * @param sent by the address since balances were told last
 */
function spentBy(
  sent: readonly (readonly [Sent, EvmReceipt])[],
  address: string,
): { readonly paidAtoms: bigint; readonly feesAtoms: bigint } {
  let [paidAtoms, feesAtoms] = [0n, 0n];
  for (const [{ transaction, blockHash }, receipt] of sent) {
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

/** The transactions of a block, by their ids. */
type Listed = ReadonlyMap<string, EvmBlock['listed'][number]>;

function foundIn(
  block: EvmBlock,
  listed: Listed,
  coin: string,
  { address, subject }: Holder,
  { calls, restAtoms }: { readonly calls: readonly InternalCall[]; readonly restAtoms: bigint },
): FoundTransfer[] {
  const { height, hash, time } = block;
  const common = { asset: coin, address, subject, block: { height, hash, time } };
  const found: FoundTransfer[] = calls.map(({ txid, path, payers, valueAtoms }) => {
    // A transaction that no block lists (see credits.ts) has its traces too; how much came is what the balance says.
    const { sender, nonce } = listed.get(txid) ?? UNLISTED;
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
