-- The comparison of the ledger with the chain: how far it has come, and what is not the same.

-- Where a key begins in its wallet: what is before it belongs to the wallet's owner, whatever arrives there.
ALTER TABLE extended_key ADD COLUMN first_index integer NOT NULL DEFAULT 0;
UPDATE extended_key k
   SET first_index = coalesce((SELECT min(derivation_index) FROM address WHERE extended_key_id = k.id), next_index);

CREATE TABLE reconciliation (
  network            text PRIMARY KEY,
  term               uuid,                     -- fencing: whoever lost the lease writes no progress
  leased_until       timestamptz NOT NULL DEFAULT 'epoch',
  position           jsonb,                    -- where the round under way goes on; NULL between two rounds
  round_started_at   timestamptz,
  compared           bigint NOT NULL DEFAULT 0, -- addresses, in the round under way
  incomparable       bigint NOT NULL DEFAULT 0, -- of these, what the node could not tell
  requests           bigint NOT NULL DEFAULT 0,
  finished_at        timestamptz,              -- of the last whole round, as the three that follow
  last_duration_s    double precision,
  last_compared      bigint,
  last_incomparable  bigint,
  recent_at          timestamptz               -- when the newest addresses were last compared
);

-- One row for each address, asset and block while the two do not say the same.
CREATE TABLE chain_difference (
  network        text NOT NULL,
  address        text NOT NULL,
  asset          text NOT NULL,
  kind           text NOT NULL CHECK (kind IN ('unrecorded', 'unexplained', 'missing', 'unissued')),
  chain_atoms    numeric(78, 0) NOT NULL,
  recorded_atoms numeric(78, 0) NOT NULL,
  height         bigint NOT NULL,              -- the block of the movement, or the one at which balances were compared
  txids          text[] NOT NULL,
  key_id         text COLLATE "C",             -- 'unissued': whose address it is, and which
  key_index      integer,
  found_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (network, address, asset, kind, height),
  CHECK ((kind = 'unissued') = (key_id IS NOT NULL AND key_index IS NOT NULL))
);
CREATE INDEX chain_difference_height ON chain_difference (network, height);

-- In the order of issue, in which a round goes through them.
CREATE INDEX address_issued ON address (family, created_at, address);
