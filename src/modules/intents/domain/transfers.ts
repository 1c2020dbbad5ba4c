import type { Depth, Family } from '../../../config/config.types.js';
import type { ChainTip, Facts, Transfer } from '../../chains/chains.types.js';
import type { Quote } from './model.js';

/**
 * How long a transfer that is in no block and no mempool keeps counting (PRODUCT, "Vanishing transfers"):
 * long enough for a reorganisation or a restarted node to bring it back.
 */
const GRACE_MS: Readonly<Record<Family, number>> = {
  evm: 10 * 60_000,
  bitcoin: 2 * 3_600_000,
  litecoin: 2 * 3_600_000,
};

/** Whether the transfer is that quote's: the quoted asset, at the quote's own address. */
export function belongsTo(transfer: Transfer, quote: Quote): boolean {
  return (
    transfer.network === quote.network &&
    transfer.asset === quote.asset &&
    transfer.address === quote.watchedAddress
  );
}

/**
 * Whether it may still be there: on the chain, in the mempool, or missing for less than the grace time. Missing
 * time is counted by the watcher's clock, which stands while the node is not synced.
 */
export function isLive(transfer: Transfer, family: Family, tip: ChainTip | undefined): boolean {
  if (transfer.state === 'replaced') return false;
  if (transfer.missingSince === null) return true;
  const missingForMs = (tip?.syncedAt.getTime() ?? 0) - transfer.missingSince.getTime();
  return missingForMs < GRACE_MS[family];
}

/** The earlier of first seen and block time: a payment is as punctual as the first sign of it. */
export function observedAt(transfer: Transfer): Date {
  const { firstSeenAt, blockTime } = transfer;
  return blockTime !== null && blockTime < firstSeenAt ? blockTime : firstSeenAt;
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

/** All live transfers at the addresses of an intent's quotes, whatever asset they are of. */
export function liveTransfers(quotes: readonly Quote[], facts: Facts): Transfer[] {
  return facts.transfers.filter((transfer) => {
    const quote = quotes.find(({ watchedAddress }) => watchedAddress === transfer.address);
    return quote !== undefined && isLive(transfer, quote.family, facts.tips.get(transfer.network));
  });
}

/** The live transfers of a quote, oldest first. */
export function liveTransfersOf(quote: Quote, facts: Facts): Transfer[] {
  const tip = facts.tips.get(quote.network);
  return facts.transfers
    .filter((transfer) => belongsTo(transfer, quote) && isLive(transfer, quote.family, tip))
    .sort((a, b) => observedAt(a).getTime() - observedAt(b).getTime());
}

/** Those that count for the completion: seen or mined no later than the window's last instant. */
export function countingTransfersOf(quote: Quote, facts: Facts, expiresAt: Date): Transfer[] {
  return liveTransfersOf(quote, facts).filter((transfer) => observedAt(transfer) <= expiresAt);
}
