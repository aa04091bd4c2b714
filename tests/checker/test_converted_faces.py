"""Cases of format 1 about faces, folds and chains get the same verdict in format 2."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path

import pytest
from convert.faces import KINDS, NotConverted, convert
from test_cases2 import check_bytes

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "format1"))

from bundles import CASES, read
from bundles2 import sealed

KEPT = Path(__file__).resolve().parents[2] / "tests" / "format1" / "kept"


@cache
def old_cases() -> dict[str, tuple[bool, bytes]]:
    """Whether format 1 accepts it, and the file, by name."""
    found = {}
    for case in read(*sorted(CASES.glob("*.txt"))):
        if case.kind in KINDS and case.expectation in ("accept", "reject", "malformed"):
            found[case.name] = (case.expectation == "accept", case.data)
    for path in sorted(KEPT.rglob("*.cert.jsonl")):
        data = path.read_bytes()
        if json.loads(data.splitlines()[0])["claim"]["kind"] in KINDS:
            found[f"kept/{path.name}"] = (True, data)
    return found


#: The domain is empty: format 2 cannot say it.
EMPTY = {
    "cancellation-free/empty-domain",
    "complex/domain-row-never-true",
    "complex/empty-domain",
    "complex/face-count--empty-domain",
    "complex/no-hidden-layer-on-nothing",
    "complex/point-outside--empty-domain",
    "complex/surplus-record--below-an-empty-root",
    "folds/empty-domain",
    "no-zero-optimum/empty-domain",
    "supertransversal/empty-domain",
}

#: Accepted before, and refused now.
FLAT_BOX = "a box without interior adds nothing to a union, and is refused"
NO_LONGER = {
    "folds/union-flat": FLAT_BOX,
    "folds/union-flat-and-another": FLAT_BOX,
    "folds/union-flat-is-not-thick": FLAT_BOX,
    "folds/union-turned": FLAT_BOX,
}

#: Refused before, and accepted now.
NO_NEURON = "no neuron is named, and some face of the part has an optimum"
FIELDS = "the extra field of a record is lost"
NOW = {
    "complex/dependency-empty--sides-of-no-neuron": "a record without neurons is not written",
    "complex/domain-not-open--ge": "rows that are not strict are allowed; the claim is true",
    "complex/not-increasing--duplicate": "multipliers may name a row twice: they add up",
    "complex/unknown-sense--number": "a sign is a bit of a number",
    "complex/unknown-sense--zero": "a sign is a bit of a number",
    "complex/wrong-fields--cut-with-a-row": FIELDS,
    "complex/wrong-fields--face-with-dimension": FIELDS,
    "complex/wrong-signs--point-beside-the-zero-set": "a point has the free coordinates only",
    "determined/wrong-fields--chain-with-unit": FIELDS,
    "generic-bottleneck/wrong-fields--domain": "the claim has a domain now",
    "not-honest/wrong-fields--part-with-sense": FIELDS,
    "not-supertransversal/wrong-fields--signs": FIELDS,
    "zero-optimum/index-out-of-range--layer": NO_NEURON,
    "zero-optimum/index-out-of-range--neuron": NO_NEURON,
    "zero-optimum/not-an-index--layer": NO_NEURON,
    "zero-optimum/not-an-index--neuron": NO_NEURON,
    "zero-optimum/not-an-optimum--not-here": NO_NEURON,
    "zero-optimum/not-an-optimum--other-layer": NO_NEURON,
    "zero-optimum/not-an-optimum--other-neuron": NO_NEURON,
}


@pytest.mark.parametrize("name", sorted(old_cases()))
def test_verdict_is_the_same(name: str) -> None:
    accepted, data = old_cases()[name]
    if name in EMPTY:
        with pytest.raises(NotConverted):
            convert(data)
        return
    outcome = check_bytes(sealed(convert(data)))
    assert outcome.code != "internal-error", outcome
    expected = (accepted and name not in NO_LONGER) or name in NOW
    assert (outcome.verdict == "ACCEPTED") is expected, outcome


def test_there_are_many() -> None:
    known = old_cases()
    assert sum(accepted for accepted, _ in known.values()) > 170
    assert EMPTY | NO_LONGER.keys() | NOW.keys() <= known.keys()
