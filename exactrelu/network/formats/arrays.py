"""Between arrays of floats and arrays of rationals, exactly.

An *exact array* is a numpy array of objects, each a rational.  Floats come in as
the dyadics that they store; rationals go out as floats only where each of them
is one.
"""

from __future__ import annotations

import os
from typing import Any, TypeAlias

import numpy as np
from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.exact.scalar import check_finite, rational, to_float, to_text, vector
from exactrelu.network.network import Network

Array: TypeAlias = np.ndarray[Any, Any]

_TOO_LONG = 60


def exact_array(array: Array, where: str) -> Array:
    """The rationals that an array of floats or integers stores, in its shape.

    ``where`` names the array in errors; NaN and infinities are refused.

    >>> exact_array(np.array([[0.5, -3]]), "W").tolist()
    [[1/2, -3]]
    """
    if array.dtype == object:
        return array
    if array.dtype.kind == "f" and array.dtype.itemsize <= 8:
        check_finite(array, where)
    elif array.dtype.kind not in "iu":
        raise InputError(
            f"{where}: found numbers of type {array.dtype}, "
            "expected float16, float32, float64 or integers"
        )
    result = np.empty(array.size, dtype=object)
    result[:] = vector(array.ravel(), where)
    return result.reshape(array.shape)


def exact_scalar(value: Any) -> Array:
    """A 0-dimensional exact array."""
    result = np.empty((), dtype=object)
    result[()] = rational(value)
    return result


def float_layers(network: Network, path: str | os.PathLike[str]) -> list[tuple[Array, Array]]:
    """(W, b) of every layer, as float32 if every number is one, else as float64.

    Refuses, and names the first number that is no float64, rather than round.
    """
    layers = []
    for l, layer in enumerate(network.layers, 1):
        columns = layer.n_inputs + 1
        entries = layer.affine.entries()
        floats = np.array([to_float(v) for v in entries])
        for k, (value, stored) in enumerate(zip(entries, floats.tolist(), strict=True)):
            if not np.isfinite(stored) or rational(stored) != value:
                place = _place(l, k // columns, k % columns, layer.n_inputs)
                raise InputError(
                    f"{os.fspath(path)}: {place}: {_shown(value)} is not a 64-bit float, and "
                    "nothing is rounded; write exact JSON (.json) instead"
                )
        affine = floats.reshape(-1, columns)
        layers.append((affine[:, :-1], affine[:, -1]))
    dtype = np.float32 if all(_is_float32(W) and _is_float32(b) for W, b in layers) else np.float64
    return [(W.astype(dtype, order="C"), b.astype(dtype, order="C")) for W, b in layers]


def _is_float32(array: Array) -> bool:
    with np.errstate(over="ignore", under="ignore"):
        return bool((array.astype(np.float32).astype(np.float64) == array).all())


def _place(layer: int, row: int, column: int, n_inputs: int) -> str:
    if column == n_inputs:
        return f"layer {layer}, bias of row {row + 1}"
    return f"layer {layer}, row {row + 1}, column {column + 1} of the weights"


def _shown(value: fmpq) -> str:
    text = to_text(value)
    return text if len(text) <= _TOO_LONG else f"{text[:30]}… ({len(text)} characters)"
