import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { getAddress } from 'viem';
import { rowReader, type Stored } from '../../../../database/columns.js';
import { run, statement } from '../../../../database/statement.js';
import { hexOf } from '../../../../kernel/text/hex.js';
import type { Collected, Holding, KeyHolding } from '../holdings.types.js';

/**
 * What came to a merchant's deposit addresses without keys and what they paid out, by network, asset and address. Money
 * is where the chain put it: a quote's own network and asset have no say.
 */
const HOLDINGS = statement(
  'chains-holdings',
  `WITH deposit AS (
     SELECT a.address, a.subject, a.salt, d.address AS destination, d.factory
       FROM destination d JOIN address a ON a.destination_id = d.id WHERE d.merchant_id = $1
   ), moved AS (
     SELECT t.network, t.asset, t.address, t.amount_atoms AS received, 0 AS paid_out, t.block_height
       FROM deposit p JOIN transfer t ON t.subject = p.subject AND t.address = p.address
      WHERE t.state = 'included' AND t.network = ANY ($2)
      UNION ALL
     SELECT c.network, c.asset, c.address, 0, c.amount_atoms, c.block_height
       FROM deposit p JOIN collection c ON c.address = p.address WHERE c.network = ANY ($2)
   ), sums AS (
     SELECT m.network, m.asset, m.address, sum(m.received) - sum(m.paid_out) AS held, sum(m.paid_out) AS collected,
            coalesce(sum(m.received) FILTER (WHERE m.block_height <= k.finalized_height), 0) - sum(m.paid_out) AS final,
            coalesce(sum(m.paid_out) FILTER (WHERE m.block_height <= k.finalized_height), 0) AS final_collected
       FROM moved m JOIN chain_cursor k ON k.network = m.network GROUP BY m.network, m.asset, m.address
   )
   SELECT s.network, s.asset, p.address, p.subject, p.salt, p.destination, p.factory,
          greatest(s.held, 0) AS "heldAtoms", least(greatest(s.final, 0), greatest(s.held, 0)) AS "finalAtoms",
          s.collected AS "collectedAtoms", s.final_collected AS "finalCollectedAtoms",
          EXISTS (SELECT FROM collection c WHERE c.network = s.network AND c.address = s.address) AS "isDeployed"
     FROM sums s JOIN deposit p ON p.address = s.address
    WHERE NOT $3 OR s.held > 0 ORDER BY s.network, s.asset, p.destination, p.address`,
);

const KEY_HOLDINGS = statement(
  'chains-key-holdings',
  `SELECT t.network, t.asset, sum(t.amount_atoms) AS "receivedAtoms", count(DISTINCT t.address)::int AS addresses
     FROM extended_key k JOIN address a ON a.extended_key_id = k.id
     JOIN transfer t ON t.subject = a.subject AND t.address = a.address
    WHERE k.merchant_id = $1 AND t.state = 'included' AND t.network = ANY ($2)
    GROUP BY t.network, t.asset ORDER BY t.network, t.asset`,
);

/** By transaction, the latest first. */
const COLLECTED = statement(
  'chains-collected',
  `SELECT c.network, c.asset, c.txid, sum(c.amount_atoms) AS atoms, count(DISTINCT c.address)::int AS addresses,
          max(c.block_time) AS at, max(c.block_height) <= k.finalized_height AS "isFinal"
     FROM destination d JOIN address a ON a.destination_id = d.id
     JOIN collection c ON c.address = a.address JOIN chain_cursor k ON k.network = c.network
    WHERE d.merchant_id = $1 AND c.network = ANY ($2) AND ($4::text IS NULL OR c.txid = $4)
    GROUP BY c.network, c.asset, c.txid, k.finalized_height ORDER BY at DESC, c.txid, c.asset LIMIT $3`,
);

const toHolding = rowReader<Holding>({
  heldAtoms: true,
  finalAtoms: true,
  collectedAtoms: true,
  finalCollectedAtoms: true,
});
const toKeyHolding = rowReader<KeyHolding>({ receivedAtoms: true });
const toCollected = rowReader<Collected>({ atoms: true });

/** As the chains write addresses. */
type HoldingRow = Omit<Stored<Holding>, 'address' | 'salt' | 'destination' | 'factory'> &
  Record<'address' | 'salt' | 'destination' | 'factory', string>;

/** What lies where, and what was collected from there: from recorded facts alone. */
@Injectable()
export class HoldingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async holdings(merchantId: string, networks: readonly string[], onlyHeld: boolean): Promise<Holding[]> {
    const rows = await run<HoldingRow>(this.dataSource, HOLDINGS, [merchantId, networks, onlyHeld]);
    return rows.map(({ address, salt, destination, factory, ...row }) =>
      toHolding({
        ...row,
        address: getAddress(address),
        salt: hexOf(salt),
        destination: getAddress(destination),
        factory: getAddress(factory),
      }),
    );
  }

  /** Where a merchant's money goes, by the factory through which it goes there. */
  async destinations(merchantId: string): Promise<Pick<Holding, 'destination' | 'factory'>[]> {
    const rows = await this.dataSource.query<{ address: string; factory: string }[]>(
      'SELECT address, factory FROM destination WHERE merchant_id = $1 ORDER BY created_at, id',
      [merchantId],
    );
    return rows.map(({ address, factory }) => ({
      destination: getAddress(address),
      factory: getAddress(factory),
    }));
  }

  async ofKeys(merchantId: string, networks: readonly string[]): Promise<KeyHolding[]> {
    const values = [merchantId, networks];
    return (await run<Stored<KeyHolding>>(this.dataSource, KEY_HOLDINGS, values)).map(toKeyHolding);
  }

  /** @param txid only of this transaction */
  async collected(
    merchantId: string,
    networks: readonly string[],
    most: number,
    txid: string | null = null,
  ): Promise<Collected[]> {
    const values = [merchantId, networks, most, txid];
    return (await run<Stored<Collected>>(this.dataSource, COLLECTED, values)).map(toCollected);
  }
}
