import { numberToHex } from 'viem';
import type { z } from 'zod';
import { InconsistentNode } from '../../../node.errors.js';
import { blockAt } from '../../../watching/node-answer.js';
import type { EvmBlock, EvmReceipt, MinedTransaction } from '../evm-node.types.js';
import { evmBlock, evmReceipt, evmReceipts, toEvmBlock, toReceipt } from './rpc-answers.js';

/** One request, its answer narrowed. */
export type Ask = <Answer extends z.ZodType>(
  answer: Answer,
  method: string,
  params: readonly unknown[],
) => Promise<z.output<Answer>>;

/** With its transactions, of a height that the node has announced. */
export async function askBlock(ask: Ask, height: number): Promise<EvmBlock> {
  const block = await ask(evmBlock.nullable(), 'eth_getBlockByNumber', [numberToHex(height), true]);
  if (!block) throw new InconsistentNode(`the node has no block ${height}, below the tip that it announced`);
  return blockAt(height, toEvmBlock(block));
}

/** Of a transaction that is in a block. */
export async function askReceipt(ask: Ask, txid: string): Promise<EvmReceipt> {
  const receipt = await ask(evmReceipt.nullable(), 'eth_getTransactionReceipt', [txid]);
  if (!receipt) throw new InconsistentNode(`the node has no receipt of ${txid}, which is in a block`);
  return toReceipt(receipt);
}

/** The same by the receipts of their blocks, each of which is asked for once. */
export async function askInBlocks(ask: Ask, of: readonly MinedTransaction[]): Promise<EvmReceipt[]> {
  const blocks = [...new Set(of.map(({ blockHash }) => blockHash))];
  const told = blocks.map(async (hash) => {
    const receipts = hash === null ? null : await ask(evmReceipts, 'eth_getBlockReceipts', [hash]);
    return (receipts ?? []).map(toReceipt).filter(({ blockHash }) => blockHash === hash);
  });
  const receipts = new Map((await Promise.all(told)).flat().map((receipt) => [receipt.txid, receipt]));
  return of.map(({ txid }) => {
    const receipt = receipts.get(txid);
    if (!receipt) throw new InconsistentNode(`the node has no receipt of ${txid} among those of its block`);
    return receipt;
  });
}

/** @param receipts as eth_getBlockReceipts tells them. @returns `null` where that is not all of the block's */
export function allReceipts(
  { hash, transactions }: EvmBlock,
  receipts: z.output<typeof evmReceipts>,
): EvmReceipt[] | null {
  const read = receipts?.map(toReceipt) ?? [];
  const has = new Set(read.filter(({ blockHash }) => blockHash === hash).map(({ txid }) => txid));
  return receipts && transactions.every(({ txid }) => has.has(txid)) ? read : null;
}
