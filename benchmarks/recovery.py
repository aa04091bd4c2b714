"""Recovery from queries: success, queries per parameter and time, as width and depth grow.

Each answer to a query of n inputs and m outputs at numbers of B bits carries at most some
multiple of m·B bits, and the parameters up to scaling hold (parameters − hidden neurons)·B:
so no method asks fewer than (parameters − hidden neurons)/m queries of numbers of that size.
(Exact answers to longer queries may carry more; the bound is one for queries of weight size.)

Published beside it: Rolnick & Kording recover the first layer of float networks of widths 10 to
20 up to errors of about 1e-6.  Here an isomorphic network has error 0, in all layers, and every
result is proved.  For the comparison on the same networks, the first-layer hyperplanes at the same
points are read off float64 answers too (central differences on both sides).

``--seeds``, ``--seconds`` (for each network) and ``--shapes`` change how much is done;
``--plot FILE`` draws queries and time as width and depth grow instead.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from flint import fmpq

from benchmarks._timing import print_table
from exactrelu.cli.command import positive_integer, positive_number
from exactrelu.errors import MissingExtra
from exactrelu.exact.scalar import to_float
from exactrelu.network.network import Network
from exactrelu.questions.recovery.recover import recover

SHAPES = "2-4-1,5-10-1,10-20-1,3-5-5-1,5-10-10-1,8-12-8-4-1"
KINDS = ("float32", "rational")


def random_network(widths: tuple[int, ...], seed: int, kind: str) -> Network:
    rng = random.Random(seed)

    def number() -> Any:
        if kind == "float32":
            return float(np.float32(rng.gauss(0, 1)))
        return fmpq(rng.randint(-9, 9), rng.randint(1, 9))

    weights = [[[number() for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)]
    return Network.from_arrays(weights, [[number() for _ in range(m)] for m in widths[1:]])


@dataclass(frozen=True)
class Run:
    """One network: how it ended, and what it took, in seconds of the processor."""

    outcome: str
    n_queries: int
    n_counterexamples: int
    seconds: float
    n_proved: int
    n_named: int


def run(net: Network, seconds: float) -> Run:
    start = process_time()
    found = recover(net, timeout=seconds)
    elapsed = process_time() - start
    names = ", ".join(sorted({o.name for o in found.obstructions}))
    if found.is_isomorphic:
        outcome = "isomorphic"
    elif found.answer:
        outcome = f"equal: {names}"
    else:
        outcome = f"{'no' if found.answer is False else 'undecided'}: {names}"
    proved = sum(o.certificate is not None for o in found.obstructions)
    return Run(
        outcome,
        found.n_queries,
        found.n_counterexamples,
        elapsed,
        proved,
        len(found.obstructions),
    )


def bound_per_parameter(net: Network) -> float:
    """The fewest queries, by entropy, for each parameter."""
    return (net.n_parameters - net.n_hidden_neurons) / net.n_outputs / net.n_parameters


def measure(widths: tuple[int, ...], kind: str, seeds: int, seconds: float) -> list[object]:
    """One row: how many of the seeds, with what effort."""
    nets = [random_network(widths, seed, kind) for seed in range(seeds)]
    runs = []
    shape = "-".join(map(str, widths))
    for seed, net in enumerate(nets):
        r = run(net, seconds)
        runs.append(r)
        # A long run that is stopped leaves what it had.
        print(
            f"{shape} {kind} {seed}: {r.outcome}, {r.n_queries} queries, {r.seconds:.1f} s",
            file=sys.stderr,
        )
    done = [r for r in runs if r.outcome.startswith(("isomorphic", "equal"))]
    counts = Counter(r.outcome for r in runs)
    equal = sum(v for k, v in counts.items() if k.startswith("equal"))
    each = sum(r.n_queries for r in done) / max(1, len(done))
    n = nets[0].n_parameters
    return [
        shape,
        kind,
        counts["isomorphic"],
        equal,
        seeds - counts["isomorphic"] - equal,
        sum(r.n_counterexamples > 0 for r in runs),
        f"{each:.0f}",
        f"{each / n:.0f}",
        f"{bound_per_parameter(nets[0]):.2f}",
        f"{median(r.seconds for r in runs):.1f} s",
        "; ".join(f"{v}× {k}" for k, v in sorted(counts.items()) if k != "isomorphic"),
    ]


def float_error(net: Network) -> float:
    """The median error of first-layer hyperplanes that float64 answers give, near each of them.

    The entries of a hyperplane are divided by the largest weight, as in the published figures.
    """
    weights = [
        np.array([[to_float(v) for v in r] for r in layer.weights.rows()]) for layer in net.layers
    ]
    biases = [np.array([to_float(v) for v in layer.bias]) for layer in net.layers]

    def f(x: Any) -> float:
        for w, b in zip(weights[:-1], biases[:-1], strict=True):
            x = np.maximum(w @ x + b, 0)
        return float((weights[-1] @ x + biases[-1])[0])

    rng = np.random.default_rng(0)
    step, errors = 1e-4, []
    for w, b in zip(weights[0], biases[0], strict=True):
        x = rng.normal(size=len(w))
        x -= (w @ x + b) / (w @ w) * w
        across = w / np.linalg.norm(w)
        sides = []
        for y in (x + 3e-3 * across, x - 3e-3 * across):
            axes = step * np.eye(len(w))
            sides.append(np.array([(f(y + e) - f(y - e)) / (2 * step) for e in axes]))
        jump = sides[0] - sides[1]
        size = np.abs(jump).argmax()
        if jump[size]:
            errors.append(float(np.abs(jump / jump[size] - w / w[size]).max()))
    return median(errors) if errors else float("nan")


def table(shapes: Sequence[tuple[int, ...]], seeds: int, seconds: float) -> None:
    header = [
        "widths",
        "weights",
        "isomorphic",
        "equal",
        "failed",
        "counterexamples",
        "queries",
        "per parameter",
        "lower bound",
        "median",
        "not isomorphic because",
    ]
    print_table(header, [measure(w, kind, seeds, seconds) for w in shapes for kind in KINDS])
    print(f"{seeds} seeds each, proved, weights without error")
    errors = [float_error(random_network((10, 20, 1), seed, "float32")) for seed in range(seeds)]
    print(f"10-20-1, first layer from float64 answers: error {median(errors):.0e}")
    print("published, first layer of widths 10 to 20 from float answers: about 1e-6")


def shapes_of(text: str) -> list[tuple[int, ...]]:
    return [tuple(map(positive_integer, shape.split("-"))) for shape in text.split(",")]


def main(options: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks recovery")
    parser.add_argument("--seeds", type=positive_integer, default=5)
    parser.add_argument("--seconds", type=positive_number, default=120)
    parser.add_argument("--shapes", type=shapes_of, default=SHAPES, help=f"(default {SHAPES})")
    parser.add_argument("--plot", metavar="FILE", help="draw growth with width and depth to FILE")
    args = parser.parse_args(options)
    if args.plot is not None:
        from benchmarks._recovery_plot import draw

        try:
            draw(args.plot, args.seeds, args.seconds)
        except MissingExtra as missing:
            sys.exit(str(missing))
        return
    table(args.shapes, args.seeds, args.seconds)
