"""Cases of format 1 about masks, derivatives and identifiable networks, as format 2.

What was accepted is accepted, what was refused is refused, or is listed with the reason.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from bundles2 import sealed
from convert.ranks import KINDS, NotConvertible, converted
from test_cases2 import check_bytes

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "format1"))

import bundles  # noqa: E402

KEPT = HERE.parents[1] / "tests" / "format1" / "kept"

#: Refused by format 1, accepted after conversion: why.
LISTED = {
    "functional-dimension-at-least/dimensions-differ--domain": "the claim names the points, no D",
    "functional-dimension-at-least/point-outside--domain": "the claim names the points, no D",
    "functional-dimension-at-least/point-outside--on-its-edge": "the claim names the points, no D",
    "functional-dimension-at-least/point-outside--second": "the claim names the points, no D",
    "functional-dimension-at-least/wrong-fields--no-domain": "the claim names the points, no D",
    "identifiable-shallow/wrong-fields--sums": "a field of a record that has no numbers now",
    "identifiable/wrong-fields--modulus-with-the-word": "a field of a record without numbers now",
    "not-identifiable/not-an-index--layer": "records have one spelling of integers",
    "proportional/not-an-index--unit": "records have one spelling of integers",
}

#: Accepted by format 1 on a line; format 2 has a tree of cells in its place.
ON_A_LINE = {
    "limits/out-of-fuel--not_identifiable-mirror-of-two--fits",
    "not-identifiable/mirror",
    "not-identifiable/mirror-back",
    "not-identifiable/mirror-in-the-plane",
    "not-identifiable/mirror-of-two",
    "not-identifiable/mirror-with-a-constant",
}


def claim_and_records(data: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]] | None:
    """What a file of format 1 says, if its lines are JSON objects and its kind is one of ours."""
    try:
        first, *lines = data.decode().splitlines()
        claim = json.loads(first)["claim"]
        records = [json.loads(line) for line in lines]
        ours = claim["kind"] in KINDS
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return (claim, records[:-1]) if ours else None


def files() -> dict[str, tuple[bool, bytes]]:
    """Name, whether it is accepted, content."""
    found = {
        case.name: (case.expectation == "accept", case.data)
        for case in bundles.all_cases()
        if claim_and_records(case.data) and case.expectation != "limit"
    }
    for path in sorted(p for p in KEPT.rglob("*.cert.jsonl*") if p.is_file()):
        data = path.read_bytes()
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        if claim_and_records(data):
            found[path.name] = (True, data)
    return found


FILES = files()


@pytest.mark.parametrize("name", sorted(FILES))
def test_verdicts_agree(name: str) -> None:
    accepted, data = FILES[name]
    old = claim_and_records(data)
    assert old is not None
    try:
        lines = converted(*old)
    except (NotConvertible, KeyError, TypeError, ValueError, AttributeError, IndexError):
        lines = []
    if not (lines or accepted) or name in ON_A_LINE:
        return
    outcome = check_bytes(sealed(lines))
    assert outcome.code != "internal-error", (outcome, lines)
    assert (outcome.verdict == "ACCEPTED") is (accepted or name in LISTED), (outcome, lines)


def test_lists_name_cases() -> None:
    assert {*LISTED, *ON_A_LINE} <= set(FILES)
