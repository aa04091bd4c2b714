"""Questions about small networks on all of space, where no sign is known before: ms of CPU.

What a question does before it begins is seen best where it has little to do.  Each call is of
networks that nobody has asked about before; of many calls the least time counts.
"""

import gc
import random
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from time import process_time

import exactrelu as er
from benchmarks._timing import print_table

#: Seconds for each question.
LEAST = 0.5
BOX = "box:-1..1"
Make = Callable[[], er.Network]


def networks(widths: Sequence[int], seed: int) -> Make:
    """Who makes a network with weights of quarters, anew each time."""
    rng = random.Random(seed)

    def numbers(n: int) -> list[Fraction]:
        return [Fraction(rng.randint(-9, 9), 4) for _ in range(n)]

    weights = [[numbers(n) for _ in range(m)] for n, m in pairwise(widths)]
    biases = [numbers(m) for m in widths[1:]]
    return lambda: er.from_arrays(weights, biases)


A, A2 = networks((2, 5, 4, 1), 1), networks((2, 5, 4, 1), 11)
C, D = networks((2, 4, 2), 3), networks((2, 3, 2, 1), 4)

QUESTIONS: dict[str, tuple[Callable[..., object], tuple[Make, ...]]] = {
    "regions": (er.regions, (A,)),
    "complex": (er.polyhedral_complex, (A,)),
    "folds": (er.folds, (A,)),
    "honest": (er.is_honest, (C,)),
    "transparent": (er.is_transparent, (A,)),
    "generic": (er.is_generic, (A,)),
    "equivalent, no": (er.is_equivalent, (A, A2)),
    "equivalent, yes": (er.is_equivalent, (A, A)),
    "difference": (er.largest_difference, (A, A2)),
    "injective": (er.is_injective, (C,)),
    "invert": (lambda net: er.invert(net, [1]), (A,)),
    "simplify": (er.simplify, (A,)),
    "equivalent, yes, on a box": (lambda a, b: er.is_equivalent(a, b, BOX), (A, A)),
    "difference on a box": (lambda a, b: er.largest_difference(a, b, BOX), (A, A2)),
    "simplify on a box": (lambda net: er.simplify(net, BOX), (D,)),
    "simplify on a box, all neurons bend": (lambda net: er.simplify(net, BOX), (C,)),
}


def least(ask: Callable[..., object], makes: Sequence[Make]) -> float:
    """The least CPU seconds of a call."""
    best, total = float("inf"), 0.0
    while total < LEAST:
        given = [make() for make in makes]
        gc.collect()
        start = process_time()
        ask(*given)
        seconds = process_time() - start
        best, total = min(best, seconds), total + seconds
    return best


def main() -> None:
    """Ask all questions."""
    rows = [(name, f"{least(*one) * 1000:.2f}") for name, one in QUESTIONS.items()]
    print_table(("question", "ms"), rows)


if __name__ == "__main__":
    from benchmarks.__main__ import main as run

    sys.exit(run(["small", *sys.argv[1:]]))
