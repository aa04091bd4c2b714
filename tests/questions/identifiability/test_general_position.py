"""General position: against its definition on all sign vectors, and what f shows at ridges."""

from __future__ import annotations

import random
from itertools import product

import pytest
from flint import fmpq

from exactrelu.effort import Effort
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import sign
from exactrelu.exact.system import LinearSystem, Sense
from exactrelu.network.network import (
    Network,
    Pattern,
    PlainNetwork,
    local_affine_map,
    pattern_polyhedron,
    plain,
    preactivation_maps,
    trace,
)
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.lp import feasible
from exactrelu.questions.identifiability.general_position import (
    GeneralPosition,
    Shows,
    is_in_general_position,
)
from tests.questions.identifiability.pairs import random_network
from tests.seeds import seeds


def position(network: Network, domain: str | None = None) -> GeneralPosition:
    return is_in_general_position(plain(network, ""), Domain.of(domain, network.n_inputs))


def net(*layers: tuple[list[list[int]], list[int]]) -> PlainNetwork:
    return plain(Network.from_arrays([w for w, _ in layers], [b for _, b in layers]), "")


# --- The definition, word by word


def all_faces(network: Network, inside: LinearSystem) -> dict[Pattern, int]:
    """Every sign vector that is taken, with the codimension of its set: a system for each."""
    found = {}
    layers = [list(product((-1, 0, 1), repeat=n)) for n in network.hidden_widths]
    for signs in product(*layers):
        system = pattern_polyhedron(network, signs) & inside
        if not isinstance(feasible(system), Solution):
            continue
        equations = [row.flint_normal for row in system.rows if row.sense is Sense.EQUAL]
        found[signs] = rank(Matrix(equations, network.n_inputs)) if equations else 0
    return found


def is_around(face: Pattern, other: Pattern) -> bool:
    pairs = [
        (s, t) for one, two in zip(face, other, strict=True) for s, t in zip(one, two, strict=True)
    ]
    return all(s in (0, t) for s, t in pairs)


def zeros(signs: Pattern) -> list[tuple[int, int]]:
    return [(l, i) for l, layer in enumerate(signs) for i, s in enumerate(layer) if s == 0]


def by_definition(network: Network, inside: LinearSystem) -> bool:
    """The three conditions."""
    found = all_faces(network, inside)
    if any(len(zeros(signs)) != codim for signs, codim in found.items() if codim <= 2):
        return False
    cells = [signs for signs, codim in found.items() if codim == 0]
    facets = [signs for signs, codim in found.items() if codim == 1]
    visible = {}
    for facet in facets:
        below, above = (
            local_affine_map(network, cell).matrix for cell in cells if is_around(facet, cell)
        )
        visible[facet] = below != above
        ((l, _),) = zeros(facet)
        if visible[facet] != all(max(layer) > 0 for layer in facet[l + 1 :]):
            return False
    for ridge in (signs for signs, codim in found.items() if codim == 2):
        (l1, _), (l2, b) = zeros(ridge)
        around = [facet for facet in facets if is_around(ridge, facet)]
        if l1 < l2 and any(visible[facet] for facet in around):
            normals = [
                preactivation_maps(network, facet)[l2].flint_row(b)[:-1]
                for facet in around
                if facet[l2][b] == 0
            ]
            assert len(normals) == 2
            if rank(Matrix(normals)) == 1:
                return False
    return True


DOMAINS = (None, None, "box:-1,1", "orthant")


@pytest.mark.parametrize("seed", seeds(60, 600))
def test_it_is_the_definition(seed: int) -> None:
    rng = random.Random(seed)
    widths = rng.choice(
        [(1, 2, 1), (2, 2, 1), (2, 3, 1), (1, 2, 2, 1), (2, 2, 2, 1), (2, 2, 1, 1, 1), (3, 2, 2, 1)]
    )
    network = random_network(rng, widths, rng.choice([1, 2, 5, 30]))
    domain = rng.choice(DOMAINS)
    place = Domain.of(domain, network.n_inputs)
    found = position(network, domain)
    assert found.answer == by_definition(network, place.inside), (seed, found.reason)
    if not found.answer:
        assert (found.cells, found.facets, found.ridges) == ((), (), ())
        return
    faces = all_faces(network, place.inside)
    for listed, codim in ((found.cells, 0), (found.facets, 1), (found.ridges, 2)):
        assert sorted(face.signs for face in listed) == sorted(
            s for s, c in faces.items() if c == codim
        )


