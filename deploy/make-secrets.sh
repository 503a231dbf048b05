#!/bin/sh
# make-secrets.sh [FOLDER]: makes the secrets of an installation, one in a file, in FOLDER (default:
# the folder `secrets` beside this script). Files that are there stay as they are.
#
# The folder is for its owner alone. The files in it are readable, because the user of a container
# (10001) reads them where they are mounted.
set -eu
folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
chmod 700 "$folder"

random() { head -c "$1" /dev/urandom | base64 | tr -d '\n=' | tr '+/' '-_'; }
make() {
  [ -e "$folder/$1" ] && return
  # Without base64, for example, the value would be empty or only the "sk-" of the access key.
  [ "${#2}" -ge 20 ] || { echo "No random bytes for $1 could be made." >&2; exit 1; }
  printf '%s' "$2" > "$folder/$1.part"
  chmod 644 "$folder/$1.part"
  mv "$folder/$1.part" "$folder/$1"
}

make secret-key "$(head -c 32 /dev/urandom | base64 | tr -d '\n')"
make admin-key "$(random 32)"
make metrics-key "$(random 32)"
make access-key "sk-$(random 32)"
make postgres-password "$(random 32)"
make database-url "postgres://gateway:$(cat "$folder/postgres-password")@postgres:5432/gateway"
make s3-access-key "$(random 16)"
make s3-secret-key "$(random 32)"
