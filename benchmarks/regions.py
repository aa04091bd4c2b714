"""Activation regions: the proving engine and the checker beside a plain PPL tree and z3.

Seeded random networks, weights multiples of 1/64, on all of R^n.  Every engine must
find the same number of regions.  Peers that take over ``LIMIT`` seconds are left out
of the larger shapes.
"""

import random
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

SHAPES = ("2-8-1", "2-16-1", "2-8-8-1", "2-16-16-1", "3-8-8-1", "3-12-12-1", "4-10-10-1", "5-8-8-1")
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


def main() -> None:
    rows = []
    z3_in_time = True
    for shape in SHAPES:
        net = network(shape)
        found, proving = timed(lambda net=net: regions(net))
        _, listing = timed(lambda net=net: regions(net, certify=False))
        with tempfile.TemporaryDirectory() as folder:
            path = found.certificate.save(f"{folder}/regions.cert.jsonl")
            program = [sys.executable, "-I", str(CHECKER), str(path)]
            finished, checking = timed(lambda p=program: subprocess.run(p, capture_output=True))
            size = path.stat().st_size
        plain, by_ppl = timed(lambda net=net: ppl_tree(net))
        by_z3, with_z3 = timed(lambda net=net: z3_enumeration(net)) if z3_in_time else (None, 0.0)
        z3_in_time = by_z3 is not None
        n = found.n_regions
        agree = finished.returncode == 0 and plain == n and by_z3 in (None, n)
        rows.append(
            [
                shape,
                f"{n:,}",
                f"{n / proving:,.0f}/s",
                f"{proving / listing:.2f}×",
                f"{checking / proving:.2f}×",
                f"{size / n:,.0f} B",
                f"{by_ppl / proving:.2f}×",
                f"{with_z3 / proving:.1f}×" if z3_in_time else "-",
                "yes" if agree else "NO",
            ]
        )
    print_table(
        [
            "shape",
            "regions",
            "proving",
            "listing",
            "checker",
            "certificate",
            "PPL tree",
            "z3",
            "agree",
        ],
        rows,
    )
    print("proving: regions per second with certificate; other times are ratios to proving")
