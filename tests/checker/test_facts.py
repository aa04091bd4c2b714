"""Several claims at once: numbers of subjects, theorems, and long subjects that are named often."""

from __future__ import annotations

import json
from typing import Any

from bundles import cases, sealed
from exactrelu_checker import facts
from test_cases import check_bytes


def together(*names: str) -> list[str]:
    """The lines of a file with the claims of some cases, in order."""
    subjects: list[Any] = []
    listed = []
    lines = ["by facts"]
    for name in names:
        head, *rest = cases()[name].lines
        claim = json.loads(head)["claim"]
        for field in sorted(claim):
            if isinstance(claim[field], dict):
                if claim[field] not in subjects:
                    subjects.append(claim[field])
                claim[field] = f"@{subjects.index(claim[field]) + 1}"
        listed.append(claim)
        lines += rest
    claim = {"kind": "facts", "facts": {"list": listed, "subjects": subjects}}
    value = {"claim": claim, "format": "exactrelu-certificate/2"}
    return [json.dumps(value, sort_keys=True, separators=(",", ":")), *lines]


def test_subjects_share_their_numbers() -> None:
    outcome = check_bytes(sealed(together("hiding/one-live", "hiding/some", "fibers/both")))
    assert outcome.verdict == "ACCEPTED", outcome
    assert outcome.claim.count("N1 (2-2-1-1, sha256") == 1
    assert outcome.claim.count("N1") == 2
    assert outcome.claim.count("N2 (2-2-1, sha256") == 1


def test_complete_fibers_are_facts_that_trust_nothing() -> None:
    data = sealed(together("hiding/some", "hiding/one-live", "hiding/two-live"))
    assert check_bytes(data).trusts == "by facts; trusts NOTHING"


def test_state_does_not_leak() -> None:
    """A fact that is refused alone is refused beside accepted ones, wherever it stands."""
    refused = "fibers/dimension-wrong"
    for names in (["fibers/dimension", refused], [refused, "fibers/dimension"]):
        assert check_bytes(sealed(together(*names))).code == "wrong-dimension"


def test_long_subjects_are_not_named_too_often() -> None:
    long = "1" * 20000
    matrix = {"cols": 1, "matrix": ["1", [[long]]], "rows": 1}
    fact = {"kind": "rank", "matrix": "@1", "rank": 1}
    for many, code in ((2, ""), (200, "too-many-mentions")):
        claim = {"facts": {"list": [fact] * many, "subjects": [matrix]}, "kind": "facts"}
        value = {"claim": claim, "format": "exactrelu-certificate/2"}
        text = json.dumps(value, sort_keys=True, separators=(",", ":"))
        proof = ["by minor", "minor 7 0 0", "kernel"] * many
        outcome = check_bytes(sealed([text, "by facts", *proof]))
        assert outcome.code == code, outcome
    assert facts._READING < 1 << 30
