import type { AssetConfig, NetworkConfig } from '../../../../config/config.types.js';
import { expectedWaitS } from '../../../../config/depths.js';
import { payableAtoms } from '../../../../kernel/crypto-amount.js';
import type { Rate } from '../../../rates/rates.types.js';
import type { ClosedReason } from '../../checkout.types.js';
import { quotedPrice, settlementDepth } from '../../domain/quoting.js';

/** One way to pay, judged now. */
export interface Option {
  readonly network: NetworkConfig;
  readonly asset: AssetConfig;
  readonly rate: Rate | null;
  readonly amountAtoms: bigint | null;
  /** Seconds from sending to `settled`. */
  readonly expectedSettleS: number;
  readonly closed: ClosedReason | null;
}

export interface Circumstances {
  readonly rate: Rate | null;
  readonly networkOpen: boolean;
  /** Whether it is known which addresses of the merchant's key were used before. */
  readonly walletSearched: boolean;
  readonly spreadBps: number;
  /** The merchant's own, in minor units of the intent's currency. */
  readonly minimumMinor: number;
}

/** Whether an asset may be picked, and for how much. Fails closed: no fresh rate, a lagging network or a wallet that
 * others may use, no offer. */
export function judgeOption(
  amountMinor: bigint,
  network: NetworkConfig,
  asset: AssetConfig,
  { rate, networkOpen, walletSearched, spreadBps, minimumMinor }: Circumstances,
): Option {
  const price = rate ? quotedPrice(rate, spreadBps) : null;
  const amountAtoms = price ? payableAtoms(amountMinor, price, asset.decimals) : null;
  const expectedSettleS = expectedWaitS(network, settlementDepth(network, amountMinor));
  const isEnough = amountMinor >= BigInt(minimumMinor);
  const unseen = networkOpen ? (walletSearched ? null : 'wallet_unsearched') : 'network_unavailable';
  const closed = unseen ?? (isEnough ? closedReason(asset, amountAtoms) : 'below_minimum');
  return { network, asset, rate, amountAtoms, expectedSettleS, closed };
}

function closedReason(asset: AssetConfig, amountAtoms: bigint | null): ClosedReason | null {
  if (amountAtoms === null) return 'no_rate';
  return amountAtoms < asset.dustAtoms ? 'below_minimum' : null;
}
