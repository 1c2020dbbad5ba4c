-- People, what they may do, and how they prove who they are.

CREATE TABLE person (
  id            text COLLATE "C" PRIMARY KEY,
  email         text NOT NULL UNIQUE CHECK (email = lower(email)),
  password_hash text,                           -- argon2id; null until the invitation was taken
  is_operator   boolean NOT NULL DEFAULT false, -- runs the instance; says nothing about merchants
  totp_secret   text,                           -- AES-256-GCM, bound to this row
  totp_enabled_at timestamptz,                  -- null while the secret awaits its first code
  totp_last_step bigint NOT NULL DEFAULT 0,     -- codes up to this step are spent
  created_at    timestamptz NOT NULL DEFAULT now(),
  CHECK (totp_enabled_at IS NULL OR totp_secret IS NOT NULL)
);

CREATE TABLE membership (
  person_id   text COLLATE "C" NOT NULL REFERENCES person (id),
  merchant_id text COLLATE "C" NOT NULL REFERENCES merchant (id),
  role        text NOT NULL CHECK (role IN ('owner', 'developer', 'reviewer', 'read-only')),
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (person_id, merchant_id)
);
CREATE INDEX membership_merchant ON membership (merchant_id);

CREATE TABLE session (
  id           text COLLATE "C" PRIMARY KEY,    -- names it in lists; the cookie holds something else
  token_hash   bytea NOT NULL UNIQUE,           -- SHA-256 of 256 random bits
  person_id    text COLLATE "C" NOT NULL REFERENCES person (id),
  stage        text NOT NULL CHECK (stage IN ('second-factor', 'full')),
  merchant_id  text COLLATE "C" REFERENCES merchant (id), -- the one that is looked at, of several
  address      text NOT NULL,
  user_agent   text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(), -- exact to a minute
  proven_at    timestamptz NOT NULL DEFAULT clock_timestamp()  -- when the person last proved who they are
);
CREATE INDEX session_person ON session (person_id);

CREATE TABLE recovery_code (
  person_id text COLLATE "C" NOT NULL REFERENCES person (id),
  hash      bytea NOT NULL,
  used_at   timestamptz,
  PRIMARY KEY (person_id, hash)
);

CREATE TABLE passkey (
  id            text COLLATE "C" PRIMARY KEY,
  credential_id text NOT NULL UNIQUE,           -- base64url, chosen by the authenticator
  person_id     text COLLATE "C" NOT NULL REFERENCES person (id),
  public_key    bytea NOT NULL,                 -- COSE
  counter       bigint NOT NULL,
  transports    text[] NOT NULL,
  label         text NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  last_used_at  timestamptz
);
CREATE INDEX passkey_person ON passkey (person_id);

-- Challenges carry their own proof and end; only the used ones are remembered, until they have ended.
CREATE TABLE spent_challenge (
  hash       bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

-- Invitations and password resets: whoever holds the link may use it once.
CREATE TABLE one_time_link (
  hash        bytea PRIMARY KEY,                -- SHA-256 of 256 random bits
  kind        text NOT NULL CHECK (kind IN ('invitation', 'reset')),
  email       text NOT NULL CHECK (email = lower(email)),
  merchant_id text COLLATE "C" REFERENCES merchant (id),
  role        text CHECK (role IN ('owner', 'developer', 'reviewer', 'read-only')),
  is_operator boolean NOT NULL DEFAULT false,
  created_by  text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at  timestamptz NOT NULL,
  used_at     timestamptz,
  CHECK ((merchant_id IS NULL) = (role IS NULL))
);
CREATE INDEX one_time_link_merchant ON one_time_link (merchant_id) WHERE used_at IS NULL;

-- Guesses at one account. Not before next_at is another one looked at, whoever makes it.
CREATE TABLE guess_delay (
  subject  text PRIMARY KEY,
  failures integer NOT NULL,
  next_at  timestamptz NOT NULL
);

-- Who changed what. Append-only, written in the transaction of the change.
CREATE TABLE audit_entry (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at          timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor       text NOT NULL CHECK (actor <> ''), -- an e-mail address as it was then, 'cli', or 'rule:<name>'
  person_id   text COLLATE "C" REFERENCES person (id),
  merchant_id text COLLATE "C" REFERENCES merchant (id), -- null: not about one merchant
  action      text NOT NULL,                    -- 'key.revoked'
  subject     text NOT NULL,                    -- the id of what was changed
  detail      jsonb NOT NULL DEFAULT '{}',
  address     text                              -- null: not over the network
);
CREATE INDEX audit_entry_merchant ON audit_entry (merchant_id, id DESC);
CREATE TRIGGER audit_entry_is_append_only BEFORE UPDATE OR DELETE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
