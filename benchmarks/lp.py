"""Engines for exact strict feasibility, at several sizes: µs of CPU per system, and ratios.

Systems of m strict inequalities in d variables, half of them infeasible; the same
systems go to every engine, conversion from rationals included.  *hot* changes one row
of a kept system and solves again.  Ratios are to the engine that ``feasible`` chooses.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from fractions import Fraction

from benchmarks._timing import print_table
from benchmarks.ppl_lp import feasible_by_ppl
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Infeasible, Solution
from exactrelu.polyhedra.interior import Engine, choose_engine
from exactrelu.polyhedra.lp import feasible
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.polyhedra.prober import Prober

SIZES = ((1, 4), (2, 8), (3, 16), (4, 24), (5, 32), (8, 64), (16, 128), (32, 256))

SEED = 1
N_SYSTEMS = 40
#: Seconds for one engine at one size.
BUDGET = 2.0

Answer = Solution | Infeasible | bool
Solver = Callable[[LinearSystem], Answer]
Hot = Callable[[list[LinearSystem]], float]
Number = Callable[[random.Random], Fraction]


def eight_bit(rng: random.Random) -> Fraction:
    return Fraction(rng.randint(-127, 127))


def dyadic(rng: random.Random) -> Fraction:
    return Fraction(rng.gauss(0, 1))


def random_system(rng: random.Random, d: int, m: int, number: Number, plant: bool) -> LinearSystem:
    """A feasible system around a planted point, or a random one (usually infeasible)."""
    inside = [Fraction(rng.randint(-8, 8), 4) for _ in range(d)]
    rows = []
    for _ in range(m):
        normal, offset = [number(rng) for _ in range(d)], number(rng)
        value = sum((a * x for a, x in zip(normal, inside, strict=True)), offset)
        if plant and value <= 0:
            normal, offset = [-a for a in normal], 1 - offset if value == 0 else -offset
        rows.append(Row.of(normal, offset, Sense.GREATER))
    return LinearSystem(d, tuple(rows))


def z3_solver() -> Solver | None:
    try:
        import z3
    except ImportError:
        return None

    def solve(system: LinearSystem) -> bool:
        x = [z3.Real(f"x{j}") for j in range(system.dimension)]
        solver = z3.Solver()
        for row in system.rows:
            terms = [z3.Q(int(a.p), int(a.q)) * v for a, v in zip(row.normal, x, strict=True)]
            solver.add(z3.Sum(*terms, z3.Q(int(row.offset.p), int(row.offset.q))) > 0)
        return solver.check() == z3.sat

    return solve


def hot_solver(engine: Engine) -> Hot:
    """Seconds per solve where only the last row of a system changes."""

    def measure(systems: list[LinearSystem]) -> float:
        total, count = 0.0, 0
        for system in systems:
            prober = Prober(LinearSystem(system.dimension, system.rows[:-1]), engine)
            prober.push(system.rows[-1])
            prober.feasible()
            for row in system.rows[: min(8, len(system.rows))]:
                flipped = Row(tuple(-a for a in row.normal), 1 - row.offset, row.sense)
                started = time.process_time()
                prober.replace(flipped)
                prober.feasible()
                total += time.process_time() - started
                count += 1
        return total / count

    return measure


def cold(solver: Solver, systems: list[LinearSystem]) -> float | None:
    """Seconds per system; None if fewer than four fit the budget."""
    started = time.process_time()
    for done, system in enumerate(systems, 1):
        solver(system)
        spent = time.process_time() - started
        if spent > BUDGET:
            return spent / done if done >= 4 else None
    return (time.process_time() - started) / len(systems)


def main() -> None:
    solvers: dict[str, Solver] = {
        "dictionary": lambda s: feasible(s, engine=Engine.DICTIONARY),
        "HiGHS+FLINT": lambda s: feasible(s, engine=Engine.GUESS),
        "PPL LP": feasible_by_ppl,
        "PPL polyhedron": lambda s: Polyhedron(s).is_empty,
    }
    z3 = z3_solver()
    if z3 is not None:
        solvers["z3"] = z3
    hot = {
        "hot dictionary": hot_solver(Engine.DICTIONARY),
        "hot HiGHS+FLINT": hot_solver(Engine.GUESS),
    }
    for name, number in (("8-bit integers", eight_bit), ("53-bit dyadics", dyadic)):
        print(f"{name}: µs per system (ratio to the engine that is chosen)")
        print_table(("(d,m)", *solvers, *hot), _rows(solvers, hot, number))


def _rows(solvers: dict[str, Solver], hot: dict[str, Hot], number: Number) -> list[list[str]]:
    table = []
    slow: set[str] = set()
    for d, m in SIZES:
        rng = random.Random(SEED)
        systems = [random_system(rng, d, m, number, k % 2 == 0) for k in range(N_SYSTEMS)]
        times: dict[str, float | None] = {}
        for column, solver in solvers.items():
            times[column] = None if column in slow else cold(solver, systems)
            if times[column] is None:
                slow.add(column)
        for column, measure in hot.items():
            times[column] = None if column == "hot dictionary" and d > 8 else measure(systems[:8])
        is_small = choose_engine(d, m) is Engine.DICTIONARY
        reference = times["dictionary" if is_small else "HiGHS+FLINT"]
        table.append([f"({d},{m})", *(_cell(value, reference) for value in times.values())])
    return table


def _cell(value: float | None, reference: float | None) -> str:
    if value is None:
        return "–"
    ratio = f" ({value / reference:.2g})" if reference else ""
    return f"{value * 1e6:,.0f}{ratio}"


if __name__ == "__main__":
    from benchmarks.__main__ import main as run

    sys.exit(run(["lp", *sys.argv[1:]]))
