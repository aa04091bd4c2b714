"""Activation regions: both engines and the checker beside a plain PPL tree, z3, relucent, floats.

Seeded random networks, weights multiples of 1/64, on all of R^n.  Every engine must
find the same number of regions.  Peers that take over ``LIMIT`` seconds are left out
of the larger shapes; relucent (the extra ``peers``) is left out if it is not installed.
The second table is about a box: listing exactly, beside edge subdivision in floats.
The third has a process of its own for each shape and engine, so that its memory is known:
listing by the compiled loops and by numpy, proving, and checking.  The fourth is about weights of
few bits, with which more boundaries meet than there are dimensions.
"""

import contextlib
import importlib.util
import io
import random
import resource
import subprocess
import sys
import tempfile
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
import ppl
import z3

from benchmarks._edge_subdivision import count_regions
from benchmarks._timing import agree, print_table
from exactrelu.cells import kernels
from exactrelu.cells.walk import Walk
from exactrelu.exact.scalar import to_float
from exactrelu.network.network import Network
from exactrelu.questions.regions import regions

SHAPES = (
    *("2-8-1", "2-16-1", "2-8-8-1", "2-16-16-1", "3-8-8-1", "3-12-12-1", "4-10-10-1"),
    *("5-8-8-1", "2-32-32-1", "3-16-16-16-1"),
)
#: The growth of the cost with the number of regions.
GROWTH = ("3-4-4-1", "3-10-10-1", "3-22-22-1", "3-45-45-1")
#: With more regions they are listed only.
MAX_PROVED = 20_000
LIMIT = 20.0
#: The box in which floats are beside.
SIDE = 8
#: Weights of few bits, and fewer.
WEIGHTS = {
    "k/64": lambda rng: Fraction(round(64 * rng.gauss(0, 1)), 64),
    "k/8": lambda rng: Fraction(round(8 * rng.gauss(0, 1)), 8),
    "-10..10": lambda rng: Fraction(rng.randint(-10, 10)),
    "-3..3": lambda rng: Fraction(rng.randint(-3, 3)),
}
DOMAINS = (None, "box:-1..1", f"box:-{SIDE}..{SIDE}", "orthant")
MEETING = ("3-12-12-1", "4-10-10-1", "5-8-8-1", "3-16-16-16-1")
CHECKER = Path(__file__).parents[1] / "proofs" / "exactrelu_checker"


def network(shape: str, kind: str = "k/64") -> Network:
    widths = [int(n) for n in shape.split("-")]
    rng = random.Random(shape)

    def number() -> Fraction:
        return WEIGHTS[kind](rng)

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


