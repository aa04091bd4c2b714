"""Random properties whose margins are often exactly 0, and what z3 says of them."""

from __future__ import annotations

import random
from typing import Any

import z3
from flint import fmpq

from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.property import Property, side_by_side
from tests.questions.properties.chains import case, network, one, pair


def asked_by(seed: int) -> Property:
    """One network or two, on a box, on a part of a hyperplane, or with more rows."""
    rng = random.Random(seed)
    kind = rng.randrange(8)
    if kind == 0:
        found = pair(rng, is_linked=rng.random() < 0.5)
    elif kind == 1:
        networks = network(rng, (1, 3, 1)), network(rng, (2, 2, 2, 1))
        cases = tuple(case(rng, 3, 2, n) for n in (1, 2))
        found = Property(networks, Domain.of("box:-1,1", 3), cases)
    elif kind < 4:
        found = one(rng, flat=kind == 2, rows=kind == 3)
    else:
        n = rng.randint(1, 3)
        f = network(rng, (n, *(rng.randint(1, 4) for _ in range(rng.randint(0, 3))), 2))
        ends = [(f"{-rng.randint(0, 5)}/3", f"{rng.randint(0, 5)}/3") for _ in range(n)]
        cases = tuple(case(rng, n, 2, rng.randint(1, 2)) for _ in range(rng.randint(1, 2)))
        found = Property((f,), Domain.of(LinearSystem.box(ends), n), cases)
    return touching(rng, found) if rng.random() < 0.6 else found


def touching(rng: random.Random, asked: Property) -> Property:
    """The same with cases whose first row is 0 at the best of some points, perhaps of all."""
    cases = []
    for system in asked.cases:
        first, *others = system.rows
        best = None
        for k in range(12):
            x = asked.domain.flint_point
            if k:
                t = (
                    fmpq(rng.randint(-9, 9), rng.choice([1, 3, 6]))
                    for _ in range(asked.domain.inner_dimension)
                )
                x = asked.domain.flint_lift(tuple(t))
            if asked.domain.system.contains(x):
                pairs = zip(first.flint_normal, (*x, *asked.outputs(x)), strict=True)
                value = sum((a * b for a, b in pairs), fmpq(0))
                best = value if best is None or value > best else best
        offset = first.flint_offset if best is None else -best
        sense = rng.choice([first.sense, Sense.GREATER, Sense.EQUAL])
        cases.append(LinearSystem(system.dimension, (Row.of(first.normal, offset, sense), *others)))
    return Property(asked.networks, asked.domain, tuple(cases))


def holds_by_z3(asked: Property) -> bool:
    """Whether z3 finds no point."""
    x = [z3.Real(f"x{i}") for i in range(asked.n_inputs)]
    passed: list[Any] = list(x)
    *hidden, last = side_by_side(asked.networks).layers
    for layer in hidden:
        rows = [_sum(row, passed) for row in layer.affine.flint_rows()]
        passed = [
            z if is_linear else z3.If(z > 0, z, z3.RealVal(0))
            for z, is_linear in zip(rows, layer.passes, strict=True)
        ]
    y = [_sum(row, passed) for row in last.affine.flint_rows()]
    solver = z3.Solver()
    solver.add(*(_row(row, x) for row in asked.domain.system.rows))
    solver.add(z3.Or(*(z3.And(*(_row(row, [*x, *y]) for row in one.rows)) for one in asked.cases)))
    return bool(solver.check() == z3.unsat)


def _sum(row: Any, at: list[Any]) -> Any:
    pairs = zip(row, [*at, z3.RealVal(1)], strict=True)
    return z3.Sum([z3.Q(int(a.p), int(a.q)) * v for a, v in pairs])


def _row(row: Row, at: list[Any]) -> Any:
    value = _sum((*row.flint_normal, row.flint_offset), at)
    if row.sense is Sense.EQUAL:
        return value == 0
    return value > 0 if row.sense is Sense.GREATER else value >= 0
