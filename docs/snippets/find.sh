#!/bin/sh
# Prints the list of the payments that were created with the key in IDEMPOTENCY_KEY: one, or none ("total": 0).
# RAPPEN_URL is the address of the API, RAPPEN_API_KEY a key that may read.
set -eu
curl --silent --show-error --fail-with-body --max-time 20 --get "$RAPPEN_URL/api/v1/intents" \
  -H "Authorization: Bearer $RAPPEN_API_KEY" \
  --data-urlencode "idempotencyKey=$IDEMPOTENCY_KEY"
