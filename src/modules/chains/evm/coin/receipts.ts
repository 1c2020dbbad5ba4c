import { InconsistentNode } from '../../node.errors.js';
import type { EvmLog, EvmReceipt } from '../node/evm-node.types.js';

/**
 * A movement's name is its place among the logs of its transaction, which a receipt that lacks one would shift.
 * @param logs which the chain's index tells of these transactions
 * @throws InconsistentNode
 */
export function mustHold(receipts: readonly EvmReceipt[], logs: readonly EvmLog[]): void {
  for (const { txid, logs: all } of receipts) {
    const left = countOf(all);
    for (const [log, count] of countOf(logs.filter((one) => one.txid === txid)))
      if ((left.get(log) ?? 0) < count) throw new InconsistentNode(`the receipt of ${txid} lacks logs`);
  }
}

/** How often each says the same. Not by their numbers, which some chains count otherwise in a receipt. */
function countOf(logs: readonly EvmLog[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { contract, topics, data } of logs) {
    const text = [contract, ...topics, data].join(' ');
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}
