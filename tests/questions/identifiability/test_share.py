"""The share of identifiable networks: who is drawn, who is counted, and the interval."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb
from pathlib import Path

import pytest

from exactrelu.effort import Effort
from exactrelu.errors import InputError
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.identifiability import share as module
from exactrelu.questions.identifiability.functional_dimension import functional_dimension
from exactrelu.questions.identifiability.identifiable import identifiable
from exactrelu.questions.identifiability.share import GRID, drawn, least, share
from tests.checking import assert_accepted
from tests.seeds import seeds, shifted

ALPHA = Fraction(1, 20)


def at_least(k: int, n: int, p: Fraction) -> Fraction:
    """P(X ≥ k) for X ~ Bin(n, p), term by term."""
    terms = (comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1))
    return sum(terms, Fraction(0))


@pytest.mark.parametrize("n", [1, 2, 3, 7, 30, 101])
def test_the_ends_are_those_of_clopper_and_pearson(n: int) -> None:
    """The last multiple of the grid at which the tail is not too heavy, by exact sums."""
    for k in sorted({0, 1, n // 3, n // 2, n - 1, n}):
        end = least(k, n)
        assert 0 <= end < GRID
        assert at_least(k, n, Fraction(end, GRID)) <= ALPHA / 2 or k == 0
        # A tie cannot be seen by a ball: then the end is one step further out.
        assert at_least(k, n, Fraction(end + 1, GRID)) >= ALPHA / 2
    assert least(0, n) == 0


@pytest.mark.parametrize("n", [1, 5, 12])
def test_the_interval_contains_the_share_often_enough(n: int) -> None:
    """For every share; and both ends grow with what is found, so undecided ones only widen it."""
    ends = [
        (Fraction(least(k, n), GRID), 1 - Fraction(least(n - k, n), GRID)) for k in range(n + 1)
    ]
    assert all(a < b and c < d for (a, c), (b, d) in pairwise(ends))
    for p in (Fraction(j, 40) for j in range(41)):
        inside = (k for k, (low, high) in enumerate(ends) if low <= p <= high)
        assert sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in inside) >= 1 - ALPHA


@pytest.mark.parametrize("n", [1, 10, 1000, 20_000])
def test_if_all_are_found_there_is_a_formula(n: int) -> None:
    """P(X ≥ n) = p^n, so that the end is the n-th root of α/2."""
    assert least(n, n) == pytest.approx(GRID * 0.025 ** (1 / n), abs=1.01)


def test_who_is_drawn() -> None:
    """The generator of Python, as the page says, and nothing else."""
    import random

    rng = random.Random("2,3,1 uniform 7 4")
    numbers = [Fraction(round(rng.uniform(-1, 1) * 10_000), 10_000) for _ in range(13)]
    network = drawn((2, 3, 1), "uniform", 7, 4)
    entries = [Fraction(str(x)) for layer in network.layers for x in layer.affine.entries()]
    assert entries == numbers
    found = share((2, 3, 1), count=3, seed=5)
    assert found.network(2).layers == drawn((2, 3, 1), "normal", 5, 2).layers
    with pytest.raises(InputError, match="from 1 to 3"):
        found.network(4)


def test_a_sample_does_not_depend_on_how_many_there_are() -> None:
    assert share((2, 2, 1, 1), count=8).answers == share((2, 2, 1, 1), count=20).answers[:8]


@pytest.mark.parametrize("seed", seeds(1, 6))
def test_the_volume_is_in_the_interval(seed: int) -> None:
    """The share is known, and the answers are those of the question, network by network."""
    found = share((2, 2, 2, 1), count=60, seed=seed)
    assert found.volume == Fraction(17, 32)
    # The interval itself may miss it, one time in twenty; one that is so much wider does not.
    slack = Fraction(1, 5)
    assert found.lower - slack <= found.volume <= found.upper + slack
    answers = [identifiable(found.network(k)).answer for k in range(1, 9)]
    assert answers == list(found.answers[:8])
    assert found.n_yes + found.n_no + found.n_undecided == 60
    assert found.n_unasked == 0


def test_undecided_networks_widen_it_on_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [True] * 5 + [None] * 3 + [False] * 2
    monkeypatch.setattr(
        module._NetworkSample, "answer", lambda self, number, effort: answers[number - 1]
    )
    found = share((2, 2, 1), count=10)
    assert (found.lower, found.upper) == (
        Fraction(least(5, 10), GRID),
        1 - Fraction(least(2, 10), GRID),
    )
    assert (found.n_yes, found.n_no, found.n_undecided) == (5, 2, 3)


def test_those_who_are_not_asked_count_like_undecided_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(self: object, number: int, effort: Effort) -> bool:
        if number == 5:
            whole.interrupt()
        return True

    whole = Effort(seconds=1000)
    monkeypatch.setattr(module._NetworkSample, "answer", answer)
    found = share((2, 2, 1), count=10, effort=whole)
    assert found.stopped == "interrupted"
    assert found.answer is None
    assert (found.n_yes, found.n_unasked) == (4, 6)
    assert found.upper == 1
    assert found.lower == Fraction(least(4, 10), GRID)


def test_no_time_at_all() -> None:
    found = share((2, 2, 2, 1), count=10, timeout=0)
    assert found.answers == ()
    assert (found.lower, found.upper) == (0, 1)
    assert found.volume == Fraction(17, 32)


def test_bounds_are_for_each_network(tmp_path: Path) -> None:
    """Else the second one would have none left; and the same by two processes."""
    options = {"count": 6, "max_regions": 3, "seed": shifted(0)}
    alone = share((2, 3, 2, 1), **options)
    both = share((2, 3, 2, 1), jobs=2, **options)
    assert alone.answers == both.answers
    single = [identifiable(alone.network(k), max_regions=3).answer for k in range(1, 7)]
    assert list(alone.answers) == single


def test_certificates(tmp_path: Path) -> None:
    found = share((2, 2, 1, 1), count=4, certificates=tmp_path / "all")
    names = sorted(path.name for path in (tmp_path / "all").iterdir())
    words = {True: "yes", False: "no", None: "undecided"}
    assert names == [f"{k}-{words[a]}.cert.jsonl.gz" for k, a in enumerate(found.answers, 1)]


def test_on_a_domain() -> None:
    """A flat one never has an identifiable network, and the volume is that of all of space."""
    found = share((2, 2, 2, 1), "box:0..1,0..0", count=3)
    assert found.n_yes == 0
    assert found.volume is None
    assert share((2, 2, 2, 1), "R", count=1).volume is not None


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (((2, 1),), {}),
        (((2, 0, 1),), {}),
        (((2, 2, 1),), {"count": 0}),
        (((2, 2, 1),), {"weights": "gauss"}),
        (((2, 2, 1),), {"timeout": -1}),
    ],
)
def test_bad_input(arguments: tuple[object, ...], options: dict[str, object]) -> None:
    with pytest.raises(InputError):
        share(*arguments, **options)


@pytest.mark.sweep
@pytest.mark.parametrize(
    "widths", [(2, 3, 2, 1), (2, 3, 3, 1), (2, 2, 2, 2, 1), (3, 2, 2, 2, 1), (2, 4, 4, 4, 1)]
)
def test_nine_of_ten_random_networks_are_decided(widths: tuple[int, ...], tmp_path: Path) -> None:
    """60 of each shape: a yes has the full functional dimension, a no a second network."""
    found = [drawn(widths, "normal", shifted(0), k) for k in range(1, 61)]
    verdicts = [identifiable(network, timeout=30) for network in found]
    for network, verdict in zip(found, verdicts, strict=True):
        if verdict.answer:
            dimension = functional_dimension(network)
            assert dimension.value == dimension.upper_bound
        elif verdict.answer is False:
            assert equivalent(network, verdict.witness).answer
            assert isomorphic(network, verdict.witness).answer is False
    decided = [verdict.certificate for verdict in verdicts if verdict.answer is not None]
    assert len(decided) >= 54
    assert_accepted(decided, tmp_path)
