"""Graphs with skips, leaky units and max pools: reading public models, and regions by linear units.

The first table reads the public models (where they are beside the project) and evaluates each at a
point: CPU seconds, and how many times those of the prototype that the design was measured with.
Tiny YOLO takes half a minute: ``--all`` has it too.

The second table lists and proves the regions of small networks, once as they are lowered, with
linear units, and once with a pair of neurons s(z) − s(−z) in place of each linear unit.  The
function is the same; pairs bend where it does not, and two hyperplanes coincide where it does.
Weights are multiples of 1/64.
"""

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import TypeVar

import numpy as np

from benchmarks._timing import agree, print_table, shown
from exactrelu.exact.matrix import Matrix
from exactrelu.network.formats.load import load
from exactrelu.network.graph.forms import Forms
from exactrelu.network.graph.tensor import Tensor, matmul
from exactrelu.network.graph.windows import KernelWindow
from exactrelu.network.network import Layer, Network, widths_text
from exactrelu.questions.regions import regions

MODELS = Path(__file__).parents[2] / "shared" / "data" / "models"
#: Seconds of the prototype: to read and lower, and for a value.
PROTOTYPE = {
    "cersyve_double_integrator_finetune_inv.onnx": (0.02, 0.002),
    "mnist5x20_leaky.onnx.gz": (0.01, 0.01),
    "linearizenn_120_30.onnx.gz": (0.05, 0.10),
    "cnn_max_mnist3.onnx.gz": (0.05, 0.02),
    "collins_rul_20.onnx.gz": (0.07, 0.08),
    "resnet_3b2.onnx.gz": (0.5, 0.45),
    "tiny_yolo.onnx.gz": (22, 13),
}
LARGE = ("tiny_yolo.onnx.gz",)
SEEDS = (1, 2)

T = TypeVar("T")


