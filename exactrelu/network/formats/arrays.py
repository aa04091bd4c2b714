"""Arrays of floats as arrays of rationals, and the formats that list them: ``.npz`` and ``.nnet``.

An *exact array* is a numpy array of objects, each a rational.  Floats come in as
the dyadics that they store; rationals go out as floats only where each of them
is one.

*numpy archives* hold arrays ``W1, b1, W2, b2, …`` with W_l of shape (n_l, n_{l−1}), and where a
layer has linear units ``linear1, …``, their numbers from 1, as integers.  Also read:
``arr_0, arr_1, arr_2, …``, which ``np.savez(path, W1, b1, W2, b2, …)`` makes of positional
arguments.  Arrays hold float16, float32, float64 or integers, each number taken exactly.  Pickled
arrays are never loaded.

*The* ``.nnet`` *text format* (Kyle Julian, Stanford 2016) is that of the ACAS Xu networks.  After
``//`` comments, lines of comma-separated numbers: number of layers, inputs, outputs, largest layer
· layer sizes · an unused flag · minima and maxima of the inputs · means and ranges · then, layer by
layer, one line for each row of weights and one for each bias.  Decimals are taken as those exact
decimals.  The file's function is that of raw inputs and outputs:

    x ↦ f((x − mean)/range) · range_out + mean_out,

range_out and mean_out being the last entries of their lines.  Both affine maps are
folded into the first and the last layer; ``normalize=False`` gives f itself.  The
reference implementation also clips each input to its minimum and maximum before it
evaluates; that is not affine and not part of the function here.

More means and ranges than inputs + 1 are allowed, because the published ACAS Xu
files keep those of two inputs that were dropped: the first entries belong to the
inputs and the last one to the outputs, as in the reference reader.
"""

from __future__ import annotations

import io
import math
import os
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from flint import fmpq

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import InputError, said
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import (
    Vector,
    check_finite,
    parse_rational,
    rational,
    to_float,
    to_text,
    vector,
)
from exactrelu.files import PathLike, errors_in, read_bytes, read_text, stem, unzip, write_bytes
from exactrelu.network.network import Layer, Network

Array: TypeAlias = np.ndarray[Any, Any]

#: Bytes of a rational in memory: as an object, in a matrix, and once more over one denominator.
BYTES_OF_NUMBER = 100
#: Numbers that are made at once.
_AT_ONCE = 100_000

_TOO_LONG = 60


def exact_array(array: Array, where: str, effort: Effort = UNLIMITED) -> Array:
    """The rationals that an array of floats or integers stores, in its shape.

    ``where`` names the array in errors; NaN and infinities are refused.

    >>> exact_array(np.array([[0.5, -3]]), "W").tolist()
    [[1/2, -3]]
    """
    if array.dtype == object:
        return array
    effort.need(BYTES_OF_NUMBER * array.size, f"{where} of shape {array.shape}")
    if array.dtype.kind == "f" and array.dtype.itemsize <= 8:
        check_finite(array, where)
    elif array.dtype.kind not in "iu":
        raise InputError(
            f"{where}: found numbers of type {array.dtype}, "
            "expected float16, float32, float64 or integers"
        )
    result = np.empty(array.size, dtype=object)
    stored = array.ravel()
    for first in range(0, array.size, _AT_ONCE):
        effort.spend()
        result[first : first + _AT_ONCE] = vector(stored[first : first + _AT_ONCE], where)
    return result.reshape(array.shape)


def exact_scalar(value: Any) -> Array:
    """A 0-dimensional exact array."""
    result = np.empty((), dtype=object)
    result[()] = rational(value)
    return result


def float_layers(
    network: Network, path: PathLike, effort: Effort = UNLIMITED
) -> list[tuple[Array, Array]]:
    """(W, b) of every layer, as float32 if every number is one, else as float64.

    Refuses, and names the first number that is no float64, rather than round.
    """
    layers = []
    for l, layer in enumerate(network.layers, 1):
        columns = layer.n_inputs + 1
        entries = layer.affine.flint.entries()
        floats = np.array([to_float(v) for v in entries])
        for k, (value, stored) in enumerate(zip(entries, floats.tolist(), strict=True)):
            effort.spend()
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


