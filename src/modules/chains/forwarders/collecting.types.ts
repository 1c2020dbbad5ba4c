import type { Hex } from 'viem';

/** What a network asks of a transaction now. */
export interface CollectingConditions {
  /** Of the coin, for a unit of gas. */
  readonly gasPriceAtoms: bigint;
  /** What a whole block may use. */
  readonly blockGas: bigint;
  /** Without it nothing can be collected yet. */
  readonly isFactoryDeployed: boolean;
  /** Whether what deploys it everywhere at the same address is there. */
  readonly hasDeployer: boolean;
}

/** A transaction in a block. */
export interface MinedCall {
  readonly txid: Hex;
  readonly height: number;
  readonly hasSucceeded: boolean;
  readonly gasUsed: bigint;
}
