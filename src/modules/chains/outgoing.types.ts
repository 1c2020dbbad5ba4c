/** A node refuses at once what it does not keep; after this, one that has not answered is asked for nothing more. */
export const REFUSED_WITHIN_MS = 3_000;

/** A payment from a merchant's own wallet that somebody waits for. */
export interface SoughtPayment {
  readonly network: string;
  readonly asset: string;
  /** In its normal spelling. */
  readonly to: string;
  readonly atoms: bigint;
  /** Whose it has to be on EVM networks, where no transaction is named. */
  readonly merchantId: string;
  readonly txid: string | null;
  /** Whose transaction is named, as far as a node has told: what uses up the nonce instead replaces it. EVM alone. */
  readonly account: NamedAccount | null;
  /** Nothing in blocks up to here is it, not even where it is named. */
  readonly askedHeight: number;
  /** Blocks up to here need no look. */
  readonly searchedHeight: number;
  /** Of the last of them; `null` where none was looked at yet. */
  readonly searchedHash: string | null;
  /** No block above it is looked at; `null` for all that the watcher has passed. */
  readonly upTo: number | null;
}

/** Who sends a transaction, lower case, and with which nonce; `null` for whatever they send. */
export interface NamedAccount {
  readonly sender: string;
  readonly nonce: number | null;
}

/** A transaction that pays it, for a wallet in the browser. */
export interface TransferCall {
  readonly chainId: number;
  readonly to: string;
  readonly data: string;
  /** Atoms of the coin in hexadecimal. */
  readonly value: string;
}

/** Where a chain holds it. */
export interface FoundPayment {
  readonly txid: string;
  readonly output: string;
  readonly height: number;
  readonly hash: string;
  /** Whether it uses the nonce of the transaction that was named: then that one can never come. */
  readonly isReplacement?: boolean;
}

/** What was found in blocks up to a height: usually one, none while it waits. */
export interface Searched {
  readonly found: readonly FoundPayment[];
  readonly searchedHeight: number;
  readonly searchedHash: string | null;
  /** Whose the named transaction is, where that was not known before. */
  readonly account?: NamedAccount;
  /** Why this one could not be looked for, where the others could: nothing was searched for it. */
  readonly failure?: Error;
}
