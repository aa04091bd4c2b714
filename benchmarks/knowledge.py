"""Questions about networks of which most neurons have one sign on a small domain.

Each row is a question: its CPU seconds, what is answered, and whether the checker accepts the
certificate.  The *twin* of a network has other weights behind a neuron that is off on the domain:
the same function there, by other numbers.  *Signs first* compares what is left of both without the
neurons that are settled.  A value that is taken is that of a point near a corner; one that is not
has 10 more in its first output.

``python -m benchmarks knowledge --data FOLDER`` takes further networks from ``acasxu/nets`` and
``models`` in a folder.
"""

import argparse
import gc
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import exactrelu as er
from benchmarks._timing import print_table, shown
from exactrelu.cells import portfolio
from exactrelu.exact.matrix import Matrix
from exactrelu.network.network import Layer

ROOT = Path(__file__).parents[1]
#: Seconds for a question.
LIMIT = 30.0
#: So many neurons are asked about one by one.
ONE_BY_ONE = 12
N_ACAS = 10
RADII = (Fraction(1, 200), Fraction(1, 100), Fraction(1, 50))
#: Of the networks of the folder of models, and the radius of the box around 0.
MODELS = (
    ("safenlp_medical.onnx", Fraction(1, 1000)),
    ("lunarlander.onnx", Fraction(1, 100)),
    ("tll_8.onnx.gz", Fraction(1, 20)),
    ("cersyve_pendulum_pretrain_con.onnx", Fraction(1, 50)),
    ("mnist_256x2.onnx.gz", Fraction(1, 500)),
)
Ends = list[tuple[Fraction, Fraction]]


class Row(NamedTuple):
    """What became of a question: a verdict for each of its parts, and its CPU seconds."""

    what: str
    seconds: float
    found: str
    n_decided: int
    n_accepted: int
    n_parts: int


def asked(what: str, parts: Sequence[Callable[[], Any]], text: Callable[[Any], str]) -> Row:
    """Ask the parts of a question, and check their certificates; only the first is timed."""
    portfolio._LAST.clear()
    gc.collect()
    start = process_time()
    found = [part() for part in parts]
    seconds = process_time() - start
    decided = [one for one in found if is_decided(one)]
    accepted = [one for one in decided if one.certificate and er.check(one).is_accepted]
    return Row(what, seconds, text(found[0]), len(decided), len(accepted), len(parts))


def is_decided(found: Any) -> bool:
    """Whether a result is an answer."""
    if hasattr(found, "is_complete"):
        return bool(found.is_complete)
    if hasattr(found, "upper"):
        return bool(found.lower == found.upper)
    return getattr(found, "answer", True) is not None


def box(network: er.Network, radius: Fraction) -> Ends:
    return [(-radius, radius)] * network.n_inputs


def twin(network: er.Network, place: Ends) -> er.Network | None:
    """1 more in all weights behind the last neuron that is off, if one is known to be."""
    dead = er.roles(network, place, timeout=LIMIT).dead
    if not dead:
        return None
    l, i = dead[-1][0] - 1, dead[-1][1] - 1
    layers = list(network.layers)
    rows = [list(row) for row in layers[l + 1].affine.flint_rows()]
    for row in rows:
        row[i] += 1
    layers[l + 1] = Layer(Matrix(rows), layers[l + 1].linear)
    return er.Network(tuple(layers))


