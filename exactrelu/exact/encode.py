"""Exact values as certificates and canonical bytes write them.

Integers are lowercase hexadecimal; a rational vector or matrix is its least
common denominator and its integer numerators, so nobody who reads it needs a
fraction.  ``proofs/FORMAT.md`` states the same from the reader's side.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from flint import fmpq, fmpz

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import common_denominator, to_hex
from exactrelu.exact.system import LinearSystem, Row, Sense


def canonical_json(value: Any) -> str:
    """The one JSON text of a value: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def encode_integers(values: Iterable[fmpz | int]) -> list[str]:
    """Integers in hexadecimal."""
    return [to_hex(v) for v in values]


def encode_rational(value: fmpq) -> list[str]:
    """[denominator, numerator]."""
    return [to_hex(value.q), to_hex(value.p)]


def encode_vector(values: Sequence[fmpq]) -> list[Any]:
    """[denominator, numerators] in lowest terms.

    >>> encode_vector((fmpq(1, 2), fmpq(-16)))
    ['2', ['1', '-20']]
    """
    denominator = common_denominator(values)
    return [to_hex(denominator), encode_integers(v.p * (denominator // v.q) for v in values)]


def encode_matrix(A: Matrix) -> list[Any]:
    """[denominator, rows of numerators] in lowest terms."""
    numerators, denominator = A.integer_form
    return [to_hex(denominator), [encode_integers(row) for row in numerators.tolist()]]


def encode_system(system: LinearSystem) -> dict[str, Any]:
    """The rows of a linear system, each scaled to the smallest integers [a…, b]."""
    return {
        "dim": system.dimension,
        "rows": [[row.sense.value, encode_integers(row.integers())] for row in system.rows],
    }


def decode_integers(values: Iterable[str]) -> list[int]:
    """The integers of their hexadecimal."""
    return [int(v, 16) for v in values]


def decode_system(value: Mapping[str, Any]) -> LinearSystem:
    """The linear system of its rows.

    >>> box = LinearSystem.box([(0, fmpq(17, 2))])
    >>> encode_system(decode_system(encode_system(box))) == encode_system(box)
    True
    """
    numbers = ((Sense(sense), decode_integers(row)) for sense, row in value["rows"])
    rows = (Row.of(row[:-1], row[-1], sense) for sense, row in numbers)
    return LinearSystem(value["dim"], tuple(rows))
