"""Equality of two networks beside z3, on the same pairs in the same run.

z3 gets real variables for inputs and neurons, y = If(z > 0, z, 0) for each neuron, and the claim
that some output differs; it may take ``Z3_SECONDS`` for a pair.  Times are the best of several
runs.  That of exactrelu is from the two networks to the verdict with its certificate.  That of
z3 is its ``check()`` alone, and the ratio is to this; writing the question down for it, in Python,
is a column of its own, and so is what the independent checker takes.
"""

import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import perf_counter

import z3
from flint import fmpq

from benchmarks._timing import print_table, seconds, shown
from exactrelu.certificates.certificate import Verdict
from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network
from exactrelu.network.symmetry import Symmetry
from exactrelu.polyhedra.domain_text import parse_domain
from exactrelu.questions.equivalence.equivalent import equivalent

ROOT = Path(__file__).parents[1]
CHECKER = ROOT / "proofs" / "exactrelu_checker"
Z3_SECONDS = 20
#: How often z3 is asked again, where it takes less than a second.
Z3_REPEATS = 10

Tables = list[list[list[fmpq]]]
Pair = tuple[str, Network, Network, str]


def of_tables(layers: Tables) -> Network:
    """The network whose neurons are given as [w…, b]."""
    weights = [[row[:-1] for row in rows] for rows in layers]
    return Network.from_arrays(weights, [[row[-1] for row in rows] for rows in layers])


def random_tables(rng: random.Random, *widths: int) -> Tables:
    return [
        [[fmpq(round(rng.gauss(0, 1) * 2**10), 2**10) for _ in range(m + 1)] for _ in range(n)]
        for m, n in pairwise(widths)
    ]


def permuted(rng: random.Random, *widths: int) -> tuple[Network, Network]:
    net = of_tables(random_tables(rng, *widths))
    return net, Symmetry.random(net, rng).apply(net)


def hiding(rng: random.Random, n: int, move: Callable[[Tables], None]) -> tuple[Network, Network]:
    """A network that hides its first hyperplane, with one live neuron, and another one."""
    first, _, last = random_tables(rng, n, n, 1, 1)
    second = [[fmpq(1), *(fmpq(-1) for _ in range(n - 1)), fmpq(-3)]]
    moved = [[list(row) for row in rows] for rows in (first, second, last)]
    move(moved)
    net = of_tables(moved)
    return of_tables([first, second, last]), Symmetry.random(net, rng).apply(net)


def translate(layers: Tables) -> None:
    """Theory 3.2 with t = 7."""
    layers[0][0][-1] += 7
    layers[1][0][-1] -= 7


def flip(layers: Tables) -> None:
    """Theory 3.3 with every second neuron."""
    rows = layers[0]
    for a in range(1, len(rows), 2):
        rows[0] = [x - y for x, y in zip(rows[0], rows[a], strict=True)]
        rows[a] = [-x for x in rows[a]]


def dead_on_a_box(rng: random.Random, n: int) -> tuple[Network, Network]:
    """A neuron of the second layer that is dead on [−1, 1]², by a small margin; then without it."""
    layers = random_tables(rng, 2, n, n, 1)
    first, second, last = layers
    highest = [sum(map(abs, row[:-1]), row[-1]) for row in first]
    row = [abs(w) for w in second[0][:-1]]
    bound = sum((w * max(h, fmpq(0)) for w, h in zip(row, highest, strict=True)), fmpq(0))
    without = [first, second[1:], [[*out[1:]] for out in last]]
    return of_tables([first, [[*row, -bound], *second[1:]], last]), of_tables(without)


def changed(net: Network) -> Network:
    """One weight of the first layer changed by 2⁻⁵²."""
    layers = [[list(row) for row in layer.affine.rows()] for layer in net.layers]
    layers[0][0][0] += fmpq(1, 2**52)
    return of_tables(layers)