@pytest.mark.parametrize("seed", seeds(12, 120))
def test_what_is_listed_is_what_f_does(seed: int) -> None:
    """Points, maps beside, jumps; at a ridge the visible facets and straight pairs of its type."""
    rng = random.Random(seed)
    widths = rng.choice([(2, 3, 2, 1), (2, 2, 2, 2, 1), (3, 2, 2, 2), (2, 4, 2)])
    network = random_network(rng, widths, 30)
    found = position(network)
    if not found.answer:
        return
    for cell in found.cells:
        assert trace(network, cell.point).pattern == cell.signs
        here = local_affine_map(network, cell.signs)
        rows = zip(here.matrix.flint_rows(), here.offset, strict=True)
        assert cell.affine.rows() == tuple((*map(_outward, row), c) for row, c in rows)
    for facet in found.facets:
        assert trace(network, facet.point).pattern == facet.signs
        below, above = (found.cells[k] for k in (facet.below, facet.above))
        l, i = facet.neuron
        assert (below.signs[l - 1][i - 1], above.signs[l - 1][i - 1]) == (-1, 1)
        assert all(is_around(facet.signs, cell.signs) for cell in (below, above))
        for o, u in enumerate(facet.jump):
            pairs = zip(above.affine.flint_row(o), below.affine.flint_row(o), strict=True)
            assert [x - y for x, y in pairs] == [u * g for g in facet.function]
        assert (
            sign(sum(g * x for g, x in zip(facet.function, (*above.point, fmpq(1)), strict=True)))
            == 1
        )
    for ridge in found.ridges:
        around = [found.facets[k] for k in ridge.facets]
        assert [f.neuron for f in around] == [ridge.first] * 2 + [ridge.second] * 2
        assert all(is_around(ridge.signs, f.signs) for f in around)
        visible = [k for k, f in enumerate(around) if f.is_visible]
        straight = [
            (j, k)
            for j in visible
            for k in visible
            if j < k and rank(Matrix([around[j].function[:-1], around[k].function[:-1]])) == 1
        ]
        expected = {
            Shows.NOTHING: ([], []),
            Shows.X: ([0, 1, 2, 3], [(0, 1), (2, 3)]),
            Shows.T4: ([0, 1, 2, 3], [(0, 1)]),
            Shows.T3: ([1, 2, 3], []),
        }
        assert (visible, straight) == expected[ridge.shows], (seed, ridge)


def _outward(x: fmpq) -> object:
    return Matrix([[x]]).rows()[0][0]


# --- What is special


@pytest.mark.parametrize(
    ("network", "reason"),
    [
        (
            net(([[0, 0]], [0]), ([[1]], [0])),
            "neuron (1,1) is 0 on a piece of dimension 2, at (0, 0)",
        ),
        (
            net(([[1, 0], [2, 0]], [0, 0]), ([[1, 1]], [0])),
            "neurons (1,1), (1,2) are 0 on a piece of dimension 1, at (0, 0)",
        ),
        (
            net(([[1, 0], [0, 1], [1, 1]], [0, 0, 0]), ([[1, 1, 1]], [0])),
            "neurons (1,1), (1,2), (1,3) are 0 on a piece of dimension 0, at (0, 0)",
        ),
        (net(([[1]], [0]), ([[0]], [0])), "neuron (1,1) has no kink at (0)"),
        (
            net(
                ([[1, 0], [0, 1]], [0, 0]),
                ([[1, 0], [1, 1]], [-1, 1]),
                ([[1, 1]], [0]),
            ),
            "the kink of (2,1) does not bend at that of (1,2), at (1, 0)",
        ),
    ],
)
def test_what_is_special_is_said(network: PlainNetwork, reason: str) -> None:
    assert position(network).reason == reason
    assert position(network).answer is False


def test_a_neuron_that_is_never_zero_is_not_special() -> None:
    """A row of zeros with a bias: padding with such neurons changes nothing."""
    assert position(net(([[1, 2], [0, 0]], [0, -1]), ([[1, 1]], [0]))).answer


def test_a_dead_layer_excuses_all_facets_before_it() -> None:
    found = position(net(([[1, 2], [3, 1]], [0, 1]), ([[-1, -1]], [-1]), ([[1]], [0])))
    assert found.answer
    assert not any(facet.is_visible for facet in found.facets)
    assert {ridge.shows for ridge in found.ridges} == {Shows.NOTHING}


def test_what_is_outside_the_domain_does_not_matter() -> None:
    network = net(([[1, 0], [1, 0]], [0, 0]), ([[1, 2]], [0]))
    assert position(network).answer is False
    assert position(network, "box:1,2").answer is True


def test_a_flat_domain_is_its_hull() -> None:
    """On the line x2 = 0 the two hyperplanes meet in one point of it."""
    network = net(([[1, 1], [1, -1]], [0, 0]), ([[1, 2]], [0]))
    assert position(network).answer is True
    assert position(network, "box:-1..1,0..0").reason == (
        "neurons (1,1), (1,2) are 0 on a piece of dimension 0, at (0, 0)"
    )
    assert position(network, "box:1..1,0..0").answer is True


def test_over_a_bound_it_is_open() -> None:
    rng = random.Random(0)
    network = plain(random_network(rng, (3, 4, 4, 1), 50), "")
    found = is_in_general_position(network, Domain.of(None, 3), Effort(faces=5))
    assert (found.answer, found.reason) == (None, "stopped at 5 faces")


def test_numbers_of_any_size() -> None:
    """Weights of 2^1000 and 2^-1000 beside each other."""
    huge, tiny = fmpq(2) ** 1000, fmpq(2) ** -1000
    scaled = Network.from_arrays([[[huge, 0], [0, tiny]], [[tiny, huge]]], [[0, 0], [1]])
    assert position(scaled).answer
    assert len(position(scaled).ridges) == 1
