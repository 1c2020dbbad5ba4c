-- What somebody looks for in a merchant's list of payments, by a name of their own. It goes with the membership: nobody else
-- sees it. Places are how many one may have.
CREATE TABLE saved_view (
  id          text COLLATE "C" PRIMARY KEY,
  person_id   text COLLATE "C" NOT NULL,
  merchant_id text COLLATE "C" NOT NULL,
  place       smallint NOT NULL CHECK (place BETWEEN 1 AND 20),
  name        text NOT NULL CHECK (name = btrim(name) AND char_length(name) BETWEEN 1 AND 40),
  -- As the list's address has them, such as {"show": "waiting", "q": "order-7"}.
  parameters  jsonb NOT NULL CHECK (jsonb_typeof(parameters) = 'object' AND octet_length(parameters::text) <= 2000),
  FOREIGN KEY (person_id, merchant_id) REFERENCES membership (person_id, merchant_id) ON DELETE CASCADE,
  UNIQUE (person_id, merchant_id, place)
);
CREATE UNIQUE INDEX saved_view_name ON saved_view (person_id, merchant_id, lower(name));
