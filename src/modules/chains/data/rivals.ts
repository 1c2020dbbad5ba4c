import type { Family } from '../../../config/config.types.js';
import { run } from '../../../database/statement.js';
import { GRACE_MS } from '../chains.types.js';
import { supersede, type RivalPair } from '../domain/inheritance.js';
import { write, type FencedTx } from './fenced.js';
import { toPortion, toStoredPortion, type StoredPortion } from './facts.repository.js';
import * as sql from './rivals.sql.js';

type Row = {
  loser_id: string;
  loser_txid: string;
  loser_atoms: string;
  loser_at: Date;
  loser_seen_at: Date;
  loser_inherited: StoredPortion[];
  bequeaths: boolean;
  winner_id: string | null;
  winner_txid: string;
  winner_atoms: string;
  winner_at: Date;
  winner_seen_at: Date;
  winner_inherited: StoredPortion[];
};

/**
 * Has these transactions, just written, take the place of what cannot be mined beside them.
 * @param addresses where only what the transactions pay to these was written
 */
export async function supersedeBy(
  tx: FencedTx,
  network: string,
  family: Family,
  txids: readonly string[],
  addresses: readonly string[] | null = null,
): Promise<void> {
  const rows = await run<Row>(tx, sql.RIVALS, [network, txids, GRACE_MS[family] / 1_000, addresses]);
  if (rows.length === 0) return;
  const { losers, heirs } = supersede(rows.map(toPair));
  await write(tx, sql.SUPERSEDE, [
    losers.map(({ id }) => id),
    losers.map(({ replacedBy }) => replacedBy),
    heirs.map(({ id }) => id),
    heirs.map(({ inherited }) => JSON.stringify(inherited.map(toStoredPortion))),
  ]);
}

function toPair(row: Row): RivalPair {
  return {
    loser: {
      id: row.loser_id,
      txid: row.loser_txid,
      amountAtoms: BigInt(row.loser_atoms),
      observedAt: row.loser_at,
      firstSeenAt: row.loser_seen_at,
      inherited: row.loser_inherited.map(toPortion),
      bequeaths: row.bequeaths,
    },
    winner:
      row.winner_id === null
        ? null
        : {
            id: row.winner_id,
            txid: row.winner_txid,
            amountAtoms: BigInt(row.winner_atoms),
            observedAt: row.winner_at,
            firstSeenAt: row.winner_seen_at,
            inherited: row.winner_inherited.map(toPortion),
          },
  };
}
