"""Inputs and outputs as the file of a graph declares them: names and shapes.

A network is a function of numbers in a row.  What a query calls X[0,1,2] is one of them if the
tensors are those of the file, which is why they are kept, in exact JSON too.  They are no part of
equality and hash, as names are not.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from exactrelu.errors import InputError
from exactrelu.exact.scalar import to_text
from exactrelu.exact.text import as_list, as_number, as_string, require_keys


class Declared(NamedTuple):
    """An input or an output.

    A dimension that is not fixed is None, and a shape that is not said is one such dimension.
    """

    name: str
    shape: tuple[int | None, ...]

    @property
    def text(self) -> str:
        """For messages.

        >>> Declared("x", (None, 5)).text
        "'x' [?,5]"
        """
        return f"'{self.name}' [{','.join('?' if n is None else str(n) for n in self.shape)}]"


def fit(tensors: Sequence[Declared], n: int) -> bool:
    """Whether tensors may have n numbers together; none are declared, or their shapes say so.

    >>> fit([Declared("x", (1, 2)), Declared("y", (3,))], 5), fit([Declared("x", (None, 2))], 7)
    (True, True)
    >>> fit([Declared("x", (1, 2))], 5)
    False
    """
    known = [size for tensor in tensors for size in tensor.shape if size is not None]
    if not tensors or len(known) < sum(len(tensor.shape) for tensor in tensors):
        return True
    return sum(math.prod(size for size in tensor.shape if size) for tensor in tensors) == n


def is_same_order(shape: Sequence[int], other: Sequence[int | None]) -> bool:
    """Whether entries have the same order; a first dimension that the file leaves open is 1.

    >>> is_same_order((5,), (1, 1, 1, 5)), is_same_order((784,), (None, 1, 28, 28))
    (True, True)
    >>> is_same_order((2, 3), (3, 2))
    False
    """
    known = (1, *other[1:]) if len(other) > 1 and other[0] is None else tuple(other)
    theirs = [n for n in known if n is not None and n != 1]
    if None in known:
        return True
    ours = [n for n in shape if n != 1]
    if len(ours) > 1 and len(theirs) > 1:
        return ours == theirs
    return math.prod(ours) == math.prod(theirs)


def declared_by(graph: Any) -> tuple[list[Declared], list[Declared]]:
    """The inputs of a graph that are no initializers, and its outputs, in their order."""
    stored = {tensor.name for tensor in graph.initializer}

    def found(value: Any) -> Declared:
        kind = value.type.tensor_type
        if not kind.HasField("shape"):
            return Declared(value.name, (None,))
        # Some exporters write 0 or -1 for a dimension that is not known.
        dims = (dim.dim_value for dim in kind.shape.dim)
        return Declared(value.name, tuple(n if n > 0 else None for n in dims))

    inputs = [found(value) for value in graph.input if value.name not in stored]
    return inputs, [found(value) for value in graph.output]


def parse_declared(value: Any, where: str) -> tuple[Declared, ...]:
    """The tensors of a list in a JSON file.

    >>> from exactrelu.exact.text import parse_strict
    >>> parse_declared(parse_strict('[{"name": "x", "shape": [null, 5]}]'), "inputs")
    (Declared(name='x', shape=(None, 5)),)
    """
    found = []
    for i, item in enumerate(as_list(value, where, "inputs or outputs")):
        place = f"{where}[{i}]"
        require_keys(item, place, required=("name", "shape"))
        sizes = as_list(item["shape"], f"{place}.shape", "dimensions")
        shape = (_dimension(size, f"{place}.shape[{k}]") for k, size in enumerate(sizes))
        found.append(Declared(as_string(item["name"], f"{place}.name"), tuple(shape)))
    return tuple(found)


def _dimension(value: Any, where: str) -> int | None:
    if value is None:
        return None
    number = as_number(value, where)
    if number.q != 1 or number < 1:
        raise InputError(f"{where}: found {to_text(number)}, expected a positive integer or null")
    return int(number.p)


def declared_text(tensors: Iterable[Declared]) -> str:
    """The list in JSON.

    >>> declared_text([Declared("x", (None, 5))])
    '[{"name": "x", "shape": [null, 5]}]'
    """
    return json.dumps([{"name": name, "shape": list(shape)} for name, shape in tensors])
