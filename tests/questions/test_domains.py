"""Every question on flat, thin, point-like and unbounded domains, against brute force.

``DOMAINS=600 pytest tests/questions/test_domains.py`` runs 600 pairs of a network and a domain for
each question; 40 are run every day.  A failure names its number, which runs alone with ``-k``.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from itertools import pairwise

import pytest
from flint import fmpq

import exactrelu as er
from exactrelu.errors import InputError, Unanswered
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network, trace
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.identifiability.derivatives import jacobian
from tests.checking import assert_accepted
from tests.questions import domain_oracle as oracle

N = int(os.environ.get("DOMAINS", "40"))
NUMBERS = pytest.mark.parametrize("number", range(N))


def drawn(number: int, *widths: int) -> tuple[random.Random, oracle.Planted, Network]:
    """The pair with this number: small integers, so that ties at exactly 0 are common."""
    rng = random.Random(f"{widths} {number}")
    planted = oracle.random_domain(rng, widths[0], oracle.KINDS[number % len(oracle.KINDS)])
    return rng, planted, random_network(rng, widths)


def random_network(rng: random.Random, widths: tuple[int, ...]) -> Network:
    weights = [
        [[rng.randint(-2, 2) for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)
    ]
    return Network.from_arrays(weights, [[rng.randint(-2, 2) for _ in w] for w in weights])


def widths_of(number: int) -> tuple[int, ...]:
    return [(2, 3, 1), (2, 2, 2, 1), (3, 2, 1), (1, 3, 2), (3, 3, 2)][number // 5 % 5]


@NUMBERS
def test_the_domain_itself(number):
    _, planted, _ = drawn(number, *widths_of(number))
    place = Domain.of(planted.system, planted.system.dimension)
    closure = planted.closure
    assert place.inner_dimension == closure.dimension == planted.dimension
    assert planted.relative_interior.contains(place.point)
    hull = closure.affine_hull()
    equations = [Row(row[:-1], row[-1], Sense.EQUAL) for row in place.equations]
    assert Polyhedron(LinearSystem(place.dimension, tuple(equations))) == Polyhedron(hull)
    t = tuple(fmpq(3 * k + 1, 2) for k in range(place.inner_dimension))
    assert hull.contains(place.lift(t))
    assert place.coordinates(place.lift(t)) == t
    inner = Polyhedron(place.inside)
    assert inner.dimension == place.inner_dimension
    for v in Polyhedron(place.on_hull.closed()).vertices:
        assert closure.contains(place.lift(v))


@NUMBERS
def test_regions_and_faces(number, tmp_path):
    _, planted, network = drawn(number, *widths_of(number))
    cells = list(oracle.cells(planted.relative_interior, network))
    d = planted.dimension
    found = er.regions(network, planted.system, certify=number % 2 == 0)
    expected = {cell.signs[0] for cell in cells if cell.dimension == d}
    assert {region.pattern for region in found.regions} == expected
    assert found.n_regions == len(expected)
    inside = planted.relative_interior
    for region in found.regions:
        assert inside.contains(region.point)
        assert trace(network, region.point).pattern == region.pattern
        assert found.affine_map(region)(region.point) == network(region.point)
        assert found.polyhedron(region).dimension == d
    there = er.regions(planted.restricted(network), planted.shape, certify=False)
    assert found.n_affine_maps == there.n_affine_maps
    assert found.n_linear_regions == there.n_linear_regions
    faces = er.polyhedral_complex(network, planted.system)
    assert faces.f_vector == tuple(sum(cell.dimension == k for cell in cells) for k in range(d + 1))
    assert {face.signs for face in faces.faces} == {cell.signs[0] for cell in cells}
    for face in map(faces.lifted, faces.faces):
        assert inside.contains(face.point)
        assert trace(network, face.point).pattern == face.signs
    assert_accepted([faces.certificate], tmp_path)
    assert (found.certificate is None) == (number % 2 == 1)


@NUMBERS
def test_conditions_on_faces(number, tmp_path):
    """The same answers in other coordinates, and points of the domain for a no."""
    _, planted, network = drawn(number, *widths_of(number))
    there, inside = planted.restricted(network), planted.relative_interior
    answers = Counter()
    certificates = []
    for ask in (
        er.is_honest,
        er.is_cancellation_free,
        er.has_no_zero_optimum,
        er.is_supertransversal,
        er.is_transparent,
    ):
        verdict, other = ask(network, planted.system), ask(there, planted.shape)
        assert verdict.answer is other.answer
        answers[verdict.answer] += 1
        certificates.append(verdict.certificate)
    assert_accepted(certificates, tmp_path)
    everywhere = oracle.cells(inside, network)
    is_negative = any(max(layer) < 0 for cell in everywhere for layer in cell.signs[0])
    transparent = er.is_transparent(network, planted.system)
    assert transparent.answer is not is_negative
    if transparent.witness is not None:
        at = transparent.witness
        assert inside.contains(at.point)
        assert max(trace(network, at.point).pattern[at.layer - 1]) < 0
    for failure in er.is_supertransversal(network, planted.system).witness or ():
        assert inside.contains(failure.point)
        assert trace(network, failure.point).pattern == failure.signs
    for failure in er.has_no_zero_optimum(network, planted.system).witness or ():
        l, i = failure.neuron
        assert trace(network, failure.face.point).pattern[l - 1][i - 1] == 0
        assert inside.contains(failure.face.point)
    for ridge in er.is_honest(network, planted.system).witness or ():
        assert inside.contains(ridge.face.point)
    for jump in er.is_cancellation_free(network, planted.system).witness or ():
        assert inside.contains(jump.facet.point)


@NUMBERS
def test_folds(number, tmp_path):
    _, planted, network = drawn(number, *widths_of(number))
    found = er.folds(network, planted.system)
    other = er.folds(planted.restricted(network), planted.shape)
    assert found.order == other.order
    assert len(found.facets) == len(other.facets)
    assert len(found.hyperplanes) == len(other.hyperplanes)
    assert len(found.hidden_faces) == len(other.hidden_faces)
    levels, others = (sorted(p.level for p in f.representation.pieces) for f in (found, other))
    assert levels == others
    assert found.graph.number_of_edges() == other.graph.number_of_edges()
    inside, closure = planted.relative_interior, planted.closure
    for _, _, witness in found.graph.edges(data="witness"):
        assert inside.contains(witness)
    for facet in found.drawn_facets():
        assert all(closure.contains(v) for v in facet.vertices)
    assert_accepted([found.certificate], tmp_path)


@NUMBERS
def test_values_of_two_networks(number):
    rng, planted, a = drawn(
        number, *[(2, 2, 1), (2, 2, 2, 1), (3, 2, 1), (1, 2, 2)][number // 5 % 4]
    )
    b = random_network(rng, a.widths)
    if rng.random() < 0.5 and planted.dimension < a.n_inputs:
        # Equal on the domain: an equation of it is added to a row.
        equation = rng.choice(Domain.of(planted.system, a.n_inputs).equations)
        rows = list(a.layers[0].affine.rows())
        k = rng.randrange(len(rows))
        rows[k] = tuple(x + 2 * e for x, e in zip(rows[k], equation, strict=True))
        b = Network((er.Layer(Matrix(rows)), *a.layers[1:]))
    expected = oracle.largest_difference(planted, a, b)
    verdict = er.equivalent(a, b, planted.system)
    assert verdict.answer is (expected == 0)
    if verdict.answer is False:
        assert planted.system.contains(verdict.witness)
        assert a(verdict.witness) != b(verdict.witness)
    found = er.largest_difference(a, b, planted.system)
    assert found.answer
    assert found.largest.value == expected
    point = found.largest.point
    if expected is None:
        far = tuple(x + 1000 * d for x, d in zip(point, found.largest.direction, strict=True))
        assert planted.closure.contains(far)
        k = found.largest.output - 1
        assert abs(a(far)[k] - b(far)[k]) > abs(a(point)[k] - b(point)[k])
        bound = fmpq(1)
    else:
        k = found.largest.output - 1
        assert abs(a(point)[k] - b(point)[k]) == expected
        assert planted.system.contains(point)
        assert found.largest.is_attained
        bound = expected
    within = er.equivalent(a, b, planted.system, within=bound)
    assert within.answer is (expected is not None)
    if expected:
        closer = er.equivalent(a, b, planted.system, within=expected / 2)
        assert closer.answer is False
        assert planted.system.contains(closer.witness)


@NUMBERS
def test_one_to_one(number):
    rng, planted, network = drawn(
        number, *[(2, 3, 2), (1, 2, 1), (2, 2, 2, 2), (2, 4, 2)][number // 5 % 4]
    )
    expected = oracle.is_injective(planted.system, network)
    verdict = er.is_injective(network, domain=planted.system)
    assert verdict.answer is expected
    assert verdict.certificate is not None
    if not expected:
        x, y = verdict.witness
        assert x != y
        assert network(x) == network(y)
        assert planted.system.contains(x)
        assert planted.system.contains(y)
    first = Network((network.layers[0], er.Layer(_identity(network.widths[1]))))
    layer = er.is_injective(network, planted.system, layer=1)
    assert layer.answer is oracle.is_injective(planted.system, first)
    value = tuple(fmpq(rng.randint(-3, 3)) for _ in range(network.n_outputs))
    if rng.random() < 0.5:
        value = network(rng.choice(planted.closure.vertices))
    taken = er.invert(network, value, planted.system)
    assert taken.answer is oracle.takes(planted.system, network, value)
    if taken.answer:
        assert planted.system.contains(taken.witness.point)
        assert network(taken.witness.point) == value


def _identity(n: int) -> Matrix:
    return Matrix.identity(n).beside(Matrix.zero(n, 1))


@NUMBERS
def test_simplified_on_the_domain(number, tmp_path):
    _, planted, network = drawn(number, *widths_of(number))
    found = er.simplify(network, planted.system, by_lp=number % 2 == 1)
    assert found.network.n_inputs == network.n_inputs
    assert oracle.largest_difference(planted, network, found.network) == 0
    assert_accepted([found.certificate], tmp_path)


@NUMBERS
def test_functional_dimension(number):
    """The rank of the derivatives at points enough of each region."""
    _, planted, network = drawn(number, *widths_of(number))
    found = er.functional_dimension(network, planted.system)
    gradients = []
    for cell in oracle.cells(planted.relative_interior, network):
        if cell.dimension < planted.dimension or any(0 in layer for layer in cell.signs[0]):
            continue
        closure = cell.closure
        directions = [*closure.rays, *closure.lineality]
        start = closure.vertices[0]
        points = [*closure.vertices]
        points += [tuple(x + d for x, d in zip(start, v, strict=True)) for v in directions]
        table = jacobian(network, cell.signs[0])
        n = network.n_inputs
        for o in range(network.n_outputs):
            block = table.take(rows=range(o * (n + 1), (o + 1) * (n + 1)))
            gradients += [(Matrix([(*x, fmpq(1))]) @ block).row(0) for x in points]
    value = rank(Matrix(gradients, network.n_parameters)) if gradients else 0
    assert found.value_at_least == value
    assert found.value in (None, value)


@NUMBERS
def test_identifiable_by_the_values_on_a_domain(number, tmp_path):
    _, planted, network = drawn(
        number, *[(2, 1, 1), (2, 2, 1), (1, 2, 1), (2, 2, 2, 1)][number % 4]
    )
    verdict = er.identifiable(network, planted.system)
    is_everywhere = not planted.closure.constraints.rows
    if planted.dimension < network.n_inputs:
        assert verdict.answer is not True
    if verdict.answer is False:
        second = verdict.witness
        assert second.widths == network.widths
        assert oracle.largest_difference(planted, network, second) == 0
        assert er.isomorphic(network, second).answer is False
    if verdict.answer is True:
        assert verdict.among == ("all" if len(network.layers) == 2 else "in general position")
        assert_accepted([verdict.certificate], tmp_path)
    if verdict.answer is None and not is_everywhere:
        assert verdict.witness.dimension.place.system == planted.system


def test_the_kinds_of_domains_are_all_there():
    found = Counter()
    for number in range(60):
        _, planted, network = drawn(number, *widths_of(number))
        closure = planted.closure
        found["flat"] += planted.dimension < network.n_inputs
        found["point"] += planted.dimension == 0
        found["line or plane"] += closure.dimension > 0 and bool(closure.lineality)
        found["unbounded"] += not closure.is_bounded
        implicit = [row for row in planted.system.rows if row.sense is Sense.EQUAL]
        found["implicit equations"] += len(implicit) < network.n_inputs - planted.dimension
    assert min(found.values()) >= 5
    assert len(found) == 5


FLAT = LinearSystem(2, (Row.of((0, 1), 0, Sense.EQUAL),))
EMPTY = {
    "reversed": "box:1,0",
    "reversed in one coordinate": "box:0,1;3,2",
    "strict": LinearSystem(2, (Row.of((1, 0), 0, Sense.GREATER), Row.of((-1, 0), 0))),
    "touching strictly": LinearSystem(
        2, (Row.of((1, 1), -1, Sense.GREATER), Row.of((-1, -1), 1, Sense.GREATER))
    ),
    "equations": LinearSystem(2, (Row.of((1, 1), 0, Sense.EQUAL), Row.of((2, 2), 1, Sense.EQUAL))),
    "a false row": LinearSystem(2, (Row.of((0, 0), -1),)),
}
NET = Network.from_arrays([[[1, 1], [1, -1]], [[1, 2]]], [["1/2", 0], [0]])
QUESTIONS = {
    "regions": lambda d: er.regions(NET, d),
    "complex": lambda d: er.polyhedral_complex(NET, d),
    "transparent": lambda d: er.is_transparent(NET, d),
    "honest": lambda d: er.is_honest(NET, d),
    "cancellation-free": lambda d: er.is_cancellation_free(NET, d),
    "supertransversal": lambda d: er.is_supertransversal(NET, d),
    "zero optimum": lambda d: er.has_no_zero_optimum(NET, d),
    "generic": lambda d: er.is_generic(NET, d, sense="generic"),
    "masked ranks": lambda d: er.is_generic(NET, d, sense="masked-rank"),
    "folds": lambda d: er.folds(NET, d),
    "theorem class": lambda d: er.is_in_theorem_class(NET, d),
    "equivalent": lambda d: er.equivalent(NET, NET, d),
    "within": lambda d: er.equivalent(NET, NET, d, within=1),
    "difference": lambda d: er.largest_difference(NET, NET, d),
    "shallow equal": lambda d: er.shallow_equal(NET, NET, d),
    "shallow form": lambda d: er.shallow_form(NET, d),
    "fiber": lambda d: er.fiber(NET, d),
    "identifiable": lambda d: er.identifiable(NET, d),
    "functional dimension": lambda d: er.functional_dimension(NET, d),
    "injective": lambda d: er.is_injective(NET, domain=d),
    "layer": lambda d: er.is_injective(NET, d, layer=1),
    "layer by itself": lambda d: er.layer_injective(NET.layers[0].weights, NET.layers[0].bias, d),
    "stability": lambda d: er.stability(NET, d, layer=1),
    "network stability": lambda d: er.network_stability(NET, d),
    "invert": lambda d: er.invert(NET, [0], d),
    "simplify": lambda d: er.simplify(NET, d),
    "roles": lambda d: er.exact_roles(NET, d),
    "build": lambda d: er.build_identifiable((2, 2, 1), d),
}


@pytest.mark.parametrize("domain", EMPTY.values(), ids=EMPTY)
@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
def test_no_question_is_asked_about_nothing(ask, domain):
    with pytest.raises(InputError, match="the domain is empty"):
        ask(domain)


@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
def test_the_dimension_of_a_domain_is_that_of_the_inputs(ask):
    with pytest.raises(InputError, match="box:0,1;0,1;0,1: found 3 intervals, expected 2"):
        ask("box:0,1;0,1;0,1")
    with pytest.raises(InputError, match="a domain in 3 variables, expected 2"):
        ask(LinearSystem.orthant(3))


def test_the_networks_of_the_search_for_wrong_answers():
    half, hundred = (Network.from_arrays([[[0, 1]], [[1]]], [[0], [c]]) for c in ("1/2", 100))
    verdict = er.equivalent(half, hundred, "box:0,1;0,0")
    assert verdict.answer is False
    assert verdict.witness[1] == 0
    assert er.largest_difference(half, hundred, "box:0,1;0,0").largest.value == fmpq(199, 2)
    sums = [Network.from_arrays([[[k, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]]) for k in (1, 2)]
    assert er.equivalent(*sums, "box:0,1;0,0").answer is False
    assert er.equivalent(*sums, FLAT).answer is False
    assert er.equivalent(*sums, "box:-1,0;0,0").answer is True
    assert er.regions(NET, "box:-1,1;0,0").n_regions == 3
    assert er.regions(NET, "box:0,0;0,0").n_regions == 1


def test_unanswered_questions_name_what_is_missing():
    for ask in ("fiber", "shallow form", "shallow equal"):
        with pytest.raises(Unanswered, match="on domains with interior only"):
            QUESTIONS[ask](FLAT)
    doubled = LinearSystem(2, (Row.of((0, 3), 0), Row.of((2, 0), 0)))
    assert er.shallow_form(NET, doubled) == er.shallow_form(NET, "orthant")


def test_a_yes_on_all_of_space_is_not_one_on_a_part():
    net = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    assert er.identifiable(net).answer is True
    on_the_right = er.identifiable(net, "box:1,2")
    assert on_the_right.answer is False
    assert er.equivalent(net, on_the_right.witness, "box:1,2").answer is True
    assert er.isomorphic(net, on_the_right.witness).answer is False


def test_strict_rows_are_kept():
    identity = Network.from_arrays([[[1]]], [[0]])
    zero = Network.from_arrays([[[0]]], [[0]])
    open_end = LinearSystem(1, (Row.of((1,), 0), Row.of((-1,), 1, Sense.GREATER)))
    found = er.largest_difference(identity, zero, open_end)
    assert (found.largest.value, found.largest.is_attained) == (1, False)
    closed = er.largest_difference(identity, zero, "box:0,1")
    assert (closed.largest.value, closed.largest.is_attained) == (1, True)
    folded = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    assert er.is_injective(folded, domain=LinearSystem(1, (Row.of((1,), 0),))).answer
    ends = LinearSystem(1, (Row.of((1,), 1, Sense.GREATER), Row.of((-1,), 1)))
    assert er.is_injective(folded, domain=ends).answer is False


def test_fixed_coordinates_of_a_large_input():
    """Most pixels fixed: an affine hull without linear programs for every row."""
    n = 60
    text = "box:" + ";".join("-1,1" if j < 2 else f"{j},{j}" for j in range(n))
    place = Domain.of(text, n)
    assert place.free == (0, 1)
    assert place.lift((ZERO, fmpq(1)))[:4] == (0, 1, 2, 3)
    net = Network.from_arrays([[[1] * n, [0, 1] + [0] * (n - 2)], [[1, 1]]], [[-1769, 0], [0]])
    assert er.regions(net, text).n_regions == 4
