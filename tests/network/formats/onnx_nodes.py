"""Nodes of ONNX graphs, written shortly."""

from __future__ import annotations

from typing import Any

from onnx import helper


def node(op: str, inputs: str, output: str = "y", **attributes: Any) -> Any:
    """``inputs`` separated by blanks; the name says what and where."""
    return helper.make_node(op, inputs.split(), [output], f"{op.lower()}-{output}", **attributes)
