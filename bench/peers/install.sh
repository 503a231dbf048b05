#!/bin/bash
# Installs the peers of `npm run bench -- relay`, all or those named: portkey (here, under node_modules) and litellm (a Python
# environment in the cache folder of the user). nginx, wrk and strace come from the system: apt-get install nginx wrk strace
set -euo pipefail
cd "$(dirname "$0")"
litellm_version=1.106.2
environment="${XDG_CACHE_HOME:-$HOME/.cache}/generation-gateway/bench-litellm"

portkey() {
  npm install --no-audit --no-fund --no-package-lock
}

litellm() {
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet "litellm[proxy]==$litellm_version"
}

for peer in "${@:-portkey litellm}"; do
  for name in $peer; do
    case "$name" in
      portkey | litellm) "$name" ;;
      *) echo "unknown peer $name: portkey or litellm" >&2; exit 1 ;;
    esac
  done
done
