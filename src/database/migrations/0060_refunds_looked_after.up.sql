ALTER TABLE refund
  -- Whose the transaction is that somebody named: what uses up its nonce instead takes its place (EVM alone).
  ADD COLUMN named_sender    text,
  ADD COLUMN named_nonce     bigint,
  -- Who was shown how to pay it last: nobody else is, before they have seen who.
  ADD COLUMN opened_by       text,
  ADD COLUMN opened_at       timestamptz,
  -- Until when it is looked for, and since when it is not any more.
  ADD COLUMN search_until    timestamptz NOT NULL DEFAULT clock_timestamp() + interval '30 days',
  ADD COLUMN search_ended_at timestamptz,
  -- Since when the block of a final one is not on the chain.
  ADD COLUMN undone_at       timestamptz,
  -- What pays the same and counts for another refund of the merchant's.
  ADD COLUMN elsewhere_txid  text,
  -- What paid the same once more, or after it was withdrawn.
  ADD COLUMN again_txid      text,
  ADD COLUMN again_output    text,
  ADD CONSTRAINT refund_named CHECK ((named_sender IS NULL) = (named_nonce IS NULL)),
  ADD CONSTRAINT refund_opened CHECK ((opened_by IS NULL) = (opened_at IS NULL)),
  ADD CONSTRAINT refund_undone CHECK (undone_at IS NULL OR state = 'final'),
  ADD CONSTRAINT refund_again CHECK ((again_txid IS NULL) = (again_output IS NULL));

CREATE INDEX refund_final ON refund (network, block_height) WHERE state = 'final';
CREATE INDEX refund_recent ON refund (network, changed_at) WHERE state IN ('seen', 'final', 'withdrawn');
CREATE INDEX refund_undone_since ON refund (network) WHERE undone_at IS NOT NULL;
