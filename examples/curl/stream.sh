#!/usr/bin/env bash
# Asks a language model and prints the answer word by word (server-sent events).
#   GATEWAY_KEY=sk-choose-a-long-secret bash stream.sh "What is the capital of France?"
# Needs curl and jq. GATEWAY_URL is the gateway's address with /v1.
set -euo pipefail
url=${GATEWAY_URL:-http://127.0.0.1:8080/v1}
question=${1:-What is the capital of France?}
body=$(jq -n --arg question "$question" \
  '{stream: true, messages: [{role: "user", content: $question}]}')

# Each event is a line `data: {...}`; the last one is `data: [DONE]`. Lines with a colon in front are
# comments that keep the connection open. An answer that is no stream is an error.
curl -sSN "$url/chat/completions" -H "Authorization: Bearer ${GATEWAY_KEY:?is the access key}" \
  -H "Content-Type: application/json" -d "$body" |
  sed -u -n -e '/^data: \[DONE\]/d' -e 's/^data: //p' -e t -e '/^{/p' |
  jq --unbuffered -j 'if .error then "\(.error.message)\n" | halt_error(1)
    else .choices[0].delta.content // empty end'
echo
