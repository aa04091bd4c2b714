"""Masked ranks: all of them by minors modulo a prime, beside one FLINT rank for each mask.

Seeded random networks, weights multiples of 2^−20, generic.  The plain way multiplies out
the product of each mask (sharing those of the masks before it) and takes its rank over Q;
on shapes with many masks it is timed on a part of them.
"""

import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from time import perf_counter

from flint import fmpq_mat

from benchmarks._timing import print_table
from exactrelu.network.network import Network
from exactrelu.questions.genericity.masked_products import n_all_masks
from exactrelu.questions.genericity.masked_rank import masked_rank

SHAPES = ("2-4-4-1", "3-6-6-1", "3-8-8-1", "4-8-8-8-1", "20-16-8-1")
PLAIN_MASKS = 20_000
CHECKER = Path(__file__).parents[1] / "proofs" / "exactrelu_checker"


def network(shape: str) -> Network:
    widths = [int(n) for n in shape.split("-")]
    rng = random.Random(shape)

    def number() -> Fraction:
        return Fraction(round(2**20 * rng.gauss(0, 1)), 2**20)

    weights = [[[number() for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)]
    return Network.from_arrays(weights, [[number() for _ in range(m)] for m in widths[1:]], shape)


def plain(net: Network) -> Iterator[bool]:
    """Mask by mask, in the order of the definition: is the rank maximal?"""
    widths = net.widths
    for k in range(1, len(widths)):
        stack = [(k, fmpq_mat(net.layers[k - 1].weights.flint), widths[k - 1])]
        while stack:
            l, product, least = stack.pop()
            for mask in range(1 << widths[l]):
                rows = [i for i in range(widths[l]) if mask >> i & 1]
                table = [product[i, j] for i in rows for j in range(widths[k - 1])]
                masked = fmpq_mat(len(rows), widths[k - 1], table)
                size = min(least, len(rows))
                yield masked.rank() == size
                if l + 1 < len(widths):
                    columns = net.layers[l].weights.take(columns=rows).flint
                    stack.append((l + 1, columns * masked, size))


def main() -> None:
    rows = []
    for shape in SHAPES:
        net = network(shape)
        begin = perf_counter()
        verdict = masked_rank(net)
        seconds = perf_counter() - begin
        n_masks = n_all_masks(net.widths)
        begin = perf_counter()
        n_plain = 0
        for is_maximal in plain(net):
            n_plain += 1
            if not is_maximal or n_plain == PLAIN_MASKS:
                break
        plain_rate = n_plain / (perf_counter() - begin)
        with tempfile.TemporaryDirectory() as folder:
            path = verdict.certificate.save(Path(folder) / "masked.cert.jsonl")
            begin = perf_counter()
            subprocess.run(
                [sys.executable, "-I", str(CHECKER), str(path)], check=True, capture_output=True
            )
            checking = perf_counter() - begin
        rate = n_masks / seconds
        rows.append(
            (
                shape,
                f"{n_masks:,}",
                f"{seconds:.2f}",
                f"{rate:,.0f}",
                f"{plain_rate:,.0f}",
                f"{rate / plain_rate:,.0f}",
                f"{checking:.1f}",
            )
        )
    header = ("network", "masks", "seconds", "masks/s", "plain masks/s", "ratio", "checker s")
    print_table(header, rows)


if __name__ == "__main__":
    from benchmarks.__main__ import main as run

    sys.exit(run(["genericity", *sys.argv[1:]]))
