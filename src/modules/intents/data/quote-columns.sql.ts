import type { Depth, DepthTiers } from '../../../config/config.types.js';
import { entryAt } from '../../../kernel/lookups.js';
import type { Quote } from '../domain/model.js';

/** The columns of a quote for statements that do not go through TypeORM, in the shape of `QuoteRow`. */
export const QUOTE_COLUMNS = `
  q.id, q.intent_id AS "intentId", q.network, q.asset, q.decimals, q.amount_atoms AS "amountAtoms", q.family, q.address,
  q.watched_address AS "watchedAddress", q.price, q.rate_sources AS "rateSources", q.rate_at AS "rateAt",
  q.spread_bps AS "spreadBps", q.tolerance_bps AS "toleranceBps", q.confirmation_depth AS "confirmationDepth",
  q.settlement_depth AS "settlementDepth", q.settlement_depths AS "settlementDepths", q.created_at AS "createdAt"`;

/** As `pg` gives it: a numeric and a depth come as text. */
export interface QuoteRow extends Omit<
  Quote,
  'amountAtoms' | 'confirmationDepth' | 'settlementDepth' | 'settlementDepths'
> {
  readonly amountAtoms: string;
  readonly confirmationDepth: string;
  readonly settlementDepth: string;
  readonly settlementDepths: readonly string[] | null;
}

export function toQuote(row: QuoteRow): Quote {
  return {
    ...row,
    amountAtoms: BigInt(row.amountAtoms),
    confirmationDepth: toDepth(row.confirmationDepth),
    settlementDepth: toDepth(row.settlementDepth),
    settlementDepths: toDepths(row.settlementDepths),
  };
}

/** A depth is a number of blocks or a tag; one text column holds both. */
export function toDepth(text: string): Depth {
  return text === 'safe' || text === 'finalized' ? text : Number(text);
}

export function toDepths(texts: readonly string[] | null): DepthTiers | null {
  if (!texts) return null;
  const depth = (tier: number) => toDepth(entryAt(texts, tier));
  return [depth(0), depth(1), depth(2), depth(3)];
}
