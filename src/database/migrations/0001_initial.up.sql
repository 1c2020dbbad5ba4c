-- Text ids sort by time only when they are compared byte by byte, hence COLLATE "C" on every one of them.

-- merchants ---------------------------------------------------------------------------------------

CREATE TABLE merchant (
  id              text COLLATE "C" PRIMARY KEY,
  name            text NOT NULL,
  status          text NOT NULL CHECK (status IN ('pending', 'approved', 'suspended', 'closed')),
  support_contact text,
  tolerance_bps   integer NOT NULL DEFAULT 0 CHECK (tolerance_bps BETWEEN 0 AND 1000),
  spread_bps      integer NOT NULL DEFAULT 0 CHECK (spread_bps BETWEEN 0 AND 1000),
  created_at      timestamptz NOT NULL DEFAULT now()
);

-- auth --------------------------------------------------------------------------------------------

CREATE TABLE api_key (
  id           text COLLATE "C" PRIMARY KEY,
  merchant_id  text COLLATE "C" NOT NULL REFERENCES merchant (id),
  hash         bytea NOT NULL UNIQUE,           -- SHA-256: the key has 155 random bits, a slow hash adds nothing
  prefix       text NOT NULL,                   -- what a list shows: svc_live_7Hq2…x9Fk
  label        text NOT NULL,
  scopes       text[] NOT NULL CHECK (scopes <@ ARRAY['read', 'write'] AND cardinality(scopes) > 0),
  created_at   timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  revoked_at   timestamptz
);
CREATE INDEX api_key_merchant ON api_key (merchant_id);

-- Hits per subject and minute, summed from all instances. Losing it in a crash costs nothing but a fuller minute.
CREATE UNLOGGED TABLE rate_window (
  subject   text NOT NULL,
  starts_at timestamptz NOT NULL,
  hits      bigint NOT NULL,
  PRIMARY KEY (subject, starts_at)
);
CREATE INDEX rate_window_age ON rate_window (starts_at);

-- chains: addresses out, transfers in ---------------------------------------------------------------

-- One row per extended public key. The index counts for the key, whatever networks share it.
CREATE TABLE extended_key (
  id          text COLLATE "C" PRIMARY KEY,
  merchant_id text COLLATE "C" NOT NULL REFERENCES merchant (id),
  family      text NOT NULL,
  xpub        text NOT NULL,
  key_material text NOT NULL UNIQUE,            -- public key + chain code: the same key in another spelling is the same key
  next_index  integer NOT NULL DEFAULT 0 CHECK (next_index BETWEEN 0 AND 2147483647),
  created_at  timestamptz NOT NULL DEFAULT now()
);

-- Which key pays a merchant on a network. Replacing it keeps the old key and its addresses for ever.
CREATE TABLE wallet (
  merchant_id     text COLLATE "C" NOT NULL REFERENCES merchant (id),
  network         text NOT NULL,
  extended_key_id text COLLATE "C" NOT NULL REFERENCES extended_key (id),
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (merchant_id, network)
);

-- Every address that was ever issued, watched for ever. Written in the key's own normal form (EVM: lower case).
CREATE TABLE address (
  family          text NOT NULL,
  address         text NOT NULL,
  extended_key_id text COLLATE "C" NOT NULL REFERENCES extended_key (id),
  derivation_index integer NOT NULL,
  subject         text COLLATE "C" NOT NULL,    -- whom it was issued to (an intent), opaque to the chains
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (family, address),
  UNIQUE (extended_key_id, derivation_index)
);
CREATE INDEX address_subject ON address (subject);

-- Where each watcher stands. Moved only together with the facts of the blocks that it passed.
CREATE TABLE chain_cursor (
  network          text PRIMARY KEY,
  height           bigint NOT NULL,
  hash             text NOT NULL,
  block_time       timestamptz NOT NULL,
  safe_height      bigint NOT NULL DEFAULT -1,
  finalized_height bigint NOT NULL DEFAULT -1,
  node_height      bigint NOT NULL,             -- the node's tip as last seen: the difference is our lag
  synced_at        timestamptz NOT NULL         -- when the cursor last stood at a fresh tip
);

