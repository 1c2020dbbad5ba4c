import { InconsistentNode } from '../../node.errors.js';
import type { EvmLog, EvmReceipt } from '../node/evm-node.types.js';

/**
 * A movement's name is its place among the logs of its transaction, which a receipt that lacks one would shift. Logs are
 * known by what they say: nodes may number them otherwise, and one may be told more than once.
 * @param logs which the chain's index tells
 * @throws InconsistentNode
 */
export function mustHold(receipts: readonly EvmReceipt[], logs: readonly EvmLog[]): void {
  for (const { txid, logs: all } of receipts) {
    const held = new Set(all.map(words));
    if (logs.some((log) => log.txid === txid && !held.has(words(log))))
      throw new InconsistentNode(`the receipt of ${txid} lacks a log`);
  }
}

const words = ({ contract, topics, data }: EvmLog): string => [contract, ...topics, data].join(' ');
