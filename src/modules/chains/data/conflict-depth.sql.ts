/**
 * Up to which height a block decides that the transfer `t` can never come, where it holds what excludes it: it has the
 * confirmation depth of the quote whose money that is, as its merchant chose it. Less would fail a payment for good by
 * blocks on which that merchant would not confirm one.
 * @param byDefault SQL, a depth as text: the network's, for an address without a quote
 */
export const decidesUpTo = (byDefault: string) => `(
       SELECT CASE d.depth WHEN 'safe' THEN c.safe_height WHEN 'finalized' THEN c.finalized_height
                           ELSE c.height - d.depth::bigint + 1 END
         FROM chain_cursor c, (SELECT coalesce((
                SELECT q.confirmation_depth FROM quote q
                 WHERE q.family = t.family AND q.watched_address = t.address), ${byDefault}) AS depth) d
        WHERE c.network = t.network)`;
