"""Activation regions: both engines and the checker beside a plain PPL tree and z3.

Seeded random networks, weights multiples of 1/64, on all of R^n.  Every engine must
find the same number of regions.  Peers that take over ``LIMIT`` seconds are left out
of the larger shapes.
"""

import random
import resource
import subprocess
import sys
import tempfile
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from time import perf_counter

import ppl
import z3

from benchmarks._timing import print_table
from exactrelu.complex.walk import Walk
from exactrelu.network.network import Network
from exactrelu.questions.regions import regions

SHAPES = (
    *("2-8-1", "2-16-1", "2-8-8-1", "2-16-16-1", "3-8-8-1", "3-12-12-1", "4-10-10-1"),
    *("5-8-8-1", "2-32-32-1", "3-16-16-16-1"),
)
#: The growth of the cost with the number of regions, listing only.
GROWTH = ("3-6-6-1", "3-14-14-1", "3-30-30-1", "3-60-60-1")
LIMIT = 20.0
CHECKER = Path(__file__).parents[1] / "proofs" / "exactrelu_checker"


def network(shape: str) -> Network:
    widths = [int(n) for n in shape.split("-")]
    rng = random.Random(shape)

    def number() -> Fraction:
        return Fraction(round(64 * rng.gauss(0, 1)), 64)

    weights = [[[number() for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)]
    return Network.from_arrays(weights, [[number() for _ in range(m)] for m in widths[1:]], shape)


def ppl_tree(net: Network) -> int:
    """A plain tree: an open (NNC) PPL polyhedron per cell, emptiness tested on each side."""
    n = net.n_inputs
    stack = [(Walk.start(net), ppl.NNC_Polyhedron(n, "universe"))]
    count = 0
    while stack:
        walk, cell = stack.pop()
        if walk.is_done:
            count += 1
            continue
        row = walk.preactivation()
        if not any(row[:-1]):
            stack.append((walk.decide(row, 1 if row[-1] > 0 else -1), cell))
            continue
        form = ppl.Linear_Expression(list(row[:-1]), row[-1])
        for sign, constraint in ((1, form > 0), (-1, form < 0)):
            half = ppl.NNC_Polyhedron(cell)
            half.add_constraint(constraint)
            if not half.is_empty():
                stack.append((walk.decide(row, sign), half))
    return count


def z3_enumeration(net: Network) -> int | None:
    """Models of the strict signs of all hidden neurons, each blocked once found."""
    solver = z3.Solver()
    x = [z3.Real(f"x{i}") for i in range(net.n_inputs)]
    active = []
    for l, layer in enumerate(net.layers[:-1]):
        z = [
            z3.Sum([z3.Q(int(w.p), int(w.q)) * v for w, v in zip(row, x, strict=True)])
            + z3.Q(int(b.p), int(b.q))
            for row, b in zip(layer.weights.rows(), layer.bias, strict=True)
        ]
        on = [z3.Bool(f"a{l}_{i}") for i in range(len(z))]
        for s, v in zip(on, z, strict=True):
            solver.add(z3.If(s, v > 0, v < 0))
        active += on
        x = [z3.If(s, v, 0) for s, v in zip(on, z, strict=True)]
    count, start = 0, perf_counter()
    while solver.check() == z3.sat:
        count += 1
        model = solver.model()
        solver.add(z3.Or([s != model.eval(s, True) for s in active]))
        if perf_counter() - start > LIMIT:
            return None
    return count


def timed(action):
    start = perf_counter()
    return action(), perf_counter() - start


def compare(shape: str, with_z3: bool) -> tuple[list[object], bool]:
    """The row of a shape, and whether z3 was in time."""
    net = network(shape)
    listed, listing = timed(lambda: regions(net, certify=False))
    found, proving = timed(lambda: regions(net))
    with tempfile.TemporaryDirectory() as folder:
        path = found.certificate.save(f"{folder}/regions.cert.jsonl")
        program = [sys.executable, "-I", str(CHECKER), str(path)]
        finished, checking = timed(lambda: subprocess.run(program, capture_output=True))
        size = path.stat().st_size
    by_ppl, plain = timed(lambda: ppl_tree(net))
    by_z3, other = timed(lambda: z3_enumeration(net)) if with_z3 else (None, 0.0)
    n = listed.n_regions
    agree = finished.returncode == 0 and found.n_regions == by_ppl == n and by_z3 in (None, n)
    times = [proving, checking, plain]
    row: list[object] = [shape, f"{n:,}", f"{n / listing:,.0f}/s"]
    row += [f"{n / proving:,.0f}/s", *(f"{time / listing:.1f}×" for time in times)]
    row += [f"{other / listing:.0f}×" if by_z3 else "-", f"{size / n:,.0f} B"]
    return [*row, "yes" if agree else "NO"], by_z3 is not None


def main() -> None:
    rows = []
    with_z3 = True
    for shape in SHAPES:
        row, with_z3 = compare(shape, with_z3)
        rows.append(row)
    print_table(
        [
            *("shape", "regions", "listing", "proving", "proving", "checking", "PPL tree"),
            *("z3", "certificate", "agree"),
        ],
        rows,
    )
    print("regions per second, then times as multiples of the time of listing")
    print()
    growth = []
    for shape in GROWTH:
        net = network(shape)
        found, seconds = timed(lambda net=net: regions(net, certify=False))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        per_region = f"{1e6 * seconds / found.n_regions:.0f} µs"
        growth.append([shape, f"{found.n_regions:,}", per_region, f"{memory:,.0f} MB"])
    print_table(["listing", "regions", "per region", "peak memory"], growth)
