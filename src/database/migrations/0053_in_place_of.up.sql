-- What took the place of what, instead of the times that were inherited from there: how much of a transfer counts since
-- when is judged from all that is known by then, because what was replaced may come back and count by itself again.
-- A replacement has one id, at the transfers that it left and at those that it brought: not one for each pair of them.
ALTER TABLE transfer
  ADD COLUMN handed_on   text[] NOT NULL DEFAULT '{}', -- replacements in which it was credited until then
  ADD COLUMN in_place_of text[] NOT NULL DEFAULT '{}'; -- replacements in which it came

-- Of what was inherited until now nobody wrote down from whom. Where one transfer alone can have left it, it did; anything
-- else counts from its own sight, and a person decides.
WITH left_by_one AS (
  SELECT w.id, min(l.id) AS loser_id
    FROM transfer w JOIN transfer l
      ON l.network = w.network AND l.subject = w.subject AND l.address = w.address AND l.asset = w.asset
         AND l.superseded AND l.replaced_by = w.txid AND l.id <> w.id
   WHERE w.inherited <> '[]' AND NOT l.own AND NOT l.before_issue
   GROUP BY w.id HAVING count(*) = 1
), came AS (
  UPDATE transfer t SET in_place_of = ARRAY['rpl_' || f.id] FROM left_by_one f WHERE t.id = f.id
)
UPDATE transfer t SET handed_on = f.ids
  FROM (SELECT loser_id, array_agg('rpl_' || id ORDER BY id) AS ids FROM left_by_one GROUP BY loser_id) f
 WHERE t.id = f.loser_id;

ALTER TABLE transfer DROP COLUMN inherited;
