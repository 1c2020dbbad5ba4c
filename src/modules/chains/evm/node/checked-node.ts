import { isDeepStrictEqual } from 'node:util';
import { paired } from '../../../../kernel/lookups.js';
import type { ChainIdentity } from '../../data/ledger.types.js';
import { MAX_LAG_BLOCKS } from '../../domain/network-state.js';
import { InconsistentNode } from '../../node.errors.js';
import { CrossCheckOf } from '../../watching/cross-check.js';
import { mayBeTooMuch } from '../../watching/node-failure.js';
import { bloomOfEither } from '../logs/bloom.js';
import type {
  EvmBlock,
  EvmHeader,
  EvmLog,
  EvmNode,
  EvmReceipt,
  EvmTips,
  EvmTransaction,
  InternalCall,
  LogRange,
  MinedTransaction,
  TokenDecimals,
} from './evm-node.types.js';

/**
 * Two nodes of different providers as one: everything that money rests on is asked of both and must be the same
 * (ADR 18). Its tip is the highest block that both have.
 */
export class CheckedNode extends CrossCheckOf<EvmNode> implements EvmNode {
  async identity(): Promise<ChainIdentity> {
    const [first, second] = await this.both((node) => node.identity());
    this.mustAgree('their chain', isDeepStrictEqual(first, second));
    return first;
  }

  async tips(known: readonly string[] = []): Promise<EvmTips> {
    const [first, second] = await this.both((node) => node.tips(known));
    const { chainId } = first;
    this.mustAgree('their chain', chainId === second.chainId);
    const isBehind = first.latest.height < second.latest.height;
    const { latest } = isBehind ? first : second;
    const ahead = isBehind ? this.second : this.first;
    const other = isDeepStrictEqual(first.latest, second.latest) ? latest : await ahead.header(latest.height);
    if (!other) throw new InconsistentNode(`a node has no block ${latest.height}, below its tip`);
    this.mustAgree(`block ${latest.height}`, isDeepStrictEqual(other, latest));
    this.verdict = first.latest.height - second.latest.height > MAX_LAG_BLOCKS ? 'silent' : 'agrees';
    const [one, two] = [first.safeHeight, second.safeHeight];
    const final = [first.finalizedHeight, second.finalizedHeight].filter((height) => height !== null);
    return {
      chainId,
      latest,
      safeHeight: one === null || two === null ? null : Math.min(one, two, latest.height),
      finalizedHeight: final.length === 0 ? null : Math.min(...final, latest.height),
      isTimed: first.isTimed || second.isTimed,
      // Above the common tip nothing that they say is believed.
      tagged: [...first.tagged, ...second.tagged].filter(({ height }) => height <= latest.height),
      knownTags: [...new Set([...first.knownTags, ...second.knownTags])],
    };
  }

  async header(height: number): Promise<EvmHeader | null> {
    const [first, second] = await this.both((node) => node.header(height));
    if (!first || !second) return null;
    this.mustAgree(`block ${height}`, isDeepStrictEqual(first, second));
    return first;
  }

  /** Both: above their common tip they need not have the same, nor answer. */
  async hasBlock(height: number): Promise<boolean> {
    const told = await Promise.all([this.first, this.second].map((node) => node.hasBlock(height)));
    return told.every((isThere) => isThere);
  }

  async blocks(fromHeight: number, toHeight: number): Promise<EvmBlock[]> {
    const [first, second] = await this.both((node) => node.blocks(fromHeight, toHeight));
    this.mustAgree(
      `what blocks ${fromHeight} to ${toHeight} pay`,
      isDeepStrictEqual(first.map(paying), second.map(paying)),
    );
    this.mustAgree(`who sent what in blocks ${fromHeight} to ${toHeight}`, haveSameSenders(first, second));
    return paired(first, second).map(([block, other]) => {
      const transactions = withAgreedNonces(block, other);
      return {
        ...block,
        logsBloom: bloomOfEither(block.logsBloom, other.logsBloom),
        transactions,
        listed: [...transactions, ...onlyIn(other, block)],
      };
    });
  }

  /**
   * What either has: their indexes of logs lag by moments, differently. A log is only where to look; the receipt of
   * its transaction decides, and that both must say.
   */
  async transferLogs(contracts: readonly string[], range: LogRange): Promise<EvmLog[]> {
    return this.eitherHas((node) => node.transferLogs(contracts, range));
  }

  async collectedLogs(blockHash: string): Promise<EvmLog[]> {
    return this.eitherHas((node) => node.collectedLogs(blockHash));
  }

  async receipts(of: readonly MinedTransaction[]): Promise<EvmReceipt[]> {
    if (of.length === 0) return [];
    const [first, second] = await this.both((node) => node.receipts(of));
    this.mustAgree(
      `the receipts of ${of.map(({ txid }) => txid).join(', ')}`,
      isDeepStrictEqual(first.map(crediting), second.map(crediting)),
    );
    // What an address paid for its own transactions counts as having come in: of what they say, the least.
    return paired(first, second).map(([receipt, { feeAtoms }]) => {
      return feeAtoms < receipt.feeAtoms ? { ...receipt, feeAtoms } : receipt;
    });
  }

