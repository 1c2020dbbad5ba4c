import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { type On, run, statement } from '../../../database/statement.js';
import { only } from '../../../kernel/lookups.js';
import type { NetworkAsset } from '../chains.types.js';
import { FRESH_MS } from '../domain/network-state.js';

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

/**
 * What an instance looks for: searched up to where its cursor stands, which has stood at a fresh tip within the shortest
 * time for which any network's does. Of coin also that its balances are told, and compared at all recent addresses.
 */
const WATCHED = statement(
  'chains-watched-assets',
  `SELECT k.network, k.symbol AS asset
    FROM known_asset k JOIN cursor_asset a USING (network, asset_key) JOIN chain_cursor c USING (network)
   WHERE a.covered_height >= c.height AND c.synced_at > clock_timestamp() - make_interval(secs => $1)
     AND c.cross_check IS DISTINCT FROM 'disagrees'
     AND (k.asset_key <> 'native' OR c.coin_blind_from IS NULL AND c.coin_unwatched = 0)
     AND NOT EXISTS (SELECT FROM watch_failure f WHERE f.network = k.network AND f.halted)`,
);

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

  /** As of `assetKey`. @throws for one that was never configured */
  async keyOf(on: DataSource | EntityManager, network: string, symbol: string): Promise<string> {
    const sql = 'SELECT asset_key AS key FROM known_asset WHERE network = $1 AND symbol = $2';
    const [known] = await on.query<{ key: string }[]>(sql, [network, symbol]);
    if (!known) throw new Error(`nobody has ever configured ${symbol} on ${network}`);
    return known.key;
  }

  async remember(tx: EntityManager, assets: readonly ConfiguredAsset[]): Promise<void> {
    await tx.query(REMEMBER, valuesOf(assets));
  }

  otherwise(tx: EntityManager, assets: readonly ConfiguredAsset[]): Promise<OtherwiseKnown[]> {
    return tx.query<OtherwiseKnown[]>(OTHERWISE, valuesOf(assets));
  }

  /** What some instance looks for now, whatever is configured here. */
  watched(on: On): Promise<NetworkAsset[]> {
    return run<NetworkAsset>(on, WATCHED, [FRESH_MS / 1_000]);
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
