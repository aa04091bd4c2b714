"""``make digits``: the tables of Sattelberg et al. for networks on handwritten digits.

Dense, wide and convolutional networks (with max and with average pooling), a residual network and
one of inception modules are trained on scikit-learn's 8 × 8 digits, their weights are rounded to
multiples of 2^-8 (which keeps exact numbers short; any floats would do), and from then on
everything is exact: the local maps of all training and test points, the classes with cluster
centres, the least-squares maps between networks.  Seeds are fixed, and one thread is used; times
are seconds of the processor.

``python -m benchmarks.experiments.digits --save DIR`` also writes the networks and the points.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import exactrelu as er
from benchmarks._timing import print_table
from exactrelu.cli.streams import prepare
from exactrelu.exact.scalar import to_float
from exactrelu.network.network import widths_text
from exactrelu.questions.local.places import Local

try:
    import torch
    from sklearn.datasets import load_digits
    from torch import nn
except ModuleNotFoundError as missing:
    sys.exit(f"digits: the package {missing.name!r} is not installed; make digits installs it")

N_TRAIN = 1200
EPOCHS = 60
CLUSTERS = (1, 4, 16, 64, 256)
GRID = 2.0**-8
#: Points of each kind that --save writes.
N_SAVED = 100


def convolutional(pool: Any) -> Any:
    return nn.Sequential(
        nn.Unflatten(1, (1, 8, 8)),
        nn.Conv2d(1, 4, 3, padding=1),
        nn.ReLU(),
        pool(2),
        nn.Conv2d(4, 8, 3, padding=1),
        nn.ReLU(),
        pool(2),
        nn.Flatten(),
        nn.Linear(32, 10),
    )


class Residual(nn.Module):
    """What two convolutions make of the values is added to them, twice."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(1, 4, 3, stride=2, padding=1)
        self.inner = nn.ModuleList(nn.Conv2d(4, 4, 3, padding=1) for _ in range(4))
        self.last = nn.Linear(64, 10)

    def forward(self, x: Any) -> Any:
        h = self.stem(x.view(-1, 1, 8, 8)).relu()
        for first, second in zip(self.inner[::2], self.inner[1::2], strict=True):
            h = (h + second(first(h).relu())).relu()
        return self.last(h.flatten(1))


class Inception(nn.Module):
    """Convolutions of several sizes and a mean side by side, twice."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(Branches(n) for n in (1, 8))
        self.last = nn.Linear(32, 10)

    def forward(self, x: Any) -> Any:
        h = x.view(-1, 1, 8, 8)
        for block in self.blocks:
            h = nn.functional.avg_pool2d(block(h), 2)
        return self.last(h.flatten(1))


class Branches(nn.Module):
    """One inception module, of 8 channels."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.one = nn.Conv2d(n, 2, 1)
        self.three = nn.Sequential(nn.Conv2d(n, 2, 1), nn.ReLU(), nn.Conv2d(2, 3, 3, padding=1))
        self.five = nn.Sequential(nn.Conv2d(n, 1, 1), nn.ReLU(), nn.Conv2d(1, 2, 5, padding=2))
        self.mean = nn.Sequential(nn.AvgPool2d(3, stride=1, padding=1), nn.Conv2d(n, 1, 1))

    def forward(self, x: Any) -> Any:
        return torch.cat([self.one(x), self.three(x), self.five(x), self.mean(x)], 1).relu()


MODELS = {
    "dense": lambda: nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10)),
    "wide": lambda: nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10)),
    "max-pool": lambda: convolutional(nn.MaxPool2d),
    "average-pool": lambda: convolutional(nn.AvgPool2d),
    "residual": Residual,
    "inception": Inception,
}


def digits() -> tuple[Any, Any]:
    """Pixels as multiples of 1/16 and labels, in a fixed random order."""
    data = load_digits()
    order = np.random.default_rng(0).permutation(len(data.target))
    return data.data[order] / 16, data.target[order]