-- The last blocks that were scanned, to walk back to the common ancestor after a reorganisation.
CREATE TABLE chain_block (
  network text NOT NULL,
  height  bigint NOT NULL,
  hash    text NOT NULL,
  PRIMARY KEY (network, height)
);

-- Facts: one row per credited movement, never per transaction.
CREATE TABLE transfer (
  id            text COLLATE "C" PRIMARY KEY,
  network       text NOT NULL,
  txid          text NOT NULL,
  output        text NOT NULL,                  -- 'native', 'log:<position in its transaction>', 'out:<index>'
  asset         text NOT NULL,
  family        text NOT NULL,
  address       text NOT NULL,
  subject       text COLLATE "C" NOT NULL,
  amount_atoms  numeric(78, 0) NOT NULL CHECK (amount_atoms > 0),
  state         text NOT NULL CHECK (state IN ('mempool', 'included', 'orphaned', 'replaced')),
  block_height  bigint,
  block_hash    text,
  block_time    timestamptz,
  first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  missing_since timestamptz,                    -- set while it is neither in a block nor in the mempool; time without a synced node is added to it
  sender        text,                           -- EVM: whose nonce it used up, to see that another transaction took its place
  nonce         bigint,
  final         boolean NOT NULL DEFAULT false, -- deeper than the network's finality: its depth is no longer followed
  UNIQUE (network, txid, output),
  FOREIGN KEY (family, address) REFERENCES address (family, address),
  CHECK ((state = 'included') = (block_height IS NOT NULL AND block_hash IS NOT NULL AND block_time IS NOT NULL)),
  CHECK ((state = 'orphaned') = (missing_since IS NOT NULL))
);
CREATE INDEX transfer_subject ON transfer (subject);
-- What a reorganisation gives up, final or not.
CREATE INDEX transfer_included ON transfer (network, block_height) WHERE state = 'included';
CREATE INDEX transfer_unfinal ON transfer (network, block_height) WHERE NOT final AND state <> 'replaced';

-- Subjects whose facts or depths changed since they were last decided. Written with the facts, removed with the decision.
CREATE TABLE fact_change (
  subject    text COLLATE "C" PRIMARY KEY,
  version    bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint, -- of the latest change: one during a decision must not be removed by it
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- webhooks ----------------------------------------------------------------------------------------

CREATE TABLE webhook_endpoint (
  id                text COLLATE "C" PRIMARY KEY,
  merchant_id       text COLLATE "C" NOT NULL REFERENCES merchant (id),
  url               text NOT NULL,
  secret            text NOT NULL,              -- AES-256-GCM, bound to this row
  previous_secret   text,                       -- signs too until previous_secret_until
  previous_secret_until timestamptz,
  disabled_at       timestamptz,
  disabled_reason   text,
  failures_since    timestamptz,                -- first failure after the last success
  consecutive_failures integer NOT NULL DEFAULT 0,
  created_at        timestamptz NOT NULL DEFAULT now(),
  deleted_at        timestamptz
);
CREATE INDEX webhook_endpoint_merchant ON webhook_endpoint (merchant_id) WHERE deleted_at IS NULL;

-- The outbox. Append-only; the bytes that are signed are rendered once, in the transaction of the transition.
CREATE TABLE event (
  id              text COLLATE "C" PRIMARY KEY,
  merchant_id     text COLLATE "C" NOT NULL REFERENCES merchant (id),
  type            text NOT NULL,
  subject         text COLLATE "C" NOT NULL,
  sequence        integer NOT NULL CHECK (sequence > 0),
  body            text NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  UNIQUE (subject, sequence)
);

CREATE TABLE delivery (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  event_id        text COLLATE "C" NOT NULL REFERENCES event (id),
  endpoint_id     text COLLATE "C" NOT NULL REFERENCES webhook_endpoint (id),
  state           text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'held', 'sending', 'delivered', 'failed')),
  attempts        integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  lease_until     timestamptz,
  lease_token     uuid,                         -- fencing: a result without the current token changes nothing
  created_at      timestamptz NOT NULL DEFAULT now(),
  delivered_at    timestamptz,
  UNIQUE (event_id, endpoint_id),
  CHECK ((state = 'sending') = (lease_token IS NOT NULL AND lease_until IS NOT NULL))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX delivery_due ON delivery (endpoint_id, next_attempt_at) WHERE state = 'pending';
