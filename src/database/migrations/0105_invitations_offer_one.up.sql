-- The letter, the list and the page of an invitation name one thing. One that offered two named the merchant and the role, and
-- made an operator as well: by now each offers what it said, also one that is used or over. Who has become an operator stays one, and the
-- log says so.
UPDATE one_time_link SET is_operator = false WHERE is_operator AND merchant_id IS NOT NULL;
ALTER TABLE one_time_link ADD CONSTRAINT one_time_link_offers_one CHECK (NOT is_operator OR merchant_id IS NULL);
