"""Names and shapes of inputs and outputs: kept in exact JSON, read from graphs, compared."""

from __future__ import annotations

from typing import Any

import pytest

import exactrelu as er
from exactrelu.errors import InputError
from exactrelu.network.declared import Declared
from exactrelu.network.formats.load import parse_network
from exactrelu.network.network import Network
from exactrelu.network.written import network_text

XOR = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]], name="xor")
ENDS = (
    '"inputs": [{"name": "x", "shape": [1, 1]}, {"name": "u", "shape": [1]}], '
    '"outputs": [{"name": "y", "shape": [null, 1]}]'
)


def xor_with(keys: str) -> str:
    return network_text(XOR).replace('"name": "xor"', f'"name": "xor", {keys}')


def test_names_and_shapes_are_kept() -> None:
    net = parse_network(xor_with(ENDS))
    assert [tensor.text for tensor in net.input_tensors] == ["'x' [1,1]", "'u' [1]"]
    assert net.output_tensors == (Declared("y", (None, 1)),)
    assert net == XOR
    assert net.sha256 == XOR.sha256
    again = parse_network(network_text(net))
    assert (again.input_tensors, again.output_tensors) == (net.input_tensors, net.output_tensors)
    assert network_text(again) == network_text(net)
    line = net.slice([0, 0], [[1, 0]])
    assert (line.n_inputs, line.input_tensors) == (1, ())


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ('"inputs": [{"name": "x", "shape": [3]}]', r"inputs 'x' \[3\]: the network has 2"),
        ('"outputs": [{"name": "y", "shape": [2, 2]}]', r"outputs 'y' \[2,2\]: the network has 1"),
        (
            '"inputs": {"name": "x"}',
            "inputs: found an object, expected a list of inputs or outputs",
        ),
        ('"inputs": [{"name": "x"}]', r"inputs\[0\]: the key 'shape' is missing"),
        ('"inputs": [{"name": 1, "shape": [2]}]', r"inputs\[0\].name: found .*, expected a string"),
        ('"inputs": [{"name": "x", "shape": [0]}]', r"shape\[0\]: found 0, expected a positive"),
        ('"inputs": [{"name": "x", "shape": ["1/2"]}]', r"shape\[0\]: found 1/2, expected a pos"),
        ('"inputs": [{"name": "x", "shape": 2}]', "shape: found .*, expected a list of dimensions"),
    ],
)
def test_names_and_shapes_that_do_not_fit(keys: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse_network(xor_with(keys))


def relu_of(inputs: list[list[Any]]) -> Any:
    """A graph of Relu, one for each input."""
    onnx = pytest.importorskip("onnx")
    make, kind = onnx.helper, onnx.TensorProto.FLOAT
    ends = [make.make_tensor_value_info(f"x{k}", kind, shape) for k, shape in enumerate(inputs)]
    results = [make.make_tensor_value_info(f"y{k}", kind, shape) for k, shape in enumerate(inputs)]
    nodes = [make.make_node("Relu", [f"x{k}"], [f"y{k}"]) for k in range(len(inputs))]
    return make.make_model(make.make_graph(nodes, "relu", ends, results))


def test_a_graph_declares_them() -> None:
    net = er.from_onnx(relu_of([["n", 2], [1, 3]]))
    assert [tensor.text for tensor in net.input_tensors] == ["'x0' [?,2]", "'x1' [1,3]"]
    assert [tensor.text for tensor in net.output_tensors] == ["'y0' [?,2]", "'y1' [1,3]"]


def test_of_a_part_of_a_graph_nothing_is_said() -> None:
    """Its outputs are others, and with another batch its shapes."""
    model = relu_of([[2, 2], [2, 3]])
    for part in (
        er.from_onnx(model, until="y0"),
        er.from_onnx(model, outputs="y1"),
        er.from_onnx(model, batch=1),
    ):
        assert (part.input_tensors, part.output_tensors) == ((), ())