CREATE INDEX delivery_leased ON delivery (lease_until) WHERE state = 'sending';
-- Enabling an endpoint, and strays: without it both would read every delivery that was ever made.
CREATE INDEX delivery_held ON delivery (endpoint_id) WHERE state = 'held';

CREATE TABLE delivery_attempt (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  delivery_id  bigint NOT NULL REFERENCES delivery (id),
  number       integer NOT NULL,
  started_at   timestamptz NOT NULL,
  duration_ms  integer NOT NULL,
  http_status  integer,
  error        text,
  response     text
);
CREATE INDEX delivery_attempt_delivery ON delivery_attempt (delivery_id);

-- intents -----------------------------------------------------------------------------------------

CREATE TABLE intent (
  id              text COLLATE "C" PRIMARY KEY,
  merchant_id     text COLLATE "C" NOT NULL REFERENCES merchant (id),
  status          text NOT NULL,
  amount_minor    bigint NOT NULL CHECK (amount_minor BETWEEN 1 AND 99999999),
  currency        text NOT NULL CHECK (currency IN ('CHF', 'EUR', 'USD')),
  title           text,
  idempotency_key text,
  return_url      text CHECK (char_length(return_url) <= 500),
  quote_id        text COLLATE "C",             -- the quote that the API and the page show
  sequence        integer NOT NULL DEFAULT 1,   -- of its latest event
  created_at      timestamptz NOT NULL DEFAULT now(),
  expires_at      timestamptz NOT NULL,
  completed_at    timestamptz,                  -- when one quote's counting transfers first reached its threshold
  confirmed_at    timestamptz,
  settled_at      timestamptz,
  UNIQUE (merchant_id, idempotency_key),
  CHECK (expires_at = created_at + interval '15 minutes'),
  CHECK (status NOT IN ('confirmed', 'settled') OR confirmed_at IS NOT NULL),
  CHECK ((status = 'settled') = (settled_at IS NOT NULL))
);
CREATE INDEX intent_list ON intent (merchant_id, created_at DESC, id DESC);
CREATE INDEX intent_list_status ON intent (merchant_id, status, created_at DESC, id DESC);
-- What the sweeper and a list look at: open intents whose window may have lapsed.
CREATE INDEX intent_lapsing ON intent (expires_at) WHERE status IN ('initiated', 'pending', 'confirmed');
CREATE INDEX intent_lapsing_merchant ON intent (merchant_id, expires_at) WHERE status IN ('initiated', 'pending', 'confirmed');

-- The state machine's edges (kernel/intent-status.ts); ''  stands for "not there yet".
CREATE TABLE status_edge (
  from_status text NOT NULL,
  to_status   text NOT NULL,
  PRIMARY KEY (from_status, to_status)
);
INSERT INTO status_edge VALUES
  ('', 'initiated'),
  ('initiated', 'pending'), ('initiated', 'expired'), ('initiated', 'cancelled'),
  ('pending', 'confirmed'), ('pending', 'failed'), ('pending', 'expired'), ('pending', 'cancelled'),
  ('confirmed', 'settled'), ('confirmed', 'failed'), ('confirmed', 'expired'),
  ('expired', 'settled');

