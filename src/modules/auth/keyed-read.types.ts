import type { Request } from 'express';
import type { Statement } from '../../database/statement.js';
import type { MerchantStatus } from '../merchants/merchants.types.js';
import type { Scope } from './auth.types.js';

/** What is known of a good key. Named so that what a statement reads beside it has the plain names. */
export interface KeyRow {
  readonly keyId: string;
  readonly keyOwner: string;
  readonly keyScopes: readonly Scope[];
  readonly keyUsedAt: Date | null;
  readonly ownerStatus: MerchantStatus;
  readonly keyFoundAt: Date;
}

/**
 * What a route reads in the round trip that finds its key. It is told to nobody whose key, merchant, scope or rate does
 * not let them in.
 */
export interface KeyedRead {
  /** Made of `keyedSql`. */
  readonly statement: Statement;
  /** $2 and on, of a request that anybody may have sent. */
  readonly valuesOf: (request: Request) => readonly unknown[];
}
