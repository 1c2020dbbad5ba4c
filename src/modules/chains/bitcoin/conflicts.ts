import type { BitcoinBlock, BitcoinTransaction } from './bitcoin-node.types.js';

/** A transfer of ours that is in no block. */
export interface Outstanding {
  readonly id: string;
  readonly txid: string;
  readonly state: 'mempool' | 'orphaned';
  /** What its transaction spends: said with one of its transfers, and empty with the others. Both may be thousands. */
  readonly spends: readonly string[];
}

/** A transfer of ours that waits or is missing, while another transaction that waits spends one of its coins. */
export interface Displaced {
  readonly id: string;
  /** Of the other. */
  readonly txid: string;
}

export interface Conflict extends Displaced {
  /** As long as this block stands, the transfer can no longer be mined. */
  readonly blockHash: string;
}

/** Which outstanding transfers lost an input to another transaction in these blocks. */
export function conflictsIn(
  blocks: readonly BitcoinBlock[],
  outstanding: readonly Outstanding[],
): readonly Conflict[] {
  const found = blocks.flatMap(({ hash: blockHash, transactions }) =>
    displacedBy(transactions, outstanding).map((displaced) => ({ ...displaced, blockHash })),
  );
  return onceEach(found);
}

/** Which outstanding transfers share a coin with one of these transactions, each with the first of them. */
export function displacedBy(
  transactions: readonly BitcoinTransaction[],
  outstanding: readonly Outstanding[],
): readonly Displaced[] {
  const idsOf = new Map<string, string[]>();
  const spenders = new Map<string, Set<string>>();
  for (const { id, txid, spends } of outstanding) {
    added(idsOf, txid, () => []).push(id);
    for (const outpoint of spends) added(spenders, outpoint, () => new Set()).add(txid);
  }
  if (spenders.size === 0) return [];
  const found = transactions.flatMap(({ txid, spends }) => {
    const losers = new Set(spends.flatMap((outpoint) => [...(spenders.get(outpoint) ?? [])]));
    losers.delete(txid);
    return [...losers].flatMap((loser) => (idsOf.get(loser) ?? []).map((id) => ({ id, txid })));
  });
  return onceEach(found);
}

function added<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

function onceEach<Found extends { readonly id: string }>(found: readonly Found[]): Found[] {
  const first = new Map<string, Found>();
  for (const one of found) if (!first.has(one.id)) first.set(one.id, one);
  return [...first.values()];
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

/** Whether a node lists any of these. It is gone through once: it may be as long as an answer. */
export function listsAny(listed: readonly string[], txids: readonly string[]): boolean {
  const sought = new Set(txids);
  return listed.some((txid) => sought.has(txid));
}
