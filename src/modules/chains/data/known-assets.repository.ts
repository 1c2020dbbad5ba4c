import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { only } from '../../../kernel/lookups.js';

/** Asked first, so that a command that only reads also runs on a standby, which takes no writes. */
const ASK = `
  SELECT pg_is_in_recovery() AS "isStandby", EXISTS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::int[]) EXCEPT
    SELECT network, asset_key, symbol, decimals FROM known_asset) AS "anyNew"`;

const REMEMBER = `
  INSERT INTO known_asset (network, asset_key, symbol, decimals)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::int[]) ON CONFLICT DO NOTHING`;

/** In a statement of its own: only so does it see what another instance has written meanwhile. */
const OTHERWISE = `
  SELECT f.network, f.asset_key AS key, f.symbol, f.decimals,
         k.asset_key AS "knownKey", k.symbol AS "knownSymbol", k.decimals AS "knownDecimals"
    FROM unnest($1::text[], $2::text[], $3::text[], $4::int[]) AS f (network, asset_key, symbol, decimals)
    JOIN known_asset k ON k.network = f.network AND (k.asset_key = f.asset_key OR k.symbol = f.symbol)
   WHERE (k.asset_key, k.symbol, k.decimals) <> (f.asset_key, f.symbol, f.decimals)
   ORDER BY f.network, f.symbol, k.symbol`;

/** An asset of the configuration that is known under another name, contract or number of decimals. */
export type OtherwiseKnown = Record<'network' | 'key' | 'symbol' | 'knownKey' | 'knownSymbol', string> &
  Record<'decimals' | 'knownDecimals', number>;

/** As it is configured; `key` as of `assetKey`. */
export interface ConfiguredAsset {
  readonly network: string;
  readonly key: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** What each asset was called when it was first configured. */
@Injectable()
export class KnownAssetsRepository {
  /** Whether any is not known so, and whether the database takes no writes. */
  async ask(
    tx: EntityManager,
    assets: readonly ConfiguredAsset[],
  ): Promise<{ readonly isStandby: boolean; readonly anyNew: boolean }> {
    return only(await tx.query<{ isStandby: boolean; anyNew: boolean }[]>(ASK, valuesOf(assets)));
  }

  /** Of every asset that was ever configured. */
  decimals(
    tx: EntityManager,
  ): Promise<{ readonly network: string; readonly symbol: string; readonly decimals: number }[]> {
    return tx.query('SELECT network, symbol, decimals FROM known_asset');
  }

  async remember(tx: EntityManager, assets: readonly ConfiguredAsset[]): Promise<void> {
    await tx.query(REMEMBER, valuesOf(assets));
  }

  otherwise(tx: EntityManager, assets: readonly ConfiguredAsset[]): Promise<OtherwiseKnown[]> {
    return tx.query<OtherwiseKnown[]>(OTHERWISE, valuesOf(assets));
  }
}

function valuesOf(assets: readonly ConfiguredAsset[]): unknown[][] {
  return [
    assets.map(({ network }) => network),
    assets.map(({ key }) => key),
    assets.map(({ symbol }) => symbol),
    assets.map(({ decimals }) => decimals),
  ];
}
