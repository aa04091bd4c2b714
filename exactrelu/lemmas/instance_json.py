"""Instances as JSON: each object with the name of its type.

{"N": {"network": {…}}, "A": {"matrix": [["1", "2"]]}, "x": {"vector": ["1/2"]},
 "t": {"rational": "-3"}, "i": {"index": 0}, "D": {"polyhedron": {"dim": 1, "rows": […]}}}
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import parse_rational, to_text, to_texts
from exactrelu.exact.strict_json import as_rows, as_vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.lemmas.instance import Instance, Value
from exactrelu.network.formats.exact_json import network_from_object, network_text
from exactrelu.network.network import Network


def instance_object(instance: Instance) -> dict[str, Any]:
    """The instance as a JSON object."""
    return {name: _object(value) for name, value in instance.values.items()}


def _object(value: Value) -> dict[str, Any]:
    if isinstance(value, Network):
        return {"network": json.loads(network_text(value))}
    if isinstance(value, Matrix):
        return {"matrix": [to_texts(row) for row in value]}
    if isinstance(value, LinearSystem):
        rows = [[row.sense.value, to_texts((*row.normal, row.offset))] for row in value.rows]
        return {"polyhedron": {"dim": value.dimension, "rows": rows}}
    if isinstance(value, tuple):
        return {"vector": to_texts(value)}
    return {"rational": to_text(value)} if isinstance(value, fmpq) else {"index": value}


def instance_of(value: dict[str, Any]) -> Instance:
    """The instance of such an object."""
    return Instance({name: _value(entry, name) for name, entry in value.items()})


def _value(entry: dict[str, Any], where: str) -> Value:
    (kind,) = entry
    if kind not in _READERS:
        raise InputError(f"{where}: found a {kind}, expected one of {', '.join(_READERS)}")
    return _READERS[kind](entry[kind])


def _polyhedron(value: dict[str, Any]) -> LinearSystem:
    rows = []
    for sense, entries in value["rows"]:
        numbers = as_vector(entries, "row")
        rows.append(Row(numbers[:-1], numbers[-1], Sense(sense)))
    return LinearSystem(value["dim"], tuple(rows))


_READERS: dict[str, Callable[[Any], Value]] = {
    "index": int,
    "matrix": lambda value: Matrix(as_rows(value, "matrix")),
    "network": network_from_object,
    "polyhedron": _polyhedron,
    "rational": parse_rational,
    "vector": lambda value: as_vector(value, "vector"),
}
