"""Graphs against direct evaluation in Fractions; levels and carried units of known examples."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from exactrelu.effort import Effort, Stopped
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import fraction, rational
from exactrelu.network.graph import lowering
from exactrelu.network.graph.dyadics import floats_if_exact, objects
from exactrelu.network.graph.forms import Combination, Forms
from exactrelu.network.graph.lowering import LoweredGraph
from exactrelu.network.graph.tensor import Tensor, matmul
from exactrelu.network.network import Layer, Network, widths_text
from tests.seeds import shifted

SEED = shifted(245)

Values = list[list[Fraction]]


def network(graph: LoweredGraph, outputs: Forms) -> Network:
    """The layers as dense matrices, by the definition of a sparse one."""
    layers = []
    for rows in graph.layers(outputs):
        table = [[rational(0)] * rows.n_inputs + [c] for c in objects(rows.constants).tolist()]
        weights = objects(rows.matrix.weights).tolist()
        places = zip(rows.matrix.rows.tolist(), rows.matrix.elements.tolist(), strict=True)
        for (i, j), v in zip(places, weights, strict=True):
            table[i][j] = v
        layers.append(Layer(Matrix(table, rows.n_inputs + 1), rows.linear))
    return Network(tuple(layers))


def integers(rng: random.Random, *shape: int) -> Any:
    size = int(np.prod(shape))
    return np.array([float(rng.randint(-2, 2)) for _ in range(size)]).reshape(shape)


def scaled(array: Any, factor: Fraction | int) -> Any:
    """Floats if each of them is one."""
    return floats_if_exact(objects(array) * rational(factor))


class Grown:
    """A random graph, with its values at some points computed beside it."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        n = rng.randint(1, 3)
        self.graph = LoweredGraph(n)
        #: Weights are integers, floats of many bits, or no floats.
        self.factor = rng.choice([1, 1, fraction(rational(0.1)), Fraction(1, 3)])
        self.points = [
            [Fraction(rng.randint(-9, 9), rng.choice([1, 2, 3])) for _ in range(n)]
            for _ in range(6)
        ]
        self.tensors: list[tuple[Forms, Values]] = [(self.graph.inputs, self.points)]
        for _ in range(rng.randint(1, 7)):
            self.tensors.append(self._step())

    def _step(self) -> tuple[Forms, Values]:
        rng, graph = self.rng, self.graph
        forms, values = rng.choice(self.tensors[-4:])
        kind = rng.choice(["sum", "relu", "relu", "helper", "shared", "cut", "taken"])
        if kind == "sum":
            return self._sum(forms, values)
        if kind == "taken":
            index = [rng.randrange(forms.n) for _ in range(rng.randint(1, 3))]
            return forms.take(np.array(index)), [[line[i] for i in index] for line in values]
        if kind == "shared":
            return graph.shared(forms), values
        if kind == "cut":
            has_none = (forms.is_variable | forms.is_constant).all()
            return forms if has_none else graph.cut(forms), values
        bent = graph.relu(forms) if kind == "relu" else graph.helper(forms)
        return bent, [[max(v, Fraction(0)) for v in line] for line in values]

    def _sum(self, forms: Forms, values: Values) -> tuple[Forms, Values]:
        rng = self.rng
        other, others = rng.choice(self.tensors)
        k = rng.randint(1, 3)
        A = integers(rng, k, forms.n)
        B = scaled(integers(rng, k, other.n), self.factor)
        c = integers(rng, k)
        summed = self.graph.combined(forms, Combination.of_matrix(A)).plus(
            self.graph.combined(other, Combination.of_matrix(B))
        )
        computed = [
            [
                sum((Fraction(a) * x for a, x in zip(A[i], line, strict=True)), Fraction(c[i]))
                + sum(
                    (fraction(rational(b)) * y for b, y in zip(B[i], more, strict=True)),
                    Fraction(0),
                )
                for i in range(k)
            ]
            for line, more in zip(values, others, strict=True)
        ]
        return summed.shifted(c), computed


def test_random_graphs_are_their_values() -> None:
    n_linear = n_empty = 0
    for k in range(500):
        rng = random.Random(SEED + k)
        grown = Grown(rng)
        forms, values = grown.tensors[-1]
        if rng.random() < 0.5:
            more, others = rng.choice(grown.tensors)
            forms = Forms.joined([forms, more])
            values = [a + b for a, b in zip(values, others, strict=True)]
        found = network(grown.graph, forms)
        for x, expected in zip(grown.points, values, strict=True):
            assert [fraction(y) for y in found(x)] == expected, SEED + k
        n_linear += found.n_linear_units
        n_empty += any(all(layer.passes) for layer in found.layers[:-1])
        for layer in found.layers[:-1]:
            n_neurons = layer.n_outputs - len(layer.linear)
            assert layer.linear == tuple(range(n_neurons + 1, layer.n_outputs + 1))
    assert n_linear > 100
    assert n_empty > 5


