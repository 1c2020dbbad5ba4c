import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Family } from '../../../config/config.types.js';
import { run } from '../../../database/statement.js';
import { newId } from '../../../kernel/ids.js';
import type { Conflict, MempoolChanges, Outstanding } from '../bitcoin/conflicts.js';
import type { FoundTransfer } from './ledger.types.js';
import * as sql from './spends.sql.js';

/** A payment to us, and what its transaction spends. */
export interface Spending {
  readonly txid: string;
  readonly spends: readonly string[];
}

/** A movement to one of our addresses that waits for a block. */
export type WaitingTransfer = Omit<FoundTransfer, 'block' | 'sender' | 'nonce'>;

export interface MempoolWrite extends MempoolChanges {
  readonly network: string;
  readonly family: Family;
  readonly transfers: readonly WaitingTransfer[];
  readonly spending: readonly Spending[];
}

export interface BlocksWrite {
  readonly network: string;
  readonly spending: readonly Spending[];
  readonly conflicts: readonly Conflict[];
  /** Up to this height a block has the confirmation depth. */
  readonly confirmedHeight: number;
}

/** What Bitcoin-like watchers write beside the ledger: always in the transaction that moves or holds the cursor. */
@Injectable()
export class SpendsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Transfers that are in no block. */
  outstanding(network: string): Promise<Outstanding[]> {
    return run<Outstanding & Record<string, unknown>>(this.dataSource, sql.OUTSTANDING, [network]);
  }

  async writeBlocks(tx: EntityManager, write: BlocksWrite): Promise<void> {
    const { network, conflicts } = write;
    await noteSpends(tx, network, write.spending);
    if (conflicts.length > 0) {
      await run(tx, sql.NOTE_CONFLICTS, [conflicts.map(({ id }) => id), conflicts.map((c) => c.blockHash)]);
    }
    await run(tx, sql.REPLACE_CONFLICTED, [network, write.confirmedHeight]);
  }

  async writeMempool(tx: EntityManager, write: MempoolWrite): Promise<void> {
    const { network, left, returned, transfers } = write;
    if (left.length + returned.length > 0) await run(tx, sql.MEMPOOL_CHANGED, [left, returned]);
    if (transfers.length === 0) return;
    const column = <T>(read: (transfer: WaitingTransfer) => T): T[] => transfers.map(read);
    await run(tx, sql.WRITE_WAITING, [
      network,
      write.family,
      column(() => newId('tr')),
      column((transfer) => transfer.txid),
      column((transfer) => transfer.output),
      column((transfer) => transfer.asset),
      column((transfer) => transfer.address),
      column((transfer) => transfer.subject),
      column((transfer) => transfer.amountAtoms.toString()),
    ]);
    await noteSpends(tx, network, write.spending);
  }
}

async function noteSpends(tx: EntityManager, network: string, spending: readonly Spending[]): Promise<void> {
  if (spending.length === 0) return;
  const txids = spending.map(({ txid }) => txid);
  await run(tx, sql.NOTE_SPENDS, [network, txids, spending.map(({ spends }) => spends.join(','))]);
  await run(tx, sql.SUPERSEDE, [network, txids]);
}
