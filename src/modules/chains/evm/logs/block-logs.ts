import { InconsistentNode, LogsRefused, NodesDisagree, SecondNodeSilent } from '../../node.errors.js';
import { mayBeTooMuch } from '../../watching/node-failure.js';
import type { EvmBlock, EvmLog, EvmNode, EvmReceipt } from '../node/evm-node.types.js';

/** What receipts are asked of. */
export type ReceiptSource = Pick<EvmNode, 'blockReceipts' | 'receipts'>;

/** Receipts that are asked for one by one at once: more trips the limits of the providers who know no other way. */
const RECEIPTS_AT_ONCE = 100;

/**
 * Logs of one block: as the chain's index tells, or where the node refuses it that, out of the block's receipts. A limit that
 * passes costs a question more; a block that is too much for a provider's index would stop a network for ever.
 * @param ask the index
 * @throws LogsRefused
 */
export async function logsOf(
  node: EvmNode,
  block: EvmBlock,
  ask: () => Promise<EvmLog[]>,
  isMeant: (log: EvmLog) => boolean,
): Promise<EvmLog[]> {
  try {
    return await ask();
  } catch (error) {
    if (!mayBeTooMuch(error)) throw error;
    return logsInReceipts(node, block, isMeant, error);
  }
}

/** @throws LogsRefused where they are not told either */
export async function logsInReceipts(
  node: ReceiptSource,
  block: EvmBlock,
  isMeant: (log: EvmLog) => boolean,
  refusal: unknown,
): Promise<EvmLog[]> {
  const receipts = await receiptsOf(node, block).catch((error: unknown) => {
    if (error instanceof NodesDisagree || error instanceof SecondNodeSilent) throw error;
    throw new LogsRefused(block.height, refusal);
  });
  return receipts.flatMap(({ logs }) => logs).filter(isMeant);
}

/** All of a block. @param told what the block's own call has said already, where it was asked */
export async function receiptsOf(
  node: ReceiptSource,
  block: EvmBlock,
  told?: EvmReceipt[] | null,
): Promise<EvmReceipt[]> {
  const whole = told === undefined ? await node.blockReceipts(block) : told;
  return whole ?? oneByOne(node, block);
}

/** For nodes that do not offer a block's receipts together, or not now. */
async function oneByOne(node: ReceiptSource, { hash, listed }: EvmBlock): Promise<EvmReceipt[]> {
  const mined = listed.map(({ txid }) => ({ txid, blockHash: hash }));
  const receipts: EvmReceipt[] = [];
  for (let at = 0; at < mined.length; at += RECEIPTS_AT_ONCE)
    receipts.push(...(await node.receipts(mined.slice(at, at + RECEIPTS_AT_ONCE))));
  if (receipts.some(({ blockHash }) => blockHash !== hash))
    throw new InconsistentNode('a receipt is of another block than the one that was read');
  return receipts;
}
