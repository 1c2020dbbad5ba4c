import type { Address, Hex } from 'viem';
import type { AssetAmount, RecordedAmount } from '../../kernel/crypto-amount.js';

/** What lies on deposit addresses of one asset on one network. */
export interface Lying {
  readonly network: string;
  readonly networkName: string;
  readonly asset: string;
  readonly decimals: number;
  readonly addresses: number;
  readonly atoms: bigint;
  /** Of that, what no reorganisation takes away any more. */
  readonly finalAtoms: bigint;
  /** Addresses that were given out for another asset or network: money that nobody expected there. */
  readonly unexpected: number;
  readonly destinations: readonly Address[];
  readonly cost: Cost | null;
  /** In the currency that was asked for, minor units; `null` without a rate. */
  readonly worth: { readonly minor: bigint; readonly currency: string } | null;
}

/** What collecting costs at the present price of gas; whoever sends pays it. */
export interface Cost {
  readonly transactions: number;
  readonly gas: bigint;
  readonly feeAtoms: bigint;
  readonly coin: string;
  readonly coinDecimals: number;
  readonly isFactoryDeployed: boolean;
  readonly hasDeployer: boolean;
}

/** A transaction that any wallet can send. */
export interface PlannedTransaction {
  readonly chainId: number;
  readonly to: Address;
  readonly data: Hex;
  /** Of coin: nothing goes with it. */
  readonly value: '0';
  readonly amount: AssetAmount;
  readonly addresses: readonly Address[];
  readonly destination: Address;
  readonly expectedGas: bigint;
  /** What it may have where the node does not estimate it. */
  readonly roomGas: bigint;
  /** No block takes more. */
  readonly mostGas: bigint;
}

export interface CollectionPlan {
  readonly network: string;
  readonly networkName: string;
  readonly chainId: number;
  readonly asset: string;
  readonly decimals: number;
  /** `null` for the coin. */
  readonly contract: string | null;
  readonly transactions: readonly PlannedTransaction[];
  readonly atoms: bigint;
  /** Addresses on which something is recorded that the newest block does not hold: collected just now. */
  readonly collectedMeanwhile: number;
  /** Whether the node said what lies there; else it is what is recorded. */
  readonly isTold: boolean;
  readonly cost: Cost | null;
}

/** As somebody names it; what is left out is any. */
export interface Place {
  readonly network?: string | undefined;
  readonly asset?: string | undefined;
}

/** A row of `treasury show`. */
export interface TreasuryRow extends RecordedAmount {
  readonly network: string;
  readonly address: string;
  readonly intentId: string;
  readonly state: 'collectible' | 'not-final' | 'collected' | 'collected-not-final';
}

/** What lies on an address that a mined transaction asked to pay out. */
export interface Unpaid extends AssetAmount {
  readonly address: Address;
}

/**
 * What became of a transaction that was sent to collect. `nothing`: it was mined and moved nothing, because all had been
 * collected before, or because nothing paid out.
 */
export type SentState = 'waiting' | 'failed' | 'nothing' | 'included' | 'final';

export interface SentCollection {
  readonly state: SentState;
  /** What it brought home, one of each asset. */
  readonly amounts: readonly RecordedAmount[];
  /** `null` where it is not known: no block holds the transaction, or the node does not say what lies there. */
  readonly unpaid: readonly Unpaid[] | null;
}
