import type { Family } from '../../../config/config.types.js';
import { run } from '../../../database/statement.js';
import { newId } from '../../../kernel/ids.js';
import { inPieces, valueAt } from '../../../kernel/lookups.js';
import { GRACE_MS } from '../chains.types.js';
import { type FencedTx, MOST_GIVEN, writeInPieces } from './fenced.statement.js';
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

/** In the order in which `INHERIT` is given them. */
const PLACE = ['txid', 'subject', 'address', 'asset'] as const;

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
  for (const some of inPieces([...new Set(txids)], MOST_GIVEN)) {
    const values = [network, some, GRACE_MS[family] / 1_000, addresses];
    await supersede(tx, network, await run<Loser>(tx, sql.RIVALS, values));
  }
}

async function supersede(tx: FencedTx, network: string, losers: readonly Loser[]): Promise<void> {
  const replacements = replacementsOf(losers.filter((loser) => loser.handsOn));
  const brought = [...replacements.values()];
  await writeInPieces(tx, sql.INHERIT, brought, (some) => [
    network,
    some.map(({ id }) => id),
    ...PLACE.map((field) => some.map(({ loser }) => loser[field])),
  ]);
  await writeInPieces(tx, sql.SUPERSEDE, losers, (some) => [
    some.map(({ id }) => id),
    some.map(({ txid }) => txid),
    some.map((loser) => (loser.handsOn ? valueAt(replacements, placeOf(loser)).id : null)),
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
