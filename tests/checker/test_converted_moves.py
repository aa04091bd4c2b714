"""Cases and kept certificates of format 1, converted, get the same verdict."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bundles2 import sealed
from convert.moves import KINDS, converted
from exactrelu_checker1.rules import facts
from old_files import old_files
from test_cases2 import check_bytes

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "format1"))

from running import check_bytes as check_old  # noqa: E402

#: Refused in format 1, and accepted after conversion.
LISTED = {
    "equal-by-rewriting/domain-not-open--closed": "values are claimed on the closure",
    "equal-shallow/domain-not-open--closed": "values are claimed on the closure",
    "equal-shallow/domain-not-simple--half-plane": "the forms are equal on all of space",
    "equal-shallow/domain-not-simple--interval": "the forms are equal on all of space",
    "equal-shallow/domain-not-simple--shifted": "the forms are equal on all of space",
    "fiber-member/shapes-differ--fewer": "equal networks; the widths stand in the sentence",
    "fiber-member/shapes-differ--more": "equal networks; the widths stand in the sentence",
    "fiber-member/shapes-differ--rewritten": "equal networks; the widths stand in the sentence",
    "fiber-member/wrong-fields--more": "the converter drops a key",
    "minimal/wrong-fields--rank": "the converter drops a key",
    "not-minimal/wrong-fields--more": "the converter drops a key",
    "never-active/not-increasing--rows": "multipliers may come in any order",
}
#: Refused in format 1; a fault of keys, words or JSON that no line of format 2 can have.
NOT_CONVERTED = {
    "equal-by-rewriting/wrong-record--point", "equal-shallow/surplus-record--point",
    "fiber-member/missing-record--no-proof", "fiber-member/wrong-record--no-kind",
    "fiber-member/wrong-record--not-a-kind", "isomorphic/wrong-fields--no-scalings",
    "isomorphic/wrong-record--point", "never-active/not-an-integer--factor",
    "never-active/wrong-fields--no-slopes", "never-active/wrong-length--values",
    "not-isomorphic/wrong-fields--no-network", "not-isomorphic/wrong-record--point",
    "not-minimal/missing-record--no-proof",
}  # fmt: skip


def facts_of(data: bytes) -> list[tuple[str, list[str]]]:
    """The facts of a file of format 1, of kinds of this family: kind, claim and records."""
    spans: list[tuple[Any, int, int]] = []
    right = facts.read_claim

    def spy(rules: Any, fields: Any, budget: Any) -> Any:
        kind, claim = right(rules, fields, budget)

        def check(certificate: Any, budget: Any) -> None:
            start = certificate._lines
            claim.check(certificate, budget)
            spans.append((fields, start, certificate._lines))

        return kind, replace(claim, check=check)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts, "read_claim", spy)
        assert check_old(data).verdict.name == "ACCEPTED"
    lines = data.decode().splitlines()
    return [
        (fields["kind"], [json.dumps({"claim": fields}), *lines[start:stop]])
        for fields, start, stop in spans
        if fields["kind"] in KINDS
    ]


KEPT = sorted(
    path for path in (ROOT / "tests" / "format1" / "kept").rglob("*.jsonl")
    if b'"kind":"facts"' in path.read_bytes()[:1_000_000].splitlines()[0]
)  # fmt: skip


def test_facts_of_kept_files() -> None:
    """Nearly all kept proofs of these kinds stand in files of several facts."""
    found: Counter[str] = Counter()
    for path in KEPT:
        for kind, lines in facts_of(path.read_bytes()):
            outcome = check_bytes(sealed(converted(lines)))
            assert outcome.verdict == "ACCEPTED", (path.name, kind, outcome)
            found[kind] += 1
    assert found["isomorphic"] > 100
    assert found["minimal"] > 50


OLD = old_files(KINDS)


@pytest.mark.parametrize("name", sorted(OLD))
def test_converted(name: str) -> None:
    accepted, lines = OLD[name]
    try:
        new = converted(lines)
    except (ValueError, LookupError, TypeError):
        assert name in NOT_CONVERTED
        return
    outcome = check_bytes(sealed(new))
    assert outcome.code != "internal-error"
    assert (outcome.verdict == "ACCEPTED") is (accepted or name in LISTED), outcome


def test_lists_are_short() -> None:
    assert {*LISTED, *NOT_CONVERTED} <= OLD.keys()
    assert sum(accepted for accepted, _ in OLD.values()) > 150
