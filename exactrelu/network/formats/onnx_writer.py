"""Writes a network as ONNX: Gemm and Relu in turn, read back as the same network.

Weights are float32 if every one of them is a float32, else float64; a weight that
is neither is refused by name.  The input has the shape (batch, n_0).
"""

from __future__ import annotations

from typing import Any

from exactrelu.errors import InputError
from exactrelu.files import PathLike, atomic_write, stem
from exactrelu.network.formats.arrays import float_layers
from exactrelu.network.formats.onnx_format import import_onnx
from exactrelu.network.network import Network

_OPSET = 13
#: The IR version that opset 13 came with: every tool that knows the one knows the other.
_IR_VERSION = 7


def save_onnx(network: Network, path: PathLike) -> None:
    """Write an ONNX file, or refuse where a weight is no float."""
    onnx = import_onnx("writing .onnx files")
    layers = float_layers(network, path)
    helper = onnx.helper
    elem_type = helper.np_dtype_to_tensor_dtype(layers[0][0].dtype)
    nodes: list[Any] = []
    initializers: list[Any] = []
    value = "input"
    for l, (W, b) in enumerate(layers, 1):
        initializers.append(onnx.numpy_helper.from_array(W, f"W{l}"))
        initializers.append(onnx.numpy_helper.from_array(b, f"b{l}"))
        is_last = l == len(layers)
        after = "output" if is_last else f"z{l}"
        nodes.append(
            helper.make_node("Gemm", [value, f"W{l}", f"b{l}"], [after], f"affine{l}", transB=1)
        )
        if not is_last:
            value = f"x{l}"
            nodes.append(helper.make_node("Relu", [after], [value], f"relu{l}"))
    graph = helper.make_graph(
        nodes,
        network.name or stem(path),
        [helper.make_tensor_value_info("input", elem_type, ["batch", network.n_inputs])],
        [helper.make_tensor_value_info("output", elem_type, ["batch", network.n_outputs])],
        initializers,
    )
    opsets = [helper.make_opsetid("", _OPSET)]
    model = helper.make_model(graph, opset_imports=opsets, producer_name="exactrelu")
    model.ir_version = _IR_VERSION
    try:
        onnx.checker.check_model(model)
    except onnx.checker.ValidationError as error:
        raise InputError(f"{path}: cannot be an ONNX model: {str(error).splitlines()[0]}") from None
    atomic_write(path, model.SerializeToString(deterministic=True))
