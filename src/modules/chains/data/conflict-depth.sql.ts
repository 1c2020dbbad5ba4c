/**
 * Up to which height a block decides that the transfer `t` can never come, where it holds what excludes it: it has the
 * confirmation depth that its merchant had chosen when the address was issued. Less would fail a payment for good by
 * blocks on which that merchant would not confirm one.
 * @param byDefault SQL, a depth as text: the network's, for an address that knows none
 */
export const decidesUpTo = (byDefault: string) => `(
       SELECT CASE d.depth WHEN 'safe' THEN c.safe_height WHEN 'finalized' THEN c.finalized_height
                           ELSE c.height - d.depth::bigint + 1 END
         FROM chain_cursor c, (SELECT coalesce((
                SELECT a.confirmation_depth FROM address a
                 WHERE a.family = t.family AND a.address = t.address), ${byDefault}) AS depth) d
        WHERE c.network = t.network)`;
