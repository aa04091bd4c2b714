"""Walks from accepted file to accepted file: each claim on the way is true, by brute force."""

from __future__ import annotations

import random
import time

import accepted
import pytest
from accepted import KINDS, Tally, Walk, walked
from exactrelu_checker.check import Outcome
from test_cases import check_bytes

from tests.seeds import SEED

DAILY, SWEEP = 60, 10_000
#: Of the clock, for a kind in the sweep: a slow machine does fewer, and says so.
SECONDS = 600


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_accepted_is_true(kind: str) -> None:
    tally = walked(kind, f"{SEED} daily", lambda tally: tally.mutants < DAILY)
    assert tally.accepted > DAILY // 20


@pytest.mark.sweep
@pytest.mark.parametrize("kind", KINDS)
def test_ten_thousand_that_are_accepted_are_true(kind: str) -> None:
    start = time.monotonic()

    def more(tally: Tally) -> bool:
        return tally.accepted < SWEEP and time.monotonic() - start < SECONDS

    tally = walked(kind, f"{SEED} sweep", more)
    print(f"{kind}: {tally}")
    assert tally.claims > 20


@pytest.mark.parametrize("kind", ["honest", "fiber-parts", "nonnegative-column-rank"])
def test_a_false_claim_ends_a_walk(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checker that accepts whatever is well-formed is found out."""

    def accepting(data: bytes) -> Outcome:
        found = check_bytes(data)
        return found._replace(verdict="ACCEPTED") if found.verdict == "REJECTED" else found

    monkeypatch.setattr(accepted, "check_bytes", accepting)
    walk = Walk(kind, "all accepted")

    def go() -> None:
        for _ in range(300):
            walk.step()

    with pytest.raises(AssertionError):
        go()


def test_a_mutant_is_another_file() -> None:
    rng = random.Random(0)
    for kind in KINDS:
        lines = accepted.sources(kind)[0]
        assert any(accepted.mutant(rng, lines) != lines for _ in range(5)), kind
