import type { EntityManager } from 'typeorm';
import { run, statement } from '../../../../database/statement.js';
import type { Intent, Quote } from '../../domain/model.js';

/** The row that fixes address, rate, amount, tolerance and depths, and the intent that shows it from now on. */
const QUOTE = statement(
  'intents-quote',
  `WITH quoted AS (
     INSERT INTO quote (id, intent_id, network, asset, decimals, amount_atoms, family, address, watched_address, price,
                        rate_sources, rate_at, spread_bps, tolerance_bps, confirmation_depth, settlement_depth,
                        settlement_depths)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
     RETURNING id, intent_id
   )
   UPDATE intent i SET quote_id = q.id FROM quoted q WHERE i.id = q.intent_id`,
);

/** One that was made before. */
const SHOW_QUOTE = statement('intents-show-quote', 'UPDATE intent SET quote_id = $2 WHERE id = $1');

/** Completed, or not any more, by the quote that was paid: no transition. */
const COMPLETE = statement(
  'intents-complete',
  'UPDATE intent SET quote_id = $2, completed_at = $3 WHERE id = $1',
);

/** All that is fixed by a pick. */
export type NewQuote = Omit<Quote, 'createdAt'>;

/** Under the intent's lock, as the other two. */
export async function writeQuote(tx: EntityManager, quote: NewQuote): Promise<void> {
  await run(tx, QUOTE, [
    quote.id,
    quote.intentId,
    quote.network,
    quote.asset,
    quote.decimals,
    quote.amountAtoms.toString(),
    quote.family,
    quote.address,
    quote.watchedAddress,
    quote.price,
    JSON.stringify(quote.rateSources),
    quote.rateAt,
    quote.spreadBps,
    quote.toleranceBps,
    String(quote.confirmationDepth),
    String(quote.settlementDepth),
    quote.settlementDepths?.map(String) ?? null,
  ]);
}

export async function showQuote(tx: EntityManager, intentId: string, quoteId: string): Promise<void> {
  await run(tx, SHOW_QUOTE, [intentId, quoteId]);
}

export async function complete(
  tx: EntityManager,
  { id, quoteId, completedAt }: Pick<Intent, 'id' | 'quoteId' | 'completedAt'>,
): Promise<void> {
  await run(tx, COMPLETE, [id, quoteId, completedAt]);
}
