#!/bin/sh
# What one can ask: questions of the README on a few networks, each command before its output.
# A certificate is accepted, a forged one is refused.  An answer other than the known one, a
# certificate that is not accepted or a forgery that is, ends it with an error (`make demo`).
set -eu
cd "$(dirname "$0")/.."
mkdir -p demo-output

says() { # EXIT-CODE COMMAND…: show a command, run it, expect this exit code
    expected=$1
    shift
    printf '$ %s\n' "$*"
    code=0
    "$@" || code=$?
    if [ "$code" -ne "$expected" ]; then
        echo "demo: exit code $code, expected $expected" >&2
        exit 1
    fi
    echo
}

yes() { says 0 exactrelu "$@"; }
no() { says 1 exactrelu "$@"; }

about() { printf '# %s\n\n' "$*"; }

about "How many regions, which faces?"
yes info example:moons
yes regions example:moons --certificate demo-output/moons.cert.jsonl
yes complex example:xor

about "The same function? How far apart?"
no equivalent example:spike example:zero
yes equivalent example:spike example:zero --domain box:-9..0
yes difference example:spike example:zero

about "Generic, transparent, honest?"
no generic example:moons
yes transparent example:transparent --domain box:-1..1
yes honest example:moons

about "Which parameters have this function? Is it one?"
yes fiber cases/three-layers/S002-P03-fiber-case2/theta.json --domain orthant
yes identifiable example:identifiable
yes recover example:xor -o demo-output/recovered.json
yes isomorphic example:xor demo-output/recovered.json

about "One-to-one? Inverse? How stable?"
no injective example:xor
yes injective cases/injective-layers/S003-C1-identity-layer/N.json
yes invert example:xor --value 1
yes stability cases/injective-layers/S003-C1-identity-layer/N.json --layer 1

about "Is a statement of a paper false?"
yes refute S003-lemma-1 --certificate demo-output/lemma-1.cert.jsonl

about "Why believe it? The independent checker, the standard library of Python only:"
yes convert example:moons demo-output/moons.json
says 0 exactrelu-check --network demo-output/moons.json --domain R demo-output/moons.cert.jsonl
says 0 exactrelu-check demo-output/lemma-1.cert.jsonl

about "One region more, and nothing else changed: it is refused."
forge='s/"count":129/"count":130/'
echo "$ sed '$forge' demo-output/moons.cert.jsonl > demo-output/forged.cert.jsonl"
sed "$forge" demo-output/moons.cert.jsonl > demo-output/forged.cert.jsonl
if cmp -s demo-output/moons.cert.jsonl demo-output/forged.cert.jsonl; then
    echo "demo: nothing was forged" >&2
    exit 1
fi
says 1 exactrelu-check --network demo-output/moons.json --domain R demo-output/forged.cert.jsonl
# A checker that fails has this exit code too, but gives no reason.
exactrelu-check demo-output/forged.cert.jsonl | grep -q "^REJECTED .*region-count" || {
    echo "demo: the forgery was not refused for its count" >&2
    exit 1
}

about "All that can be asked about a network, on one page:"
yes report example:moons -o demo-output/moons.html
echo "Open demo-output/moons.html in a browser. make demo-all certifies all networks in cases/."
