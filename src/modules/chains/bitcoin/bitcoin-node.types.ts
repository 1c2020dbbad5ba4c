import type { BlockPoint } from '../data/ledger.types.js';
import type { FoundPayment } from '../outgoing.types.js';
import type { ChainBlock } from '../watching/must-be-chained.js';

/** An output to a P2WPKH script; others cannot be ours and are left out. */
export interface BitcoinOutput {
  readonly index: number;
  /** scriptPubKey, lower-case hex: the one spelling that every node and every coin has in common. */
  readonly script: string;
  readonly amountAtoms: bigint;
}

export interface BitcoinTransaction {
  readonly txid: string;
  readonly isCoinbase: boolean;
  /** `txid:output` of each input. */
  readonly spends: readonly string[];
  /** Public keys (hex) that its inputs were signed with, as far as a P2WPKH witness shows them. */
  readonly inputKeys: readonly string[];
  readonly outputs: readonly BitcoinOutput[];
}

export interface BitcoinBlock extends BlockPoint {
  readonly parentHash: string;
  readonly transactions: readonly BitcoinTransaction[];
}

/** The node's view of itself. */
export interface BitcoinTip extends BlockPoint {
  /** "main", "test", "testnet4", "signet", "regtest". */
  readonly chain: string;
  /** Of its first block: all coins call their chains alike. */
  readonly genesisHash: string;
  /** Whether addresses that begin as it was asked about are its chain's: coins that split off share the first block too. */
  readonly ownsPrefix: boolean;
  /** The highest header it knows: above `height` while it has yet to fetch or check blocks. */
  readonly headerHeight: number;
  /** Whether it is still far behind (`initialblockdownload`): its mempool says nothing then. */
  readonly isDownloading: boolean;
  /** Whether it has read its stored mempool again after a start. */
  readonly isMempoolLoaded: boolean;
}

/** Everything that waited for a block, at a moment when `tipHash` was the tip. */
export interface MempoolView {
  readonly tipHash: string;
  readonly txids: readonly string[];
}

/** Outputs of exactly this amount to this address, of whatever kind. */
export interface SoughtOnBitcoin {
  readonly to: string;
  readonly atoms: bigint;
}

export interface SentAt {
  readonly hash: string;
  readonly parentHash: string;
  readonly found: readonly (readonly FoundPayment[])[];
}

/** What a watcher asks of a node. Everything rejects when the node is unreachable or contradicts itself. */
export interface BitcoinNode {
  /** @param prefix what addresses of the network begin with */
  tip(prefix: string): Promise<BitcoinTip>;
  /** `null` where the node has no block (yet). */
  header(height: number): Promise<ChainBlock | null>;
  blocks(fromHeight: number, toHeight: number): Promise<BitcoinBlock[]>;
  mempool(): Promise<MempoolView>;
  /** Of these, the ones that still wait for a block. */
  waiting(txids: readonly string[]): Promise<BitcoinTransaction[]>;
}

/** What a search for payments to addresses of others asks besides. */
export interface SearchedBitcoinNode extends BitcoinNode {
  /** What a block pays to these, in their order. */
  sentAt(height: number, sought: readonly SoughtOnBitcoin[]): Promise<SentAt>;
}
