#!/bin/sh
# Checks one delivery by hand:
#   RAPPEN_WEBHOOK_SECRET=whsec_… sh verify.sh ID TIMESTAMP SIGNATURE < body.json
# The three are the headers webhook-id, webhook-timestamp and webhook-signature. Fails when they do not fit.
# For a look on your own machine only: while openssl runs, others on it could read the key.
set -eu
id=$1 sent_at=$2 signatures=$3

age=$(($(date +%s) - sent_at))
[ "$age" -ge -300 ] && [ "$age" -le 300 ] || { echo 'webhook: too old' >&2; exit 1; }

key=$(printf %s "${RAPPEN_WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
[ ${#key} -ge 48 ] || { echo 'webhook: the secret is missing' >&2; exit 1; }
signature=$({ printf '%s.%s.' "$id" "$sent_at"; cat; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
case " $signatures " in
  *" v1,$signature "*) echo 'webhook: ours' ;;
  *) echo 'webhook: wrong signature' >&2; exit 1 ;;
esac
