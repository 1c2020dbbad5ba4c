import type { BitcoinChain, NetworkConfig } from '../../../config/config.types.js';
import { BITCOIN_GENESIS } from '../../../config/genesis.js';
import { type BitcoinFamily, segwitPrefix } from './addresses/segwit-address.js';

/** A Bitcoin-like network's configuration, narrowed. */
export interface BitcoinNetwork {
  readonly id: string;
  readonly family: BitcoinFamily;
  readonly chain: BitcoinChain;
  /** Hashes of the first blocks that such a chain has. */
  readonly genesisHashes: readonly string[];
  /** Of its one coin. */
  readonly asset: string;
  /** What its addresses begin with. */
  readonly prefix: string;
  readonly confirmationDepth: number;
}

/** @throws Error for a configuration that no watcher can follow: at start, not at the first payment. */
export function bitcoinNetwork({
  id,
  family,
  chain,
  assets,
  confirmationDepth,
}: NetworkConfig): BitcoinNetwork {
  const [coin] = assets;
  if (family === 'evm' || !chain || !coin || assets.length > 1) {
    throw new Error(`${id} needs a Bitcoin-like family, the name of its chain, and exactly one asset`);
  }
  if (typeof confirmationDepth !== 'number') {
    throw new Error(`${id}: blocks of proof of work are never safe or finalized, so depths are numbers`);
  }
  const genesisHashes = BITCOIN_GENESIS[family][chain];
  const prefix = segwitPrefix(family, chain);
  return { id, family, chain, genesisHashes, asset: coin.symbol, prefix, confirmationDepth };
}

/** Nodes have several test chains with one kind of address: "test", "testnet4", "signet". */
export function servesChain(answered: string, wanted: BitcoinChain): boolean {
  const isTest = /^(test|signet)/.test(answered);
  return answered === wanted || (wanted === 'test' && isTest);
}
