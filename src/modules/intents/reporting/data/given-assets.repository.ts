import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { NetworkAsset } from '../../../chains/chains.types.js';

/** From one pair to the next in the index: as many steps as there are pairs, however many quotes there are. */
const GIVEN = `
  WITH RECURSIVE given AS (
    (SELECT network, asset FROM quote ORDER BY network, asset LIMIT 1)
    UNION ALL
    SELECT n.network, n.asset FROM given g, LATERAL (
      SELECT q.network, q.asset FROM quote q WHERE (q.network, q.asset) > (g.network, g.asset)
       ORDER BY q.network, q.asset LIMIT 1) AS n
  )
  SELECT network, asset FROM given`;

const ADDRESSES = `
  SELECT w.network, w.asset,
         (SELECT count(*)::int FROM quote q WHERE q.network = w.network AND q.asset = w.asset) AS addresses
    FROM unnest($1::text[], $2::text[]) AS w (network, asset)`;

/** What buyers were ever given addresses for. */
@Injectable()
export class GivenAssetsRepository {
  constructor(private readonly dataSource: DataSource) {}

  all(): Promise<NetworkAsset[]> {
    return this.dataSource.query(GIVEN);
  }

  /** Each with how many addresses were given out for it: each quote has one of its own. Reads all of their quotes. */
  addressesOf(assets: readonly NetworkAsset[]): Promise<(NetworkAsset & { readonly addresses: number })[]> {
    const values = [assets.map(({ network }) => network), assets.map(({ asset }) => asset)];
    return this.dataSource.query(ADDRESSES, values);
  }
}
