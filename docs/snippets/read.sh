#!/bin/sh
# Prints a payment as it stands now. RAPPEN_URL is the address of the API, RAPPEN_API_KEY a key that may read, INTENT the
# payment's id. "payment" is null until the buyer has picked an asset; then its "missing" is what has yet to arrive. Fulfil
# once "status" is "settled", and not because nothing is missing.
set -eu
curl --silent --show-error --fail-with-body --max-time 20 "$RAPPEN_URL/api/v1/intents/$INTENT" \
  -H "Authorization: Bearer $RAPPEN_API_KEY"
