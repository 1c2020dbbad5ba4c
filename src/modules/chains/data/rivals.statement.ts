import type { Family } from '../../../config/config.types.js';
import { run } from '../../../database/statement.js';
import { newId } from '../../../kernel/ids.js';
import { valueAt } from '../../../kernel/lookups.js';
import { GRACE_MS } from '../chains.types.js';
import { type FencedTx, write } from './fenced.statement.js';
import * as sql from './rivals.sql.js';

/** A transfer that cannot be mined beside `txid`, and where it is. */
type Loser = {
  id: string;
  txid: string;
  handsOn: boolean;
  subject: string;
  address: string;
  asset: string;
};

/**
 * Has these transactions, just written, take the place of what cannot be mined beside them. A loser hands its time on to
 * one of them only, to all that this one pays there. How much of it counts is judged from all that is known by then
 * (`intents/domain/observed`): a loser may come back.
 * @param addresses where only what the transactions pay to these was written
 */
export async function supersedeBy(
  tx: FencedTx,
  network: string,
  family: Family,
  txids: readonly string[],
  addresses: readonly string[] | null = null,
): Promise<void> {
  const losers = await run<Loser>(tx, sql.RIVALS, [network, txids, GRACE_MS[family] / 1_000, addresses]);
  if (losers.length === 0) return;
  const replacements = replacementsOf(losers.filter((loser) => loser.handsOn));
  const brought = [...replacements.values()];
  if (brought.length > 0) {
    const places = (['txid', 'subject', 'address', 'asset'] as const).map((field) =>
      brought.map(({ loser }) => loser[field]),
    );
    await write(tx, sql.INHERIT, [network, brought.map(({ id }) => id), ...places]);
  }
  await write(tx, sql.SUPERSEDE, [
    losers.map(({ id }) => id),
    losers.map(({ txid }) => txid),
    losers.map((loser) => (loser.handsOn ? valueAt(replacements, placeOf(loser)).id : null)),
  ]);
}

/** One for each transaction and place, with any of its losers. */
function replacementsOf(losers: readonly Loser[]): ReadonlyMap<string, { id: string; loser: Loser }> {
  const byPlace = new Map(losers.map((loser) => [placeOf(loser), loser]));
  return new Map([...byPlace].map(([place, loser]) => [place, { id: newId('rpl'), loser }]));
}

function placeOf({ txid, subject, address, asset }: Loser): string {
  return JSON.stringify([txid, subject, address, asset]);
}
