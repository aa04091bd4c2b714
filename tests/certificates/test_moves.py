"""Every step and every proof of equality is accepted, on flat domains too, and nothing else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.certificates.certificate import Certificate, claim
from exactrelu.certificates.moves import (
    isomorphic_equality,
    lifted_equality,
    network_records,
    rewriting_claim,
)
from exactrelu.certificates.pair_trees import uncut_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.network.rewriting import (
    Compose,
    Drop,
    Flip,
    Merge,
    Refactor,
    Step,
    Translate,
    positive_coordinates,
    rewritten,
)
from exactrelu.network.symmetry import Symmetry
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.equivalence.canonical_forms import shallow_equal
from tests.checking import assert_accepted, verdicts
from tests.questions import pairs
from tests.seeds import seeds, shifted

LARGE, SMALL = fmpq(2) ** 1000, fmpq(1, 2**1000)
#: Layers, a domain, a step.
STEPS: dict[str, tuple[list[list[list[object]]], str, Step]] = {
    "dead": ([[[1, 0], [-1, 0]], [[1, 5, 0]]], "orthant", Drop(0, 1)),
    "unused": ([[[1, 0], [-1, 3]], [[1, 0, 0]]], "R", Drop(0, 1)),
    "zero row": ([[[1, 0], [0, 0]], [[1, 2, 0]]], "R", Drop(0, 1)),
    "twice": ([[[1, 2], [3, 6]], [[1, 1, 0]]], "R", Merge(0, 1, 0)),
    "tiny and huge": ([[[SMALL, 0], [LARGE, 0]], [[LARGE, SMALL, 0]]], "R", Merge(0, 0, 1)),
    "joined": ([[[1, 2], [-1, 0]], [[3, 1, "1/2"]]], "orthant", Compose(0)),
    "all dead": ([[[-1, 0]], [[3, 7]]], "orthant", Compose(0)),
    "fewer": (
        [[[1, "1/3"], [2, 1], [-1, 1]], [["1/5", "1/7", 1, 0]]],
        "orthant",
        Refactor(0, (0, 1), Matrix([["17/35"]]), Matrix([[1]])),
    ),
    "none left": (
        [[[1, 1], [1, 2], [-1, 1]], [[1, -1, 1, 0]]],
        "orthant",
        Refactor(0, (0, 1), Matrix.zero(1, 0), Matrix.zero(0, 1)),
    ),
}


def network(layers: list[list[list[object]]]) -> Network:
    return pairs.from_tables([[[fmpq(*_parts(x)) for x in row] for row in rows] for rows in layers])


def _parts(x: object) -> tuple[object, ...]:
    return tuple(map(int, x.split("/"))) if isinstance(x, str) else (x,)


def claimed(net: Network, place: Domain, step: Step) -> Certificate:
    """The claim that a step keeps the function."""
    small = rewritten(net, step, positive_coordinates(place.inside))
    return rewriting_claim(net, small, place, [step])


@pytest.mark.parametrize("name", STEPS)
def test_steps(name: str, tmp_path: Path) -> None:
    layers, where, step = STEPS[name]
    assert_accepted([claimed(network(layers), Domain.of(where, 1), step)], tmp_path)


def test_hidden_neurons(tmp_path: Path) -> None:
    """Row 3 of the second layer is dead: it asks for nothing, before and after."""
    second = [[2, -3, -1, 0], [4, -6, -2, 0], [0, -2, -1, -5]]
    layers = [[[1, 0, 0], [0, 1, 0], [1, 1, 1]], second, [[1, 1, 1, 0]]]
    net, place = network(layers), Domain.of(None, 2)
    steps = [Translate(0, 0, fmpq(5, 3)), Flip(0, 0, (2, 1)), Flip(0, 0, ())]
    assert_accepted([claimed(net, place, step) for step in steps], tmp_path)
    # The last one may not be turned around by another quotient.
    second[1] = [4, -6, -1, 0]
    with pytest.raises(ArithmeticError, match="another function"):
        claimed(network(layers), place, Flip(0, 0, (1, 2)))


def flat_domains() -> list[Domain]:
    """A line, a plane, a half-line, a segment with rows that say nothing, a point."""
    diagonal = Row.of((2, -3, 0), 1, Sense.EQUAL)
    last = Row.of((0, 0, 1), fmpq(-1, 2), Sense.EQUAL)
    half, more = Row.of((0, 5, 0), 0), Row.of((1, 1, 1), 9)
    above = Row.of((-1, 0, 0), 4, Sense.GREATER)
    systems = [(diagonal, last), (diagonal,), (diagonal, last, half), (diagonal, last, half, above)]
    systems[-1] += (more, half)
    point = [Row.of([int(i == j) for j in range(3)], -i, Sense.EQUAL) for i in range(3)]
    return [Domain.of(LinearSystem(3, rows), 3) for rows in (*systems, tuple(point))]


@pytest.mark.parametrize("number", range(5))
def test_equal_on_flat_domains(number: int, tmp_path: Path) -> None:
    """What is proved about the restrictions is proved about the networks, by every method."""
    place = flat_domains()[number]
    rng = random.Random(number)
    certificates = []
    for _ in range(6):
        a = pairs.random_network(rng, [3, rng.randint(1, 3), rng.randint(1, 2)])
        # Another network with the same values on the affine hull of the domain.
        b = equal_on(place, a, rng)
        assert a != b
        ours, theirs = place.restricted(a), place.restricted(b)
        assert ours == theirs
        symmetry = Symmetry.random(ours, rng)
        moved = b.transformed(symmetry)
        by_symmetry = isomorphic_equality(ours, place.restricted(moved), place.inner, symmetry)
        certificates.append(lifted_equality(a, moved, place, by_symmetry))
        by_steps = rewriting_claim(ours, theirs, place.inner, [])
        certificates.append(lifted_equality(a, b, place, by_steps))
        by_cells = uncut_proof(ours, theirs, place.inner)
        assert by_cells is not None
        certificates.append(lifted_equality(a, b, place, by_cells))
        if place.inner.is_everywhere or place.inner.is_orthant:
            shallow = shallow_equal(ours, theirs, place.inner)
            certificates.append(lifted_equality(a, b, place, shallow.certificate))
    assert_accepted(certificates, tmp_path)
    # Of the networks themselves this is not true.
    everywhere = rewriting_claim(a, b, Domain.of(None, 3), [])
    assert verdicts([everywhere], tmp_path)[0]["code"] == "result-differs"


def equal_on(place: Domain, net: Network, rng: random.Random) -> Network:
    """Multiples of equations are added to the rows of the first layer."""
    tables = pairs.tables(net)
    equation = place.equations[0]
    for row in tables[0]:
        factor = fmpq(rng.randint(1, 5), rng.randint(1, 3))
        row[:] = [x + factor * e for x, e in zip(row, equation, strict=True)]
    return pairs.from_tables(tables)


def test_networks_in_records(tmp_path: Path) -> None:
    net = network([[[1, 2], [3, 6]], [["1/2", 1, 0]]])
    small = network([[["1/3", "2/3"]], [["21/2", 0]]])
    place = Domain.of("box:-1,1", 1)
    equal = rewriting_claim(net, small, place, [Merge(0, 1, 0)], then=None)
    # 7/2·(x + 2) and 21/2·(x + 2)/3: the other one is scaled.
    assert verdicts([equal], tmp_path)[0]["code"] == "result-differs"
    symmetry = Symmetry(((1,),), ((fmpq(1, 3),),))
    equal = rewriting_claim(net, small, place, [Merge(0, 1, 0)], symmetry=symmetry)
    records = [*network_records(small), *equal.evidence]
    smaller = claim("minimal", "smaller", records, holds=False, network=net, domain=place)
    assert records[:3] == ["widths 1 1", "layer 3 1 2", "layer 2 15 0"]
    assert_accepted([equal, smaller], tmp_path)


@pytest.mark.parametrize("seed", seeds(3, 60))
def test_hidden_neurons_of_small_integers(seed: int, tmp_path: Path) -> None:
    """Neurons of layer 2 may be multiples of neurons of layer 1, and of each other."""
    rng = random.Random(shifted(seed))
    certificates = []
    for _ in range(40):
        width = rng.choice([2, 2, 3])
        first: list[list[object]] = [[rng.randint(-2, 2), rng.randint(-1, 1)] for _ in range(width)]
        second = [[-rng.choice([0, 0, 1, 2]) for _ in range(width + 1)] for _ in "ab"]
        for row in second:
            row[0] = rng.choice([0, 1, 2])
        net = network([first, [*second], [[12, -12, 0]]])
        step = Translate(0, 0, fmpq(rng.randint(1, 3), rng.randint(1, 2)))
        certificates.append(claimed(net, Domain.of(None, 1), step))
    assert_accepted(certificates, tmp_path)


def test_a_sign_in_layer_1_does_not_settle_others_first(tmp_path: Path) -> None:
    """In a cell 2s(y) − 1 of layer 2 is −2x − 1, a neuron of layer 1."""
    net = network([[[-2, -1], [-1, 0]], [[-2, 1, 0], [0, 2, -1]], [[12, -12, 0]]])
    assert_accepted([claimed(net, Domain.of(None, 1), Translate(0, 1, fmpq(1)))], tmp_path)
