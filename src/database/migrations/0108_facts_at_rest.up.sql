-- Transfers in blocks about which further blocks on top can tell their subject nothing: these wake it no more (ADR 92).
CREATE TABLE fact_rest (
  subject     text COLLATE "C" NOT NULL,
  transfer_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (subject, transfer_id)
);
