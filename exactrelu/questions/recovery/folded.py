"""A folded model: units u_t(x) = γ_t·x + b_t + Σ_j α_tj |u_j(x)|, each over the ones before it.

Since s(z) = (|z| + z)/2, every preactivation of a ReLU network is such a unit over the
preactivations of all layers before its own, whatever the signs of those are, and so is every
output.  The sign of a neuron, which is the hard part of recovery, is thus not needed to
describe the function; it is found at the end, by algebra and without queries
(``layers.py``).

Symbols: γ_t, b_t → ``affine``, α_t → ``folds`` of :class:`Unit`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from flint import fmpq

from exactrelu.exact.scalar import Vector, sign
from exactrelu.questions.recovery.vectors import Affine, along, plus, slope, value


@dataclass(frozen=True)
class Unit:
    """γ·x + b + Σ_j α_j |u_j|; ``folds`` has the α_j that are not 0."""

    affine: Affine
    folds: Mapping[int, fmpq]


@dataclass(frozen=True)
class Local:
    """All units near a point that lies on no boundary (or is counted on one side of it)."""

    #: The affine function of each unit, its value at the point, and its sign near the point.
    affine: tuple[Affine, ...]
    values: Vector
    signs: tuple[int, ...]

    def first(self, n: int) -> Local:
        """The first n of them."""
        return Local(self.affine[:n], self.values[:n], self.signs[:n])

    def of(self, unit: Unit) -> Affine:
        """The affine function of one more unit near the same point."""
        return _near(unit, self.affine, self.signs)


#: No units near any point.
NOTHING = Local((), (), ())


def _near(unit: Unit, affine: Sequence[Affine], signs: Sequence[int]) -> Affine:
    total = unit.affine
    for j, alpha in unit.folds.items():
        total = plus(total, alpha if signs[j] > 0 else alpha * signs[j], affine[j])
    return total


def local(
    units: Sequence[Unit], x: Vector, towards: Vector | None = None, known: Local = NOTHING
) -> Local:
    """The units near x; where one is 0 at x, on the side of it that ``towards`` points to.

    ``known``: the first of them near x.
    """
    affine, values, signs = list(known.affine), list(known.values), list(known.signs)
    for unit in units[len(signs) :]:
        here = _near(unit, affine, signs)
        height = value(here, x)
        s = sign(height)
        if s == 0 and towards is not None:
            s = sign(slope(here, towards))
        affine.append(here)
        values.append(height)
        signs.append(s)
    return Local(tuple(affine), tuple(values), tuple(signs))


def outputs(units: Sequence[Unit], rows: Sequence[Unit], x: Vector) -> Vector:
    """The values of further units at x."""
    sizes: list[fmpq] = []
    for unit in units:
        sizes.append(abs(_value(unit, sizes, x)))
    return tuple(_value(row, sizes, x) for row in rows)


def _value(unit: Unit, sizes: Sequence[fmpq], x: Vector) -> fmpq:
    return sum((a * sizes[j] for j, a in unit.folds.items()), value(unit.affine, x))


@dataclass(frozen=True)
class Hit:
    """The boundary of ``unit`` is met after ``time``."""

    time: fmpq
    unit: int


def first_hit(here: Local, d: Sequence[fmpq]) -> Hit | None:
    """The first boundary on the ray along d from the point of ``here``, if it meets one."""
    hits = []
    for j, (a, height) in enumerate(zip(here.affine, here.values, strict=True)):
        speed = slope(a, d)
        if sign(speed) * sign(height) < 0:
            hits.append((-height / speed, j))
    if not hits:
        return None
    time, unit = min(hits)
    return Hit(time, unit)


def crossings(units: Sequence[Unit], start: Vector, d: Vector, end: fmpq) -> Iterator[Hit]:
    """The boundaries that the ray from start along d meets before the time ``end``."""
    time, x = fmpq(0), start
    here = local(units, x, d)
    while (hit := first_hit(here, d)) is not None and time + hit.time < end:
        time += hit.time
        x = along(start, time, d)
        yield Hit(time, hit.unit)
        here = local(units, x, d)