def in_floats(net: Network) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weights and bias of each layer."""
    return [
        (
            np.array([[to_float(w) for w in row] for row in layer.weights.rows()]),
            np.array([to_float(b) for b in layer.bias]),
        )
        for layer in net.layers
    ]


def relucent_search(net: Network) -> int | None:
    """Breadth-first search by relucent: floats with error bounds."""
    import relucent

    layers = in_floats(net)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        found = relucent.Complex(relucent.convert(layers))
        found.bfs(nworkers=1, verbose=0)
    return len(found)


PEERS = {"PPL tree": ppl_tree, "z3": z3_enumeration}
if importlib.util.find_spec("relucent") is not None:
    PEERS["relucent"] = relucent_search


def timed(action):
    start = perf_counter()
    return action(), perf_counter() - start


def best(action):
    """The result, and the least time of a few runs, of one only where that takes long."""
    result, seconds = timed(action)
    for _ in range(2 if seconds < 1 else 0):
        seconds = min(seconds, timed(action)[1])
    return result, seconds


def compare(shape: str, peers: dict[str, object]) -> list[object]:
    """The row of a shape; peers that are too slow are taken out of ``peers``."""
    net = network(shape)
    listed, listing = best(lambda: regions(net, certify=False))
    found, proving = best(lambda: regions(net))
    with tempfile.TemporaryDirectory() as folder:
        path = found.certificate.save(f"{folder}/regions.cert.jsonl")
        program = [sys.executable, "-I", str(CHECKER), str(path)]
        finished, checking = timed(lambda: subprocess.run(program, capture_output=True))
        size = path.stat().st_size
    n = listed.n_regions
    agree = finished.returncode == 0 and found.n_regions == n
    row: list[object] = [shape, f"{n:,}", f"{n / listing:,.0f}/s"]
    row += [f"{proving / listing:.1f}×", f"{checking / listing:.1f}×"]
    for name in PEERS:
        count, seconds = timed(lambda name=name: peers[name](net)) if name in peers else (None, 0)
        row.append(f"{seconds / listing:.0f}×" if count is not None else "-")
        agree &= count in (None, n)
        if count is None or seconds > LIMIT:
            peers.pop(name, None)
    return [*row, f"{size / n:,.0f} B", "yes" if agree else "NO"]


def beside_floats(shape: str) -> list[object]:
    """Regions in a box, exactly and by floats that nobody checks."""
    net = network(shape)
    layers = in_floats(net)
    listed, listing = best(lambda: regions(net, f"box:-{SIDE}..{SIDE}", certify=False))
    found, seconds = best(lambda: count_regions(layers, SIDE))
    n = listed.n_regions
    ratio = f"{seconds / listing:.2f}×"
    return [shape, f"{n:,}", f"{n / listing:,.0f}/s", ratio, "yes" if found == n else f"{found:,}"]


def where_boundaries_meet(shape: str, kind: str) -> list[object]:
    """Regions a CPU second on each domain."""
    net = network(shape, kind)
    row: list[object] = [shape, kind]
    for domain in DOMAINS:
        seconds = []
        for _ in range(3):
            start = process_time()
            n = regions(net, domain, certify=False).n_regions
            seconds.append(process_time() - start)
        row.append(f"{n / min(seconds):,.0f}/s")
    return row


def alone(shape: str, engine: str) -> tuple[int, float, int]:
    """Regions, CPU seconds and kilobytes of one engine in a process of its own."""
    program = [sys.executable, "-m", "benchmarks.regions", shape, engine]
    words = subprocess.run(program, capture_output=True, text=True, check=True).stdout.split()
    return int(words[0]), float(words[1]), int(words[2])


def growth(shape: str) -> list[object]:
    """Regions a CPU second, and the peak of the memory, by each engine."""
    n, seconds, kilobytes = alone(shape, "compiled")
    row: list[object] = [shape, f"{n:,}", f"{n / seconds:,.0f}/s", f"{kilobytes / 1024:,.0f} MB"]
    for engine in ("numpy", "proved", "checked"):
        if engine != "numpy" and n > MAX_PROVED:
            row += ["-", "-"]
            continue
        count, seconds, kilobytes = alone(shape, engine)
        agree(count, n, f"regions of {shape}, {engine}")
        row += [f"{n / seconds:,.0f}/s", f"{kilobytes / 1024:,.0f} MB"]
    # The memory of the checker is not that of this process.
    return row[:-1]


def run_alone(shape: str, engine: str) -> None:
    """What :func:`alone` asks for, printed."""
    if engine == "numpy":
        kernels.library = lambda: None
    elif kernels.library() is None:
        print("the loops are not compiled: python hatch_build.py", file=sys.stderr)
    net = network(shape)
    # Modules that are imported on the way do not count.
    regions(network("2-8-1"), certify=engine in ("proved", "checked"))
    start = process_time()
    found = regions(net, certify=engine in ("proved", "checked"))
    seconds = process_time() - start
    if engine == "checked":
        with tempfile.TemporaryDirectory() as folder:
            path = found.certificate.save(f"{folder}/regions.cert.jsonl")
            program = [sys.executable, "-I", str(CHECKER), str(path)]
            subprocess.run(program, capture_output=True, check=True)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    # Unlike ru_maxrss, this does not count the process that started this one.
    status = Path("/proc/self/status").read_text()
    peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    kilobytes = int(peak.split()[1])
    print(found.n_regions, seconds, kilobytes)


def main() -> None:
    peers = dict(PEERS)
    rows = [compare(shape, peers) for shape in SHAPES]
    heads = ["shape", "regions", "listing", "proving", "checking", *PEERS, "certificate", "agree"]
    print_table(heads, rows)
    print("regions per second, then times as multiples of the time of listing")
    print()
    heads = ["shape", f"regions in ±{SIDE}", "listing", "floats", "agree"]
    print_table(heads, [beside_floats(shape) for shape in SHAPES])
    print("floats: edge subdivision, its time as a multiple of that of listing")
    if "relucent" not in PEERS:
        print("relucent is not installed, and left out")
    print("SyReNN is a server to be built with Bazel, and no package: left out\n")
    engines = ("listed", "by numpy", "proved", "checked")
    heads = ["shape", "regions", *(head for engine in engines for head in (engine, "peak"))]
    print_table(heads[:-1], [growth(s) for s in GROWTH])
    print()
    heads = ["shape", "weights", "R^n", *(str(domain) for domain in DOMAINS[1:])]
    print_table(heads, [where_boundaries_meet(s, kind) for s in MEETING for kind in WEIGHTS])


if __name__ == "__main__":
    if len(sys.argv) == 3:
        run_alone(*sys.argv[1:])
    else:
        from benchmarks.__main__ import main as run

        sys.exit(run(["regions", *sys.argv[1:]]))
