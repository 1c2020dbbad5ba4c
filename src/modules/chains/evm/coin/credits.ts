import type { AssetConfig } from '../../../../config/config.types.js';
import { entryAt, valueAt } from '../../../../kernel/lookups.js';
import type { FoundCollection, FoundTransfer } from '../../data/ledger.types.js';
import { InconsistentNode } from '../../node.errors.js';
import type { EvmBlock, EvmLog, EvmReceipt, EvmTransaction } from '../node/evm-node.types.js';
import { TRANSFER_TOPIC } from '../node/transfer-topic.js';

/** The output of a transaction's own value: the one movement that it has at its top. */
export const NATIVE_OUTPUT = 'native';

/** A transaction that seems to pay an address, before its receipt was read. */
export interface Candidate {
  readonly block: EvmBlock;
  readonly transaction: EvmTransaction;
}

/** The network's allow-list: what counts as money there. */
export interface EvmAssets {
  /** Symbol of the network's own coin, `null` where it is not taken. */
  readonly coin: string | null;
  /** Symbols by contract, lower case. */
  readonly tokens: ReadonlyMap<string, string>;
}

export function evmAssets(assets: readonly AssetConfig[]): EvmAssets {
  return {
    coin: assets.find((asset) => asset.contract === null)?.symbol ?? null,
    tokens: new Map(
      assets.flatMap(({ contract, symbol }) => (contract === null ? [] : [[contract.toLowerCase(), symbol]])),
    ),
  };
}

/** Whom a Transfer log credits, lower case; `null` for a log of another shape (ERC-721 has the same topic). */
export function recipientOf(log: EvmLog): string | null {
  const [topic, , to] = log.topics;
  if (topic !== TRANSFER_TOPIC || log.topics.length !== 3 || !to || log.data.length !== 66) return null;
  return `0x${to.slice(26).toLowerCase()}`;
}

/** Whose tokens a Transfer log moves, lower case. */
function payerOf(log: EvmLog): string {
  return `0x${entryAt(log.topics, 1).slice(26).toLowerCase()}`;
}

/** Every address that the blocks may have paid, or whose tokens they may have moved, each once. */
export function parties(blocks: readonly EvmBlock[], logs: readonly EvmLog[], assets: EvmAssets): string[] {
  const found = new Set<string>();
  if (assets.coin !== null) {
    for (const { transactions } of blocks) {
      for (const { to, valueAtoms } of transactions) if (to !== null && valueAtoms > 0n) found.add(to);
    }
  }
  for (const log of logs) {
    const to = recipientOf(log);
    if (to !== null) found.add(to).add(payerOf(log));
  }
  return [...found];
}

/** The transactions whose receipts are worth reading, in the order of the chain. */
export function candidates(
  blocks: readonly EvmBlock[],
  logs: readonly EvmLog[],
  assets: EvmAssets,
  owners: ReadonlyMap<string, string>,
  forwarders: ReadonlySet<string>,
): Candidate[] {
  const paidByLog = new Set<string>();
  for (const log of logs) {
    const to = recipientOf(log);
    if (to !== null && (owners.has(to) || forwarders.has(payerOf(log)))) paidByLog.add(log.txid);
  }
  const found = blocks.flatMap((block) =>
    block.transactions
      .filter((tx) => paidByLog.has(tx.txid) || (assets.coin !== null && paysNatively(tx, owners)))
      .map((transaction) => ({ block, transaction })),
  );
  const listed = new Set(found.map(({ transaction }) => transaction.txid));
  const unlisted = [...paidByLog].filter((txid) => !listed.has(txid));
  return [...found, ...unlisted.map((txid) => unlistedIn(blocks, logs, txid))];
}

/**
 * Some chains make transactions themselves that no block lists (Polygon's, for what comes over its bridge). Their logs
 * and receipts are like any other's, and the receipt decides.
 */
function unlistedIn(blocks: readonly EvmBlock[], logs: readonly EvmLog[], txid: string): Candidate {
  const log = logs.find((candidate) => candidate.txid === txid);
  const block = blocks.find(({ hash }) => hash === log?.blockHash);
  if (!block) throw new InconsistentNode(`a log is of transaction ${txid}, which is in none of its blocks`);
  return { block, transaction: { txid, sender: null, nonce: null, to: null, valueAtoms: 0n } };
}

/** What an address sends to itself, as wallets do to cancel a transaction, brings it nothing. */
function paysNatively(
  { sender, to, valueAtoms }: EvmTransaction,
  owners: ReadonlyMap<string, string>,
): boolean {
  return to !== null && to !== sender && valueAtoms > 0n && owners.has(to);
}

/**
 * What one transaction credits. A failed one credits nothing, whatever its value says; a movement of 0 is none.
 * @throws InconsistentNode when the receipt is of another block than the one that was read
 */
export function credits(
  { block, transaction }: Candidate,
  receipt: EvmReceipt,
  assets: EvmAssets,
  owners: ReadonlyMap<string, string>,
): FoundTransfer[] {
  const { txid, sender, nonce, to, valueAtoms } = transaction;
  if (receipt.blockHash !== block.hash || receipt.txid !== txid) {
    throw new InconsistentNode(`the receipt of ${txid} is of another block than the one that was read`);
  }
  if (!receipt.succeeded) return [];
  const common = { txid, sender, nonce, block: { height: block.height, hash: block.hash, time: block.time } };
  const found: FoundTransfer[] = [];
  if (assets.coin !== null && to !== null && paysNatively(transaction, owners)) {
    const subject = valueAt(owners, to);
    found.push({
      ...common,
      output: NATIVE_OUTPUT,
      asset: assets.coin,
      address: to,
      subject,
      amountAtoms: valueAtoms,
      payers: sender === null ? [] : [sender],
    });
  }
  receipt.logs.forEach((log, position) => {
    const asset = assets.tokens.get(log.contract);
    const address = recipientOf(log);
    const subject = owners.get(address ?? '');
    if (asset === undefined || address === null || subject === undefined) return;
    const amountAtoms = BigInt(log.data);
    // The position within its own transaction: the block-wide index changes when a reorganisation puts the
    // transaction elsewhere, and then the same money would be written, and counted, a second time.
    if (amountAtoms > 0n)
      found.push({
        ...common,
        output: `log:${position}`,
        asset,
        address,
        subject,
        amountAtoms,
        payers: [payerOf(log)],
      });
  });
  return found;
}

/** Tokens that a transaction moved away from deposit addresses without keys: their code pays out to their destination. */
export function tokensPaidOut(
  { block: { height, hash, time } }: Candidate,
  { txid, succeeded, logs }: EvmReceipt,
  assets: EvmAssets,
  forwarders: ReadonlySet<string>,
): FoundCollection[] {
  if (!succeeded || forwarders.size === 0) return [];
  return logs.flatMap((log, position) => {
    const asset = assets.tokens.get(log.contract);
    if (asset === undefined || recipientOf(log) === null || !forwarders.has(payerOf(log))) return [];
    const [address, amountAtoms] = [payerOf(log), BigInt(log.data)];
    if (amountAtoms === 0n) return [];
    return [{ txid, output: `log:${position}`, asset, address, amountAtoms, block: { height, hash, time } }];
  });
}
