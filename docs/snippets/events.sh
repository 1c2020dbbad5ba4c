#!/bin/sh
# Prints a page of events, oldest first. RAPPEN_URL is the address of the API, RAPPEN_API_KEY a key that may read.
# AFTER is the id of the last event of this list that you have dealt with; without it the list begins with the first. A
# webhook's will not do: what precedes it here and has not arrived yet would be skipped.
# While "hasMore" is true, ask again with the id of the last of "items".
set -eu
curl --silent --show-error --fail-with-body --max-time 20 --get "$RAPPEN_URL/api/v1/events" \
  -H "Authorization: Bearer $RAPPEN_API_KEY" \
  -d pageSize=100 ${AFTER:+-d "after=$AFTER"}
