import type { Depth, Family } from '../../../config/config.types.js';
import { type ChainTip, type Facts, GRACE_MS, type Transfer } from '../../chains/chains.types.js';
import type { Quote } from './model.js';
import { atomsCountingBy, sumCountingBy, whollyObservedAt } from './observed.js';

/** What nobody mines until this long after the window was not paid in time, whenever it was sent. */
export const UNCONFIRMED_LIMIT_MS = 24 * 3_600_000;

/** So many transfers an answer, an event, an alert or a log entry names: a stranger makes as many as they pay dust for. */
export const MOST_TOLD = 100;

/** Where the money of a quote arrives. */
export type QuotePlace = Pick<Quote, 'network' | 'asset' | 'watchedAddress' | 'family'>;

/** Whether the transfer is that quote's: the quoted asset, at the quote's own address, and not from before anybody had it. */
export function belongsTo(transfer: Transfer, quote: QuotePlace): boolean {
  return (
    !transfer.beforeIssue &&
    transfer.network === quote.network &&
    transfer.asset === quote.asset &&
    transfer.address === quote.watchedAddress
  );
}

/**
 * Whether it is credited: on the chain, in the mempool, or missing for less than the grace time; not where another
 * transaction is credited in its place, and not where it is the merchant's own movement.
 */
export function isLive(transfer: Transfer, family: Family, tip: ChainTip | undefined): boolean {
  return !transfer.superseded && mayBeThere(transfer, family, tip);
}

/** The same, and also while another transaction is credited in its place whose depth has not decided yet. */
export function mayBeThere(transfer: Transfer, family: Family, tip: ChainTip | undefined): boolean {
  if (transfer.own || transfer.state === 'replaced') return false;
  if (transfer.missingSince === null) return true;
  // By the watcher's clock, which stands while the node is not synced.
  const missingForMs = (tip?.syncedAt.getTime() ?? 0) - transfer.missingSince.getTime();
  return missingForMs < GRACE_MS[family];
}

/** Blocks on top of it, its own included; 0 outside a block. */
export function confirmations(transfer: Transfer, tip: ChainTip | undefined): number {
  if (transfer.state !== 'included' || transfer.blockHeight === null || !tip) return 0;
  return Math.max(0, tip.height - transfer.blockHeight + 1);
}

export function hasDepth(transfer: Transfer, depth: Depth, tip: ChainTip | undefined): boolean {
  if (transfer.state !== 'included' || transfer.blockHeight === null || !tip) return false;
  if (depth === 'safe') return transfer.blockHeight <= tip.safeHeight;
  if (depth === 'finalized') return transfer.blockHeight <= tip.finalizedHeight;
  return confirmations(transfer, tip) >= depth;
}

export function sumAtoms(transfers: readonly Transfer[]): bigint {
  return transfers.reduce((sum, transfer) => sum + transfer.amountAtoms, 0n);
}

/** The largest of them, in their order: dust takes the place of no payment. */
export function mostTelling(transfers: readonly Transfer[]): readonly Transfer[] {
  if (transfers.length <= MOST_TOLD) return transfers;
  const largest = [...transfers].sort((a, b) => Number(b.amountAtoms - a.amountAtoms)).slice(0, MOST_TOLD);
  const told = new Set(largest);
  return transfers.filter((transfer) => told.has(transfer));
}

/** The first of many ids, and how many more there are. */
export function namesSome(ids: readonly string[]): string {
  const named = ids.slice(0, MOST_TOLD).join(', ');
  return ids.length > MOST_TOLD ? `${named} and ${ids.length - MOST_TOLD} more` : named;
}

/** All live transfers at the addresses of an intent's quotes, whatever asset they are of. */
export function liveTransfers(quotes: readonly Quote[], facts: Facts): Transfer[] {
  return facts.transfers.filter((transfer) => {
    const quote = quotes.find(({ watchedAddress }) => watchedAddress === transfer.address);
    return quote !== undefined && isLive(transfer, quote.family, facts.tips.get(transfer.network));
  });
}

/** The same without what lay there before: what somebody may have sent for the intent, rightly or by mistake. */
export function sentTransfers(quotes: readonly Quote[], facts: Facts): Transfer[] {
  return liveTransfers(quotes, facts).filter(({ beforeIssue }) => !beforeIssue);
}

/** The live transfers of a quote, oldest first. */
export function liveTransfersOf(quote: QuotePlace, facts: Facts): Transfer[] {
  const tip = facts.tips.get(quote.network);
  return facts.transfers
    .filter((transfer) => belongsTo(transfer, quote) && isLive(transfer, quote.family, tip))
    .map((transfer) => ({ transfer, atMs: whollyObservedAt(transfer).getTime() }))
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ transfer }) => transfer);
}

