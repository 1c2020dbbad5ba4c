import { createHash } from 'node:crypto';

/** So many ids a form sends: it has a limit, and whoever sends dust to a payment makes as many transfers as they like. */
const MOST_SENT = 100;

/**
 * What a form sends of the transfers that its person sees: their ids. Of many, in the order of the entry, how many they are
 * and what only these add up to: what comes later comes behind them.
 */
export function seenFields(ids: readonly string[]): readonly string[] {
  return ids.length > MOST_SENT ? [`${ids.length} ${sumOf(ids)}`] : ids;
}

/** @param present ids as they stand now. @returns those that were seen; none where they do not begin the list any more */
export function seenIds(fields: readonly string[], present: readonly string[]): readonly string[] {
  const [, count, sum] = /^(\d+) ([0-9a-f]{64})$/.exec(fields.join()) ?? [];
  if (count === undefined) return fields;
  const ids = present.slice(0, Number(count));
  return sumOf(ids) === sum ? ids : [];
}

function sumOf(ids: readonly string[]): string {
  return createHash('sha256').update(ids.join()).digest('hex');
}