def all_pairs() -> Iterator[Pair]:
    rng = random.Random(1)
    cases = ROOT / "cases"
    for widths in ("2-4-1", "2-6-6-1"):
        nets = [load(cases / "equal" / f"permuted-{widths}" / f"{x}.json") for x in "ABC"]
        yield f"permuted, scaled {widths}", nets[0], nets[1], "R"
        yield f"last bit {widths}", nets[0], nets[2], "R"
    for sizes in ((2, 10, 10, 1), (3, 16, 16, 1), (5, 50, 50, 50, 50, 50, 50, 5)):
        a, b = permuted(rng, *sizes)
        name = "-".join(map(str, sizes))
        yield f"permuted, scaled {name}", a, b, "R"
        yield f"last bit {name}", a, changed(b), "R"
    for k in (10, 17, 27, 60):
        folder = cases / "equal" / f"spike-2-{k}"
        yield f"spike 2^-{k}", load(folder / "spike.json"), load(folder / "zero.json"), "R"
    folder = cases / "equal" / "tiny-cell"
    yield "tiny cell 2-6-6-1", load(folder / "A.json"), load(folder / "B.json"), "R"
    for case, others in (
        ("S002-P13-hiding-translation", ("t100", "tm11")),
        ("S002-P14-hiding-flips", ("A23_t5", "A2_tm3")),
    ):
        folder = cases / "three-layers" / case
        theta = load(folder / "theta.json")
        for other in others:
            yield f"{case[:8]} {other}", theta, load(folder / f"{other}.json"), "R"
    for n in (4, 6, 8, 12):
        yield f"translation {n}-{n}-1-1", *hiding(rng, n, translate), "R"
        yield f"flips {n}-{n}-1-1", *hiding(rng, n, flip), "R"
    for n in (4, 6, 8):
        yield f"dead on a box 2-{n}-{n}-1", *dead_on_a_box(rng, n), "box:-1,1"


def by_z3(a: Network, b: Network, domain: LinearSystem) -> tuple[bool | None, float, float]:
    """The answer, and the seconds for writing the question down and for solving it."""
    start = perf_counter()
    solver = z3.Solver()
    solver.set("timeout", Z3_SECONDS * 1000)
    inputs = [z3.Real(f"x{i}") for i in range(a.n_inputs)]
    for row in domain.rows:
        solver.add(affine((*row.normal, row.offset), inputs) > 0)
    outputs = []
    for name, network in (("a", a), ("b", b)):
        values = inputs
        for l, layer in enumerate(network.layers):
            values = [affine(row, values) for row in layer.affine.rows()]
            if l < len(network.layers) - 1:
                neurons = [z3.Real(f"{name}{l}_{i}") for i in range(len(values))]
                for y, z in zip(neurons, values, strict=True):
                    solver.add(y == z3.If(z > 0, z, 0))
                values = neurons
        outputs.append(values)
    solver.add(z3.Or([f != g for f, g in zip(*outputs, strict=True)]))
    written = perf_counter()
    answer = solver.check()
    solved = perf_counter()
    is_equal = None if answer == z3.unknown else answer == z3.unsat
    return is_equal, written - start, solved - written


def affine(row: tuple[fmpq, ...], values: list[z3.ArithRef]) -> z3.ArithRef:
    numbers = [z3.Q(int(w.p), int(w.q)) for w in row]
    return z3.Sum([w * v for w, v in zip(numbers, values, strict=False)] + [numbers[-1]])


def checked(verdict: Verdict) -> float:
    """How long the checker takes to accept a certificate, its start included."""
    with tempfile.TemporaryDirectory() as folder:
        path = verdict.certificate.save(Path(folder) / "equivalent.cert.jsonl")
        start = perf_counter()
        program = [sys.executable, "-I", "-S", str(CHECKER), str(path)]
        subprocess.run(program, check=True, capture_output=True)
        return perf_counter() - start


def main() -> None:
    rows = []
    for name, a, b, where in all_pairs():
        domain = parse_domain(where, a.n_inputs)
        verdict = equivalent(a, b, domain)
        theirs, writing, solving = by_z3(a, b, domain.interior())
        if theirs not in (None, verdict.answer):
            raise ArithmeticError(f"{name}: exactrelu says {verdict.answer}, z3 {theirs}")
        ours = seconds(partial(equivalent, a, b, domain))
        for _ in range(Z3_REPEATS if solving < 1 else 0):
            _, again, solved = by_z3(a, b, domain.interior())
            writing, solving = min(writing, again), min(solving, solved)
        stopped = "> " if theirs is None else ""
        rows.append(
            (
                name,
                "equal" if verdict.answer else "different",
                shown(ours),
                shown(checked(verdict)),
                shown(writing),
                stopped + shown(solving),
                f"{stopped}{solving / ours:.3g}",
            )
        )
    header = ("pair", "verdict", "exactrelu", "checker", "z3 encoding", "z3", "z3 / exactrelu")
    print_table(header, rows)


if __name__ == "__main__":
    from benchmarks.__main__ import main as run

    sys.exit(run(["equivalence", *sys.argv[1:]]))