def load_npz(path: PathLike, effort: Effort = UNLIMITED) -> Network:
    """The network of an ``.npz`` file, named after the file."""
    content = read_bytes(path, effort)
    with errors_in(path):
        arrays = dict(_member(name, data) for name, data in unzip(content, effort).items())
        pairs = _pairs(set(arrays))
        for name, ndim in [(W, 2) for W, _ in pairs] + [(b, 1) for _, b in pairs]:
            if arrays[name].ndim != ndim:
                raise InputError(
                    f"array {name!r}: found shape {arrays[name].shape}, "
                    f"expected {ndim} dimension{'s' if ndim > 1 else ''}"
                )
        linear = [_numbers(arrays.pop(f"linear{l}", None), l) for l in range(1, len(pairs))]
        n_numbers = sum(array.size for array in arrays.values())
        effort.need(BYTES_OF_NUMBER * n_numbers, f"a network of {n_numbers:,} parameters")
        weights = [exact_array(arrays[W], f"array {W!r}", effort) for W, _ in pairs]
        biases = [exact_array(arrays[b], f"array {b!r}", effort) for _, b in pairs]
        network = Network.from_arrays(weights, biases, name=stem(path))
        layers = zip(network.layers, [*linear, ()], strict=True)
        return replace(network, layers=tuple(replace(layer, linear=ls) for layer, ls in layers))


def save_npz(network: Network, path: PathLike, effort: Effort = UNLIMITED) -> None:
    """Write ``W1, b1, …`` as float32 or float64, whichever holds every number first."""
    arrays: dict[str, Any] = {}
    for l, (W, b) in enumerate(float_layers(network, path, effort), 1):
        arrays[f"W{l}"], arrays[f"b{l}"] = W, b
        if linear := network.layers[l - 1].linear:
            arrays[f"linear{l}"] = np.array(linear)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    write_bytes(path, buffer.getvalue())


def _member(name: str, data: bytes) -> tuple[str, Array]:
    if not name.endswith(".npy"):
        raise InputError(f"member {name!r}: expected only .npy arrays in the archive")
    short = name.removesuffix(".npy")
    return short, npy_array(data, f"array {short!r}")


def npy_array(data: bytes, where: str) -> Array:
    """The array of an ``.npy`` file, which holds no objects; numpy makes room for what it says.

    >>> npy_array(b"no array", "W1")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    exactrelu.errors.InputError: W1: cannot be read: the magic string is not correct...
    """
    stream = io.BytesIO(data)
    try:
        # Of headers that Python 2 wrote numpy warns.
        with warnings.catch_warnings(action="ignore"):
            version = np.lib.format.read_magic(stream)
            if version not in _HEADERS:
                raise InputError(f"{where}: found version {version} of .npy, expected 1.0 or 2.0")
            shape, is_by_columns, dtype = _HEADERS[version](stream)
        if dtype.hasobject:
            raise InputError(f"{where}: found pickled objects, expected numbers")
        n_bytes = math.prod(shape) * dtype.itemsize
        if min(shape, default=0) < 0 or n_bytes != len(data) - stream.tell():
            raise InputError(
                f"{where}: found {len(data) - stream.tell():,} bytes, expected {n_bytes:,} of an "
                f"array of shape {shape} of {dtype}"
            )
        array = np.frombuffer(data, dtype, offset=stream.tell()) if n_bytes else np.empty(0, dtype)
        return array.reshape(shape, order="F" if is_by_columns else "C")
    except InputError:
        raise
    except Exception as error:
        # numpy takes a header for Python, with all that can go wrong there.
        raise InputError(f"{where}: cannot be read: {said(error)}") from None


