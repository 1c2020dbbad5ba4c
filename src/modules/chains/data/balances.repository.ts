import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Family } from '../../../config/config.types.js';
import { run } from '../../../database/statement.js';
import * as sql from './balances.sql.js';
import type { FoundTransfer } from './ledger.types.js';

/** An address whose balance is compared, as of the cursor. */
export interface WatchedBalance {
  readonly address: string;
  readonly subject: string;
  /** The sum of the transfers that stand in blocks. */
  readonly knownAtoms: bigint;
  /** What else its balance consists of, negative once its owner has spent; `null` before the first look. */
  readonly unexplainedAtoms: bigint | null;
}

/** From a height on, so much of an address' balance is explained by no transfer. */
export interface Baseline {
  readonly address: string;
  readonly height: number;
  readonly unexplainedAtoms: bigint;
}

/** What the EVM watcher writes beside the ledger, in the transaction that moves the cursor. */
@Injectable()
export class BalancesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The newest first; as many queries for ten addresses as for ten thousand. */
  async watched(network: string, family: Family, asset: string, most: number): Promise<WatchedBalance[]> {
    type Row = { address: string; subject: string; unexplained_atoms: string | null; known_atoms: string };
    const values = [network, family, asset, most];
    const rows = await run<Row>(this.dataSource, sql.WATCHED_BALANCES, values);
    return rows.map((row) => ({
      address: row.address,
      subject: row.subject,
      knownAtoms: BigInt(row.known_atoms),
      unexplainedAtoms: row.unexplained_atoms === null ? null : BigInt(row.unexplained_atoms),
    }));
  }

  /** @param found what balances told of the blocks, already written as transfers */
  async write(
    tx: EntityManager,
    network: string,
    found: readonly FoundTransfer[],
    baselines: readonly Baseline[],
  ): Promise<void> {
    if (baselines.length > 0) {
      await run(tx, sql.WRITE_BASELINES, [
        network,
        baselines.map(({ address }) => address),
        baselines.map(({ height }) => height),
        baselines.map(({ unexplainedAtoms }) => unexplainedAtoms.toString()),
      ]);
    }
    if (found.length > 0) {
      await run(tx, sql.SUPERSEDE_BALANCES, [
        network,
        found.map(({ txid }) => txid),
        found.map(({ output }) => output),
        found.map(({ address }) => address),
      ]);
    }
  }
}