-- Every edge that an intent walked, in order. The foreign keys are the state machine: an edge must exist, must
-- start where the one before ended, and the intent's status is where its last one ended.
CREATE TABLE transition (
  intent_id     text COLLATE "C" NOT NULL REFERENCES intent (id),
  sequence      integer NOT NULL CHECK (sequence > 0),
  from_status   text NOT NULL,
  to_status     text NOT NULL,
  cause         text NOT NULL,
  event_id      text COLLATE "C" NOT NULL REFERENCES event (id) DEFERRABLE INITIALLY DEFERRED,
  trace_id      text,
  created_at    timestamptz NOT NULL,
  previous_sequence integer GENERATED ALWAYS AS (nullif(sequence - 1, 0)) STORED,
  PRIMARY KEY (intent_id, sequence),
  UNIQUE (intent_id, sequence, to_status),
  FOREIGN KEY (from_status, to_status) REFERENCES status_edge (from_status, to_status),
  FOREIGN KEY (intent_id, previous_sequence, from_status) REFERENCES transition (intent_id, sequence, to_status),
  CHECK ((sequence = 1) = (from_status = ''))
);
ALTER TABLE intent ADD CONSTRAINT intent_stands_where_it_went
  FOREIGN KEY (id, sequence, status) REFERENCES transition (intent_id, sequence, to_status) DEFERRABLE INITIALLY DEFERRED;

-- One choice of an asset: fixed until the intent expires.
CREATE TABLE quote (
  id                 text COLLATE "C" PRIMARY KEY,
  intent_id          text COLLATE "C" NOT NULL REFERENCES intent (id),
  network            text NOT NULL,
  asset              text NOT NULL,
  decimals           integer NOT NULL,
  amount_atoms       numeric(78, 0) NOT NULL CHECK (amount_atoms > 0),
  family             text NOT NULL,
  address            text NOT NULL,             -- as shown to the buyer (EVM: with checksum)
  watched_address    text NOT NULL,             -- as the chains write it
  price              text NOT NULL,             -- of one unit in the intent's currency, before the spread
  rate_sources       jsonb NOT NULL,
  rate_at            timestamptz NOT NULL,
  spread_bps         integer NOT NULL,
  tolerance_bps      integer NOT NULL,
  confirmation_depth text NOT NULL,             -- a number of blocks, 'safe' or 'finalized'
  settlement_depth   text NOT NULL,
  created_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (intent_id, network, asset),
  UNIQUE (family, watched_address),
  FOREIGN KEY (family, watched_address) REFERENCES address (family, address)
);
ALTER TABLE intent ADD FOREIGN KEY (quote_id) REFERENCES quote (id);

-- What a settlement rested on, as it was.
CREATE TABLE settlement (
  intent_id     text COLLATE "C" PRIMARY KEY REFERENCES intent (id),
  quote_id      text COLLATE "C" REFERENCES quote (id),
  network       text NOT NULL,
  asset         text NOT NULL,
  received_atoms numeric(78, 0) NOT NULL,
  excess_atoms  numeric(78, 0) NOT NULL,
  price         text NOT NULL,
  rate_sources  jsonb NOT NULL,
  fiat_minor    bigint NOT NULL,                -- what the received amount was worth at the quote's price
  transfers     jsonb NOT NULL,                 -- [{ id, txid, output, amountAtoms, blockHeight, blockHash }]
  accepted_by   text,                           -- who or which rule, for an accept from the review queue
  accept_reason text,
  created_at    timestamptz NOT NULL DEFAULT now()
);

-- Totals per merchant and status, kept in the transition's transaction so that a list never counts rows.
-- Sixteen shards, because one row per merchant would make its creations wait for each other's commit.
CREATE TABLE intent_count (
  merchant_id text COLLATE "C" NOT NULL REFERENCES merchant (id),
  status      text NOT NULL,
  shard       smallint NOT NULL CHECK (shard BETWEEN 0 AND 15),
  intents     bigint NOT NULL,
  PRIMARY KEY (merchant_id, status, shard)
) WITH (fillfactor = 50);

-- Append-only means that the database refuses anything else.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END $$;
CREATE TRIGGER event_is_append_only BEFORE UPDATE OR DELETE ON event
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER transition_is_append_only BEFORE UPDATE OR DELETE ON transition
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER settlement_is_append_only BEFORE UPDATE OR DELETE ON settlement
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
