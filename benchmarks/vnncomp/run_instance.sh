#!/usr/bin/env bash
# run_instance.sh VERSION CATEGORY NETWORK QUERY RESULT SECONDS: writes the answer, and after sat the
# assignment, into RESULT. With CERTIFICATES set to a folder the proof is written there too.
set -uo pipefail
[ "${1:-}" = v1 ] && [ $# -eq 6 ] || { echo "usage: run_instance.sh v1 CATEGORY NETWORK QUERY RESULT SECONDS" >&2; exit 1; }
options=()
if [ -n "${CERTIFICATES:-}" ]; then
    name=$(basename "$3" .onnx)-$(basename "$4" .vnnlib)
    options=(--certificate "$CERTIFICATES/$name.cert.jsonl")
fi
exactrelu verify "$4" --network "$3" --timeout "$6" "${options[@]}" > "$5"
case $? in
    0 | 1) ;;                                        # unsat, sat
    3) sed -i '1s/^timed-out$/timeout/' "$5" ;;      # as VNN-COMP calls it, or unknown
    *) echo error > "$5"; exit 1 ;;
esac