/** Those of which something counts for the completion: observed no later than the window's last instant. */
export function countingTransfersOf(quote: Quote, facts: Facts, expiresAt: Date): Transfer[] {
  return liveTransfersOf(quote, facts).filter((transfer) => atomsCountingBy(transfer, expiresAt) > 0n);
}

/** The quote's live transfers that have its settlement depth: what a settlement may rest on. */
export function finalTransfersOf(quote: Quote, facts: Facts): Transfer[] {
  const tip = facts.tips.get(quote.network);
  return liveTransfersOf(quote, facts).filter((transfer) => hasDepth(transfer, quote.settlementDepth, tip));
}

/**
 * The most that can still turn out to be there, of a quote's money that was observed by then. While the chain has not
 * decided between a transaction and what it took the place of, either of them may be mined, never both.
 */
export function possibleAtomsOf(quote: Quote, facts: Facts, moment: Date): bigint {
  const tip = facts.tips.get(quote.network);
  const possible = facts.transfers.filter(
    (transfer) => belongsTo(transfer, quote) && mayBeThere(transfer, quote.family, tip),
  );
  if (!possible.some(({ superseded }) => superseded)) return sumCountingBy(possible, moment);
  const ofTxid = groupedBy(possible, ({ txid }) => txid);
  const heirOf = ({ superseded, replacedBy }: Transfer) =>
    superseded && replacedBy !== null && ofTxid.has(replacedBy) ? replacedBy : null;
  const losersOf = groupedBy(possible, heirOf);
  const itself = (txid: string) => (ofTxid.get(txid) ?? []).filter((transfer) => heirOf(transfer) !== txid);
  const othersOf = (txid: string) =>
    new Set((losersOf.get(txid) ?? []).map((loser) => loser.txid).filter((other) => other !== txid));
  const sumOf = (transfers: readonly Transfer[]) => sumCountingBy(transfers, moment);
  const replaced = new Set(
    possible.filter((t) => ![null, t.txid].includes(heirOf(t))).map(({ txid }) => txid),
  );
  const last = [...ofTxid.keys()].filter((txid) => !replaced.has(txid));
  /** Of a transaction or of what it took the place of, the more. */
  const most = new Map<string, bigint>();
  for (const txid of beneathFirst(last, othersOf)) {
    // A transaction that was mined again may pay otherwise: what it paid before is missing beside what it pays now.
    const before = (losersOf.get(txid) ?? []).filter((loser) => loser.txid === txid);
    const beneath = [...othersOf(txid)].reduce((sum, other) => sum + (most.get(other) ?? 0n), 0n);
    most.set(txid, larger(sumOf(itself(txid)), mostBefore(before, itself(txid), moment) + beneath));
  }
  // Together they count for no more than was there; then what each may be more, should something come back.
  return last.reduce(
    (sum, txid) => sum + (most.get(txid) ?? 0n) - sumOf(itself(txid)),
    sumOf(last.flatMap(itself)),
  );
}

/** Each after all that is beneath it. Without calling itself: a buyer may replace as often as they pay for it. */
function beneathFirst(last: readonly string[], beneathOf: (txid: string) => Iterable<string>): Set<string> {
  const ordered = new Set<string>();
  const entered = new Set<string>();
  const stack = [...last];
  for (let txid = stack.at(-1); txid !== undefined; txid = stack.at(-1)) {
    const isEntered = entered.has(txid);
    entered.add(txid);
    const next = isEntered ? [] : [...beneathOf(txid)].filter((other) => !entered.has(other));
    for (const other of next) stack.push(other);
    if (next.length === 0) ordered.add(txid);
    if (next.length === 0) stack.pop();
  }
  return ordered;
}

function groupedBy(
  transfers: readonly Transfer[],
  keyOf: (transfer: Transfer) => string | null,
): Map<string, Transfer[]> {
  const groups = new Map<string, Transfer[]>();
  for (const transfer of transfers) {
    const key = keyOf(transfer);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(transfer);
    else groups.set(key, [transfer]);
  }
  return groups;
}

/** What a transaction paid before it was mined again, in each place the most: there may have been several such times. */
function mostBefore(before: readonly Transfer[], itself: readonly Transfer[], moment: Date): bigint {
  const lostMs = Math.max(...before.map(({ missingSince }) => missingSince?.getTime() ?? 0));
  const stayed = itself.filter(({ firstSeenAt }) => firstSeenAt.getTime() <= lostMs);
  const byPlace = new Map<string, bigint>();
  for (const transfer of [...before, ...stayed]) {
    const atoms = atomsCountingBy(transfer, moment);
    byPlace.set(transfer.output, larger(atoms, byPlace.get(transfer.output) ?? 0n));
  }
  return [...byPlace.values()].reduce((sum, atoms) => sum + atoms, 0n);
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