def train(build: Any, points: Any, labels: Any, seed: int) -> Any:
    """A network with weights that are multiples of GRID."""
    torch.manual_seed(seed)
    model = build()
    x, y = torch.tensor(points, dtype=torch.float32), torch.tensor(labels)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=1e-4)
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(x)).split(64):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x[batch]), y[batch]).backward()
            optimizer.step()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_((parameter / GRID).round() * GRID)
    return model.eval()


def without_reshape(model: Any) -> Any:
    """The layers; exactrelu flattens inputs anyway, so that the shape is enough."""
    return model[1:] if _begins_with_reshape(model) else model


def _begins_with_reshape(model: Any) -> bool:
    return isinstance(model, nn.Sequential) and isinstance(model[0], nn.Unflatten)


def exact_network(model: Any, name: str) -> er.Network:
    """The network as a function of the 64 pixels."""
    shape = (1, 8, 8) if _begins_with_reshape(model) else (64,)
    return er.from_torch(without_reshape(model), shape, name=name)


def save_points(path: Path, points: Any, labels: Any) -> None:
    """Points and labels as decimals, which are exact for multiples of 1/16."""
    rows = zip(points.tolist(), labels, strict=False)
    path.write_text("".join(",".join([*map(repr, x), str(int(y))]) + "\n" for x, y in rows))


def regions_row(found: Local) -> list[object]:
    distances = sorted(
        to_float(place.boundary.linf.value)
        for place in found.places
        if place.boundary.linf is not None
    )
    return [
        widths_text(found.network),
        len(found.regions),
        found.n_sharing,
        found.n_on_boundary,
        f"{distances[len(distances) // 2]:.2g}",
    ]


def main() -> None:
    prepare()
    parser = argparse.ArgumentParser()
    parser.add_argument("--save", type=Path, help="folder for the networks and the points")
    folder = parser.parse_args().save
    torch.set_num_threads(1)
    start = process_time()
    points, labels = digits()
    sample, held_out = points[:N_TRAIN], points[N_TRAIN:]
    truth = [int(label) for label in labels[N_TRAIN:]]
    networks = {}
    for seed, (name, build) in enumerate(MODELS.items()):
        model = train(build, sample, labels[:N_TRAIN], seed)
        networks[name] = exact_network(model, name)
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            if isinstance(model, nn.Sequential):
                torch.save(without_reshape(model), folder / f"{name}.pt")
            else:
                er.save(networks[name], folder / f"{name}.json.gz")
    if folder is not None:
        save_points(folder / "train.csv", sample[:N_SAVED], labels)
        save_points(folder / "test.csv", held_out[:N_SAVED], truth)
    print(f"{N_TRAIN} training points, {len(truth)} test points; trained ", end="")
    print(f"in {process_time() - start:.0f} s")

    known = {name: er.local(network, sample) for name, network in networks.items()}
    test = {name: er.local(network, held_out) for name, network in networks.items()}
    print("\nregions of the training points")
    print_table(
        ["network", "widths", "regions", "shared by", "on a boundary", "median ℓ∞ distance"],
        [[name, *regions_row(found)] for name, found in known.items()],
    )
    print(f"({process_time() - start:.0f} s)")

    rows: list[list[object]] = [
        ["original", *(er.n_correct(er.network_classes(found), truth) for found in test.values())]
    ]
    for k in CLUSTERS:
        counts = [
            er.n_correct(er.clustered_classes(known[name], test[name], k), truth)
            for name in networks
        ]
        rows.append([k, *counts])
    print(f"\ntest points that are right, of {len(truth)}, by clusters for each output")
    print_table(["clusters", *networks], rows)
    print(f"({process_time() - start:.0f} s)")

    rows = []
    for source in networks:
        row: list[object] = [source]
        for target in networks:
            if source == target:
                classes = er.network_classes(test[source])
            else:
                maps = er.maps_between(known[source], known[target])
                classes = er.mapped_classes(maps, test[source])
            row.append(er.n_correct(classes, truth))
        rows.append(row)
    print(f"\ntest points that are right, of {len(truth)}, after mapping (row: from, column: to)")
    print_table(["from", *networks], rows)
    print(f"({process_time() - start:.0f} s)")


if __name__ == "__main__":
    main()
