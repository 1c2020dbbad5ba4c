-- A page of payments whose currency or amount few have, or none, without reading all of a merchant's.
CREATE INDEX intent_amount ON intent (merchant_id, currency, amount_minor);
