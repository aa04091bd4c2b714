"""Facts and counterexamples of format 1, converted: the same verdicts, or a reason."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from bundles2 import sealed
from test_cases2 import check_bytes

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "format1"))

import bundles  # noqa: E402
from convert import facts  # noqa: E402

BUNDLES = ("facts", "counterexample", "lemmas-s000", "lemmas-s001", "lemmas-s002", "lemmas-s003",
           "lemmas-s004")  # fmt: skip
#: Refused in format 1, accepted in format 2.
ACCEPTED_NOW = {"facts/wrong-fields--fact": "a field is dropped"}


def old_files() -> Iterator[tuple[str, str, bytes]]:
    """Name, verdict of format 1 and bytes."""
    for case in bundles.read(*(bundles.CASES / f"{name}.txt" for name in BUNDLES)):
        if not case.arguments and case.data[:1] == b"{":
            yield case.name, case.verdict, case.data
    for path in sorted((ROOT / "tests" / "format1" / "kept").rglob("*.jsonl*")):
        data = path.read_bytes()
        yield path.name, "ACCEPTED", gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def of_this_family(data: bytes) -> bool:
    try:
        kind = json.loads(data.split(b"\n", 1)[0])["claim"]["kind"]
    except (ValueError, LookupError, TypeError):
        return False
    return kind in ("facts", "counterexample")


FILES = {name: (verdict, data) for name, verdict, data in old_files() if of_this_family(data)}


@pytest.mark.parametrize("name", sorted(FILES))
def test_same_verdict(name: str) -> None:
    verdict, data = FILES[name]
    try:
        lines = facts.convert(data)
    except facts.Other as reason:
        pytest.skip(f"written by another family: {reason}")
    except Exception as error:
        if "in its place" in str(error):
            pytest.skip(f"proved in another way now: {error}")
        # The converter stumbles over wrong form, never over what was accepted.
        assert verdict != "ACCEPTED"
        return
    outcome = check_bytes(sealed(lines))
    assert outcome.code != "internal-error", outcome.why
    is_accepted = verdict == "ACCEPTED" or name in ACCEPTED_NOW
    assert (outcome.verdict == "ACCEPTED") is is_accepted, (outcome, lines[1:4])
