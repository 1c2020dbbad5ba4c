import type { Family } from '../../config/config.types.js';
import type { Forwarded } from './chains.types.js';
import type { WalletScan } from './wallet-scan.types.js';

interface AnyWallet {
  readonly merchantId: string;
  readonly network: string;
  /** How often it was set to another key or address, the first time included: what its owner can count along. */
  readonly changes: number;
}

/** Addresses are derived from an extended public key. */
export interface KeyWallet extends AnyWallet {
  readonly kind: 'extended-key';
  readonly extendedKeyId: string;
  readonly nextIndex: number;
  /** Whether the node has said which indexes were used before: until then nobody can be paid here (ADR 36). */
  readonly isSearched: boolean;
}

/** Each deposit address pays out to this one (ADR 50); on EVM networks alone. */
export interface AddressWallet extends AnyWallet {
  readonly kind: 'address';
  readonly destinationId: string;
  /** With the checksum. */
  readonly destination: string;
}

export type Wallet = KeyWallet | AddressWallet;

/** A key of a merchant, in use or replaced. */
export interface ExtendedKeyView {
  readonly id: string;
  readonly family: Family;
  /** Its first and last characters: enough to tell keys apart, too little to derive an address. */
  readonly hint: string;
  /** Networks that are paid to it now; none for a key that was replaced. */
  readonly networks: readonly string[];
  /** Networks on which it issues nothing yet, because their node has not said which indexes were used before. */
  readonly unsearched: readonly string[];
  readonly nextIndex: number;
  readonly createdAt: Date;
}

/** An address that a merchant gave to be paid to, in use or replaced. */
export interface DestinationView {
  readonly id: string;
  /** With the checksum. */
  readonly address: string;
  /** Networks that are paid to it now; none for one that was replaced. */
  readonly networks: readonly string[];
  readonly createdAt: Date;
}

/** What a network's node says of an address before it is set; `null` where it does not say. */
export interface DestinationLook {
  /** `contract`: such as a Safe; `delegated`: an account that lets a contract act for it (EIP-7702). */
  readonly account: 'plain' | 'contract' | 'delegated' | null;
  /** Without it money can be taken in, and collected only once somebody has deployed it. */
  readonly isFactoryDeployed: boolean | null;
  /** Whether what deploys it everywhere at the same address is there. */
  readonly hasDeployer: boolean | null;
  /** Symbols of assets that could not be paid out to it now. */
  readonly refused: readonly string[];
}

/** An address before it is set, and how a deposit address of it is found. */
export interface DestinationPreview extends DestinationLook {
  /** With the checksum. */
  readonly destination: string;
  /** Whether the network is paid to it already. */
  readonly isSet: boolean;
  readonly recipe: VerificationRecipe;
}

/** How anybody computes a deposit address: an example with an invented intent. */
export interface VerificationRecipe extends Forwarded {
  readonly forwarder: string;
  /** "pi_…/ethereum/USDC": what the salt is the keccak256 of. */
  readonly saltOf: string;
  /** What the example comes to. */
  readonly depositAddress: string;
}

/** A key before it is set: what its owner compares with the wallet. */
export interface WalletPreview {
  /** As it was pasted, without blanks around it. */
  readonly xpub: string;
  /** At the indexes 0, 1 and 2, as people see them. */
  readonly addresses: readonly string[];
  /** Where it would go on: behind what this merchant has used of it, and behind what the chains know. */
  readonly nextIndex: number;
  /** Whether the network is paid to it already. */
  readonly isSet: boolean;
  readonly scan: WalletScan;
}

/** A wallet as it stands once it is set, with what was found on the chains before. */
export interface WalletSet extends KeyWallet {
  /** At the indexes 0, 1 and 2, to compare with the wallet. */
  readonly addresses: readonly string[];
  readonly scan: WalletScan;
}
