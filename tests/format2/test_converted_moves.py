"""Cases and kept certificates of format 1, converted, get the same verdict."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path

import pytest
from bundles2 import sealed
from convert.moves import KINDS, Unsupported, converted
from test_cases2 import check_bytes

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "checker"))

from bundles import all_cases  # noqa: E402

#: Refused in format 1, and accepted after conversion.
LISTED = {
    "equal-by-rewriting/domain-not-open--closed": "values are claimed on the closure",
    "equal-shallow/domain-not-open--closed": "values are claimed on the closure",
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


@cache
def old_files() -> dict[str, tuple[bool, list[str]]]:
    """Whether a file of format 1 is accepted, and its lines without footer."""
    found = [
        (case.name, case.verdict == "ACCEPTED", case.data)
        for case in all_cases()
        if not case.arguments
    ]
    for path in sorted((ROOT / "proofs" / "certificates").rglob("*.jsonl")):
        found.append((path.relative_to(ROOT).as_posix(), True, path.read_bytes()))
    known = {}
    for name, accepted, data in found:
        try:
            lines = data.decode().splitlines()[:-1]
            kind = json.loads(lines[0])["claim"]["kind"]
        except (ValueError, LookupError, TypeError):
            continue
        if kind in KINDS:
            known[name] = accepted, lines
    return known


@pytest.mark.parametrize("name", sorted(old_files()))
def test_converted(name: str) -> None:
    accepted, lines = old_files()[name]
    try:
        new = converted(lines)
    except Unsupported as part:
        pytest.skip(f"the converter of another family: {part}")
    except (ValueError, LookupError, TypeError):
        assert name in NOT_CONVERTED
        return
    outcome = check_bytes(sealed(new))
    assert outcome.code != "internal-error"
    assert (outcome.verdict == "ACCEPTED") is (accepted or name in LISTED), outcome


def test_lists_are_short() -> None:
    assert {*LISTED, *NOT_CONVERTED} <= old_files().keys()
    assert sum(accepted for accepted, _ in old_files().values()) > 150
