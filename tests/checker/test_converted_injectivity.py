"""Cases of format 1 about injectivity, stability and ranges, converted: equal verdicts."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from bundles2 import sealed
from convert.injectivity import CONVERTERS, Unconvertible, lines_of
from test_cases2 import check_bytes

ROOT = Path(__file__).resolve().parents[2]

#: Accepted in format 1, and not convertible: claims about nothing.
EMPTY = {
    "injective/nothing",
    "injective/nothing-strictly",
    "layer-injective/empty-by-a-strict-row",
    "layer-injective/empty-domain",
    "layer-injective/last-layer-on-nothing",
    "not-in-range/empty-domain",
    "stability-at-least/empty-domain",
}
#: Refused in format 1 and accepted here: the conversion drops the fault.
DROPPED = {
    "injective-by-blocks/not-an-index--proof": "true for 1, which is no JSON here",
    "layer-injective/combination-not-zero--dependency": "equations of D stand in D",
    "layer-injective/missing-record--implicit-equation-not-proved": "equations of D stand in D",
    "layer-injective/multiplier-zero--equation": "equations have no multipliers",
    "layer-injective/not-increasing--rows": "rows come in any order",
    "stability-at-least/not-increasing--always": "rows come in any order",
    "stability-at-least/not-lower-triangular--factor": "a triangle is nothing else",
}
#: Rejected in format 1 and not convertible; cases of the bundles here have the same fault.
NOT_SAID = {
    "injective/index-out-of-range--layer-beyond": "injectivity/layers-beyond",
    "injective-by-blocks/index-out-of-range--last-layer": "a statement about any layer here",
    "layer-injective/index-out-of-range--layer": "injectivity/no-such-layer",
    "not-in-range/modulus-too-small--one": "there is no modulus",
    "stability-at-least/index-out-of-range--layer": "stability/no-such-layer",
}


@cache
def old_cases() -> dict[str, Any]:
    """The cases of format 1 of these kinds that are files without options of limits."""
    from old_files import all_cases

    found = {}
    bundles = ("in-range", "injective", "layer-injective", "stability")
    for case in all_cases():
        is_own = case.bundle in bundles and case.verdict != "LIMIT"
        if is_own and (case.kind in CONVERTERS or case.verdict == "ACCEPTED"):
            found[case.name] = case
    return found


@pytest.mark.parametrize("name", sorted(old_cases()))
def test_verdicts_agree(name: str) -> None:
    case = old_cases()[name]
    kinds = [kind for kind in CONVERTERS if f'"kind":"{kind}"'.encode() in case.data]
    if not kinds:
        pytest.skip("a kind that is shown by points")
    try:
        lines = lines_of(case.data)
    except Unconvertible:
        assert case.verdict == "MALFORMED" or name in EMPTY or name in NOT_SAID
        return
    outcome = check_bytes(sealed(lines))
    assert outcome.code != "internal-error", outcome
    is_accepted = case.verdict == "ACCEPTED" or name in DROPPED
    assert (outcome.verdict == "ACCEPTED") is is_accepted, outcome


def test_lists_are_of_cases() -> None:
    assert EMPTY | DROPPED.keys() | NOT_SAID.keys() <= old_cases().keys()


def test_kept_certificates() -> None:
    n_accepted = 0
    for path in sorted((ROOT / "tests" / "format1" / "kept").rglob("*.cert.jsonl")):
        data = path.read_bytes()
        if json.loads(data.splitlines()[0])["claim"]["kind"] in CONVERTERS:
            outcome = check_bytes(sealed(lines_of(data)))
            assert outcome.verdict == "ACCEPTED", (path, outcome)
            n_accepted += 1
    assert n_accepted
