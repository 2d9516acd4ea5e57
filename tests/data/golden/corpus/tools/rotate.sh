#!/usr/bin/env bash
set -euo pipefail

keep=${KEEP:-7}

# Moves app.log to app.log.1, app.log.1 to app.log.2, and lets the last one fall.
rotate() {
  local file=$1 i
  [[ -s $file ]] || return 0
  rm -f "$file.$keep.gz"
  for ((i = keep - 1; i >= 1; i--)); do
    if [[ -e $file.$i.gz ]]; then mv "$file.$i.gz" "$file.$((i + 1)).gz"; fi
  done
  cp "$file" "$file.1"
  : > "$file"
  gzip -f "$file.1"
}

free_percent() {
  df --output=pcent "$1" | tail -1 | tr -dc '0-9' | awk '{ print 100 - $1 }'
}

for file in "$@"; do
  rotate "$file"
done
if (($(free_percent /var/log) < 10)); then
  echo "less than a tenth of the disk is free" >&2
  exit 3
fi
