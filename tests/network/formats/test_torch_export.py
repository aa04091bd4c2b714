"""What is done around torch's own exporter; the modules themselves are in the live tests."""

from __future__ import annotations

import logging
import sys
import warnings
from types import SimpleNamespace
from typing import Any

import pytest
from numpy import array
from onnx import TensorProto, helper, numpy_helper

from exactrelu.errors import InputError, UnsupportedFormat
from exactrelu.network.formats import torch_export
from exactrelu.network.formats.onnx_graph import from_onnx
from exactrelu.network.formats.torch_export import shapes_of


@pytest.mark.parametrize("shape", [(3, 0), ("3",), ((2,), 3), ((2,), (-1,)), (1.5,)])
def test_what_is_no_shape(shape: Any) -> None:
    with pytest.raises(InputError, match=r"^input shape: found .*, expected sizes without the"):
        shapes_of(shape)


def test_no_sizes_are_one_number_per_example() -> None:
    assert shapes_of(()) == [()]
    assert shapes_of([[2, 3]]) == [(2, 3)]


def in_parts(sizes: Any, *parts: int) -> Any:
    """A model that makes a list of its 5 inputs, and returns some of its entries in a row."""
    ends = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 5]),
        helper.make_tensor_value_info("y", TensorProto.FLOAT, None),
    ]
    nodes = [
        helper.make_node("Constant", [], ["sizes"], value=numpy_helper.from_array(array(sizes))),
        helper.make_node("SplitToSequence", ["x", "sizes"], ["list"], axis=1),
    ]
    for part in parts:
        number = numpy_helper.from_array(array(part))
        nodes.append(helper.make_node("Constant", [], [f"i{part}"], value=number))
        nodes.append(helper.make_node("SequenceAt", ["list", f"i{part}"], [f"p{part}"]))
    nodes.append(helper.make_node("Concat", [f"p{part}" for part in parts], ["y"], axis=1))
    graph = helper.make_graph(nodes, "g", ends[:1], ends[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])


@pytest.mark.parametrize(
    ("sizes", "parts", "expected"),
    [
        (2, (2, 0), (5, 1, 2)),
        (2, (1,), (3, 4)),
        ([1, 3, 1], (1, 0), (2, 3, 4, 1)),
        ([1, 3, 1], (2, 1), (5, 2, 3, 4)),
    ],
)
def test_lists_of_parts_are_slices(sizes: Any, parts: Any, expected: Any) -> None:
    import onnx

    model = torch_export._without_sequences(onnx, in_parts(sizes, *parts))
    assert from_onnx(model)([1, 2, 3, 4, 5]) == expected


def test_other_lists_are_refused_by_name() -> None:
    import onnx

    model = torch_export._without_sequences(onnx, in_parts(2, -1))
    with pytest.raises(UnsupportedFormat, match="SplitToSequence is not supported: control flow"):
        from_onnx(model)


class Part:
    training = True

    def modules(self) -> list[Part]:
        return [self]


def test_flags_and_settings_are_as_before(capsys: Any) -> None:
    part, told, before = Part(), warnings.filters[:], logging.root.manager.disable
    with torch_export._in_eval_mode(part), torch_export._silent():
        assert not part.training
        assert logging.root.manager.disable == logging.CRITICAL
        print("Obtain model graph")
        print("Unable to find user code", file=sys.stderr)
        warnings.warn("deprecated", stacklevel=1)
    assert part.training
    assert logging.root.manager.disable == before
    assert warnings.filters == told
    assert capsys.readouterr() == ("", "")


def failed_inside(part: Part) -> None:
    with torch_export._in_eval_mode(part), torch_export._silent():
        raise KeyError


def test_flags_and_settings_are_as_before_after_an_error() -> None:
    part, before = Part(), logging.root.manager.disable
    with pytest.raises(KeyError):
        failed_inside(part)
    assert part.training
    assert logging.root.manager.disable == before


def test_the_reason_is_what_began_it() -> None:
    error = ValueError("export failed, see the report")
    error.__cause__ = RuntimeError("\n  shapes do not fit\nand more")
    assert torch_export._reason(error) == "RuntimeError: shapes do not fit"
    assert torch_export._reason(KeyError()) == "KeyError"


def test_the_input_has_the_type_of_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    class Context:
        def __enter__(self) -> None: ...
        def __exit__(self, *error: object) -> None: ...

    def zeros(shape: Any, **kinds: Any) -> Any:
        asked.append((shape, kinds))
        return SimpleNamespace(shape=shape)

    def export(*args: Any, **options: Any) -> Any:
        raise RuntimeError("no")

    whole, half = (
        SimpleNamespace(is_floating_point=lambda k=k: k, dtype=name, device="cpu")
        for k, name in enumerate(("int64", "float16"))
    )
    model = SimpleNamespace(parameters=list, buffers=lambda: [whole, half], modules=list)
    fake = SimpleNamespace(
        nn=SimpleNamespace(Module=SimpleNamespace),
        zeros=zeros,
        no_grad=Context,
        export=SimpleNamespace(export=export),
    )
    monkeypatch.setattr(torch_export, "_import_torch", lambda: fake)
    words = r"^torch cannot export SimpleNamespace for an input of shape \(1, 2\) and \(1, 3, 1\): "
    with pytest.raises(UnsupportedFormat, match=words + "RuntimeError: no$"):
        torch_export.exported(model, [(2,), (3, 1)])
    kinds = {"dtype": "float16", "device": "cpu"}
    assert asked[-2:] == [((1, 2), kinds), ((1, 3, 1), kinds)]
