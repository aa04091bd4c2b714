"""Half-lines with dead neurons, and layers behind a first one: by points, and by counting."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest
from flint import fmpq

import exactrelu as er
from exactrelu.network.network import Layer, Network
from exactrelu.network.symmetry import Symmetry
from exactrelu.questions.fibers.component import tangent_dimension
from exactrelu.questions.fibers.deep_components import HalfLine, Layerwise, rests_on
from exactrelu.questions.fibers.description import parameters
from exactrelu.questions.fibers.three_layers import fiber
from tests.checking import assert_accepted
from tests.questions.fibers.test_polyhedra import of_parameters

#: Neuron 1 is hidden by the one live neuron of layer 2; the other one is dead.
HIDING = Network.from_arrays(
    [[[1, 0], [0, 1]], [[1, -1], [-1, -2]], [[1, 5], [2, -1]]], [[0, 0], [-1, -3], [0, 1]]
)
POINTS = list(product([Fraction(k, 2) for k in range(-12, 13, 2)], repeat=2))


def agree(a: Network, b: Network) -> bool:
    return all(a(x) == b(x) for x in POINTS)


@pytest.fixture(scope="module")
def lines() -> tuple[HalfLine, ...]:
    found = fiber(HIDING).components
    assert all(isinstance(line, HalfLine) for line in found)
    return tuple(found)


def test_half_lines_with_a_dead_neuron_have_its_numbers_too(lines: tuple[HalfLine, ...]) -> None:
    """Its row of ℓ1 norm 1 has 3 − 1 free numbers, its column 2; and t is one."""
    assert [line.name for line in lines] == ["{}", "{2}"]
    for line in lines:
        assert line.dimension == 1 + 2 + 2
        scaled = parameters(_with_dead_row_of_norm_1(line.sample))
        assert line.description.holds(scaled)
        assert tangent_dimension(line.description, scaled) == line.dimension


def _with_dead_row_of_norm_1(network: Network) -> Network:
    first, second, last = ([list(row) for row in x.affine.flint_rows()] for x in network.layers)
    norm = sum(map(abs, second[1]), fmpq(0))
    second[1] = [x / norm for x in second[1]]
    return Network(tuple(Layer(er.Matrix(rows)) for rows in (first, second, last)))


def test_members_lie_on_their_half_line_and_on_no_other(lines: tuple[HalfLine, ...]) -> None:
    rng = Random(4)
    for line in lines:
        for _ in range(6):
            member = line.random(rng)
            assert agree(HIDING, member)
            assert line.description.holds(parameters(_with_dead_row_of_norm_1(member)))
            moved = Symmetry.random(member, rng).apply(member)
            assert [other.contains(moved) for other in lines] == [other is line for other in lines]
        end = line.end(line.random(rng))
        assert agree(HIDING, end)
        assert er.is_isomorphic(_live(end), _live(line.translate(line.lower))).answer
        # One step beyond, the hyperplane is seen.
        beyond = line.lower - Fraction(1, 2)
        first, second, last = line.sample.layers
        assert line.lower == -1
        rows = [list(row) for row in first.affine.flint_rows()]
        rows[0][-1] += beyond
        more = [list(row) for row in second.affine.flint_rows()]
        more[0][-1] -= beyond * second.weights.flint[0, 0]
        out = Network((Layer(er.Matrix(rows)), Layer(er.Matrix(more)), last))
        assert not agree(HIDING, out)
        assert not line.description.holds(parameters(_with_dead_row_of_norm_1(out)))


def _live(network: Network) -> Network:
    first, second, last = network.layers
    return Network(
        (first, Layer(second.affine.take(rows=[0])), Layer(last.affine.take(columns=[0, 2])))
    )


def test_a_network_without_live_neurons_is_on_no_half_line(lines: tuple[HalfLine, ...]) -> None:
    dead = Network.from_arrays(
        [[[1, 0], [0, 1]], [[-1, -1], [-1, -2]], [[1, 5], [2, -1]]], [[0, 0], [-1, -3], [0, 1]]
    )
    assert not any(line.contains(dead) for line in lines)


def test_parameters_off_the_equations_of_a_half_line_are_no_members(
    lines: tuple[HalfLine, ...],
) -> None:
    """One number of a member changed: whoever satisfies all still has the function."""
    rng = Random(5)
    n_members = 0
    for line in lines:
        start = parameters(_with_dead_row_of_norm_1(line.random(rng)))
        for k in range(len(start)):
            for step in (fmpq(-1, 8), fmpq(1, 8)):
                changed = [*start[:k], start[k] + step, *start[k + 1 :]]
                if line.description.holds(changed):
                    n_members += 1
                    assert agree(HIDING, of_parameters(changed, HIDING.widths))
    assert n_members == 2 * 2 * 2, "the columns of the dead neuron alone are free"


def test_the_text_has_the_flips_and_the_bound(lines: tuple[HalfLine, ...]) -> None:
    assert [line.text() for line in lines] == [
        "b1[1] + t and b2 − t·W2[:,1] for t > -1",
        "b1[1] + t and b2 − t·W2[:,1] for t > -1, after the flips {2}",
    ]


#: Two rows of the first layer are on one ray; nothing is hidden.
FIRST = Layer.of([[1, 1], [2, 2], [1, -2]], [0, 0, 1])
REST = Network.from_arrays([[[1, -1, 2], [1, 2, 1]], [[2, 1]]], [[-1, 3], [0]])
LAYERED = Network((FIRST, *REST.layers))


def test_layers_behind_a_first_one_are_found_by_its_rays() -> None:
    """In another order of the first layer, scaled: the rest takes the factors back."""
    order = ((3, 1, 2), (2, 1))
    scalings = ((fmpq(3), fmpq(2), fmpq(1, 2)), (fmpq(1), fmpq(5)))
    other = Symmetry(order, scalings).apply(LAYERED)
    rests = [*rests_on(FIRST, other)]
    assert [agree(LAYERED, Network((FIRST, *rest.layers))) for rest in rests] == [True, True]
    # Two rows are on one ray: the rest is the same on the orthant in one of two orders.
    assert sum(bool(er.is_equivalent(REST, rest, "orthant").answer) for rest in rests) == 1
    turned = Network.from_arrays([[[1, 1], [2, 2], [-1, 2]]], [[0, 0, -1]]).layers[0]
    assert [*rests_on(turned, LAYERED)] == []
    fewer = Layer.of([[1, 1], [1, -2]], [0, 1])
    assert [*rests_on(fewer, LAYERED)] == []


def test_a_layer_with_a_row_of_zeros_has_a_rest() -> None:
    first = Layer.of([[0, 0], [1, 1]], [0, 0])
    net = Network((first, *Network.from_arrays([[[1, 1]], [[1]]], [[0], [0]]).layers))
    assert [*rests_on(first, net)] == [Network(net.layers[1:])]


def test_members_of_layers_behind_a_first_one_are_found_in_their_component() -> None:
    found = fiber(LAYERED)
    assert all(isinstance(component, Layerwise) for component in found.components)
    rng = Random(3)
    for component in found.nonempty:
        member = component.random(rng)
        assert agree(LAYERED, member)
        moved = Symmetry.random(member, rng).apply(member)
        for other in found.nonempty:
            assert other.contains(moved) is (other is component)
        assert found.member(moved).component == component
        assert found.path(moved).answer is (component.name == found.own.name)
        assert component.dimension == tangent_dimension(
            component.description, parameters(_scaled(component.sample))
        )
    changed = Network.from_arrays(
        [[[1, 1], [2, 2], [1, -2]], [[1, -1, 2], [1, 2, 1]], [[2, 2]]], [[0, 0, 1], [-1, 3], [0]]
    )
    assert not any(component.contains(changed) for component in found.components)


def test_a_rest_that_differs_where_the_first_layer_does_not_show_it_is_no_path() -> None:
    """z2 = 2·z1 behind this first layer: 2·z1 and z2 are the same there, and not on the orthant."""
    other = Network.from_arrays(
        [[[1, 1], [2, 2], [1, -2]], [[-1, 0, 2], [1, 2, 1]], [[2, 1]]], [[0, 0, 1], [-1, 3], [0]]
    )
    assert agree(LAYERED, other)
    assert er.fiber(LAYERED).path(other).answer is None


def _scaled(network: Network) -> Network:
    """Rows of layer 2 of ℓ1 norm 1."""
    first, second, last = network.layers
    norms = [sum(map(abs, row), fmpq(0)) for row in second.affine.flint_rows()]
    rows = [[x / n for x in row] for row, n in zip(second.affine.flint_rows(), norms, strict=True)]
    out = last.affine @ er.Matrix.diagonal([*norms, 1])
    return Network((first, Layer(er.Matrix(rows)), Layer(out)))


def test_what_is_said_of_layers_behind_a_first_one_is_said_of_both() -> None:
    """Generic or not: which networks are meant, and that both claims are in the certificate."""
    whole = fiber(er.load("cases/three-layers/S002-P16-ident-ppm/N.json"))
    assert whole.is_complete
    for found, ending in ((whole, ", and generic ones"), (fiber(LAYERED), "")):
        assert found.flips == ()
        parts = found.parts()
        assert parts.among == f"networks with this first layer{ending}"
        assert parts.certificate is not None
        kinds = {proof.kind for proof in parts.certificate.parts}
        assert kinds == {"fiber-layerwise", "fiber-parts"}


def test_the_strata_of_layers_behind_a_first_one_have_the_dead_neurons_that_they_say(
    tmp_path: Path,
) -> None:
    """A bend, a linear neuron that is needed, and one of layer 2 to spare."""
    rest = [[[1, -1], [1, 2], [1, 1], [2, 1]], [[2, 1, 1, 1], [1, -1, 3, 0]]]
    net = Network.from_arrays([[[1, 1], [1, -2]], *rest], [[0, 1], [-1, 3, 1, 0], [0, 0]])
    found = fiber(net)
    proof = found.certificate
    assert proof is not None
    assert found.own.rest.stratum.subject in proof.fields["nonempty"]
    assert all(s["linear"] + s["dead"] == 3 for s in proof.fields["nonempty"])
    n_dead = [s["dead"] for s in proof.fields["nonempty"]]
    assert set(n_dead) == {0, 1}
    assert n_dead == sorted(n_dead)
    assert_accepted([proof], tmp_path)
