#!/usr/bin/env bash
# Receives webhooks as a CGI program, which Apache, lighttpd or `busybox httpd` run for each request:
# the headers come in the environment, the body on stdin, the answer goes to stdout.
# WEBHOOK_SECRET is the task's `webhook_secret`, or the account's secret of webhooks.
# Needs openssl 1.1 or later. Verified deliveries are appended to the file WEBHOOK_LOG.
set -euo pipefail

refuse() {
  printf 'Status: 401 Unauthorized\r\nContent-Type: text/plain\r\n\r\n%s\n' "$1"
  exit 0
}

hex() { od -An -v -tx1 | tr -d ' \n'; }

body=$(mktemp)
trap 'rm -f "$body"' EXIT
head -c "${CONTENT_LENGTH:-0}" >"$body"
id=${HTTP_WEBHOOK_ID:-} time=${HTTP_WEBHOOK_TIMESTAMP:-} signatures=${HTTP_WEBHOOK_SIGNATURE:-}

# An old delivery may be one that somebody recorded and sends again.
[[ $time =~ ^[0-9]{1,12}$ ]] || refuse 'webhook-timestamp is missing.'
age=$(($(date +%s) - time))
((age <= 300 && age >= -300)) || refuse 'webhook-timestamp is more than five minutes away.'

# Behind `whsec_` the key is base64; any other secret is the key as text.
case ${WEBHOOK_SECRET:?is the secret of the signatures} in
  whsec_*) key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | hex) ;;
  *) key=$(printf %s "$WEBHOOK_SECRET" | hex) ;;
esac
signature=v1,$({ printf '%s.%s.' "$id" "$time"; cat "$body"; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
# There may be several signatures with blanks between: one for each secret that is valid now.
[[ " $signatures " == *" $signature "* ]] || refuse 'webhook-signature does not fit.'

# A delivery may come more than once, always with the same id: do the work once for each id.
{ printf '%s ' "$id"; cat "$body"; echo; } >>"${WEBHOOK_LOG:-webhooks.log}"
printf 'Status: 204 No Content\r\n\r\n'
