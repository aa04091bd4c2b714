"""Checking by the verified program, beside proving and the checker in Python.

Regions of random networks on all of R^n: weights are Gaussian float64, whose integers are long, or
multiples of 1/64. CPU seconds: of proving in this process, without start-up; of each checker with
it, the least of some runs. The program is what EXACTRELU_VERIFIED names, or the one that
``make verified`` builds.
"""

import os
import random
import resource
import subprocess
import sys
import tempfile
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from time import process_time

from benchmarks._timing import print_table
from exactrelu.network.network import Network
from exactrelu.questions.regions import regions

ROOT = Path(__file__).parents[1]
CHECKER = ROOT / "proofs" / "exactrelu_checker"
BUILT = ROOT / "proofs" / "verified" / "exactrelu-verified"
SHAPES = ("2-16-16-1", "2-32-32-1", "3-12-12-1", "4-10-10-1", "3-16-16-16-1", "3-32-32-32-1")
WEIGHTS = {
    "float64": lambda rng: Fraction(rng.gauss(0, 1)),
    "k/64": lambda rng: Fraction(round(64 * rng.gauss(0, 1)), 64),
}


def network(shape: str, kind: str) -> Network:
    """The network of a shape: all weights, then all biases."""
    widths = [int(n) for n in shape.split("-")]
    rng = random.Random(0)

    def number() -> Fraction:
        return WEIGHTS[kind](rng)

    weights = [[[number() for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)]
    return Network.from_arrays(weights, [[number() for _ in range(m)] for m in widths[1:]], shape)


def checked(command: list[str], runs: int) -> float:
    """The least CPU seconds of some runs of a program, which must accept."""

    def spent() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    found = []
    for _ in range(runs):
        before = spent()
        subprocess.run(command, capture_output=True, check=True)
        found.append(spent() - before)
    return min(found)


def compare(shape: str, kind: str, program: str) -> list[object]:
    """Regions, seconds of proving and of both checkers, and how they compare."""
    net = network(shape, kind)
    regions(network("2-8-1", kind)).certificate  # noqa: B018
    start = process_time()
    found = regions(net)
    certificate = found.certificate
    proved = process_time() - start
    with tempfile.TemporaryDirectory() as folder:
        path = str(certificate.save(f"{folder}/regions.cert.jsonl"))
        python = checked([sys.executable, "-I", str(CHECKER), path], 1)
        verified = checked([program, path], 5)
    times = [f"{seconds:.3f}" for seconds in (proved, python, verified)]
    return [shape, kind, f"{found.n_regions:,}", *times, f"{verified / proved:.1f}",
            f"{python / verified:.0f}"]  # fmt: skip


def main() -> None:
    named = os.environ.get("EXACTRELU_VERIFIED", "")
    program = named if named not in ("", "required") else str(BUILT)
    if not Path(program).exists():
        print("the verified program is not built: make verified")
        return
    heads = ["shape", "weights", "regions", "proving", "Python", "verified", "verified/proving",
             "Python/verified"]  # fmt: skip
    print_table(heads, [compare(s, kind, program) for kind in WEIGHTS for s in SHAPES])


if __name__ == "__main__":
    from benchmarks.__main__ import main as run

    sys.exit(run(["verified", *sys.argv[1:]]))
