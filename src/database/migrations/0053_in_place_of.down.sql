ALTER TABLE transfer ADD COLUMN inherited jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(inherited) = 'array');

-- What one alone took the place of; anything else counts from its own sight, and a person decides.
UPDATE transfer t
   SET inherited = jsonb_build_array(jsonb_build_object('atoms', least(t.amount_atoms, l.amount_atoms)::text,
                                                        'at', l.observed_at, 'seenAt', l.first_seen_at))
  FROM transfer l
 WHERE cardinality(t.in_place_of) = 1 AND l.subject = t.subject AND t.in_place_of[1] = ANY (l.handed_on)
   AND l.in_place_of = '{}' AND l.superseded AND l.replaced_by = t.txid AND l.observed_at < t.observed_at
   AND NOT EXISTS (SELECT FROM transfer o WHERE o.subject = t.subject AND t.in_place_of[1] = ANY (o.handed_on) AND o.id <> l.id);

ALTER TABLE transfer DROP COLUMN in_place_of, DROP COLUMN handed_on;
