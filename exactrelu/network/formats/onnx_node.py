"""A node of an ONNX graph with its inputs computed, and arithmetic on values.

A value is a :class:`Tensor` of a graph, or a constant: a numpy array of float64 or rationals, or of
integers and truth values.  Operators take a :class:`Node` and return a value, or refuse with the
reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from flint import fmpq_mat

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import InputError, ShapeError, UnsupportedFormat
from exactrelu.exact.scalar import ONE, bits, rational
from exactrelu.network.formats.arrays import Array
from exactrelu.network.graph.dyadics import Numbers, floats_if_exact, objects, product, total
from exactrelu.network.graph.roots import Roots
from exactrelu.network.graph.tensor import Tensor, broadcast_shape, matmul, matmul_shape

Value: TypeAlias = Tensor | Array

#: What computes the output of a node.
Operator: TypeAlias = Callable[["Node"], Value]

#: Constants computed from constants may not grow beyond this: squaring a number
#: forty times is forty nodes of a file and a number that fits no machine.
MAX_CONSTANT_BITS = 100_000

#: A bound of this size is none: exporters write the largest float32 for infinity.
_INFINITE = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class Node:
    """One node with its inputs computed (None: an optional input that is left out)."""

    kind: str
    inputs: Sequence[Value | None]
    input_names: Sequence[str]
    attributes: dict[str, Any]
    n_outputs: int
    opset: int
    proto: Any
    roots: Roots = Roots.EXACT
    effort: Effort = field(default=UNLIMITED, repr=False)

    def raw(self, i: int) -> Value:
        """Input i as it is."""
        value = self.inputs[i] if i < len(self.inputs) else None
        if value is None:
            raise InputError(f"input {i + 1} is missing")
        return value

    def has(self, i: int) -> bool:
        """Whether input i is given."""
        return i < len(self.inputs) and self.inputs[i] is not None

    def value(self, i: int) -> Value:
        """Input i for arithmetic: a tensor or exact numbers."""
        value = self.raw(i)
        return value if isinstance(value, Tensor) else self.constant(i)

    def values(self) -> list[Value]:
        """All inputs for arithmetic."""
        return [self.value(i) for i in range(len(self.inputs))]

    def tensor(self, i: int) -> Tensor:
        value = self.raw(i)
        if not isinstance(value, Tensor):
            raise UnsupportedFormat(f"input {i + 1} ({self.input_names[i]!r}) is a constant")
        return value

    def constant(self, i: int) -> Numbers:
        """Input i, which must be a constant, as exact numbers."""
        value = self.raw(i)
        name = self.input_names[i]
        if isinstance(value, Tensor):
            raise UnsupportedFormat(f"input {i + 1} ({name!r}) depends on the network's input")
        if value.dtype.kind in "iub":
            if any(isinstance(other, Tensor) for other in self.inputs):
                raise UnsupportedFormat(f"input {i + 1} ({name!r}) has integers, expected floats")
            return value.astype(np.float64)
        if value.dtype != object and not np.isfinite(value).all():
            where = np.argwhere(~np.isfinite(value))[0].tolist()
            raise InputError(
                f"constant {name!r}{where}: found {value[tuple(where)]}, expected a finite number"
            )
        return value

    def optional_constant(self, i: int) -> Numbers | None:
        return self.constant(i) if self.has(i) else None

    def listed(self, i: int) -> list[int]:
        """Input i, which must be a constant of integers: shapes, axes, indices."""
        value = self.raw(i)
        if isinstance(value, Tensor) or value.dtype.kind not in "iub":
            raise UnsupportedFormat(
                f"input {i + 1} ({self.input_names[i]!r}) is no constant of integers"
            )
        return [int(n) for n in value.ravel()]

    def integers(self, name: str, default: Sequence[int]) -> tuple[int, ...]:
        return tuple(int(v) for v in self.attributes.get(name, default))

    def number(self, name: str, default: float) -> Numbers:
        """A float attribute; the defaults of ONNX are float32."""
        value = self.attributes.get(name, float(np.float32(default)))
        rational(value, name)
        return np.array(float(value))

    def bounds(self, i: int, name: str) -> Numbers | None:
        """A bound of Clip: an input, or an attribute before opset 11; None for none."""
        if self.has(i):
            value = self.raw(i)
            if isinstance(value, Tensor):
                raise UnsupportedFormat(
                    f"input {i + 1} ({self.input_names[i]!r}) depends on the network's input, "
                    "expected a constant bound"
                )
            array = np.asarray(value)
        elif name in self.attributes:
            array = np.array(self.attributes[name])
        else:
            return None
        if array.size != 1:
            raise ShapeError(f"input {i + 1} has shape {array.shape}, expected one number")
        bound = array.reshape(())
        if array.dtype != object:
            if np.isnan(bound):
                raise InputError(f"input {i + 1}: found nan, expected a number")
            end = float(bound)
            if (end <= -_INFINITE) if name == "min" else (end >= _INFINITE):
                return None
            if np.isinf(bound):
                raise InputError(f"input {i + 1}: found the {name} {end}, expected a finite one")
        return np.asarray(bound, dtype=None if array.dtype == object else np.float64)

    def axes(self, rank: int) -> tuple[int, ...] | None:
        """The axes of a reduction; None if nothing is to be done."""
        given = self.listed(1) if self.has(1) else list(self.integers("axes", ()))
        if not given:
            return None if self.attributes.get("noop_with_empty_axes", 0) else tuple(range(rank))
        return tuple(sorted(distinct_axes(given, rank)))


def distinct_axes(given: Sequence[int], rank: int) -> list[int]:
    """Axes from 0, of which ONNX wants each once.

    >>> distinct_axes([2, -3], 3)
    [2, 0]
    """
    if any(not -rank <= axis < rank for axis in given):
        raise ShapeError(f"found the axes {list(given)} for {rank} dimensions")
    found = [axis % rank for axis in given]
    if len(set(found)) < len(found):
        raise InputError(f"found the axes {list(given)}, expected each of them once")
    return found


def negated(value: Value) -> Value:
    """The value with the other sign."""
    return value.negated() if isinstance(value, Tensor) else np.asarray(-value)


def plus(a: Value, b: Value) -> Value:
    """a + b, with broadcasting."""
    if isinstance(a, Tensor):
        return a.add(b) if isinstance(b, Tensor) else a.add_constant(b)
    return b.add_constant(a) if isinstance(b, Tensor) else of_constants(total, a, b)


def times(a: Value, b: Value) -> Value:
    """a·b, elementwise, with broadcasting; at each element one of them is constant."""
    if isinstance(a, Tensor):
        return a.multiply(b) if isinstance(b, Tensor) else a.scale(b)
    return b.scale(a) if isinstance(b, Tensor) else of_constants(product, a, b)


def matrix_product(a: Value, b: Value) -> Value:
    """a @ b, one of which is constant."""
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        return matmul(a, b)
    matmul_shape(a.shape, b.shape)
    if a.ndim == b.ndim == 2:
        found = np.empty((a.shape[0], b.shape[1]), dtype=object)
        found[...] = (_dense(a) * _dense(b)).table()
        return bounded(found)
    return bounded(np.asarray(np.matmul(objects(a), objects(b)), dtype=object))


def _dense(array: Array) -> fmpq_mat:
    m, n = array.shape
    return fmpq_mat(m, n, objects(array).ravel().tolist())


def of_constants(operation: Callable[[Array, Array], Array], a: Array, b: Array) -> Array:
    """An operation on two constants, with broadcasting."""
    shape = broadcast_shape(a.shape, b.shape)
    return bounded(operation(np.broadcast_to(a, shape), np.broadcast_to(b, shape)))


def bounded(array: Array) -> Array:
    """Constants, if they have not grown beyond all bounds."""
    found = floats_if_exact(np.asarray(array))
    if found.dtype == object and any(bits(v) > MAX_CONSTANT_BITS for v in found.ravel().tolist()):
        raise UnsupportedFormat(f"a constant of more than {MAX_CONSTANT_BITS} bits")
    return found


def one_over(n: int) -> Array:
    """1/n as a constant."""
    return floats_if_exact(np.array(ONE / n, dtype=object))
