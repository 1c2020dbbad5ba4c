-- Who watches a network, until when. Only the database's clock judges. The term grows with each change of holder, and
-- is the fence: whatever a watcher writes, it writes only while the row has the term that the watcher was given.
CREATE TABLE watch_lease (
  network    text PRIMARY KEY,
  holder     text NOT NULL,                     -- a process: host, process id, and what tells it from its successors
  term       bigint NOT NULL CHECK (term > 0),
  expires_at timestamptz NOT NULL,
  -- Makes the term a part of a key: a write's FOR KEY SHARE then holds up a change of the term and no renewal.
  UNIQUE (network, term)
) WITH (fillfactor = 50);
