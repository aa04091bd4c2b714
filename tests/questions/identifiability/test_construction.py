"""Identifiable networks of any widths: proved, reproducible, and who is tried."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from exactrelu.certificates.certificate import Verdict
from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError
from exactrelu.network.network import trace
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.folds.construction import construct
from exactrelu.questions.identifiability import construction
from exactrelu.questions.identifiability.construction import build_identifiable, candidate
from exactrelu.questions.identifiability.functional_dimension import functional_dimension
from exactrelu.questions.identifiability.identifiable import identifiable
from tests.checking import assert_accepted
from tests.seeds import seeds

#: On all of space, by one theorem or another; the last ones by tracks, most of them in the sweep.
WIDTHS = [
    *((1, 2, 1), (2, 5, 3), (2, 1, 2, 1), (2, 2, 2, 1), (3, 3, 2, 2), (4, 2, 5, 1)),
    (2, 3, 3, 2),
    *(
        pytest.param(widths, marks=pytest.mark.sweep)
        for widths in ((2, 2, 2, 2, 1), (2, 4, 4, 1), (2, 2, 2, 2, 2, 1))
    ),
]


@pytest.mark.parametrize("widths", WIDTHS, ids=str)
def test_networks_of_any_widths(widths: tuple[int, ...], tmp_path: Path) -> None:
    built = build_identifiable(widths)
    assert built.network.widths == widths
    assert built.verdict.answer is True
    assert identifiable(built.network).answer is True
    # By another way: else a curve of parameters would have the same function to first order.
    assert functional_dimension(built.network).is_locally_identifiable
    assert build_identifiable(widths).network == built.network
    assert build_identifiable(widths, seed=1).network != built.network
    (sentence,) = assert_accepted([v.certificate for v in built.bundle().values()], tmp_path)
    assert " is identifiable among " in sentence


def test_on_a_domain(tmp_path: Path) -> None:
    """Where the widths grow there is no construction: networks are tried on the domain."""
    built = build_identifiable((2, 3, 2, 1), "box:-1..1")
    assert built.verdict.answer is True
    assert identifiable(built.network, "box:-1..1").answer is True
    (sentence,) = assert_accepted([built.certificate], tmp_path)
    assert "the box [-1,1] x [-1,1]" in sentence


def test_the_construction_is_kept_where_there_is_one() -> None:
    for widths in ((2, 2, 1), (3, 2, 2, 1)):
        built = build_identifiable(widths, "box:-1,1")
        assert built == construct(widths, "box:-1,1")
    assert build_identifiable((2, 2, 1), "box:-1,1") != build_identifiable((2, 2, 1))


@pytest.mark.parametrize("seed", seeds(3))
@pytest.mark.parametrize("domain", ["R", "orthant", "box:100..101", "box:0..1/1000"])
def test_neurons_of_candidates_change_their_signs(domain: str, seed: int) -> None:
    """Those of the first layer in the domain; the others where the layers before are active."""
    rng = random.Random(seed)
    place = Domain.of(domain, 2)
    network = candidate(place, (2, 4, 3, 1), rng)
    points = [construction._point(place, rng) for _ in range(200)]
    assert all(place.inside.contains(x) for x in points)
    signs = [trace(network, x).pattern[0] for x in points]
    for neuron in range(4):
        assert {signs[k][neuron] for k in range(200)} >= {-1, 1}


def test_none_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is proved: the search ends, and says how many were tried."""
    undecided = Verdict(None, "too hard")
    monkeypatch.setattr(construction, "identifiable", lambda *_, **__: undecided)
    monkeypatch.setattr(construction, "MAX_TRIES", 4)
    with pytest.raises(Stopped, match="none of 4 networks of widths 1,2,1 is proved identifiable"):
        build_identifiable((1, 2, 1))


def test_the_time_is_kept() -> None:
    with pytest.raises(Stopped, match="stopped after 0 s"):
        build_identifiable((2, 3, 2, 1), effort=Effort(seconds=0))
    with pytest.raises(Stopped, match="parameters needs about"):
        build_identifiable((10**6, 10**6, 2))


@pytest.mark.parametrize(
    ("widths", "domain"),
    [
        ((2, 1), None),
        ((), None),
        ((2, 0, 1), None),
        ((2, 3, 1), "box:0,1;0,0"),
        ((3, 3, 1), [(0, 1)]),
    ],
)
def test_bad_input(widths: tuple[int, ...], domain: object) -> None:
    with pytest.raises(InputError):
        build_identifiable(widths, domain)
