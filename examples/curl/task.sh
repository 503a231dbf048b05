#!/usr/bin/env bash
# Draws a picture as a task: submits it, polls until it has ended, downloads the file.
#   GATEWAY_KEY=sk-choose-a-long-secret bash task.sh [file]
# Needs curl and jq. GATEWAY_URL is the gateway's address with /v1.
set -euo pipefail
url=${GATEWAY_URL:-http://127.0.0.1:8080/v1}
auth="Authorization: Bearer ${GATEWAY_KEY:?is the access key}"
file=${1:-picture.jpg}
body='{"prompt":"a red fox under a cherry tree at sunset, watercolor","width":768,"height":512,"seed":7}'

# The idempotency key makes a repeated submit safe: the gateway answers it with the same task.
task=$(curl -sS --fail-with-body "$url/ai/default/imgf/image/generate" \
  -H "$auth" -H "Content-Type: application/json" -H "Idempotency-Key: task-$$-$RANDOM" -d "$body") ||
  { echo "$task" >&2; exit 1; }
polling_url=$(jq -r .polling_url <<<"$task")

while true; do
  result=$(curl -sS --fail-with-body "$polling_url" -H "$auth") || { echo "$result" >&2; exit 1; }
  status=$(jq -r .status <<<"$result")
  [ "$status" = Pending ] || break
  sleep 0.5
done
[ "$status" = Ready ] || { echo "The task ended as $status: $result" >&2; exit 1; }

# The link is signed: whoever has it needs no key. It is valid for ten minutes.
curl -sS --fail-with-body "$(jq -r .result.sample <<<"$result")" -o "$file"
echo "wrote $file"
