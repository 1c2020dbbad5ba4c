-- When a transfer was observed, as every decision understands it: the one place that says so.
-- EVM: the block's time, which consensus keeps honest, and never later than we saw it. Bitcoin-like: our own first
-- sight, because a header's time is the miner's word; only for a time in which we could not see the mempool the header
-- counts, and only within that time: after our last complete look, and before our first sight.
CREATE FUNCTION observed_time(family text, seen_at timestamptz, block_time timestamptz, blind_since timestamptz)
RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN family = 'evm' THEN least(seen_at, block_time)
    WHEN block_time IS NULL OR blind_since IS NULL THEN seen_at
    ELSE least(greatest(block_time, blind_since), seen_at)
  END
$$;

ALTER TABLE transfer
  ADD COLUMN observed_at timestamptz,
  ADD COLUMN blind_since timestamptz,            -- our last complete look before the first sight, where that was too long ago: we were blind in between
  ADD COLUMN inherited   jsonb NOT NULL DEFAULT '[]'
    CHECK (jsonb_typeof(inherited) = 'array'),   -- [{ atoms, at }]: so much of it takes the place of money that had been seen by then
  ADD COLUMN replaced_by text,                   -- the transaction that was seen to spend the same coin, or to use the same nonce
  ADD COLUMN superseded  boolean NOT NULL DEFAULT false, -- that one pays the same address, and is credited instead
  ADD COLUMN own         boolean NOT NULL DEFAULT false, -- from an address of the same merchant: its own movement, no payment
  ADD CHECK (NOT superseded OR replaced_by IS NOT NULL),
  ADD CHECK (NOT superseded OR state IN ('orphaned', 'replaced'));

-- As it was understood until now.
UPDATE transfer SET observed_at = least(first_seen_at, block_time);
ALTER TABLE transfer ALTER COLUMN observed_at SET NOT NULL;

-- Written with the fact and only ever moved to an earlier time: a reorganisation makes nobody late, and on Bitcoin-like
-- networks a later block says nothing about a transfer that was seen before.
CREATE FUNCTION keep_observed_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.observed_at := observed_time(NEW.family, NEW.first_seen_at, NEW.block_time, NEW.blind_since);
  ELSIF NEW.family = 'evm' THEN
    NEW.observed_at := least(NEW.observed_at, NEW.first_seen_at, NEW.block_time);
  ELSE
    NEW.observed_at := least(NEW.observed_at, NEW.first_seen_at);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER transfer_observed_time BEFORE INSERT OR UPDATE OF first_seen_at, block_time, observed_at ON transfer
  FOR EACH ROW EXECUTE FUNCTION keep_observed_time();

-- Addresses that a merchant says are its own, beside those that were issued for it: what they send is no payment to it.
CREATE TABLE own_address (
  family      text NOT NULL,
  address     text NOT NULL,                    -- as the chains write it
  merchant_id text COLLATE "C" NOT NULL REFERENCES merchant (id),
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (merchant_id, family, address)
);

-- Sums of amounts of up to 2^256 have more digits than any of these, and their worth may have any number.
ALTER TABLE settlement
  ALTER COLUMN received_atoms TYPE numeric,
  ALTER COLUMN excess_atoms TYPE numeric,
  ALTER COLUMN fiat_minor TYPE numeric;

ALTER TABLE review_entry DROP CONSTRAINT review_entry_reason_check;
ALTER TABLE review_entry ADD CONSTRAINT review_entry_reason_check
  CHECK (reason IN ('in-time-seen-late', 'underpaid', 'late', 'other-asset', 'after-cancellation', 'after-failure',
                    'after-settlement', 'other-quote'));
