"""No false claim about injectivity, stability or ranges gets a proof that is grown by chance."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from bundles import sealed
from growing import (
    Draw,
    entries,
    few,
    first_lines,
    grown,
    multipliers,
    random_domain,
    random_network,
)
from test_cases import check_bytes
from test_grown_property import WORDS as BOXES
from truth_injectivity import is_true

from tests.seeds import seeds, shifted

CLAIMS, TRIES = 10, 150


def modulus(rng: random.Random) -> list[int]:
    return [rng.choice((2, 2, 3, 4, 6, 1, 0))]


def block(rng: random.Random) -> list[int]:
    """The number of a proof, inputs and rows."""
    n_inputs, n_rows = rng.choice((0, 1, 1, 2)), rng.choice((0, 1, 2))
    chosen = *rng.sample(range(2), n_inputs), *rng.sample(range(3), n_rows)
    return [rng.choice((0, 0, 1)), n_inputs, *chosen]


COVERS: dict[str, Draw] = {"flats": modulus, "tree": modulus, "cover": multipliers}
CELLS: dict[str, Draw] = {
    "split": few(1), "side": few(3, 5), "sides": few(2, 3), "empty": multipliers, "cut": few(2, 3),
}  # fmt: skip
BOUNDS: dict[str, Draw] = {
    "always": few(1, 2, 3), "empty": multipliers, "split": few(1), "bound": few(2, 4),
}  # fmt: skip
#: Kind and method: words of records.
WORDS: dict[tuple[str, str], dict[str, Draw]] = {
    ("layer-injective", "spanning"): COVERS,
    ("layer-injective", "blocks"): {"block": block, **COVERS},
    ("injective", "layers"): COVERS,
    ("injective", "pairs"): {**CELLS, "cell": few(0), "same": multipliers, "apart": multipliers},
    ("stability", "tree"): BOUNDS,
    ("stability", "layers"): {"factor": few(2), **BOUNDS},
    ("in-range", "backward"): {**CELLS, "back": few(3, 5), "first": few(1), "misses": multipliers},
    ("in-range", "bounds"): BOXES,
}


def claim(rng: random.Random, kind: str, method: str) -> dict[str, Any]:
    """About a network of a few small weights, on a domain that may be flat or a point."""
    n = rng.choice((0, 1, 1, 2, 2))
    hidden = rng.choice(([], [1], [2], [2], [3], [1, 1], [2, 1]))
    network, domain = random_network(rng, n, hidden), random_domain(rng, n)
    layers = network["layers"]
    found = {"kind": kind, "network": network, "domain": domain}
    if kind == "injective":
        first = rng.randrange(len(layers))
        return {**found, "holds": True, "first": first, "last": rng.randint(first + 1, len(layers))}
    if kind == "layer-injective":
        return {**found, "holds": True, "layer": 1}
    if kind == "in-range":
        return {**found, "holds": False, "output": ["1", entries(rng, layers[-1]["outputs"])]}
    layer = 0 if method == "layers" else 1
    return {**found, "layer": layer, "sense": "at-least", "bound": ["1", "1"]}


@pytest.mark.parametrize("block", seeds(1, 20))
@pytest.mark.parametrize("number", range(len(WORDS)), ids=[" by ".join(names) for names in WORDS])
def test_false_claims_get_no_proof(number: int, block: int) -> None:
    (kind, method), words = list(WORDS.items())[number]
    rng = random.Random(shifted(100 * number) + block)
    n_false = 0
    while n_false < CLAIMS:
        lines = first_lines(claim(rng, kind, method), method)
        assert check_bytes(sealed(lines)).code in ("missing-record", ""), lines
        if not is_true(lines[0]):
            n_false += 1
            assert grown(rng, lines, words, TRIES) is None


def test_a_true_claim_gets_one() -> None:
    """x ↦ (s(x), s(−x)) is one-to-one, by one cover."""
    rng = random.Random(shifted(1))
    layer = {"inputs": 1, "matrix": ["1", [["1", "0"], ["-1", "0"]]], "outputs": 2}
    last = {"inputs": 2, "matrix": ["1", [["1", "1", "0"]]], "outputs": 1}
    claim = {
        "domain": {"dim": 1, "rows": []},
        "holds": True,
        "kind": "layer-injective",
        "layer": 1,
        "network": {"layers": [layer, last]},
    }
    value = {"claim": claim, "format": "exactrelu-certificate/2"}
    line = json.dumps(value, sort_keys=True, separators=(",", ":"))
    words = WORDS["layer-injective", "spanning"]
    assert grown(rng, [line, "by spanning", "inside 0 1"], words, 20_000) is not None
