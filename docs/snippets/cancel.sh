#!/bin/sh
# Calls a payment off and prints it. RAPPEN_URL is the address of the API, RAPPEN_API_KEY a key that may write, INTENT
# the payment's id. One that is cancelled already is answered the same; one that is complete or over is refused (409).
set -eu
curl --silent --show-error --fail-with-body --max-time 20 -X POST "$RAPPEN_URL/api/v1/intents/$INTENT/cancel" \
  -H "Authorization: Bearer $RAPPEN_API_KEY"
