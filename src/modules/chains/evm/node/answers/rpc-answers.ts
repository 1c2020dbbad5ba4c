import { type Hex, hexToNumber } from 'viem';
import { z } from 'zod';
import { listOfAll, textLike } from '../../../../../kernel/foreign-json.js';
import { InconsistentNode } from '../../../node.errors.js';
import { LAST_SECOND, MOST_TRANSACTIONS, nodeList, nodeListOfLists } from '../../../watching/node-answer.js';
import type { EvmBlock, EvmHeader, EvmLog, EvmReceipt } from '../evm-node.types.js';

/*
 * What nodes answer over JSON-RPC, as far as it is read. Chains differ in what they add, never in what stands here.
 */

const HASH = /^0x[0-9a-f]{64}$/;
const QUANTITY = /^0x[0-9a-f]{1,64}$/i;
const BYTES = /^0x[0-9a-f]*$/i;
const MOST_TOPICS = 4;

const isText = (value: unknown): value is string => typeof value === 'string';
const isHash = (value: unknown): value is Hex => isText(value) && HASH.test(value);
const isUpTo = (most: number) => (value: unknown) =>
  isText(value) && QUANTITY.test(value) && Number(value) <= most;

export const evmHash = textLike<Hex>(HASH, 'must be a hash');
export const evmAddress = textLike<Hex>(/^0x[0-9a-f]{40}$/i, 'must be an address');
export const evmQuantity = textLike<Hex>(QUANTITY, 'must be a hexadecimal number');
/** A height, an index or a number of transactions. */
export const evmCount = z.custom<Hex>(isUpTo(Number.MAX_SAFE_INTEGER), 'must be a hexadecimal number');
/** What nothing costs more than: its product with an amount of gas is an amount still. */
export const evmPrice = textLike<Hex>(/^0x[0-9a-f]{1,32}$/i, 'must be a price in hexadecimal');
const seconds = z.custom<Hex>(isUpTo(LAST_SECOND), 'must be a time in hexadecimal seconds');
export const evmBytes = z.custom<Hex>(
  (value) => isText(value) && value.length % 2 === 0 && BYTES.test(value),
  'must be hexadecimal bytes',
);

export const evmHeader = z.object({
  number: evmCount,
  hash: evmHash,
  parentHash: evmHash,
  timestamp: seconds,
});

export const evmBlock = evmHeader.extend({
  logsBloom: evmBytes.nullish(),
  transactions: nodeList(
    z.object({
      hash: evmHash,
      from: evmAddress,
      nonce: evmCount,
      to: evmAddress.nullish(),
      value: evmQuantity,
    }),
    MOST_TRANSACTIONS,
  ),
});

/** Of a transaction, in a block or waiting for one. */
export const evmSent = z.object({ hash: evmHash, from: evmAddress, nonce: evmCount });

const log = z.object({
  address: evmAddress,
  topics: listOfAll(isHash, 'must be a list of hashes').refine(
    ({ length }) => length <= MOST_TOPICS,
    `must be at most ${MOST_TOPICS}`,
  ),
  data: evmBytes,
  transactionHash: evmHash,
  blockHash: evmHash,
  blockNumber: evmCount,
  logIndex: evmCount,
  removed: z.boolean().nullish(),
});
export type RpcLog = z.output<typeof log>;
export const evmLogs = nodeList(log);

export const evmReceipt = z.object({
  transactionHash: evmHash,
  blockHash: evmHash,
  status: z.enum(['0x0', '0x1']),
  gasUsed: evmCount,
  effectiveGasPrice: evmPrice.nullish(),
  blobGasUsed: evmCount.nullish(),
  blobGasPrice: evmPrice.nullish(),
  /** Rollups add what they pay for the data to the gas, in a field of their own. */
  l1Fee: evmPrice.nullish(),
  logs: nodeList(log),
});

/** Of a block. */
export const evmReceipts = nodeListOfLists(evmReceipt, MOST_TRANSACTIONS).nullable();

export function toHeader(block: z.output<typeof evmHeader>): EvmHeader {
  return {
    height: hexToNumber(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    time: new Date(hexToNumber(block.timestamp) * 1_000),
  };
}

export function toEvmBlock(block: z.output<typeof evmBlock>): EvmBlock {
  const transactions = block.transactions.map((tx) => ({
    txid: tx.hash,
    sender: tx.from.toLowerCase(),
    nonce: hexToNumber(tx.nonce),
    to: tx.to?.toLowerCase() ?? null,
    valueAtoms: BigInt(tx.value),
  }));
  // What is listed twice would count twice: its fee, and what it pays.
  if (new Set(transactions.map(({ txid }) => txid)).size < transactions.length)
    throw new InconsistentNode(`block ${block.hash} lists a transaction twice`);
  return { ...toHeader(block), logsBloom: block.logsBloom ?? '0x', transactions, listed: transactions };
}

export function toLog({ address, topics, data, transactionHash, blockHash, logIndex }: RpcLog): EvmLog {
  return {
    contract: address.toLowerCase(),
    topics,
    data,
    txid: transactionHash,
    blockHash,
    index: hexToNumber(logIndex),
  };
}

export function toReceipt(receipt: z.output<typeof evmReceipt>): EvmReceipt {
  return {
    txid: receipt.transactionHash,
    blockHash: receipt.blockHash,
    succeeded: receipt.status === '0x1',
    feeAtoms: feeOf(receipt),
    logs: receipt.logs.map(toLog).sort((a, b) => a.index - b.index),
  };
}

function feeOf(receipt: z.output<typeof evmReceipt>): bigint {
  const blob = BigInt(receipt.blobGasUsed ?? 0) * BigInt(receipt.blobGasPrice ?? 0);
  return BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice ?? 0) + blob + BigInt(receipt.l1Fee ?? 0);
}
