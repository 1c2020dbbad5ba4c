-- What a transfer took the place of, instead of the times that it inherited from there: how much of it counts since when
-- is judged from all that is known by then, because what was replaced may come back and count by itself again.
ALTER TABLE transfer ADD COLUMN in_place_of text[] NOT NULL DEFAULT '{}'; -- ids of transfers that were credited until then

-- Of what was inherited until now nobody wrote down from whom. Where one transfer alone can have left it, it did; anything
-- else counts from its own sight, and a person decides.
UPDATE transfer t SET in_place_of = ARRAY[l.ids[1]]
  FROM (SELECT w.id, array_agg(l.id) AS ids
          FROM transfer w JOIN transfer l
            ON l.network = w.network AND l.subject = w.subject AND l.address = w.address AND l.asset = w.asset
               AND l.superseded AND l.replaced_by = w.txid AND l.id <> w.id
         WHERE w.inherited <> '[]' AND NOT l.own AND NOT l.before_issue
         GROUP BY w.id HAVING count(*) = 1) l
 WHERE t.id = l.id;

ALTER TABLE transfer DROP COLUMN inherited;