_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def _numbers(array: Array | None, layer: int) -> tuple[int, ...]:
    """The numbers of linear units; in order and in range, which the layer sees to."""
    if array is None:
        return ()
    if array.ndim != 1 or array.dtype.kind not in "iu" or not array.size:
        raise InputError(
            f"array 'linear{layer}': found shape {array.shape} of type {array.dtype}, "
            "expected a list of integers, the numbers of linear units"
        )
    return tuple(map(int, array))


def _pairs(names: set[str]) -> list[tuple[str, str]]:
    """The (weights, bias) names of layers 1, 2, …; every array is used."""
    if "arr_0" in names:
        template, first, step = ("arr_{}", "arr_{}"), 0, 2
    else:
        template, first, step = ("W{}", "b{}"), 1, 1
    numbered = [m for n in names if (m := re.fullmatch(r"(?:W|arr_)([0-9]{1,6})", n))]
    last = max((int(m[1]) for m in numbered), default=-1)
    pairs = [
        (template[0].format(k), template[1].format(k + step - 1))
        for k in range(first, last + 1, step)
    ]
    if not pairs:
        raise InputError(f"found the arrays {sorted(names)}, expected W1, b1, W2, b2, …")
    for l, (W, b) in enumerate(pairs, 1):
        if W not in names:
            raise InputError(f"array {W!r} is missing, expected the weights of layer {l}")
        if b not in names:
            raise InputError(
                f"array {b!r} is missing, expected the bias of layer {l}, beside {W!r}"
            )
    linear = {f"linear{l}" for l in range(1, len(pairs))}
    unused = names - {name for pair in pairs for name in pair} - linear
    if unused:
        raise InputError(
            f"array {min(unused)!r} is unknown, expected W1, b1, W2, b2, … (or arr_0, arr_1, …)"
        )
    return pairs


def load_nnet(path: PathLike, effort: Effort = UNLIMITED, *, normalize: bool = True) -> Network:
    """The network of an ``.nnet`` file, with its normalisation or without."""
    text = read_text(path, effort)
    with errors_in(path):
        name = stem(path) if normalize else f"{stem(path)} without normalisation"
        return parse_nnet(text, normalize, effort).renamed(name)


@dataclass(frozen=True)
class _LineOfNumbers:
    number: int
    fields: tuple[str, ...]

    def numbers(self) -> Vector:
        return tuple(
            parse_rational(field, f"line {self.number}, entry {i}")
            for i, field in enumerate(self.fields, 1)
        )

    def integers(self) -> list[int]:
        values = []
        for i, value in enumerate(self.numbers(), 1):
            if value.q != 1 or not 0 <= value <= 10**9:
                raise InputError(
                    f"line {self.number}, entry {i}: found {self.fields[i - 1][:40]!r}, "
                    "expected a nonnegative integer"
                )
            values.append(int(value.p))
        return values

    def require(self, count: int, what: str, at_least: bool = False) -> None:
        found = len(self.fields)
        if found < count or (found > count and not at_least):
            raise InputError(
                f"line {self.number}: found {found} numbers, "
                f"expected {'at least ' if at_least else ''}{count}: {what}"
            )


class _Lines:
    """The lines that hold numbers, taken one by one; ``what`` says what is expected."""

    def __init__(self, text: str, effort: Effort) -> None:
        self._effort = effort
        numbered = enumerate(text.splitlines(), 1)
        stripped = [(number, line.strip()) for number, line in numbered]
        self._last = len(stripped)
        self._lines: Iterator[_LineOfNumbers] = (
            _LineOfNumbers(
                number, tuple(field.strip() for field in line.removesuffix(",").split(","))
            )
            for number, line in stripped
            if line and not line.startswith("//")
        )

    def take(self, what: str) -> _LineOfNumbers:
        self._effort.spend()
        line = next(self._lines, None)
        if line is None:
            raise InputError(f"line {self._last}: the file ends here, expected {what}")
        return line

    def require_end(self) -> None:
        line = next(self._lines, None)
        if line is not None:
            raise InputError(
                f"line {line.number}: found more numbers, expected the end of the file"
            )


