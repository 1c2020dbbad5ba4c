import type { BitcoinBlock } from './bitcoin-node.types.js';

/** A transfer of ours that is in no block, with what its transaction spends. */
export interface Outstanding {
  readonly id: string;
  readonly txid: string;
  readonly state: 'mempool' | 'orphaned';
  readonly spends: readonly string[];
}

export interface Conflict {
  /** Of the transfer that can no longer be mined, as long as this block stands. */
  readonly id: string;
  readonly blockHash: string;
}

/** Which outstanding transfers lost an input to another transaction in these blocks. */
export function conflictsIn(
  blocks: readonly BitcoinBlock[],
  outstanding: readonly Outstanding[],
): readonly Conflict[] {
  const byOutpoint = new Map<string, Outstanding[]>();
  for (const transfer of outstanding) {
    for (const outpoint of transfer.spends) {
      byOutpoint.set(outpoint, [...(byOutpoint.get(outpoint) ?? []), transfer]);
    }
  }
  const found = new Map<string, Conflict>();
  if (byOutpoint.size === 0) return [];
  for (const { hash: blockHash, transactions } of blocks) {
    for (const { txid, spends } of transactions) {
      for (const loser of spends.flatMap((outpoint) => byOutpoint.get(outpoint) ?? [])) {
        if (loser.txid !== txid && !found.has(loser.id)) found.set(loser.id, { id: loser.id, blockHash });
      }
    }
  }
  return [...found.values()];
}

export interface MempoolChanges {
  /** Ids of transfers that waited for a block and are gone. */
  readonly left: readonly string[];
  /** Ids of missing transfers that wait again: after a reorganisation, or because somebody sent them anew. */
  readonly returned: readonly string[];
}

export function mempoolChanges(
  waiting: ReadonlySet<string>,
  outstanding: readonly Outstanding[],
): MempoolChanges {
  const ids = (wanted: Outstanding['state'], isWaiting: boolean) =>
    outstanding
      .filter(({ state, txid }) => state === wanted && waiting.has(txid) === isWaiting)
      .map(({ id }) => id);
  return { left: ids('mempool', false), returned: ids('orphaned', true) };
}
