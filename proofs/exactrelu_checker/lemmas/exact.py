"""Arithmetic of instances that is paid for; networks at points."""

from collections.abc import Sequence
from itertools import combinations
from math import gcd

from .. import numbers
from ..file import Proof
from ..numbers import Row, Rows, bits
from ..objects import Network, Vector


def dot(left: Sequence[int], right: Sequence[int], proof: Proof) -> int:
    """Return the scalar product of two vectors of one length."""
    proof.spend(len(left), bits(left), bits(right))
    return sum(a * b for a, b in zip(left, right, strict=True))


def multiply(left: int, right: int, proof: Proof) -> int:
    """Return a product."""
    return dot((left,), (right,), proof)


def combine(weights: Sequence[int], rows: Rows, proof: Proof) -> Row:
    """Return Σ weight·row of at least one row."""
    proof.spend(len(rows) * len(rows[0]), bits(weights), max(map(bits, rows)))
    return numbers.total(weights, rows, len(rows[0]))


def lowest_terms(den: int, rows: Rows, proof: Proof) -> tuple[int, list[Row]]:
    """Return a rational matrix in lowest terms; not all of its integers are 0."""
    size = max(map(bits, (*rows, (den,))))
    proof.spend(16 * (1 + sum(map(len, rows))), size, size)
    common = gcd(den, *(entry for row in rows for entry in row))
    return den // common, [tuple(entry // common for entry in row) for row in rows]


def parallel(left: Sequence[int], right: Sequence[int], proof: Proof) -> bool:
    """Tell whether one vector is a multiple of the other, or 0."""
    return all(
        dot((left[i], -left[j]), (right[j], right[i]), proof) == 0
        for i, j in combinations(range(len(left)), 2)
    )


def evaluate(
    network: Network, point: Vector, proof: Proof
) -> tuple[Vector, tuple[str, ...]]:
    """Return the output and the signs of the hidden layers at a point."""
    values = network.values(proof, point)
    return values[-1], tuple(network.signs(values))


def affine_function(
    network: Network, masks: Sequence[Sequence[int]], unit: int, proof: Proof
) -> Row:
    """Return integers on the ray of [w, b], of a unit after the layers of some masks."""
    first = network.layers[0]
    kept = [*masks, [unit]]
    rows: Rows = [first.rows[i] for i in kept[0]]
    one = first.den
    for layer, before, after in zip(network.layers[1:], kept, kept[1:], strict=False):
        added = [*rows, (0,) * network.widths[0] + (one,)]
        weights = [[*(layer.rows[i][j] for j in before), layer.rows[i][-1]] for i in after]
        rows = [combine(row, added, proof) for row in weights]
        one = multiply(one, layer.den, proof)
    return tuple(rows[0])


def active_units(signs: Sequence[str]) -> list[list[int]]:
    """Return the units that are active in each hidden layer."""
    return [[unit for unit, sign in enumerate(layer) if sign == "+"] for layer in signs]
