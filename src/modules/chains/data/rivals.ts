import type { Family } from '../../../config/config.types.js';
import { run } from '../../../database/statement.js';
import { GRACE_MS } from '../chains.types.js';
import { supersede } from '../domain/inheritance.js';
import { write, type FencedTx } from './fenced.js';
import * as sql from './rivals.sql.js';

type Row = {
  loser_id: string;
  bequeaths: boolean;
  /** `null` where the transaction is back without paying this any more. */
  winner_id: string | null;
  winner_txid: string;
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
  const { losers, heirs } = supersede(
    rows.map((row) => ({
      loserId: row.loser_id,
      bequeaths: row.bequeaths,
      winnerId: row.winner_id,
      winnerTxid: row.winner_txid,
    })),
  );
  if (heirs.length > 0) {
    await write(tx, sql.INHERIT, [heirs.map(({ id }) => id), heirs.map(({ loserId }) => loserId)]);
  }
  await write(tx, sql.SUPERSEDE, [losers.map(({ id }) => id), losers.map(({ replacedBy }) => replacedBy)]);
}