def main(options: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks graphs")
    parser.add_argument("--all", action="store_true", help="large models too")
    print_models(parser.parse_args(options).all)
    print()
    print_regions()


def print_models(with_large: bool) -> None:
    if not MODELS.is_dir():
        print("the public models are not beside the project")
        return
    rows = []
    # The packages that read files are imported once.
    load(MODELS / next(iter(PROTOTYPE)))
    for name, (reading, value) in PROTOTYPE.items():
        if name in LARGE and not with_large:
            continue
        network, read = timed(lambda name=name: load(MODELS / name))
        point = [random.Random(name).randint(-8, 8) / 8 for _ in range(network.n_inputs)]
        _, evaluated = timed(lambda network=network, point=point: network(point))
        rows.append(
            (
                name.split(".")[0],
                short(widths_text(network)),
                f"{sum(layer.affine.n_entries for layer in network.layers):,}",
                network.n_linear_units,
                shown(read),
                f"{read / reading:.1f}",
                shown(evaluated),
                f"{evaluated / value:.1f}",
            )
        )
        sys.stdout.flush()
    print_table(
        ("model", "lowered to", "entries", "linear", "read", "×", "value", "×"),
        rows,
    )


def short(widths: str) -> str:
    return widths if len(widths) <= 40 else f"{widths[:24]}…{widths[-12:]}"


def timed(action: Callable[[], T]) -> tuple[T, float]:
    start = process_time()
    found = action()
    return found, process_time() - start


# --- Networks


def weights(rng: random.Random, *shape: int) -> np.ndarray:
    size = int(np.prod(shape))
    return (np.array([round(64 * rng.gauss(0, 1)) for _ in range(size)]) / 64).reshape(shape)


def dense(rng: random.Random, x: Tensor, n: int) -> Tensor:
    return matmul(weights(rng, n, x.size), x.reshape((x.size,))).add_constant(weights(rng, n))


def joined(parts: Sequence[Tensor]) -> Tensor:
    return parts[0].of(
        Forms.joined([part.forms for part in parts]), (sum(part.size for part in parts),)
    )


def leaky(rng: random.Random) -> Network:
    x = Tensor.variable((2,))
    for _ in range(2):
        x = dense(rng, x, 8).leaky(np.array(0.125))
    return dense(rng, x, 1).network("leaky 2-8-8-1")


def skips(rng: random.Random) -> Network:
    x = Tensor.variable((2,))
    first = dense(rng, x, 8).relu()
    second = dense(rng, first, 8).relu()
    return dense(rng, joined([second, first, x]), 1).network("skips 2-8-8-1")


def residual(rng: random.Random) -> Network:
    x = Tensor.variable((2,))
    stream = dense(rng, x, 3).shared()
    for _ in range(2):
        stream = stream.add(dense(rng, dense(rng, stream, 8).relu(), 3)).shared()
    return dense(rng, stream, 1).network("residual stream of 3, two blocks of 8")


def dense_connections(rng: random.Random) -> Network:
    parts = [Tensor.variable((2,))]
    for _ in range(3):
        parts.append(dense(rng, joined(parts), 5).relu())
    return dense(rng, joined(parts), 1).network("dense connections, three layers of 5")


def maxout(rng: random.Random) -> Network:
    x = Tensor.variable((2,))
    for n in (4, 2):
        windows = [list(range(4 * k, 4 * k + 4)) for k in range(n)]
        x = dense(rng, x, 4 * n).maxima(windows, (n,))
    return dense(rng, x, 1).network("maxout 2-4×4-2×4-1")


def pooled(rng: random.Random) -> Network:
    """On a plane of images."""
    x = Tensor.variable((1, 1, 4, 4))
    window = KernelWindow((3, 3), (1, 1), ((1, 1),) * 2, (1, 1))
    x = x.convolve(weights(rng, 1, 1, 3, 3), weights(rng, 1), window, 1)
    x = x.max_pool(KernelWindow((2, 2), (2, 2), ((0, 0),) * 2, (1, 1)))
    whole = dense(rng, dense(rng, x, 4).relu(), 1).network("")
    base, *directions = (weights(rng, 16).tolist() for _ in range(3))
    return whole.slice(base, directions).renamed("conv, max pool, dense, on a plane")


NETWORKS = (leaky, skips, residual, dense_connections, maxout, pooled)


def pairs(network: Network) -> Network:
    """The same function with s(z) − s(−z) in place of each linear unit z."""
    layers, before = [], [(i, 1) for i in range(network.n_inputs)]
    for layer in network.layers:
        rows, after = [], []
        for i, row in enumerate(layer.affine.rows()):
            read = [sign * row[j] for j, sign in before] + [row[-1]]
            rows.append(read)
            after.append((i, 1))
            if layer is not network.layers[-1] and layer.passes[i]:
                rows.append([-v for v in read])
                after.append((i, -1))
        layers.append(Layer(Matrix(rows, len(before) + 1)))
        before = after
    return Network(tuple(layers), network.name)


def print_regions() -> None:
    rows = []
    for make in NETWORKS:
        for seed in SEEDS:
            network = make(random.Random(seed))
            found = [measured(n) for n in (network, pairs(network))]
            (count, pieces, seconds, size), (count_2, pieces_2, seconds_2, size_2) = found
            agree(pieces, pieces_2, f"linear regions of {network.name}, and as pairs")
            rows.append(
                (
                    network.name,
                    widths_text(network),
                    pieces,
                    count,
                    shown(seconds),
                    f"{size / 1000:,.0f} kB",
                    count_2,
                    shown(seconds_2),
                    f"{size_2 / 1000:,.0f} kB",
                    f"{count_2 / count:.1f}",
                    f"{seconds_2 / seconds:.1f}",
                    f"{size_2 / size:.1f}",
                )
            )
    print_table(
        (
            *("network", "widths", "pieces", "regions", "proved in", "certificate"),
            *("by pairs", "proved in", "certificate", "× regions", "× time", "× bytes"),
        ),
        rows,
    )


def measured(network: Network) -> tuple[int, int, float, int]:
    """Regions, linear regions, seconds of listing and proving, bytes of the certificate."""

    def asked() -> tuple[int, int, int]:
        found = regions(network)
        return found.n_regions, found.n_linear_regions, len(found.certificate.to_bytes())

    (count, pieces, size), seconds = timed(asked)
    return count, pieces, seconds, size
