"""Fibers of format 1, converted: the same verdicts, or a reason."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "format1"))

import bundles
from convert import fibers
from exactrelu_checker.check import Question, check_stream
from exactrelu_checker.file import canonical

ROOT = Path(__file__).resolve().parents[2]

#: Accepted in format 1, refused in format 2.
REFUSED_NOW = {
    "fiber-components/nothing-listed": "a claim that lists nothing says nothing",
    "fiber-strata/nothing": "a claim that lists nothing says nothing",
    "fiber-layerwise/nothing": "a claim that lists nothing says nothing",
    "fiber-layerwise/subset-constant": "a claim that lists nothing says nothing",
    "fiber-layerwise/subset-hiding": "a claim that lists nothing says nothing",
}
FLIPS = """
forms-differ--no-proof index-out-of-range--flip missing-record--no-equality
missing-record--no-member not-a-flip--of-the-hidden-one not-a-flip--silent
not-a-flip--two-live not-a-list--flips not-increasing--flip
shapes-differ--member shapes-differ--smaller-member weights-differ--bias
weights-differ--flipped weights-differ--hidden-row weights-differ--layer-three
weights-differ--layer-two weights-differ--not-flipped weights-differ--row
weights-differ--scale weights-differ--sign
"""
#: Refused in format 1, accepted in format 2.
ACCEPTED_NOW = {
    "fiber-components/not-increasing--empty-twice": "lists have any order",
    "fiber-components/not-increasing--exchanged": "lists have any order",
    "fiber-components/not-increasing--twice": "lists have any order",
    "fiber-components/wrong-fields--member-with-signs": "a field is dropped",
    "fiber-dimension/domain-not-open--closed": "the closed orthant has the same values",
    "fiber-dimension/wrong-fields--k": "a field is dropped",
    "fiber-half-lines/wrong-fields--no-network": "members are not written",
    "fiber-layerwise/wrong-roles--more-dead-listed": "an entry that lists nothing is dropped",
    "fiber-half-lines/not-yes-or-no--true": "true is the word now",
    "fiber-layerwise/wrong-roles--more-dead": "an entry that lists nothing is dropped",
    # The flips are no part of the claim: that they keep the values is proved once and for all.
    **dict.fromkeys((f"fiber-half-lines/{name}" for name in FLIPS.split()), "flips are not listed"),
}


def old_files() -> Iterator[tuple[str, str, bytes]]:
    """Name, verdict of format 1 and bytes."""
    names = ("fiber-dimension", "fiber-half-lines", "fiber-layerwise", "fiber-strata")
    paths = [bundles.CASES / f"{name}.txt" for name in names]
    for case in bundles.read(*paths):
        if not case.arguments:
            yield case.name, case.verdict, case.data
    for path in sorted((ROOT / "tests" / "format1" / "kept").rglob("*.jsonl*")):
        data = path.read_bytes()
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        head = json.loads(data.split(b"\n", 1)[0])
        if isinstance(head, dict) and head.get("claim", {}).get("kind") in fibers.KINDS:
            yield path.name, "ACCEPTED", data


FILES = {name: (verdict, data) for name, verdict, data in old_files()}


def verdict2(lines: list[str]) -> tuple[str, str, str]:
    """The verdict on the lines of a file of format 2."""
    text = "".join(f"{line}\n" for line in lines).encode()
    text += f"end {len(lines):x} {hashlib.sha256(text).hexdigest()}\n".encode()
    stream = io.BufferedReader(io.BytesIO(text))  # type: ignore[arg-type]
    outcome = check_stream("a file", stream, Question())
    return outcome.verdict, outcome.code, outcome.why


def converted(data: bytes) -> list[str]:
    """The lines of format 2."""
    head, *rest = [json.loads(line) for line in data.decode().splitlines()][:-1]
    claim, *lines = fibers.convert(head["claim"], rest)
    return [canonical({"claim": claim, "format": "exactrelu-certificate/2"}), *map(str, lines)]


@pytest.mark.parametrize("name", sorted(FILES))
def test_same_verdict(name: str) -> None:
    verdict, data = FILES[name]
    try:
        lines = converted(data)
    except (KeyError, TypeError, ValueError, IndexError):
        assert verdict != "ACCEPTED"
        return
    found, code, why = verdict2(lines)
    assert code != "internal-error", why
    if name in REFUSED_NOW or name in ACCEPTED_NOW:
        assert (found == "ACCEPTED") is (name in ACCEPTED_NOW)
    else:
        assert (found == "ACCEPTED") is (verdict == "ACCEPTED"), (code, why, lines)
