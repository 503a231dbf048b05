#!/usr/bin/env bash
# Uploads a recording and prints its transcription as subtitles.
#   GATEWAY_KEY=sk-choose-a-long-secret bash upload.sh speech.mp3
# Needs curl. GATEWAY_URL is the gateway's address with /v1.
set -euo pipefail
url=${GATEWAY_URL:-http://127.0.0.1:8080/v1}
file=${1:?is the recording}

# curl sends the file from the disk as one part of a multipart form.
curl -sS --fail-with-body "$url/audio/transcriptions" \
  -H "Authorization: Bearer ${GATEWAY_KEY:?is the access key}" \
  -F "file=@$file" -F model=whisper-1 -F response_format=srt
