#!/usr/bin/env bash
# prepare_instance.sh VERSION CATEGORY NETWORK QUERY: whether both files are there; nothing is prepared.
set -euo pipefail
[ "${1:-}" = v1 ] && [ $# -eq 4 ] || { echo "usage: prepare_instance.sh v1 CATEGORY NETWORK QUERY" >&2; exit 1; }
[ -r "$3" ] && [ -r "$4" ]
