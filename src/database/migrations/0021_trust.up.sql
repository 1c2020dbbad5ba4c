-- An account is trusted for what its own person said, and an address only once it was proved.
ALTER TABLE person
  ADD COLUMN registered_at    timestamptz,      -- when somebody first chose a password: from then on no invitation sets one
  ADD COLUMN email_proven_at  timestamptz,      -- when it was shown that the mailbox is this person's
  ADD COLUMN email_proven_by  text,             -- 'mailbox', or who gave their word for it
  ADD COLUMN last_merchant_id text COLLATE "C" REFERENCES merchant (id), -- where the person's choice was last
  ADD CHECK ((email_proven_at IS NULL) = (email_proven_by IS NULL));
-- A reset takes the password away and leaves the rest: whoever ever was something here has registered.
UPDATE person p SET registered_at = created_at
WHERE password_hash IS NOT NULL OR is_operator OR EXISTS (SELECT FROM membership WHERE person_id = p.id)
   OR EXISTS (SELECT FROM audit_entry WHERE person_id = p.id);

ALTER TABLE one_time_link
  ADD COLUMN id           text COLLATE "C",     -- names it to whoever is signed in; the link holds something else
  ADD COLUMN delivered_to text NOT NULL DEFAULT 'inviter' CHECK (delivered_to IN ('mailbox', 'inviter')),
  ADD COLUMN invited_by   text COLLATE "C" REFERENCES person (id), -- null: the command line
  ADD COLUMN mail_id      text COLLATE "C",     -- the mail that brings it; null: it was shown to the inviter
  ADD COLUMN spent_at     timestamptz,          -- the link opens nothing any more; the invitation itself may be open
  ADD COLUMN ended_as     text CHECK (ended_as IN ('accepted', 'declined', 'withdrawn', 'replaced')),
  DROP CONSTRAINT one_time_link_kind_check,
  ADD CONSTRAINT one_time_link_kind_check CHECK (kind IN ('invitation', 'reset', 'proof'));
UPDATE one_time_link SET id = 'lnk_' || encode(substr(hash, 1, 15), 'hex');
ALTER TABLE one_time_link ALTER COLUMN id SET NOT NULL, ADD UNIQUE (id);
CREATE INDEX one_time_link_email ON one_time_link (email, created_at);
CREATE INDEX one_time_link_inviter ON one_time_link (invited_by, created_at) WHERE invited_by IS NOT NULL;

-- Mail to people, written with what it tells of. Its text may hold a link that opens an account: sealed, and gone once sent.
CREATE TABLE outgoing_mail (
  id              text COLLATE "C" PRIMARY KEY,
  recipient       text NOT NULL CHECK (recipient = lower(recipient)),
  subject         text NOT NULL,
  sealed_text     text,                         -- null once it was sent or given up
  attempts        integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(), -- while it is leased: when the lease ends
  lease_token     uuid,                         -- fencing: a result without the current token changes nothing
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  sent_at         timestamptz
);
CREATE INDEX outgoing_mail_due ON outgoing_mail (next_attempt_at) WHERE sealed_text IS NOT NULL;
CREATE INDEX outgoing_mail_recipient ON outgoing_mail (recipient, created_at);
