import type { Depth, Family } from '../../config/config.types.js';
import type { WalletScan } from './wallet-scan.types.js';

/** `mempool` seen unconfirmed, `included` in a block, `orphaned` in neither, `replaced` gone for good. */
export type TransferState = 'mempool' | 'included' | 'orphaned' | 'replaced';

/** A fact: one credited movement to one of our addresses. */
export interface Transfer {
  readonly id: string;
  readonly network: string;
  readonly txid: string;
  readonly output: string;
  readonly asset: string;
  /** As the chains write it (EVM: lower case). */
  readonly address: string;
  readonly amountAtoms: bigint;
  readonly state: TransferState;
  readonly blockHeight: number | null;
  readonly blockHash: string | null;
  readonly blockTime: Date | null;
  /** When we wrote it down first. What decisions go by is `observedAt`. */
  readonly firstSeenAt: Date;
  /** When it counts as observed by itself; the database alone says so (`observed_time`). */
  readonly observedAt: Date;
  /** Our last complete look before the first sight, where we were blind in between. */
  readonly blindSince: Date | null;
  /** What its transaction uses up, outputs or a nonce: of two that use one up, only one can be mined. A single
   * node may have said a wrong sender. */
  readonly uses: readonly string[];
  /** What was credited when this took its place: for at most as much, it may count from when that was observed. */
  readonly inPlaceOf: readonly Transfer[];
  readonly missingSince: Date | null;
  /** The transaction that was seen to take its place. */
  readonly replacedBy: string | null;
  /** That one pays the same address and is credited instead; the conflict between the two is not resolved yet. */
  readonly superseded: boolean;
  /** From an address of the same merchant: its own movement, and no payment to it. */
  readonly own: boolean;
  /** In a block from before its address was issued: whoever sent it did not pay what the address was issued for. */
  readonly beforeIssue: boolean;
}

/**
 * How long a transfer that is in no block and no mempool keeps counting: long enough for a reorganisation or a
 * restarted node to bring it back.
 */
export const GRACE_MS: Readonly<Record<Family, number>> = {
  evm: 10 * 60_000,
  bitcoin: 2 * 3_600_000,
  litecoin: 2 * 3_600_000,
};

/** Where a network's watcher stands. */
export interface ChainTip {
  readonly network: string;
  readonly height: number;
  readonly safeHeight: number;
  readonly finalizedHeight: number;
  /** When the cursor last stood at a fresh tip of a synced node. */
  readonly syncedAt: Date;
}

export interface Facts {
  readonly transfers: readonly Transfer[];
  readonly tips: ReadonlyMap<string, ChainTip>;
}

/** A subject whose facts or depths changed since it was last decided. */
export interface FactChange {
  readonly subject: string;
  readonly version: bigint;
}

/** What waits to be decided, for the metrics. */
export interface FactBacklog {
  readonly subjects: number;
  /** For how long the longest waiting of them has waited; 0 when none does. */
  readonly oldestAgeS: number;
}

/** For whose money an address is. */
export interface WantedAddress {
  readonly merchantId: string;
  readonly network: string;
  readonly asset: string;
  /** Whom it is issued to, opaque to the chains. */
  readonly subject: string;
  /** How deep a block must be to decide about its money, as the merchant has it. */
  readonly confirmationDepth: Depth;
}

export interface IssuedAddress {
  readonly family: Family;
  /** As people see it (EVM: with checksum). */
  readonly address: string;
  /** As the chains write it, the key of every look-up. */
  readonly watchedAddress: string;
}

/** Where somebody may be paid, and in what. */
export interface Place {
  readonly network: string;
  readonly asset: string;
  /** As the chains write it. */
  readonly watchedAddress: string;
}

/** An address whose code can pay out to one destination alone. */
export interface Forwarded {
  /** With the checksum. */
  readonly destination: string;
  /** The contract that deploys it, with the checksum. */
  readonly factory: string;
  /** 32 bytes in hexadecimal, with 0x. */
  readonly salt: string;
}

/** How a merchant finds an address: by the last step of its derivation path, or by what it was computed from. */
export interface IssuedPlace {
  /** As the chains write it. */
  readonly address: string;
  readonly place: { readonly index: number } | Forwarded;
}

/** An address that a key, or for a destination, was issued. */
export interface IssuedFrom {
  /** `null` for those of a destination. */
  readonly index: number | null;
  /** As the chains write it. */
  readonly address: string;
  readonly subject: string;
  readonly issuedAt: Date;
}

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

/** What a network's second node says: the same as the first, nothing (down, or far behind), or something else. */
export type CrossCheck = 'agrees' | 'silent' | 'disagrees';

/**
 * `disputed`: two nodes say different things about its chain. `halted`: its node shares no block with us, and it cannot go
 * on by itself.
 */
export type NetworkState = 'open' | 'lagging' | 'starting' | 'disputed' | 'halted';

/**
 * Why an asset of an open network is not offered. `catching-up`: blocks were passed without looking for it.
 * `balances-unknown`: coin may arrive unseen, because the node does not say what addresses hold, or because looking into
 * its blocks, with their traces, took more time than a step has.
 * `too-many-addresses`: more of them have open windows than a step can ask about, so coin may arrive unseen at some;
 * merchants whose share of them fits are not concerned (`healthFor`).
 */
export type AssetClosure = 'catching-up' | 'balances-unknown' | 'too-many-addresses';

export interface NetworkHealth {
  readonly network: string;
  /** Only an open network is offered at the checkout. */
  readonly state: NetworkState;
  readonly height: number | null;
  readonly nodeHeight: number | null;
  /** The chain's own time of the block at `height`. */
  readonly blockTime: Date | null;
  readonly syncedAt: Date | null;
  /** `null` where no second node is configured. */
  readonly crossCheck: CrossCheck | null;
  /** What keeps it from being watched, in words; `null` while nothing does. */
  readonly reason: string | null;
  /** Assets that are not offered although the network is, by symbol. */
  readonly closedAssets: Readonly<Record<string, AssetClosure>>;
  /** Recent addresses at which coin that a contract pays would not be seen. */
  readonly coinUnwatched: number;
  /** Wallets that are not offered until the node has said which of their indexes were used before. */
  readonly unsearchedWallets: number;
  /** For how many seconds the oldest block that is not final has been known; `null` while all are final. */
  readonly unfinalForS: number | null;
  /** Whether that is so long that the node must be asked why: what waits for finality waits in vain. */
  readonly isFinalityStalled: boolean;
  /** Of the last seven days: blocks that had been held to be final and are not on the node's chain any more. */
  readonly finalGivenUp: GivenUp | null;
}

export interface GivenUp {
  readonly at: Date;
  readonly fromHeight: number;
}

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

/** What this process' watcher of a network has done since it started, for the metrics. */
export interface WatcherStats {
  readonly network: string;
  /** Whether this is the instance that watches it. */
  readonly watching: boolean;
  readonly blocks: number;
  readonly transfers: number;
  readonly reorganisations: number;
  /** In a row, until now. */
  readonly failures: number;
  readonly lastError: string | null;
}

export type { Depth, Family };
