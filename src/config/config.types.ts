/** Networks whose addresses have one format and share one kind of extended key. */
export const FAMILIES = ['evm', 'bitcoin', 'litecoin'] as const;
export type Family = (typeof FAMILIES)[number];

/** Which of a Bitcoin-like coin's chains, as its node names it (`test` for every public test network). */
export type BitcoinChain = 'main' | 'test' | 'regtest';

/** A number of blocks, or a tag of the node's own finality. */
export type Depth = number | 'safe' | 'finalized';

export interface AssetConfig {
  readonly symbol: string;
  readonly decimals: number;
  /** Checksummed address of the ERC-20 contract; `null` for the network's own coin. */
  readonly contract: string | null;
  /** Below this an option is not offered: it would cost more to move than it is worth. */
  readonly dustAtoms: bigint;
}

/** Settlement depths for a fiat value below 100, below 1,000, below 10,000, and above. */
export type DepthTiers = readonly [Depth, Depth, Depth, Depth];

export interface NetworkConfig {
  /** "ethereum": in URLs, in the API, in the database. */
  readonly id: string;
  /** "Ethereum": for people. */
  readonly name: string;
  readonly family: Family;
  /** EIP-155 id; `null` for networks that are not EVM. */
  readonly chainId: number | null;
  /** Bitcoin-like networks only: decides how addresses are written, and what the node must say that it serves. */
  readonly chain?: BitcoinChain;
  /** Bitcoin-like networks only: a chain of one node, which needs no peers to know all of it. */
  readonly isOffline?: boolean;
  /** EVM: the hash of block 0; without it the one that the node had at first contact is held to. */
  readonly genesisHash?: string;
  readonly rpcUrl: string;
  /** Another provider's node, which must say the same before anything is believed. */
  readonly secondRpcUrl?: string;
  readonly assets: readonly AssetConfig[];
  readonly confirmationDepth: Depth;
  readonly settlementDepths: DepthTiers;
  /** Seconds between blocks, for expected times and for when a node counts as stuck. */
  readonly blockIntervalS: number;
  /** Seconds until a block is `safe` and `finalized`, as the page tells it to the buyer. */
  readonly safeAfterS: number;
  readonly finalizedAfterS: number;
  /** EVM: how old a block must be to count as final on a node that knows no `finalized`; at least `finalizedAfterS`. */
  readonly finalityFallbackS?: number;
  /** How often the watcher asks for a new tip. */
  readonly pollIntervalMs: number;
  /** "https://etherscan.io/tx/{txid}", or `null` where there is no explorer. */
  readonly explorerTx: string | null;
}

export interface RateLimits {
  readonly readsPerMinute: number;
  readonly writesPerMinute: number;
  readonly failedAuthPerMinute: number;
}

/** Public price sources that we can read; all but CoinGecko without a key. */
export const RATE_SOURCES = ['kraken', 'coinbase', 'bitstamp', 'bitpay', 'coingecko'] as const;
export type RateSourceName = (typeof RATE_SOURCES)[number];

/** Where production's rates come from, and when they are believed. */
export interface RatesConfig {
  readonly sources: readonly RateSourceName[];
  /** Scheme and host of each source, without a trailing slash. */
  readonly origins: Readonly<Record<RateSourceName, string>>;
  readonly coingeckoKey: string | null;
  /** An older price counts for nothing. */
  readonly maxAgeS: number;
  /** A source further than this from the median has no say. */
  readonly maxDeviationBps: number;
}

/** Where mail goes out. */
export interface MailConfig {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  readonly smtpUrl: string;
  /** `Rappen <pay@example.com>`, or the address alone. */
  readonly from: string;
}

/** How the operator is told of alerts; every part may be missing. */
export interface OperatorConfig {
  readonly emails: readonly string[];
  readonly webhook: { readonly url: string; readonly secret: string | null } | null;
}

/** The least that may be configured; `cli check` expects younger deliveries to be there. */
export const LEAST_DELIVERY_DAYS = 30;

/** After how many days what is not needed for ever is removed (docs/operations.md, "Retention"). */
export interface RetentionConfig {
  readonly deliveryDays: number;
  /** Tries of deliveries, with what receivers answered. */
  readonly attemptDays: number;
  /** From where staff did what they did. */
  readonly addressDays: number;
  readonly alertDays: number;
}

/** How fast the ledger is compared with the chain (docs/operations.md, "Compared with the chain"). */
export interface ReconciliationConfig {
  /** To each network's node; 0 compares nothing. */
  readonly requestsPerSecond: number;
  /** How many addresses a request for logs or balances names. */
  readonly addressesPerRequest: number;
  /** From the beginning of a round over all addresses to that of the next one, at least. */
  readonly roundEveryHours: number;
}

/** Everything that the environment decides: read once, checked as a whole, frozen. */
export interface Config {
  readonly mode: 'production' | 'sandbox';
  /** Origin of API and dashboard, without a trailing slash. */
  readonly baseUrl: string;
  /** Origin of the hosted checkout, without a trailing slash. */
  readonly checkoutUrl: string;
  readonly host: string;
  readonly port: number;
  /** The sandbox serves the checkout on a port of its own; production lets the proxy route by Host. */
  readonly checkoutPort: number | null;
  /** Folder for what the sandbox keeps. */
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  /** Open pages of buyers that one instance tells of changes. */
  readonly checkoutStreams: number;
  /** Express' `trust proxy`: a number of hops or a list of addresses; `false` trusts nobody. */
  readonly trustProxy: false | number | string;
  /** Encrypts secrets at rest: 32 bytes. */
  readonly secretKey: Buffer;
  /** Still opens what was sealed before `secrets rekey` has come to it; `null` but for a change of the key. */
  readonly previousSecretKey: Buffer | null;
  readonly networks: readonly NetworkConfig[];
  readonly rateLimits: RateLimits;
  readonly rates: RatesConfig;
  /** `null`: nothing is mailed. */
  readonly mail: MailConfig | null;
  readonly operator: OperatorConfig;
  readonly retention: RetentionConfig;
  readonly reconciliation: ReconciliationConfig;
  /** Where whoever finds a weakness writes (`/.well-known/security.txt`); `null` publishes nothing. */
  readonly securityContact: string | null;
  readonly metrics: { readonly port: number | null; readonly token: string | null };
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

/** Injection token for the `Config`. */
export const CONFIG = Symbol('Config');
