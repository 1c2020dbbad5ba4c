#!/bin/sh
# Creates a payment of 49.90 francs for an order: send the buyer to the "checkoutUrl" that it prints.
# RAPPEN_URL is the address of the API, RAPPEN_API_KEY a key that may write. ORDER and ATTEMPT make the key:
# a repeated key returns the payment that it made first, so a second attempt at an order takes a new one.
set -eu
curl --silent --show-error --fail-with-body --max-time 20 "$RAPPEN_URL/api/v1/intents" \
  -H "Authorization: Bearer $RAPPEN_API_KEY" \
  -H 'Content-Type: application/json' \
  -d "{\"amount\": 49.90, \"currency\": \"CHF\", \"title\": \"Order $ORDER\", \"idempotencyKey\": \"order-$ORDER-$ATTEMPT\"}"
