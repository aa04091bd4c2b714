"""Certificates of the first format beside those of today: proving, checking, bytes, in one run.

The first format, its writers and its checker are in the history of the project only: commit
``LAST`` is unpacked into a temporary folder, and library and checker of either time run in
processes of their own on the same files.  Without that history nothing is measured.

Seeded networks, weights multiples of 1/64.  Times are CPU seconds, the best of ``RUNS``: of proving
from the networks to the written file, of checking for the whole process, start of Python included.
Every file is accepted by the checker of its time, and both prove the same answer.
"""

import gzip
import io
import os
import random
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from benchmarks._timing import print_table
from benchmarks.regions import network
from exactrelu.exact.scalar import fraction
from exactrelu.network.formats.load import save
from exactrelu.network.network import Network

#: The last commit whose library writes the first format.
LAST = "b878084"
ROOT = Path(__file__).parents[1]
PARTS = ("exactrelu", "proofs/exactrelu_checker")
RUNS = 3
REGIONS = ("2-8-1", "2-16-16-1", "3-12-12-1", "4-10-10-1", "2-32-32-1", "3-16-16-16-1")
FACES = ("2-6-6-1", "2-10-10-1", "3-6-6-1")

#: What both libraries must agree on: this of what is found, or how many of these there are.
ANSWERS = {
    "regions": "n_regions",
    "polyhedral_complex": "faces",
    "equivalent": "answer",
    "largest_difference": "reason",
    "is_injective": "answer",
    "folds": "facets",
}

#: Runs in both libraries: what is asked, its answer, the domain, the file to write, the networks.
PROVER = f"""
import sys
from time import process_time
import exactrelu as er
question, answer, where, path, *names = sys.argv[1:]
networks = [er.load(name) for name in names]
domain = er.parse_domain(where, networks[0].n_inputs)
times = []
for _ in range({RUNS}):
    start = process_time()
    found = getattr(er, question)(*networks, domain=domain)
    found.certificate.save(path)
    times.append(process_time() - start)
print(min(times))
said = getattr(found, answer)
print(len(said) if isinstance(said, tuple) else said)
"""

Rows = list[list[Fraction]]
Question = tuple[str, str, str, tuple[Network, ...]]
#: Seconds of proving and checking, bytes, and bytes after gzip.
Costs = tuple[float, float, int, int]


def randoms(rng: random.Random, n_rows: int, n_columns: int) -> Rows:
    """Random multiples of 1/64."""
    return [
        [Fraction(round(64 * rng.gauss(0, 1)), 64) for _ in range(n_columns)] for _ in range(n_rows)
    ]


def maxima(n_inputs: int, n: int) -> tuple[Network, Network]:
    """max(max(f, g), h) and max(max(h, g), f) of sums f, g, h of the same n neurons.

    With m = f + ReLU(g - f) the first is m + ReLU(h - m).  No rewriting takes one to the other.
    """
    rng = random.Random(f"maxima {n_inputs} {n}")
    weights, bias, sums = randoms(rng, n, n_inputs), randoms(rng, 1, n)[0], randoms(rng, 3, n)

    def unit_rows(size: int) -> Rows:
        return [[Fraction(i == j) for j in range(size)] for i in range(size)]

    def nested(f: list[Fraction], g: list[Fraction], h: list[Fraction]) -> Network:
        second = [b - a for a, b in zip(f, g, strict=True)]
        third = [*(c - a for a, c in zip(f, h, strict=True)), Fraction(-1)]
        layers = [weights, [*unit_rows(n), second], [*unit_rows(n + 1), third], [[*f, 1, 1]]]
        return Network.from_arrays(layers, [bias, [0] * (n + 1), [0] * (n + 2), [0]])

    f, g, h = sums
    return nested(f, g, h), nested(h, g, f)


def nearby(net: Network) -> Network:
    """Every weight changed by at most 1/256."""
    rng = random.Random(net.name)
    layers = [
        [
            [fraction(w) + Fraction(rng.randint(-1, 1), 256) for w in row]
            for row in layer.weights.rows()
        ]
        for layer in net.layers
    ]
    return Network.from_arrays(layers, [list(layer.bias) for layer in net.layers])


