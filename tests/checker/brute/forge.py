"""Objects of claims as their JSON: vectors, matrices, networks, systems."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

Json = dict[str, Any]


def hexes(numbers: Sequence[int]) -> list[str]:
    """Return integers as hexadecimal strings."""
    return [f"{number:x}" for number in numbers]


def vector(*entries: Fraction | int) -> list[Any]:
    """Return a rational vector as ``[den, nums]``."""
    den = math.lcm(*(Fraction(entry).denominator for entry in entries))
    return [f"{den:x}", hexes([int(entry * den) for entry in entries])]


def matrix(rows: Sequence[Sequence[Fraction | int]]) -> list[Any]:
    """Return a rational matrix as ``[den, rows]``."""
    den = math.lcm(*(Fraction(entry).denominator for row in rows for entry in row))
    return [f"{den:x}", [hexes([int(entry * den) for entry in row]) for row in rows]]


def matrix_fields(rows: Sequence[Sequence[Fraction | int]]) -> Json:
    """Return a matrix with rows and its shape."""
    return {"cols": len(rows[0]), "matrix": matrix(rows), "rows": len(rows)}


def network(*layers: Sequence[Sequence[Fraction | int]]) -> Json:
    """Return a network whose layers are given as rows of weights followed by the bias."""
    return {
        "layers": [
            {"inputs": len(rows[0]) - 1, "matrix": matrix(rows), "outputs": len(rows)}
            for rows in layers
        ]
    }


def system(dim: int, *rows: tuple[str, list[int]]) -> Json:
    """Return a linear system; a row is a sense and a_1, …, a_d, b."""
    return {"dim": dim, "rows": [[sense, hexes(entries)] for sense, entries in rows]}