def one_by_one(network: er.Network, place: Ends) -> list[Callable[[], Any]]:
    """That neurons have their sign, each a question about the first layers."""
    roles = er.roles(network, place, timeout=LIMIT)
    settled = [(l, i, "<=") for l, i in roles.dead] + [(l, i, ">=") for l, i in roles.linear]
    step = max(1, len(settled) // ONE_BY_ONE)

    def question(l: int, i: int, sense: str) -> Callable[[], Any]:
        part = network.truncate(1, l)
        return lambda: er.holds(part, place, f"y{i} {sense} 0", timeout=LIMIT)

    return [question(*one) for one in settled[::step][:ONE_BY_ONE]]


def signs_first(a: er.Network, b: er.Network, place: Ends) -> Any:
    """Equality of what is left of both."""
    domain = er.Domain.of(place, a.n_inputs)
    left, right = (portfolio.known(x, domain).reduced.network for x in (a, b))
    return er.equivalent(left, right, place, timeout=LIMIT)


def word(found: Any) -> str:
    return {True: "yes", False: "no", None: "undecided"}[found.answer]


def questions(network: er.Network, place: Ends) -> Iterator[Row]:
    """All rows of one network on one box."""
    time: dict[str, Any] = {"timeout": LIMIT}
    yield asked(
        "regions",
        [lambda: er.regions(network, place, **time)],
        lambda r: f"{r.n_regions:,}" if r.is_complete else f"at least {r.n_regions_at_least:,}",
    )
    yield asked("roles", [lambda: er.roles(network, place, **time)], lambda r: r.reason)
    parts = one_by_one(network, place)
    if not parts:
        return
    yield asked(f"holds, {len(parts)} neurons one by one", parts, word)
    yield asked(
        "simplify",
        [lambda: er.simplify(network, place, **time)],
        lambda r: "-".join(map(str, r.network.widths)),
    )
    other = twin(network, place)
    if other is None:
        return
    yield asked("equivalent, twin", [lambda: er.equivalent(network, other, place, **time)], word)
    yield asked(
        "the same, within 1/1000",
        [lambda: er.equivalent(network, other, place, within=Fraction(1, 1000), **time)],
        word,
    )
    yield asked(
        "difference, twin",
        [lambda: er.largest_difference(network, other, place, **time)],
        lambda r: f"{r.lower} … {r.upper}" if r.lower != r.upper else str(r.upper),
    )
    taken = network([(3 * low + 17 * high) / 20 for low, high in place])
    far = (taken[0] + 10, *taken[1:])
    yield asked("invert, taken", [lambda: er.invert(network, taken, place, **time)], word)
    yield asked("invert, not taken", [lambda: er.invert(network, far, place, **time)], word)
    yield asked("signs first, equivalent", [lambda: signs_first(network, other, place)], word)


def random_images(n: int = 784) -> tuple[er.Network, Ends]:
    """784-256-256-10 with random weights, and a box around an image with 80 % zeros."""
    rng = random.Random(1)

    def numbers(m: int, size: float) -> list[Fraction]:
        return [Fraction(round(rng.gauss(0, 1) * size * 2**16), 2**16) for _ in range(m)]

    widths = (n, 256, 256, 10)
    weights = [[numbers(m, m**-0.5) for _ in range(k)] for m, k in pairwise(widths)]
    net = er.from_arrays(weights, [numbers(k, 0.1) for k in widths[1:]])
    image = [Fraction(rng.randint(1, 255), 255) if rng.random() < 0.2 else 0 for _ in range(n)]
    return net, [(x - Fraction(1, 500), x + Fraction(1, 500)) for x in image]


def print_questions(name: str, network: er.Network, place: Ends) -> None:
    print(name)
    print_rows(questions(network, place))


def print_rows(rows: Iterator[Row]) -> None:
    print_table(
        ("question", "CPU", "answer", "decided", "accepted"),
        [
            (r.what, shown(r.seconds), r.found, f"{r.n_decided}/{r.n_parts}", r.n_accepted)
            for r in rows
        ],
    )
    print()


def print_acas(folder: Path) -> None:
    """All questions of ten networks on each box: how many are answered, and the longest time."""
    paths = sorted(folder.glob("?_?.onnx.gz"))
    paths = paths[:: max(1, len(paths) // N_ACAS)][:N_ACAS]
    networks = [er.load(path) for path in paths]
    for radius in RADII:
        found = [list(questions(net, box(net, radius))) for net in networks]
        print(f"{len(networks)} networks of ACAS Xu on boxes of radius {radius}")
        rows = []
        for same in zip(*found, strict=True):
            times = sorted(row.seconds for row in same)
            n = sum(row.n_parts for row in same)
            done, kept = sum(r.n_decided for r in same), sum(r.n_accepted for r in same)
            ends = (shown(times[len(times) // 2]), shown(times[-1]))
            what = "holds, neurons one by one" if "one by one" in same[0].what else same[0].what
            rows.append((what, *ends, f"{done}/{n}", kept))
        print_table(("question", "median CPU", "longest", "decided", "accepted"), rows)
        print()


def main(options: Sequence[str] = ()) -> None:
    """The networks of the repository, then those of a folder."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks knowledge")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="further networks")
    data = parser.parse_args(options).data
    net = er.load(ROOT / "cases" / "acasxu-1-1" / "network.nnet")
    print_questions("ACAS Xu 1-1 on [-1/10, 1/10]^5", net, box(net, Fraction(1, 10)))
    if data is not None:
        print_acas(data / "acasxu" / "nets")
        for name, radius in MODELS:
            net = er.load(data / "models" / name)
            print_questions(f"{name} on a box of radius {radius}", net, box(net, radius))
    print_questions("784-256-256-10 on a box of radius 1/500", *random_images())


if __name__ == "__main__":
    from benchmarks.__main__ import main as run

    sys.exit(run(["knowledge", *sys.argv[1:]]))
