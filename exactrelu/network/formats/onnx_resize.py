"""ONNX's Resize and Upsample, nearest and linear: maps axis by axis, in rational coordinates.

Output place x of an axis lies at a coordinate of the input, with n inputs, m outputs, σ the scale:

    half_pixel            (x + 1/2)/σ − 1/2
    pytorch_half_pixel    the same, but 0 where m = 1
    half_pixel_symmetric  the same, moved so that the middles agree where m ≠ σ·n
    align_corners         x·(n − 1)/(m − 1), and 0 where m = 1
    asymmetric            x/σ

*Nearest* rounds it; *linear* takes the two inputs around it, beyond the border the outermost.
Where a coordinate is an integer, or halfway between two, floats of other tools may round it to
either side; the rational number decides here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq

from exactrelu.errors import ShapeError, UnsupportedFormat
from exactrelu.exact.scalar import rational
from exactrelu.network.formats.onnx_node import distinct_axes
from exactrelu.network.graph.dyadics import floats_if_exact
from exactrelu.network.graph.forms import Combination
from exactrelu.network.graph.tensor import Tensor
from exactrelu.network.graph.windows import require_size

if TYPE_CHECKING:
    from exactrelu.network.formats.onnx_node import Node

_HALF = fmpq(1, 2)

#: From the place of an output, the scale, and the numbers of inputs and outputs.
_COORDINATES: dict[str, Callable[[int, fmpq, int, int], fmpq]] = {
    "half_pixel": lambda x, s, n, m: (x + _HALF) / s - _HALF,
    "pytorch_half_pixel": lambda x, s, n, m: (x + _HALF) / s - _HALF if m > 1 else fmpq(0),
    "half_pixel_symmetric": lambda x, s, n, m: (
        fmpq(n, 2) * (1 - fmpq(m) / (s * n)) + (x + _HALF) / s - _HALF
    ),
    "align_corners": lambda x, s, n, m: x * fmpq(n - 1, m - 1) if m > 1 else fmpq(0),
    "asymmetric": lambda x, s, n, m: x / s,
}

_NEAREST: dict[str, Callable[[fmpq], int]] = {
    "round_prefer_floor": lambda x: int((x - _HALF).ceil()),
    "round_prefer_ceil": lambda x: int((x + _HALF).floor()),
    "floor": lambda x: int(x.floor()),
    "ceil": lambda x: int(x.ceil()),
}

#: A line of weights for each output: places of inputs, and how much of each.
_Weights = list[list[tuple[int, fmpq]]]


def resized(node: Node) -> Tensor:
    """The tensor of another size along some axes."""
    x = node.tensor(0)
    is_upsample = node.kind == "Upsample"
    mode = node.attributes.get("mode", "nearest")
    if mode not in ("nearest", "linear", "bilinear"):
        raise UnsupportedFormat(f"found the mode {mode!r}, expected 'nearest' or 'linear'")
    for name in ("antialias", "exclude_outside"):
        if node.attributes.get(name, 0):
            raise UnsupportedFormat(f"found {name}, which is not read")
    if node.attributes.get("keep_aspect_ratio_policy", "stretch") != "stretch":
        raise UnsupportedFormat("found a keep_aspect_ratio_policy other than 'stretch'")
    old = is_upsample or node.opset < 11
    place = node.attributes.get(
        "coordinate_transformation_mode", "asymmetric" if old else "half_pixel"
    )
    if place not in _COORDINATES:
        raise UnsupportedFormat(f"found the coordinates {place!r}")
    rounding = node.attributes.get("nearest_mode", "floor" if old else "round_prefer_floor")
    if rounding not in _NEAREST:
        raise UnsupportedFormat(f"found the nearest_mode {rounding!r}")
    for axis, (scale, size) in _targets(node, x.shape).items():
        n = x.shape[axis]
        if scale == 1 and size == n:
            continue
        require_size((*x.shape[:axis], size, *x.shape[axis + 1 :]))
        at = [_COORDINATES[place](o, scale, n, size) for o in range(size)]
        if mode == "nearest":
            lines = [[(min(max(_NEAREST[rounding](c), 0), n - 1), fmpq(1))] for c in at]
        else:
            lines = [_between(c, n) for c in at]
        x = _along(x, axis, lines)
    return x


def _between(coordinate: fmpq, n: int) -> list[tuple[int, fmpq]]:
    """The two inputs around a coordinate; beyond the border the outermost."""
    first = int(coordinate.floor())
    share = coordinate - first
    places = [min(max(i, 0), n - 1) for i in (first, first + 1)]
    if places[0] == places[1] or share == 0:
        return [(places[0], fmpq(1))]
    return [(places[0], 1 - share), (places[1], share)]


def _targets(node: Node, shape: tuple[int, ...]) -> dict[int, tuple[fmpq, int]]:
    """The scale and the new size of each axis that is named."""
    rank = len(shape)
    axes = distinct_axes(node.integers("axes", range(rank)), rank)
    is_short = node.kind == "Upsample" or node.opset < 11
    scales = 1 if is_short else 2
    if node.has(3) and node.listed(3):
        sizes = node.listed(3)
        _require(sizes, axes)
        return {a: (fmpq(m, shape[a]), m) for a, m in zip(axes, sizes, strict=True)}
    if "scales" in node.attributes:
        factors = [rational(s) for s in node.attributes["scales"]]
    else:
        factors = [rational(s) for s in node.constant(scales).ravel().tolist()]
    _require(factors, axes)
    if min(factors) <= 0:
        raise ShapeError("found a scale that is not positive")
    return {a: (s, int((s * shape[a]).floor())) for a, s in zip(axes, factors, strict=True)}


def _require(found: list[int] | list[fmpq], axes: list[int]) -> None:
    if len(found) != len(axes):
        raise ShapeError(f"found {len(found)} scales or sizes for {len(axes)} axes")


def _along(x: Tensor, axis: int, lines: _Weights) -> Tensor:
    """A linear map along one axis."""
    index = np.moveaxis(x.index, axis, -1)
    n, m = index.shape[-1], len(lines)
    others = index.reshape(-1, n)
    entries = [(o, i, w) for o, line in enumerate(lines) for i, w in line]
    outputs, inputs = (np.array([entry[k] for entry in entries], np.int64) for k in (0, 1))
    weights = np.empty(len(entries), dtype=object)
    weights[:] = [entry[2] for entry in entries]
    rows = np.arange(len(others))[:, None] * m + outputs
    map_ = Combination.of(
        len(others) * m,
        rows.ravel(),
        others[:, inputs].ravel(),
        np.tile(floats_if_exact(weights), len(others)),
    )
    shape = (*index.shape[:-1], m)
    places = np.moveaxis(np.arange(len(others) * m).reshape(shape), -1, axis)
    return x.linear(map_, shape).gather(places)
