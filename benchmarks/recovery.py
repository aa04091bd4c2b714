"""Recovery from queries: success, queries per parameter and time, as width and depth grow.

Each answer to a query of n inputs and m outputs at numbers of B bits carries at most some
multiple of m·B bits, and the parameters up to scaling hold (parameters − hidden neurons)·B:
so no method asks fewer than (parameters − hidden neurons)/m queries of numbers of that size.
(Exact answers to longer queries may carry more; the bound is one for queries of weight size.)

Published beside it: Rolnick & Kording recover the first layer of float networks of widths 10 to
20 up to errors of about 1e-6.  Here an isomorphic network has error 0, in all layers, and every
result is proved.

``RECOVERY_SEEDS`` and ``RECOVERY_SECONDS`` (for each network) change how much is done.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np
from flint import fmpq

from benchmarks._timing import print_table
from exactrelu.network.network import Network
from exactrelu.questions.recovery.recover import recover

SEEDS = int(os.environ.get("RECOVERY_SEEDS", "5"))
SECONDS = float(os.environ.get("RECOVERY_SECONDS", "120"))
SHAPES = [
    (2, 4, 1),
    (5, 10, 1),
    (10, 20, 1),
    (3, 5, 5, 1),
    (5, 10, 10, 1),
    (8, 12, 8, 4, 1),
]


def random_network(widths: tuple[int, ...], seed: int, kind: str) -> Network:
    rng = random.Random(seed)

    def number() -> Any:
        if kind == "float32":
            return float(np.float32(rng.gauss(0, 1)))
        return fmpq(rng.randint(-9, 9), rng.randint(1, 9))

    weights = [[[number() for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)]
    return Network.from_arrays(weights, [[number() for _ in range(m)] for m in widths[1:]])


def measure(widths: tuple[int, ...], kind: str) -> list[object]:
    """One row: how many of the seeds, with what effort."""
    counts: Counter[str] = Counter()
    queries, seconds = [], []
    for seed in range(SEEDS):
        net = random_network(widths, seed, kind)
        start = perf_counter()
        found = recover(net, timeout=SECONDS)
        seconds.append(perf_counter() - start)
        if found.answer:
            queries.append(found.n_queries)
        names = sorted({o.name for o in found.obstructions})
        if found.is_isomorphic:
            counts["isomorphic"] += 1
        elif found.answer:
            counts["equal: " + ", ".join(names)] += 1
        else:
            counts[("no: " if found.answer is False else "undecided: ") + ", ".join(names)] += 1
    n = net.n_parameters
    bound = (n - net.n_hidden_neurons) / net.n_outputs
    each = sum(queries) / len(queries) if queries else 0
    return [
        "-".join(map(str, widths)),
        kind,
        counts.pop("isomorphic", 0),
        sum(v for k, v in counts.items() if k.startswith("equal")),
        sum(v for k, v in counts.items() if not k.startswith("equal")),
        f"{each:.0f}",
        f"{each / n:.0f}",
        f"{bound / n:.2f}",
        f"{sorted(seconds)[len(seconds) // 2]:.1f} s",
        "; ".join(f"{v}× {k}" for k, v in sorted(counts.items())),
    ]


def main() -> None:
    header = [
        "widths",
        "weights",
        "isomorphic",
        "equal",
        "failed",
        "queries",
        "per parameter",
        "lower bound",
        "median",
        "not isomorphic because",
    ]
    rows = [measure(widths, kind) for widths in SHAPES for kind in ("float32", "rational")]
    print_table(header, rows)
    print(f"{SEEDS} seeds each, proved; published float recovery: first layer to about 1e-6")
