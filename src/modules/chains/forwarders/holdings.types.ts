import type { Address, Hex } from 'viem';

/** What was paid to one deposit address without a key, of one asset on one network, by recorded facts. */
export interface Holding {
  readonly network: string;
  readonly asset: string;
  /** With the checksum. */
  readonly address: Address;
  readonly subject: string;
  readonly salt: Hex;
  /** The one address that it can pay out to. */
  readonly destination: Address;
  readonly factory: Address;
  /** What lies there. */
  readonly heldAtoms: bigint;
  /** Of that, what no reorganisation takes away any more. */
  readonly finalAtoms: bigint;
  /** What it has paid out. */
  readonly collectedAtoms: bigint;
  readonly finalCollectedAtoms: bigint;
  /** Something was collected from there on this network, so that its code is there. */
  readonly isDeployed: boolean;
}

/** What was paid to addresses of a merchant's own extended keys. What its wallet did with it since is its own business. */
export interface KeyHolding {
  readonly network: string;
  readonly asset: string;
  readonly receivedAtoms: bigint;
  readonly addresses: number;
}

/** What a transaction collected of an asset, as the chain says now. */
export interface Collected {
  readonly network: string;
  readonly asset: string;
  readonly txid: string;
  readonly atoms: bigint;
  readonly addresses: number;
  readonly at: Date;
  readonly isFinal: boolean;
}

/** A transaction that collects, for any wallet. */
export interface CollectCall {
  readonly to: Address;
  readonly data: Hex;
}
