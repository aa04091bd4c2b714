#!/bin/sh
# make.sh TARGET [coq]: makes a target of this folder if ocaml and zarith, or Coq too, are installed. If not it says so, which is an
# error where EXACTRELU_VERIFIED=required.
set -eu
cd "$(dirname "$0")"
missing=""
ocamlfind query zarith >/dev/null 2>&1 || missing="ocaml-nox ocaml-findlib libzarith-ocaml-dev"
[ "${2:-}" != coq ] || command -v coqc >/dev/null || missing="$missing coq"
if [ -n "$missing" ]; then
    echo "proofs/verified: $1 is skipped, as these packages are not installed: $missing"
    [ "${EXACTRELU_VERIFIED:-}" != required ]
    exit
fi
exec "${MAKE:-make}" --no-print-directory "$1"
