"""Huge numbers in small files: the checker pays before it allocates, and ends soon (``huge``)."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterable
from itertools import count
from pathlib import Path

import huge
import pytest
from bundles import Case, cases, sealed
from exactrelu_checker import check
from exactrelu_checker.check import Question
from exactrelu_checker.options import domain_of
from huge import COUNT, complaint
from test_bombs_moves import head, layer
from test_cases import check_bytes

PROGRAM = Path(__file__).with_name("huge.py")


def accepted() -> list[Case]:
    """The shortest first; ledgers are files of their own."""
    found = (case for case in cases().values() if case.verdict == "ACCEPTED")
    return sorted((c for c in found if "--ledger" not in c.options), key=lambda c: len(c.data))


def complaints(names: Iterable[str], *options: str) -> str:
    """What a process of its own, with little memory, says about cases."""
    run = subprocess.run(
        [sys.executable, str(PROGRAM), *options, *names],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout


def test_a_huge_number_ends_soon() -> None:
    """In the shortest case of each kind, method and statement."""
    shortest: dict[object, str] = {}
    for case in accepted():
        claim = json.loads(case.lines[0])["claim"]
        about = claim["kind"], claim.get("holds"), claim.get("lemma"), case.lines[1]
        shortest.setdefault(about, f"{case.bundle}/{case.name}")
    assert complaints(shortest.values(), "--few") == ""


@pytest.mark.sweep
@pytest.mark.parametrize("bundle", sorted({case.bundle for case in accepted()}))
def test_no_huge_number_takes_long(bundle: str) -> None:
    """In every case, each number."""
    names = [f"{bundle}/{case.name}" for case in accepted() if case.bundle == bundle]
    assert complaints(names) == ""


def test_rows_without_entries_are_paid() -> None:
    """A product of matrices with as many columns and rows as it says, and no entry."""
    matrix = {"cols": 0, "matrix": ["1", []], "rows": 0}
    claim = head(kind="nonnegative-column-rank", matrix=matrix, rank=COUNT, columns=COUNT)
    data = sealed([claim, "by factors", "left 1", "right 1"])
    assert len(data) < 300
    assert check_bytes(data).code == "out-of-fuel"


def instance(**fields: object) -> bytes:
    """A counterexample to a statement about a network and a domain."""
    network = {"layers": [layer(2, 1), layer(1, 1)]}
    facts = {"list": [{"kind": "rank", "matrix": "@1", "rank": 0}],
             "subjects": [{"cols": 0, "matrix": ["1", []], "rows": 0}]}  # fmt: skip
    claim = head(kind="counterexample", lemma="S001-nonzero-entries", facts=facts,
                 instance={"N": network, **fields})  # fmt: skip
    return sealed([claim, "by facts"])


@pytest.mark.parametrize("pin", [None, "R", "orthant", "box:0..1"])
def test_a_domain_in_a_space_that_no_row_has(pin: str | None) -> None:
    data = instance(Z={"dim": COUNT, "rows": []})
    assert len(data) < 600
    question = Question(domain=domain_of(pin) if pin else None)
    expected = ("MALFORMED", "dimensions-differ") if pin is None else ("LIMIT", "out-of-fuel")
    outcome = check_bytes(data, question)
    assert (outcome.verdict, outcome.code) == expected


def counted(lemma: str, **fields: object) -> bytes:
    facts = {"list": [{"kind": "rank", "matrix": "@1", "rank": 0}],
             "subjects": [{"cols": 0, "matrix": ["1", []], "rows": 0}]}  # fmt: skip
    return sealed(
        [head(kind="counterexample", lemma=lemma, facts=facts, instance=fields), "by facts"]
    )


@pytest.mark.parametrize(
    ("lemma", "numbers"),
    [
        ("S003-example-1", {"height": 100, "width": 100}),
        ("S003-kernel-count", {"P": 20_000}),
        ("S003-theorem-3", {"P": 2, "n": 20_000}),
        ("S003-lemma-3", {"V": 1, "n": 20_000}),
    ],
)
def test_matrices_that_a_statement_derives_are_paid(lemma: str, numbers: dict[str, int]) -> None:
    """Their entries are kept: what all fuel pays for is less than 100 MB."""
    kernels = {} if "height" in numbers else {"N": {"layers": [layer(2, 1), layer(1, 1)]}}
    data = counted(lemma, **kernels, **numbers)
    assert check_bytes(data).code == "out-of-fuel"


def test_an_orthant_is_paid() -> None:
    """Its n² entries are in no file: it stands for n inputs of a layer."""
    n = 5000
    network = {"layers": [layer(1, n), layer(n, 1), layer(1, 1)]}
    stratum = {"bends": ["+"], "dead": 0, "linear": 0, "others": []}
    claim = head(
        kind="fiber-layerwise", network=network, complete=False, nonempty=[stratum], empty=[]
    )
    assert check_bytes(sealed([claim, "by members"])).code == "out-of-fuel"


def test_a_shard_counts_as_a_claim_does() -> None:
    """No number of more digits than a claim has; Python would refuse to write it."""
    case = cases()["shards/root"]
    lines = [f"shard {'f' * 5000}" if line.startswith("shard ") else line for line in case.lines]
    assert lines != list(case.lines)
    assert check_bytes(sealed(lines)).code == "bad-number"


def test_complaints_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search would see a file that takes memory, or time, or an end that nobody foresaw."""
    data = cases()["file/relu"].data
    assert complaint(data) == ""
    with monkeypatch.context() as patch:
        patch.setattr(huge, "MEMORY", -1)
        assert "bytes" in complaint(data)
    monkeypatch.setattr(check, "prove", lambda *_: {}[0])
    assert complaint(data) == "internal-error: KeyError in the checker"
    signal.signal(signal.SIGPROF, huge.late)
    monkeypatch.setattr(check, "prove", lambda *_: sum(0 for _ in count()))
    monkeypatch.setattr(huge, "SECONDS", 0.1)
    assert complaint(data) == "more than 0.1 s"
