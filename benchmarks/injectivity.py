"""Is a layer injective?  Flats and tree beside z3 and plain enumeration of the cells.

Seeded layers of m rows in R^n, weights multiples of 1/64: ``random`` with a random bias,
``pairs`` with n planted pairs [B; −DB], b'' + Db' ≥ 0, among random rows, ``gap`` the same with
one pair short of that, ``half`` as random without bias.  Every method must give the same answer;
those over ``LIMIT`` seconds have none, and their ratio is a lower bound (of CPU time).  Cells are
listed by exactrelu's own fastest engine, and their active rows tested for rank modulo a prime.
"""

import random
import sys
from collections.abc import Callable
from fractions import Fraction
from time import process_time

import numpy as np
import z3

from benchmarks._timing import print_table, shown
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.modular import are_invertible
from exactrelu.exact.scalar import Vector, vector
from exactrelu.network.network import Layer, Network
from exactrelu.questions.injectivity.collisions import Collision
from exactrelu.questions.injectivity.covers import residuals
from exactrelu.questions.injectivity.layer import LayerUndecided, layer_injective
from exactrelu.questions.regions import regions

SHAPES = ((8, 2), (16, 3), (24, 4), (40, 4), (24, 6))
KINDS = ("random", "half", "pairs", "gap")
LIMIT = 20.0
PRIME = 2**31 - 1


def layer(m: int, n: int, kind: str) -> tuple[Matrix, Vector]:
    rng = random.Random(f"{m},{n},{kind}")

    def number() -> Fraction:
        return Fraction(round(64 * rng.gauss(0, 1)), 64)

    rows = [[number() for _ in range(n)] for _ in range(m)]
    bias = [Fraction(0) if kind == "half" else number() for _ in range(m)]
    if kind in ("pairs", "gap"):
        for i in range(n):
            d = Fraction(rng.randint(1, 128), 64)
            rows[n + i] = [-d * x for x in rows[i]]
            bias[n + i] = -d * bias[i]
        for i in range(2 * n, m):  # the other rows are active far away only
            bias[i] = -abs(bias[i]) - 4
    if kind == "gap":
        bias[n] -= Fraction(1, 64)
    order = rng.sample(range(m), m)
    return Matrix([rows[i] for i in order]), vector([bias[i] for i in order])


def by_covers(method: str) -> Callable[[Matrix, Vector], bool | None]:
    def decide(weights: Matrix, bias: Vector) -> bool | None:
        found = layer_injective(weights, bias, method=method, timeout=LIMIT)
        return None if isinstance(found, LayerUndecided) else not isinstance(found, Collision)

    return decide


def by_z3(weights: Matrix, bias: Vector) -> bool | None:
    n = weights.n_columns
    points = [[z3.Real(f"{name}{j}") for j in range(n)] for name in "xy"]
    solver = z3.Solver()
    solver.set("timeout", int(1000 * LIMIT))
    for row, offset in zip(weights.rows(), bias, strict=True):
        values = [
            z3.Sum(*(z3.Q(int(a.p), int(a.q)) * v for a, v in zip(row, point, strict=True)))
            + z3.Q(int(offset.p), int(offset.q))
            for point in points
        ]
        left, right = (z3.If(value > 0, value, 0) for value in values)
        solver.add(left == right)
    solver.add(z3.Or(*(a != b for a, b in zip(*points, strict=True))))
    answer = solver.check()
    return None if answer == z3.unknown else bool(answer == z3.unsat)


def by_cells(weights: Matrix, bias: Vector) -> bool | None:
    network = Network((Layer.of(weights, bias), Layer.of([[1] * weights.n_rows], [0])))
    found = regions(network, certify=False, timeout=LIMIT)
    if not found.is_complete:
        return None
    n = weights.n_columns
    normals = [tuple(map(int, row)) for row in weights.integer_form[0].tolist()]
    start = residuals(normals, (), n, PRIME).rows
    patterns = {region.pattern[0] for region in found.regions}
    # The first n active rows span most often; the others go through a rank.
    bases = [[i for i, s in enumerate(p) if s > 0][:n] for p in patterns]
    if any(len(basis) < n for basis in bases):
        return False
    unsure = ~are_invertible(start[np.array(bases)], PRIME)
    active = [p for p, u in zip(patterns, unsure, strict=True) if u]
    return all(
        residuals((), [normals[i] for i, s in enumerate(p) if s > 0], n, PRIME).rank == n
        for p in active
    )


METHODS = {
    "auto": by_covers("auto"),
    "flats": by_covers("flats"),
    "tree": by_covers("tree"),
    "z3": by_z3,
    "cells": by_cells,
}


def main() -> None:
    table = []
    for m, n in SHAPES:
        for kind in KINDS:
            weights, bias = layer(m, n, kind)
            times, answers = {}, {}
            for name, decide in METHODS.items():
                start = process_time()
                answers[name] = decide(weights, bias)
                times[name] = process_time() - start
            given = {answer for answer in answers.values() if answer is not None}
            if len(given) != 1:
                raise ArithmeticError(f"methods disagree at {m} × {n} {kind}: {answers}")
            cells = [f"{m} × {n}", kind, "yes" if given == {True} else "no"]
            for name in METHODS:
                cells.append(shown(times[name]) if answers[name] is not None else "–")
            for peer in ("z3", "cells"):
                sign = "" if answers[peer] is not None else "> "
                cells.append(f"{sign}{times[peer] / times['auto']:.3g}")
            table.append(cells)
    print_table(("layer", "kind", "", *METHODS, "z3/auto", "cells/auto"), table)


if __name__ == "__main__":
    from benchmarks.__main__ import main as run

    sys.exit(run(["injectivity", *sys.argv[1:]]))