def with_opposites(shape: str, seed: int) -> Network:
    """A first layer [B; -B], which is injective, then random layers."""
    n_inputs, first, *others = (int(n) for n in shape.split("-"))
    rng = random.Random(seed)
    half = randoms(rng, first // 2, n_inputs + 1)
    layers = [[*half, *([-x for x in row] for row in half)]]
    layers += [randoms(rng, m, n + 1) for n, m in pairwise((first, *others))]
    weights = [[row[:-1] for row in rows] for rows in layers]
    return Network.from_arrays(weights, [[row[-1] for row in rows] for rows in layers])


def questions() -> Iterator[Question]:
    """Its name, the function, the domain, the networks."""
    for shape in REGIONS:
        yield f"regions {shape}", "regions", "R", (network(shape),)
    for shape in FACES:
        yield f"complex {shape}", "polyhedral_complex", "R", (network(shape),)
    for n_inputs, n in ((3, 8), (3, 12)):
        pair = maxima(n_inputs, n)
        name = "-".join(map(str, pair[0].widths))
        yield f"equal, cells {name}", "equivalent", "R", pair
    for shape in ("2-8-8-1", "3-6-6-1"):
        pair = network(shape), nearby(network(shape))
        yield f"largest difference {shape}", "largest_difference", "box:-1,1", pair
    for shape, seed in (("2-6-8-4", 8), ("2-6-10-6", 6)):
        yield f"injective, pairs {shape}", "is_injective", "R", (with_opposites(shape, seed),)
    for shape in FACES:
        yield f"folds {shape}", "folds", "R", (network(shape),)


def unpacked(folder: Path) -> str:
    """Unpack the first format out of the history; what is wrong, if anything."""
    program = ["git", "-C", str(ROOT), "archive", LAST, *PARTS]
    try:
        run = subprocess.run(program, capture_output=True, check=False)
    except FileNotFoundError:
        return "git is not installed"
    if run.returncode:
        return f"commit {LAST} is not in the history here"
    with tarfile.open(fileobj=io.BytesIO(run.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return ""


def proved(root: Path, question: Question, files: list[Path], path: Path) -> tuple[float, str]:
    """Seconds of proving, and the answer, by the library in a folder."""
    _, function, where, _ = question
    arguments = [function, ANSWERS[function], where, str(path), *map(str, files)]
    run = subprocess.run(
        [sys.executable, "-c", PROVER, *arguments],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        check=True,
    )
    seconds, answer = run.stdout.decode().splitlines()
    return float(seconds), answer


def checked(root: Path, path: Path) -> float:
    """CPU seconds of the checker in a folder, on a file that it must accept."""
    program = [sys.executable, "-I", str(root / "proofs" / "exactrelu_checker"), str(path)]
    times = []
    for _ in range(RUNS):
        before = os.times()
        subprocess.run(program, check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        user = after.children_user - before.children_user
        times.append(user + after.children_system - before.children_system)
    return min(times)


def costs(root: Path, question: Question, folder: Path) -> tuple[Costs, str]:
    """What a question costs in the library and the checker of a folder, and its answer."""
    files = [folder / f"{i}.json" for i in range(len(question[3]))]
    for net, file in zip(question[3], files, strict=True):
        save(net, file)
    path = folder / "cert.jsonl"
    proving, answer = proved(root, question, files, path)
    data = path.read_bytes()
    return (proving, checked(root, path), len(data), len(gzip.compress(data))), answer


def row(question: Question, old: Path, folder: Path) -> list[str]:
    """Each cost before and now, and how many times less it is."""
    before, answer = costs(old, question, folder)
    now, answer_now = costs(ROOT, question, folder)
    if answer != answer_now:
        raise ArithmeticError(f"{question[0]}: {answer} and {answer_now}")
    cells = [question[0]]
    for i, (a, b) in enumerate(zip(before, now, strict=True)):
        pair = f"{a:.2f} → {b:.2f}" if i < 2 else f"{a / 1000:,.1f} → {b / 1000:,.1f}"
        cells += [pair, f"{a / b:.1f}×"]
    return cells


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        old = folder / "old"
        old.mkdir()
        wrong = unpacked(old)
        if wrong:
            print(f"The first format cannot be measured: {wrong}.")
            return
        rows = [row(question, old, folder) for question in questions()]
    header = ["", "prove, s", "", "check, s", "", "kB", "", "kB, gzip", ""]
    print_table(header, rows)
    print(f"first format (commit {LAST}) → format of today; CPU seconds, the best of {RUNS}")


if __name__ == "__main__":
    from benchmarks.__main__ import main as run

    sys.exit(run(["formats", *sys.argv[1:]]))