  /** Besides what either has of transactions that no block lists: a place to look, as a log is. */
  async blockReceipts(block: EvmBlock): Promise<EvmReceipt[] | null> {
    const [first, second] = await this.both((node) => node.blockReceipts(block));
    if (!first || !second) return null;
    const listed = new Set(block.listed.map(({ txid }) => txid));
    const known = new Map(second.map((receipt) => [receipt.txid, receipt]));
    const told = new Set(first.map(({ txid }) => txid));
    const others = second.filter(({ txid }) => !told.has(txid));
    const isSame = (receipt: EvmReceipt) => {
      const other = known.get(receipt.txid);
      return other ? isDeepStrictEqual(crediting(receipt), crediting(other)) : !listed.has(receipt.txid);
    };
    this.mustAgree(
      `the receipts of block ${block.height}`,
      first.every(isSame) && !others.some(({ txid }) => listed.has(txid)),
    );
    return [...first, ...others];
  }

  async balances(addresses: readonly string[], blockHash: string): Promise<bigint[] | null> {
    // Its silence closes the coin alone, which says so: the network's other payments are checked.
    const [first, second] = await this.both(
      (node) => node.balances(addresses, blockHash),
      () => true,
    );
    if (!first || !second) return null;
    this.mustAgree(`balances at block ${blockHash}`, isDeepStrictEqual(first, second));
    return first;
  }

  /** What either tells: it only ever keeps a network closed. */
  async decimals(contract: string): Promise<TokenDecimals> {
    const [first, second] = await Promise.all(
      [this.first, this.second].map((node) => node.decimals(contract)),
    );
    if (typeof first === 'number' && typeof second === 'number')
      this.mustAgree(`the decimals of ${contract}`, first === second);
    return first ?? second ?? null;
  }

  /**
   * What both tell, and where one offers no traces what the other does: they say whose a movement was, never how much
   * has come. Not by their places: some implementations count calls that others leave out.
   */
  async internalCalls(block: EvmBlock): Promise<InternalCall[] | null> {
    const asked = [this.first, this.second].map((node) => node.internalCalls(block));
    const [first, second] = await Promise.all(asked);
    if (!first || !second) return first ?? second ?? null;
    const told = new Set(second.map(movementOf));
    return first.filter((call) => told.has(movementOf(call)));
  }

  async isMined(txid: string): Promise<boolean | null> {
    const [first, second] = await this.both((node) => node.isMined(txid));
    return first === null || second === null ? null : first || second;
  }

  /** Whichever has it: mempools differ. Only where to look, and two that contradict each other say nothing. */
  async accountOf(txid: string): Promise<{ sender: string; nonce: number } | null> {
    const told = await Promise.all([this.first, this.second].map((node) => node.accountOf(txid)));
    const [one, other = one] = told.filter((account) => account !== null);
    return one && isDeepStrictEqual(one, other) ? one : null;
  }

  async noncesUsed(sender: string, blockHash: string): Promise<number | null> {
    const [first, second] = await this.both((node) => node.noncesUsed(sender, blockHash));
    if (first === null || second === null) return null;
    this.mustAgree(`the nonces of ${sender}`, first === second);
    return first;
  }

  /** Whose logs are too much for the second is asked for receipts in the end (`logsOf`). */
  private async eitherHas(ask: (node: EvmNode) => Promise<EvmLog[]>): Promise<EvmLog[]> {
    const [first, second] = await this.both(ask, mayBeTooMuch);
    const known = new Set(first.map(placeOf));
    return [...first, ...second.filter((log) => !known.has(placeOf(log)))];
  }
}

/** Of a block what can pay. The rest differs between implementations, such as the nonces of a rollup's deposits. */
function paying({ hash, parentHash, time, transactions }: EvmBlock) {
  const payments = transactions.filter(({ valueAtoms }) => valueAtoms > 0n);
  return {
    hash,
    parentHash,
    time,
    payments: payments.map(({ txid, sender, to, valueAtoms }) => ({ txid, sender, to, valueAtoms })),
  };
}

/**
 * Of what both list, whatever its value: who sent is who may have spent. Some implementations leave out what a chain makes
 * itself.
 */
function haveSameSenders(first: readonly EvmBlock[], second: readonly EvmBlock[]): boolean {
  const listed = second.flatMap(({ transactions }) => transactions);
  const senders = new Map(listed.map(({ txid, sender }) => [txid, sender]));
  return first.every(({ transactions }) =>
    transactions.every(({ txid, sender }) => !senders.has(txid) || senders.get(txid) === sender),
  );
}

/**
 * A nonce that is not the same of both is none: it would say which payments can never come back. Those of a rollup's deposits
 * differ between implementations.
 */
function withAgreedNonces({ transactions }: EvmBlock, second: EvmBlock): readonly EvmTransaction[] {
  const nonces = new Map(second.transactions.map(({ txid, nonce }) => [txid, nonce]));
  return transactions.map((one) => (nonces.get(one.txid) === one.nonce ? one : { ...one, nonce: null }));
}

/** Of the one, what the other does not list; its nonces are one node's word. */
function onlyIn(one: EvmBlock, other: EvmBlock): EvmTransaction[] {
  const known = new Set(other.transactions.map(({ txid }) => txid));
  const more = one.transactions.filter(({ txid }) => !known.has(txid));
  return more.map((transaction) => ({ ...transaction, nonce: null }));
}

function crediting({ txid, blockHash, succeeded, logs }: EvmReceipt) {
  return {
    txid,
    blockHash,
    succeeded,
    logs: logs.map(({ contract, topics, data }) => ({ contract, topics, data })),
  };
}

function movementOf({ txid, payers, to, valueAtoms }: InternalCall): string {
  return [txid, to, valueAtoms, ...payers].join(' ');
}

function placeOf({ txid, index }: EvmLog): string {
  return `${txid}:${index}`;
}
