"""Segments between members: the lemma at points between, and steps that are none."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

import exactrelu as er
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.sides import FunctionSides
from exactrelu.questions.fibers.paths import is_segment, path
from exactrelu.questions.fibers.strata import target_of


def test_networks_between_corners_are_members() -> None:
    """The lemma about segments, at points between: after the scaling that makes rows equal."""
    network = er.from_arrays([[[1], [-1], [1]], [[1, 1, 1]]], [[-1, 1, 2], [0]])
    turned = er.from_arrays([[[-1], [1], [1]], [[2, 2, 0]]], [[1, 0, 0], [1]])
    verdict = er.fiber(network, "orthant").path(turned)
    assert verdict.answer is True
    assert len(verdict.witness) > 2
    for a, b in pairwise(verdict.witness):
        for t in (Fraction(1, 3), Fraction(1, 2)):
            assert er.is_equivalent(network, between(a, b, t), "orthant").answer


def between(a: er.Network, b: er.Network, t: Fraction) -> er.Network:
    """The network at t on the segment, neurons of b scaled to the rows, else the columns, of a."""
    (rows, out), (new_rows, new_out) = (
        [[list(map(Fraction, row)) for row in layer.affine.rows()] for layer in net.layers]
        for net in (a, b)
    )
    for i, row in enumerate(new_rows):
        factor = quotient(rows[i], row) or quotient([r[i] for r in new_out], [r[i] for r in out])
        factor = factor or Fraction(1)
        new_rows[i] = [factor * x for x in row]
        for r in new_out:
            r[i] /= factor
    weights, biases = [], []
    for ours, theirs in ((rows, new_rows), (out, new_out)):
        mixed = [
            [(1 - t) * x + t * y for x, y in zip(*two, strict=True)]
            for two in zip(ours, theirs, strict=True)
        ]
        weights.append([row[:-1] for row in mixed])
        biases.append([row[-1] for row in mixed])
    return er.from_arrays(weights, biases)


def quotient(a: list[Fraction], b: list[Fraction]) -> Fraction | None:
    """a/b if that is a positive number, for parallel vectors."""
    ratios = {x / y for x, y in zip(a, b, strict=True) if y}
    same = len(ratios) == 1 and all(x == 0 for x, y in zip(a, b, strict=True) if not y)
    found = ratios.pop() if same else None
    return found if found and found > 0 else None


def test_a_pair_that_cancels_moves_to_a_parallel_bend() -> None:
    """x = s(x + 5) - s(-x - 5) - 5, beside a bend at 0."""
    network = er.from_arrays([[[1], [1], [-1]], [[1, 1, -1]]], [[0, 5, -5], [-5]])
    other = er.from_arrays([[[1], [-1], [0]], [[2, -1, 0]]], [[0, 0, 1], [0]])
    corners = path(target_of(network), network, other)
    assert corners is not None
    for a, b in pairwise(corners):
        assert er.is_equivalent(network, between(a, b, Fraction(1, 2))).answer


@pytest.mark.parametrize("out", [1, -1, "1/2"])
def test_linear_neurons_with_parallel_columns_become_one_that_moves(out: int | str) -> None:
    """2·x1 + 3·x2 + 4·x3 on the orthant, by three linear neurons and by three others."""
    rows = [[2, 0, 0], [0, 3, 0], [0, 0, 4]]
    others = [[1, 1, 1], [1, 1, 1], [0, 1, 2]]
    bend = [1, -1, 0]
    column = [out, out, out, 1]
    x = er.from_arrays([[*rows, bend], [column, [0, 0, 0, 1]]], [[1, 2, 3, 0], [0, 5]])
    y = er.from_arrays([[*others, bend], [column, [0, 0, 0, 1]]], [[0, 1, 0, 0], [5, 5]])
    # The constants differ: they are made the same by the output bias of y.
    shift = x([0, 0, 0])[0] - y([0, 0, 0])[0]
    y = er.from_arrays(
        [layer.weights for layer in y.layers],
        [y.layers[0].bias, [y.layers[1].bias[0] + shift, 5]],
    )
    assert er.is_equivalent(x, y, "orthant").answer
    for a, b in ((x, y), (y, x)):
        corners = path(target_of(a, "orthant"), a, b)
        assert corners is not None
        assert corners[0] == a
        assert er.is_isomorphic(corners[-1], b).answer
        assert any(len(needed(corner)) == 2 for corner in corners), "one linear neuron is enough"
        for before, after in pairwise(corners):
            for t in (Fraction(1, 3), Fraction(1, 2)):
                assert er.is_equivalent(a, between(before, after, t), "orthant").answer


def needed(network: er.Network) -> list[int]:
    """The neurons with an output column that is not 0."""
    rows = list(zip(*network.layers[1].weights.rows(), strict=True))
    return [i for i, column in enumerate(rows) if any(column)]


def test_linear_neurons_with_opposite_columns_do_not_become_one() -> None:
    """x1 − x2 needs both, and x2 is there as −x2; turned ones are in no one ray."""
    x = er.from_arrays([[[1, 0], [0, 1]], [[1, -1]]], [[0, 0], [0]])
    y = er.from_arrays([[[2, 1], [1, 2]], [[1, -1]]], [[0, 0], [0]])
    corners = path(target_of(x, "orthant"), x, y)
    assert corners is None or all(len(needed(corner)) == 2 for corner in corners)


def test_there_is_no_path_without_room() -> None:
    """The neuron on the bend of y has the other side: it cannot come in while none is free."""
    x = er.from_arrays([[[1], [1]], [[1, 1]]], [["-1/2", 1], [0]])
    turned = er.fiber(x, "box:0..1").component("-").sample
    target = target_of(x, "box:0..1")
    assert er.is_equivalent(x, turned, "box:0..1").answer
    assert path(target, x, turned) is None
    assert path(target, x, x) == [x]
    # With one neuron more there is room, if a column of the linear ones becomes 0.
    wide = er.from_arrays([[[1], [1], [1]], [[1, 1, 0]]], [["-1/2", 1, 2], [0]])
    spare = er.from_arrays([[[-1], [1], [1]], [[1, 2, 0]]], [["1/2", 1, 2], ["-3/2"]])
    assert er.is_equivalent(wide, spare, "box:0..1").answer
    assert path(target_of(wide, "box:0..1"), wide, spare) is not None


def test_a_network_that_turns_a_neuron_at_once_is_no_segment() -> None:
    """s(x) + s(-x) and the same with the neurons exchanged: halfway it is 0."""
    sides = FunctionSides(Domain.of(None, 1))
    a = er.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    b = er.from_arrays([[[-1], [1]], [[1, 1]]], [[0, 0], [0]])
    assert not er.is_equivalent(a, between(a, b, Fraction(1, 2))).answer
    assert not is_segment(sides, a, b)
    corners = path(target_of(a), a, b)
    assert corners is not None
    assert all(er.is_equivalent(a, corner).answer for corner in corners)


def test_rows_of_two_signs_and_columns_that_move_at_once_are_no_segment() -> None:
    sides = FunctionSides(Domain.of("orthant", 1))
    a = er.from_arrays([[[1]], [[2]]], [[1], [0]])
    assert is_segment(sides, a, er.from_arrays([[[2]], [[1]]], [[2], [0]]))
    assert is_segment(sides, a, er.from_arrays([[[1]], [[2]]], [[3], [-4]]))
    assert not is_segment(sides, a, er.from_arrays([[[1]], [[-2]]], [[3], [0]]))
    assert not is_segment(sides, a, er.from_arrays([[[-1]], [[2]]], [[-1], [0]]))
