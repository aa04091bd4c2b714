"""Sides of affine functions on polyhedra: against their values at vertices, rays and lines."""

from __future__ import annotations

import random

import pytest
from flint import fmpq

from exactrelu.errors import Unanswered
from exactrelu.exact.scalar import ZERO, dot
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.shallow import oriented
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.polyhedra.sides import FunctionSides
from tests.seeds import seeds

BIG = fmpq(2) ** 1000
#: Rows (a…, b): a·x + b >= 0.
NAMED = {
    "interval": [(1, 0), (-1, 1)],
    "ray": [(1, -3)],
    "square": [(1, 0, 0), (-1, 0, 1), (0, 1, 0), (0, -1, 1)],
    "half-plane": [(1, 2, 3)],
    "strip": [(1, 1, 0), (-1, -1, 5)],
    "wedge": [(1, 0, 0), (1, 2, -1)],
    "redundant": [(1, 0, 0), (0, 1, 0), (1, 1, 4), (1, 0, 7)],
    "shifted orthant": [(1, 0, -1), (0, 1, -1)],
    "tiny": [(BIG, 0), (-BIG, 1)],
    "huge": [(1, 0, BIG), (-1, 0, BIG), (0, 1, 1 / BIG)],
    "prism": [(1, 0, 0, 0), (0, 1, 0, 0), (-1, -1, 0, 1)],
}


def system(rows, sense: Sense = Sense.AT_LEAST) -> LinearSystem:
    return LinearSystem(len(rows[0]) - 1, tuple(Row.of(row[:-1], row[-1], sense) for row in rows))


def by_generators(whole: Polyhedron, h) -> int:
    """The sign of a function on a polyhedron, from what generates it."""
    row = [fmpq(x) for x in h]
    values = [dot(row[:-1], x) + row[-1] for x in whole.flint_vertices]
    values += [dot(row[:-1], z) for z in whole.flint_rays]
    slopes = [dot(row[:-1], z) for z in whole.flint_lineality]
    values += [s * x for x in slopes for s in (1, -1)]
    return 0 if min(values) < 0 < max(values) else 1 if max(values) > 0 else -1


def assert_evidence(sides: FunctionSides, h) -> None:
    side, row = sides.of(h), [fmpq(x) for x in h]
    if side.sign == 0:
        assert dot(row[:-1], side.zero) + row[-1] == 0
        assert sides.place.inside.contains(side.zero)
        return
    rows = [*sides.rows, (0,) * sides.place.dimension + (1,)]
    assert all(value > 0 for _, value in side.multipliers)
    total = [sum((v * rows[i][j] for i, v in side.multipliers), ZERO) for j in range(len(h))]
    assert total == [side.factor * x for x in row]
    assert (side.factor > 0) == (side.sign > 0)


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("sense", [Sense.AT_LEAST, Sense.GREATER], ids=["closed", "open"])
def test_signs_are_those_at_generators(name: str, sense: Sense) -> None:
    rng = random.Random(name)
    place = Domain.of(system(NAMED[name], sense), len(NAMED[name][0]) - 1)
    sides, whole = FunctionSides(place), Polyhedron(place.system.closed())
    # The rows themselves, moved a little or not, are where signs begin to differ.
    rows = [tuple(map(fmpq, row)) for row in NAMED[name]]
    rows += [(*row[:-1], row[-1] + s * fmpq(1, 7)) for row in rows for s in (1, -1)]
    rows += [tuple(fmpq(rng.randint(-3, 3)) for _ in rows[0]) for _ in range(60)]
    seen = set()
    for row in rows:
        if any(row[:-1]):
            h = oriented(row)[0]
            assert sides.sign(h) == by_generators(whole, h), h
            seen.add(sides.sign(h))
            if not sides.is_simple:
                assert_evidence(sides, h)
    assert 0 in seen


@pytest.mark.parametrize("name", NAMED)
def test_directions_without_end(name: str) -> None:
    place = Domain.of(system(NAMED[name]), len(NAMED[name][0]) - 1)
    sides = FunctionSides(place)
    for ray in sides.flint_rays:
        assert all(dot(row.flint_normal, ray) >= 0 for row in place.system.rows)
    for line in sides.flint_lines:
        assert all(dot(row.flint_normal, line) == 0 for row in place.system.rows)
    # The inner slope is positive on every ray that is no line, and has a least value.
    ends = [
        ray for ray in sides.flint_rays if any(dot(r.flint_normal, ray) for r in place.system.rows)
    ]
    assert all(dot(sides.flint_inner, ray) > 0 for ray in ends)
    assert any(sides.flint_inner)
    sides.least(sides.flint_inner)
    value = dot(sides.flint_positive[:-1], place.flint_point) + sides.flint_positive[-1]
    assert value > 0


@pytest.mark.parametrize("seed", seeds(6))
def test_rows_that_are_free(seed: int) -> None:
    """A function is positive, as all near it are, iff it is so at all generators."""
    rng = random.Random(seed)
    for name, rows in NAMED.items():
        place = Domain.of(system(rows), len(rows[0]) - 1)
        sides, whole = FunctionSides(place), Polyhedron(place.system)
        if sides.is_simple:
            continue
        for _ in range(12):
            row = tuple(fmpq(rng.randint(-3, 3)) for _ in rows[0])
            values = [dot(row[:-1], x) + row[-1] for x in whole.flint_vertices]
            values += [dot(row[:-1], z) for z in whole.flint_rays]
            is_free = not sides.flint_lines and (min(values) > 0 or max(values) < 0)
            found = sides.inner_side(row)
            assert (found is not None) == is_free, (name, row)
            if found is not None:
                ends = [*sides.rows, (0,) * place.dimension + (1,)]
                assert [i for i, _ in found.multipliers] == list(range(len(ends)))
                total = [sum((v * ends[i][j] for i, v in found.multipliers), ZERO)
                         for j in range(len(row))]  # fmt: skip
                assert total == [found.factor * x for x in row]


def test_flat_domains_have_no_sides() -> None:
    with pytest.raises(Unanswered, match="with interior"):
        FunctionSides(Domain.of("box:0,1;2,2", 2))