def parse_nnet(text: str, normalize: bool = True, effort: Effort = UNLIMITED) -> Network:
    """The network that ``.nnet`` text describes.

    >>> text = "1,1,1,1,\\n1,1,\\n0,\\n-9,\\n9,\\n2,5,\\n4,10,\\n3,\\n0.5,\\n"
    >>> parse_nnet(text, normalize=False).layers[0].affine
    Matrix([[3, 1/2]])
    >>> parse_nnet(text).layers[0].affine  # 10 (3 (x - 2)/4 + 1/2) + 5
    Matrix([[15/2, -5]])
    """
    lines = _Lines(text, effort)
    sizes = _sizes(lines)
    # A file that says more than it holds is malformed, which its lines show.
    held = text.count(",") + text.count("\n") + 1
    n_numbers = min(held, sum((k + 1) * m for k, m in pairwise(sizes)))
    effort.need(BYTES_OF_NUMBER * n_numbers, f"a network of {n_numbers:,} parameters")
    lines.take("the flag line (unused)")
    n = sizes[0]
    for what in ("minimum", "maximum"):
        line = lines.take(f"the {what} of each input")
        line.require(n, f"the {what} of each input", at_least=True)
        line.numbers()
    means = _normalisation(lines, n, "mean")
    ranges = _normalisation(lines, n, "range")
    layers = [
        _layer(lines, l, m, k) for l, (m, k) in enumerate(zip(sizes[1:], sizes, strict=False), 1)
    ]
    lines.require_end()
    network = Network(tuple(layers))
    if not normalize:
        return network
    before = Matrix.diagonal([1 / r for r in ranges[:n]]).beside(
        Matrix.column_vector([-m / r for m, r in zip(means[:n], ranges[:n], strict=True)])
    )
    after = Matrix.diagonal([ranges[-1]] * sizes[-1]).beside(
        Matrix.column_vector([means[-1]] * sizes[-1])
    )
    return Network((Layer(before),)).then(network).then(Network((Layer(after),)))


def _sizes(lines: _Lines) -> list[int]:
    header = lines.take("the number of layers, inputs, outputs and the largest layer")
    header.require(4, "the number of layers, inputs, outputs and the largest layer")
    n_layers, n_inputs, n_outputs, _ = header.integers()
    line = lines.take("the layer sizes")
    line.require(n_layers + 1, f"the sizes of the input and of {n_layers} layers")
    sizes = line.integers()
    if n_layers == 0 or 0 in sizes:
        raise InputError(f"line {line.number}: found the sizes {sizes}, expected positive ones")
    if (sizes[0], sizes[-1]) != (n_inputs, n_outputs):
        raise InputError(
            f"line {line.number}: found sizes {sizes[0]} … {sizes[-1]}, expected "
            f"{n_inputs} inputs and {n_outputs} outputs as on line {header.number}"
        )
    return sizes


def _normalisation(lines: _Lines, n: int, what: str) -> Vector:
    line = lines.take(f"the {what} of each input and of the outputs")
    line.require(n + 1, f"the {what} of each input and of the outputs", at_least=True)
    values = line.numbers()
    if what == "range":
        for i, value in enumerate(values, 1):
            if value == 0:
                raise InputError(f"line {line.number}, entry {i}: found the range 0")
    return values


def _layer(lines: _Lines, l: int, n_rows: int, n_columns: int) -> Layer:
    rows: list[fmpq] = []
    for i in range(1, n_rows + 1):
        what = f"weights of layer {l}, row {i}"
        line = lines.take(what)
        line.require(n_columns, what)
        rows.extend(line.numbers())
    bias: list[fmpq] = []
    for i in range(1, n_rows + 1):
        what = f"bias of layer {l}, row {i}"
        line = lines.take(what)
        line.require(1, what)
        bias.extend(line.numbers())
    weights = Matrix.from_entries(n_rows, n_columns, rows)
    return Layer(weights.beside(Matrix.column_vector(bias)))
