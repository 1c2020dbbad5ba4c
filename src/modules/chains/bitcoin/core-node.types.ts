/** Bitcoin Core's answers, as far as they are read. Fields that not every fork or version has are optional. */
export interface RawChainInfo {
  readonly chain: string;
  readonly headers: number;
  readonly bestblockhash: string;
  readonly initialblockdownload: boolean;
}

export interface RawMempoolInfo {
  readonly loaded?: boolean;
}

export interface RawHeader {
  readonly height: number;
  /** Seconds since 1970. */
  readonly time: number;
}

export interface RawTransaction {
  readonly txid: string;
  readonly vin: readonly {
    readonly txid?: string;
    readonly vout?: number;
    readonly coinbase?: string;
    readonly txinwitness?: readonly string[];
  }[];
  readonly vout: readonly {
    readonly n?: number;
    /** A decimal number of coins, kept as text by `parseCoinJson`. */
    readonly value?: string;
    readonly scriptPubKey?: { readonly hex?: string };
  }[];
  readonly blockhash?: string;
}

export interface RawBlock extends RawHeader {
  readonly hash: string;
  readonly previousblockhash?: string;
  readonly tx: readonly RawTransaction[];
}
