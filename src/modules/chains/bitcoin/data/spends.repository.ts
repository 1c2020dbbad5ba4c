import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Family } from '../../../../config/config.types.js';
import { run } from '../../../../database/statement.js';
import { type FencedTx, write as writeIn, writeInPieces } from '../../data/fenced.statement.js';
import type { Sight } from '../../data/ledger.types.js';
import { arraysOf, WAITING, type WaitingTransfer } from '../../data/movement-columns.sql.js';
import { supersedeBy } from '../../data/rivals.statement.js';
import type { Conflict, Displaced, MempoolChanges, Outstanding } from '../conflicts.js';
import * as sql from './spends.sql.js';

/** A payment to us, and what its transaction spends. */
export interface Spending {
  readonly txid: string;
  readonly spends: readonly string[];
}

export interface MempoolWrite extends MempoolChanges {
  readonly network: string;
  readonly family: Family;
  readonly transfers: readonly WaitingTransfer[];
  readonly spending: readonly Spending[];
  readonly displaced: readonly Displaced[];
}

export interface BlocksWrite {
  readonly network: string;
  readonly family: Family;
  readonly spending: readonly Spending[];
  readonly conflicts: readonly Conflict[];
  /** The network's, where no quote says otherwise. */
  readonly confirmationDepth: number;
}

/** What Bitcoin-like watchers write beside the ledger: always in the transaction that moves or holds the cursor. */
@Injectable()
export class SpendsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Transfers that are in no block. */
  outstanding(network: string): Promise<Outstanding[]> {
    return run<Outstanding & Record<string, unknown>>(this.dataSource, sql.OUTSTANDING, [network]);
  }

  async writeBlocks(tx: FencedTx, write: BlocksWrite): Promise<void> {
    const { network, family, conflicts } = write;
    await noteSpends(tx, network, family, write.spending);
    await writeInPieces(tx, sql.NOTE_CONFLICTS, conflicts, (some) => [
      some.map(({ id }) => id),
      some.map(({ blockHash }) => blockHash),
      some.map(({ txid }) => txid),
    ]);
    await writeIn(tx, sql.REPLACE_CONFLICTED, [network, write.confirmationDepth]);
  }

  async writeMempool(tx: FencedTx, write: MempoolWrite, { blindSince }: Sight): Promise<void> {
    const { network, family, left, returned, transfers, displaced } = write;
    await writeInPieces(tx, sql.MEMPOOL_CHANGED, left, (some) => [some, []]);
    await writeInPieces(tx, sql.MEMPOOL_CHANGED, returned, (some) => [[], some]);
    if (transfers.length > 0) {
      await writeInPieces(tx, sql.WRITE_WAITING, transfers, (some) => [
        network,
        family,
        blindSince,
        ...arraysOf(WAITING, some),
      ]);
      await noteSpends(tx, network, family, write.spending);
    }
    // After the heirs have inherited: what was displaced hands nothing on to whatever comes later.
    await writeInPieces(tx, sql.NOTE_DISPLACED, displaced, (some) => [
      some.map(({ id }) => id),
      some.map(({ txid }) => txid),
    ]);
  }
}

async function noteSpends(
  tx: FencedTx,
  network: string,
  family: Family,
  spending: readonly Spending[],
): Promise<void> {
  if (spending.length === 0) return;
  const txids = spending.map(({ txid }) => txid);
  await writeInPieces(tx, sql.NOTE_SPENDS, spending, (some) => [
    network,
    some.map(({ txid }) => txid),
    some.map(({ spends }) => spends.join(',')),
  ]);
  await supersedeBy(tx, network, family, txids);
}
