"""Questions about networks with many inputs on a small box: answered, and proved."""

from __future__ import annotations

from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.cells import forms
from exactrelu.cells.portfolio import known
from exactrelu.exact.matrix import Matrix
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.equivalence.difference import largest_difference
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.equivalence.simplify import simplify
from tests.checking import assert_accepted
from tests.questions.wide import WIDTHS, small_box, wide_network


def with_other_weights(net: Network, l: int, i: int, change: fmpq) -> Network:
    """Other weights behind a hidden neuron."""
    layers = list(net.layers)
    rows = [list(row) for row in layers[l + 1].affine.flint_rows()]
    for row in rows:
        row[i] += change
    layers[l + 1] = Layer(Matrix(rows))
    return Network(tuple(layers))


def off(net: Network, place: Domain, l: int) -> int:
    """A neuron of a layer that is off."""
    return next(i for (k, i), sign in known(net, place).settled.items() if (k, sign) == (l, -1))


@pytest.mark.parametrize("is_in_matrices", [True, False])
@pytest.mark.parametrize("l", [0, 1])
def test_twins(
    l: int, is_in_matrices: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They differ behind a neuron that is off: not at all, with either way to add up forms."""
    monkeypatch.setattr(forms, "MIN_PRODUCTS", 0 if is_in_matrices else 10**9)
    net, place = wide_network(1), Domain.of(small_box(1), WIDTHS[0])
    twin = with_other_weights(net, l, off(net, place, l), fmpq(1))
    same = equivalent(net, twin, place)
    assert (same.answer, same.reason) == (True, "the same form on 1 cell")
    near = equivalent(net, twin, place, within="1/1000")
    assert near.answer
    apart = largest_difference(net, twin, place)
    assert apart.upper == 0
    for verdict in (same, near, apart):
        assert_accepted([verdict.certificate], tmp_path)


def test_the_largest_difference_where_it_is_affine(tmp_path: Path) -> None:
    """Another row of the last layer, where a neuron is on."""
    net, place = wide_network(1), Domain.of(small_box(1), WIDTHS[0])
    i = next(i for (k, i), sign in known(net, place).settled.items() if (k, sign) == (0, 1))
    part = net.truncate(1, 1)
    first = Network((*part.layers[:1], Layer(Matrix.zero(1, WIDTHS[1] + 1))))
    other = with_other_weights(first, 0, i, fmpq(1, 3))
    found = largest_difference(first, other, place)
    row = net.layers[0].affine.flint_row(i)
    highest = row[-1] + sum(
        max(a * low, a * high) for a, (low, high) in zip(row, small_box(1), strict=False)
    )
    assert found.upper == highest / 3
    assert found.largest is not None
    assert found.largest.is_attained
    assert_accepted([found.certificate], tmp_path)


def test_simplify(tmp_path: Path) -> None:
    net, place = wide_network(1), Domain.of(small_box(1), WIDTHS[0])
    found = simplify(net, place)
    assert sum(found.network.hidden_widths) < sum(net.hidden_widths) / 2
    assert_accepted([found.certificate], tmp_path)
    for x in ([low for low, _ in small_box(1)], [(low + high) / 2 for low, high in small_box(1)]):
        assert found.network(x) == net(x)