def test_composing_too_much_makes_a_layer_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same function, whatever is composed."""
    for limit in (0, 3, 10):
        monkeypatch.setattr(lowering, "MAX_COMPOSED", limit)
        n_cut = 0
        for k in range(120):
            grown = Grown(random.Random(SEED + 1000 + k))
            forms, values = grown.tensors[-1]
            found = network(grown.graph, forms)
            for x, expected in zip(grown.points, values, strict=True):
                assert [fraction(y) for y in found(x)] == expected, (limit, SEED + 1000 + k)
            n_cut += any(all(layer.passes) for layer in found.layers[:-1])
        assert n_cut


def dense(rng: random.Random, x: Tensor, n: int) -> Tensor:
    return matmul(np.array([[rng.gauss(0, 1) for _ in range(x.size)] for _ in range(n)]), x)


def test_a_plain_chain_has_no_linear_units() -> None:
    rng = random.Random(SEED)
    x = Tensor.variable((3,))
    y = dense(rng, dense(rng, dense(rng, x, 5).relu(), 4).relu(), 2)
    assert widths_text(y.network("")) == "3-5-4-2"


def test_max_of_two_takes_a_neuron_and_a_linear_unit() -> None:
    x = Tensor.variable((2,))
    found = x.gather(np.array([0])).maximum(x.gather(np.array([1]))).network("")
    assert widths_text(found) == "2-1+1-1"


def test_a_leaky_chain_shares_its_preactivations() -> None:
    """As mnist5x20_leaky: as many linear units as neurons, in every layer."""
    rng = random.Random(SEED)
    x = Tensor.variable((6,))
    for _ in range(4):
        x = dense(rng, x, 5).leaky(np.array(0.125))
    assert widths_text(dense(rng, x, 2).network("")) == "6-5+5-5+5-5+5-5+5-2"


def test_a_residual_stream_is_carried_once() -> None:
    """x + W₂s(W₁x), again and again: the stream is as wide as it is, whatever was added before."""
    rng = random.Random(SEED)
    x = Tensor.variable((3,))
    for _ in range(4):
        x = x.add(dense(rng, dense(rng, x, 8).relu(), 3)).shared()
    assert widths_text(dense(rng, x, 1).network("")) == "3-8+3-8+3-8+3-8+3-1"


def test_dense_connections_carry_what_is_read_later() -> None:
    """Every layer reads all before it, concatenated."""
    rng = random.Random(SEED)
    parts = [Tensor.variable((2,))]
    for _ in range(3):
        whole = parts[0].of(Forms.joined([p.forms for p in parts]), (sum(p.size for p in parts),))
        parts.append(dense(rng, whole, 4).relu())
    whole = parts[0].of(Forms.joined([p.forms for p in parts]), (sum(p.size for p in parts),))
    # One output reads one functional of what lies before the last layer.
    assert widths_text(dense(rng, whole, 1).network("")) == "2-4+2-4+5-4+1-1"


def test_a_part_is_carried_by_its_columns_or_its_rows_whichever_are_fewer() -> None:
    rng = random.Random(SEED)
    x = Tensor.variable((9,))
    inner = dense(rng, dense(rng, x, 4).relu(), 4).relu()
    # Two outputs of nine inputs: two functionals are carried, not nine variables.
    two = dense(rng, inner, 2).add(dense(rng, x, 2))
    assert widths_text(two.network("")) == "9-4+2-4+2-2"
    # Thirty outputs of three inputs: three variables.
    x = Tensor.variable((3,))
    inner = dense(rng, dense(rng, x, 4).relu(), 4).relu()
    many = dense(rng, inner, 30).add(dense(rng, x, 30))
    assert widths_text(many.network("")) == "3-4+3-4+3-30"


def test_equal_helpers_are_one_neuron() -> None:
    x = Tensor.variable((2,))
    both = x.absolute().add(x.absolute())
    assert widths_text(both.network("")) == "2-2+2-2"
    # A helper that nothing reads is no unit; a ReLU of the graph is.
    x.clip(np.array(5.0), None)
    assert widths_text(both.network("")) == "2-2+2-2"
    x.scale(np.array(2.0)).relu()
    assert widths_text(both.network("")) == "2-4+2-2"


def test_a_cut_stands_between_layers() -> None:
    graph = LoweredGraph(2)
    summed = graph.inputs.combined(Combination.of_matrix(np.array([[1.0, 1.0]])))
    found = network(graph, graph.relu(graph.cut(summed)))
    assert widths_text(found) == "2-0+1-1-1"
    assert found([3, -5]) == (0,)


def test_the_layers_come_in_one_order() -> None:
    """The same bytes, however often it is done."""
    digests = set()
    for _ in range(3):
        grown = Grown(random.Random(SEED + 7))
        digests.add(network(grown.graph, grown.tensors[-1][0]).sha256)
    assert len(digests) == 1


def test_lowering_keeps_the_time() -> None:
    rng = random.Random(SEED)
    x = Tensor.variable((3,))
    y = dense(rng, dense(rng, x, 5).relu(), 4).relu()
    x.graph.effort = Effort(seconds=0)
    with pytest.raises(Stopped, match="stopped after 0 s"):
        y.network("")
