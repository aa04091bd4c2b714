"""The layers of a network as text and as a graph for Graphviz."""

from __future__ import annotations

from exactrelu.exact.sparse import SparseMatrix
from exactrelu.network.network import Layer, Network
from exactrelu.view.layers import dot, drawn, layer_sizes, takes_long_to_hash

MAXIMUM = Network(
    (Layer.of([[-1, 1], [1, 0]], [0, 0], linear=[2]), Layer.of([[1, 1]], ["1/3"])), 'max "x"'
)


def test_sizes_are_those_of_the_layers() -> None:
    first, last = layer_sizes(MAXIMUM)
    assert (first.inputs, first.neurons, first.linear_units, first.outputs) == (2, 1, 1, 0)
    assert (last.inputs, last.neurons, last.linear_units, last.outputs) == (2, 0, 0, 1)
    assert (first.entries, last.entries, first.bits, last.bits) == (3, 3, 1, 2)
    assert first.to_object()["neurons"] == 1


def test_a_line_for_each_layer() -> None:
    assert drawn(MAXIMUM) == [
        "layer 1   2 inputs → 1 neuron + 1 linear unit   3 entries   1 bit",
        "layer 2   2 units → 1 output                    3 entries   2 bits",
    ]


def test_layers_without_neurons_and_sparse_ones() -> None:
    thin = SparseMatrix(2, 3, [0, 1, 1], [0], [1], 1)
    network = Network((Layer(thin, (1, 2)), Layer.of([[1, 1]], [0])))
    assert drawn(network)[0] == "layer 1   2 inputs → 2 linear units   1 entry (sparse)   1 bit"
    assert layer_sizes(network)[0].is_sparse


def test_dot_has_a_box_for_each_layer_and_quotes_names() -> None:
    lines = dot(MAXIMUM).splitlines()
    assert lines[0] == r'digraph "max \"x\"" {'
    assert lines[-1] == "}"
    assert '  l0 -> l1 [label="3 entries\\n1 bit"];' in lines
    assert '  l1 [label="1 neuron + 1 linear unit"];' in lines
    assert '  l2 [label="1 output", shape=ellipse];' in lines


def test_small_networks_are_hashed_at_once() -> None:
    assert not takes_long_to_hash(MAXIMUM)
