"""Identifiable at any depth: known answers, the checker as a second way, and never a wrong yes."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.certificates.certificate import Certificate, claim
from exactrelu.effort import Effort, Stopped
from exactrelu.network.network import Network, PlainNetwork, plain
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.identifiability.functional_dimension import functional_dimension
from exactrelu.questions.identifiability.general_position import is_in_general_position
from exactrelu.questions.identifiability.identifiable import identifiable
from exactrelu.questions.identifiability.peeling import (
    ALL,
    GENERAL,
    MAX_WIDTH,
    NotShown,
    Peeling,
    Ridges,
    track_proof,
)
from exactrelu.questions.identifiability.second import obstructions
from exactrelu.questions.identifiability.tracks import Tracks
from tests.checking import assert_accepted
from tests.questions.identifiability.pairs import random_network
from tests.seeds import seeds


def net(*layers: tuple[list[list[object]], list[object]]) -> PlainNetwork:
    return plain(Network.from_arrays([w for w, _ in layers], [b for _, b in layers]), "")


def proved(network: PlainNetwork, domain: str | None = None) -> tuple[str, Certificate] | None:
    """The proof, or None."""
    try:
        return track_proof(network, Domain.of(domain, network.n_inputs))
    except NotShown:
        return None


#: Networks that are determined by their function: 2-3-2-1, 2-3-3-1, 2-2-2-2-1, 3-2-2-2-1, 2-3-3-2.
YES = [
    net(
        ([[-3, 1], [2, 3], [2, 1]], [0, -1, 0]),
        ([[-2, -1, 2], [-1, -1, 2]], [2, 3]),
        ([[-3, 2]], [0]),
    ),
    net(
        ([[-3, 0], [-3, 3], [0, -2]], [2, -3, -2]),
        ([[2, -3, -2], [-3, 1, -2], [2, 3, -2]], [-2, 1, 2]),
        ([[-2, 2, -3]], [0]),
    ),
    net(
        ([[-1, -2], [-2, -1]], [0, 1]),
        ([[2, -2], [-3, -1]], [1, 2]),
        ([[-2, -1], [2, -1]], [1, -2]),
        ([[2, 3]], [-3]),
    ),
    net(
        ([[-3, 0, -3], [-2, -2, 0]], [1, 3]),
        ([[2, 2], [-2, 2]], [-3, -1]),
        ([[-1, 1], [3, -2]], [3, -3]),
        ([[-2, 1]], [-3]),
    ),
    net(
        ([[-1, -3], [-3, 3], [3, -1]], [1, 0, 3]),
        ([[-3, -3, 1], [2, -2, -2], [-1, 2, 2]], [0, 0, -1]),
        ([[0, -1, 1], [-1, 1, -3]], [3, 3]),
    ),
]

#: Two thirds of a network that is nearly not determined: with its second row turned around and the
#: biases moved, the largest difference is 9911/31950000.
NEAR_MISS = net(
    ([["7/10", "-49/50"], ["-157/100", "-73/25"]], ["-22/25", "37/100"]),
    ([["-7/20", "5/4"], ["3/100", "51/100"]], ["137/50", "-11/100"]),
    ([["51/50", "-22/25"]], ["11/100"]),
    ([["53/20"]], ["-51/100"]),
)

#: Networks with others of the same function: a weight that never shows, a hidden neuron, mirror
#: images, a sum of weights that is 0.
NO = [
    net(([[1], [-1]], [0, -1]), ([[1, -1]], [-1]), ([[1]], [0])),
    net(([[1, 0], [0, 1]], [0, 0]), ([[1, -1]], [-1]), ([[1]], [0])),
    net(([[1, 0]], [0]), ([[-1], [-2]], [1, 1]), ([[1, 1]], [0])),
    net(([[1, 0], [0, 1]], [0, 0]), ([[1, -2], [2, -2]], [2, 3]), ([[1, -1]], [0])),
]


@pytest.mark.parametrize("network", [*YES, NEAR_MISS], ids=lambda network: str(network.widths))
def test_networks_that_are_determined(network: PlainNetwork, tmp_path: Path) -> None:
    verdict = identifiable(network)
    assert verdict.answer
    assert verdict.reason in (ALL, GENERAL)
    assert_accepted([verdict.certificate], tmp_path)
    found = proved(network)
    assert found is not None
    assert found[1] == verdict.certificate


def test_the_near_miss_is_near() -> None:
    first, second, third, last = (
        [list(row) for row in layer.affine.flint_rows()] for layer in NEAR_MISS.layers
    )
    u, v = third[0][:2]
    t = fmpq(11, 102) + fmpq(1, 20)
    second[0] = [x + v / u * y for x, y in zip(second[0], second[1], strict=True)]
    second[0][-1] += t
    second[1] = [-x for x in second[1]]
    third[0][-1] -= u * t
    rows = (first, second, third, last)
    other = Network.from_arrays(
        [[r[:-1] for r in m] for m in rows], [[r[-1] for r in m] for m in rows]
    )
    assert isomorphic(NEAR_MISS, other).answer is False
    assert equivalent(NEAR_MISS, other).answer is False


@pytest.mark.parametrize("network", NO, ids=lambda network: str(network.widths))
def test_networks_that_are_not_determined(network: PlainNetwork) -> None:
    assert proved(network) is None


def drawn(seed: int, widths: tuple[int, ...], digits: int = 4) -> PlainNetwork:
    """Normal weights, rounded to decimals."""
    rng = random.Random(f"{seed} {widths}")

    def number() -> str:
        return f"{rng.gauss(0, 1):.{digits}f}"

    pairs = list(pairwise(widths))
    weights = [[[number() for _ in range(m)] for _ in range(n)] for m, n in pairs]
    return plain(Network.from_arrays(weights, [[number() for _ in range(n)] for _, n in pairs]), "")


def checked(network: PlainNetwork, domain: str | None, among: str, method: str) -> str:
    """What the checker says to the faces of a network, whatever the engine thinks."""
    found = polyhedral_complex(network, domain)
    place = Domain.of(domain, network.n_inputs)
    about = {"network": network, "among": among, "domain": place}
    return claim("identifiable", method, found.listed, holds=True, **about).check().status


SHAPES = [
    (2, 3, 2, 1),
    (2, 3, 3, 1),
    (2, 2, 2, 2, 1),
    (3, 2, 2, 2, 1),
    (2, 3, 4, 1),
    (1, 2, 1, 1),
    (1, 1, 2, 1),
    (2, 1, 2, 1),
    (2, 2, 2),
    (1, 3, 2),
    (2, 2, 1, 2, 1),
]


@pytest.mark.parametrize("seed", seeds(11, 330))
def test_the_checker_agrees_with_the_engine(seed: int) -> None:
    """Two programs: one with integers, from the words of the rule, the other one with FLINT."""
    widths = SHAPES[seed % len(SHAPES)]
    network = drawn(seed, widths, digits=seed % 3)
    domain = None if seed % 2 else "box:-2..2"
    found = is_in_general_position(network, Domain.of(domain, widths[0]))
    for peeling, among, method in (
        (Ridges, "all", "ridges"),
        (Peeling, "general-position", "tracks"),
    ):
        is_shown = bool(found.answer)
        if is_shown:
            try:
                peeling(Tracks(found)).show()
            except NotShown:
                is_shown = False
        assert checked(network, domain, among, method) == ("ACCEPTED" if is_shown else "REJECTED")


@pytest.mark.parametrize("seed", seeds(6, 600))
def test_a_yes_is_never_wrong(seed: int) -> None:
    """No yes where the functional dimension falls short, or where a second network was planted."""
    widths = SHAPES[seed % 5]
    network = drawn(seed, widths)
    if proved(network) is not None:
        assert functional_dimension(network).is_locally_identifiable
    # A dead neuron, or one without outgoing weights: its row is free.
    first, *rest = network.layers
    rows = [list(row) for row in first.affine.flint_rows()]
    rows[0] = [fmpq(0)] * widths[0] + [fmpq(-1)]
    arrays = [rows, *([list(r) for r in layer.affine.flint_rows()] for layer in rest)]
    planted = Network.from_arrays(
        [[r[:-1] for r in m] for m in arrays], [[r[-1] for r in m] for m in arrays]
    )
    assert proved(plain(planted, "")) is None


@pytest.mark.parametrize("seed", seeds(5, 300))
def test_bottlenecks_as_the_signs_say(seed: int) -> None:
    """For three layers the sign theorem is another proof, among all networks."""
    widths = [(2, 2, 2, 1), (3, 2, 2, 1), (2, 2, 3, 1), (2, 2, 3, 2), (3, 3, 2, 1)][seed % 5]
    network = drawn(seed, widths)
    while not all(x for layer in network.layers for x in layer.affine.flint.entries()):
        seed += 1000  # a weight that is rounded to 0 is not generic
        network = drawn(seed, widths)
    assert (proved(network) is not None) == (not obstructions(network))


def test_on_a_domain_less_is_shown() -> None:
    network = YES[0]
    assert proved(network, "box:-5..5") is not None
    assert proved(network, "box:10..11") is None
    verdict = identifiable(network, "box:-5..5")
    assert verdict.answer
    assert verdict.reason.endswith(", on the domain")


@pytest.mark.parametrize(
    "network",
    [
        net(([[0, 0], [1, 2]], [0, 1]), ([[1, 1]], [0]), ([[1]], [0])),  # a zero row
        net(([[1, 2], [1, 2]], [1, 1]), ([[1, 1], [1, -1]], [0, 1]), ([[1, 1]], [0])),  # twice
        net(([[1, 2], [2, 1]], [0, 0]), ([[-1, -1], [-2, -1]], [-1, -2]), ([[1, 1]], [0])),  # dead
        net(([[1]], [0]), ([[1]], [0]), ([[0]], [0])),  # an output without weights
        net(([[1, 1]], [0])),  # no hidden layer
    ],
    ids=["zero-row", "duplicates", "dead-layer", "no-output", "affine"],
)
def test_degenerate_networks(network: PlainNetwork) -> None:
    """An affine network is determined by its values; the others are not shown to be."""
    is_affine = not network.hidden_widths
    assert (proved(network) is not None) == is_affine
    verdict = checked(network, None, "general-position", "tracks")
    assert verdict == ("ACCEPTED" if is_affine else "REJECTED")


def test_weights_of_any_size(tmp_path: Path) -> None:
    """Scaling a neuron by 2^1000 changes no answer."""
    first, *rest = YES[0].layers
    huge = 2**1000
    rows = [
        [x * huge for x in row] if i == 1 else list(row)
        for i, row in enumerate(first.affine.flint_rows())
    ]
    second, *after = ([list(row) for row in layer.affine.flint_rows()] for layer in rest)
    second = [[x / huge if j == 1 else x for j, x in enumerate(row)] for row in second]
    arrays = [rows, second, *after]
    network = plain(
        Network.from_arrays(
            [[r[:-1] for r in m] for m in arrays], [[r[-1] for r in m] for m in arrays]
        ),
        "",
    )
    found = proved(network)
    assert found is not None
    assert_accepted([found[1]], tmp_path)


def test_wide_layers_are_not_tried() -> None:
    network = random_network(random.Random(0), (2, MAX_WIDTH + 1, 1, 1))
    with pytest.raises(NotShown, match="more than"):
        track_proof(plain(network, ""), Domain.of(None, 2))


def test_effort_is_kept() -> None:
    with pytest.raises((Stopped, NotShown)):
        track_proof(YES[2], Domain.of(None, 2), Effort(faces=5))
    verdict = identifiable(YES[2], max_faces=5)
    assert verdict.answer is None
    assert "stopped at 5 faces" in verdict.reason
