"""Isomorphism and canonical forms beside networkx (VF2++) and nauty, on the same graphs.

A network and a random permutation and rescaling of it.  The peers know nothing of
scalings or weights: they get the normalised graph with a vertex in the middle of every
edge, coloured by its weight, which is how weighted graphs are given to them.  Making
that graph is not counted.  pynauty is optional.
"""

import multiprocessing
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from time import perf_counter

import networkx as nx

from benchmarks._timing import print_table
from exactrelu.network.formats.load import load
from exactrelu.network.isomorphism.colours import RankedGraph, graph_of, normal_form
from exactrelu.network.network import Network
from exactrelu.network.symmetry import Symmetry
from exactrelu.questions.equivalence.canonical_forms import canonical, isomorphic

try:
    import pynauty
except ImportError:
    pynauty = None

ROOT = Path(__file__).parents[1]
CHECKER = ROOT / "proofs" / "exactrelu_checker"
#: Beyond so many edges a peer is not asked: a vertex for each takes minutes and gigabytes.
MAX_EDGES = 20_000
#: Seconds for a peer.
LIMIT = 60

Peer = Callable[[RankedGraph, RankedGraph], tuple[bool, float]]


def dense(n: int) -> Network:
    widths = [8, n, n, n, 4]
    rng = random.Random(n)

    def number() -> Fraction:
        return Fraction(round(2**20 * rng.gauss(0, 1)), 2**20)

    weights = [[[number() for _ in range(k)] for _ in range(m)] for k, m in pairwise(widths)]
    return Network.from_arrays(weights, [[number() for _ in range(m)] for m in widths[1:]])


def between(weights: list[list[int]]) -> Network:
    m, n = len(weights), len(weights[0])
    return Network.from_arrays([[[1]] * n, weights, [[1] * m]], [[0] * n, [1] * m, [0]])


NETWORKS = {
    "random 32": lambda: dense(32),
    "random 64": lambda: dense(64),
    "random 256": lambda: dense(256),
    "random 512": lambda: dense(512),
    "ACAS Xu": lambda: load(ROOT / "cases" / "acasxu-1-1" / "network.nnet"),
    "all equal 512": lambda: between([[1] * 512] * 512),
    "circulant 64": lambda: between(
        [[int((i - j) % 64 in (0, 1, 5)) for j in range(64)] for i in range(64)]
    ),
    "group Z2^6": lambda: between([[i ^ j for j in range(64)] for i in range(64)]),
    "Hadamard 64": lambda: between(
        [[(-1) ** (i & j).bit_count() for j in range(64)] for i in range(64)]
    ),
}


def subdivided(graph: RankedGraph) -> tuple[int, list[tuple[int, int]], list[object]]:
    """Vertices, edges and colours of the graph with a coloured vertex on every edge."""
    colours: list[object] = [
        ("label", l, int(c)) for l, part in enumerate(graph.colours) for c in part
    ]
    starts = [sum(graph.widths[:l]) for l in range(len(graph.widths))]
    edges = []
    for l, matrix in enumerate(graph.edges):
        for j, row in enumerate(matrix.tolist()):
            for i, rank in enumerate(row):
                middle = len(colours)
                colours.append(("weight", l, rank))
                edges += [(starts[l] + i, middle), (middle, starts[l + 1] + j)]
    return len(colours), edges, colours


def by_networkx(a: RankedGraph, b: RankedGraph) -> tuple[bool, float]:
    graphs = []
    for graph in (a, b):
        size, edges, colours = subdivided(graph)
        made = nx.Graph(edges)
        made.add_nodes_from((v, {"colour": colours[v]}) for v in range(size))
        graphs.append(made)
    start = perf_counter()
    same = nx.vf2pp_is_isomorphic(*graphs, node_label="colour")
    return same, perf_counter() - start


def by_nauty(a: RankedGraph, b: RankedGraph) -> tuple[bool, float]:
    made = []
    for graph in (a, b):
        size, edges, colours = subdivided(graph)
        adjacency: dict[int, list[int]] = {v: [] for v in range(size)}
        for v, w in edges:
            adjacency[v].append(w)
        cells: dict[object, set[int]] = {}
        for v, colour in enumerate(colours):
            cells.setdefault(colour, set()).add(v)
        order = [cells[colour] for colour in sorted(cells)]  # type: ignore[type-var]
        made.append(pynauty.Graph(size, adjacency_dict=adjacency, vertex_coloring=order))
    start = perf_counter()
    same = pynauty.certificate(made[0]) == pynauty.certificate(made[1])
    return same, perf_counter() - start


def limited(peer: Peer, a: RankedGraph, b: RankedGraph) -> tuple[bool, float] | None:
    """The answer of a peer, in a process of its own, or None if it takes too long."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        try:
            return pool.apply_async(peer, (a, b)).get(LIMIT)
        except multiprocessing.TimeoutError:
            return None


def compare(name: str) -> list[object]:
    net = NETWORKS[name]()
    moved = net.transformed(Symmetry.random(net, random.Random(1)))
    start = perf_counter()
    canonical(net)
    one = perf_counter() - start
    start = perf_counter()
    verdict = isomorphic(net, moved)
    ours = perf_counter() - start
    with tempfile.TemporaryDirectory() as folder:
        path = verdict.certificate.save(f"{folder}/one.cert.jsonl")
        start = perf_counter()
        program = [sys.executable, "-I", str(CHECKER), str(path)]
        checked = subprocess.run(program, capture_output=True).returncode == 0
        checking = perf_counter() - start
    row: list[object] = [name, f"{one:.2f} s", f"{ours:.2f} s", f"{checking:.1f} s"]
    graphs = [graph_of(normal_form(n)) for n in (net, moved)]
    agree = verdict.answer is True and checked
    for peer in (by_networkx, by_nauty if pynauty else None):
        if peer is None or sum(m.size for m in graphs[0].edges) > MAX_EDGES:
            row.append("-")
            continue
        answer = limited(peer, *graphs)
        if answer is None:
            row.append(f"> {LIMIT} s (> {LIMIT / ours:.0f}×)")
            continue
        same, seconds = answer
        agree = agree and same
        ratio = seconds / ours
        row.append(f"{seconds:.2f} s ({ratio:.{0 if ratio >= 10 else 2}f}×)")
    return [*row, "yes" if agree else "NO"]


def main() -> None:
    header = ["network", "canonical", "isomorphic", "checking", "networkx", "nauty", "agree"]
    print_table(header, [compare(name) for name in NETWORKS])
    print("time of the peer, and as a multiple of the time of `isomorphic`")
