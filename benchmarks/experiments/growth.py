"""``python -m benchmarks.experiments.growth``: time and memory as the number of regions grows.

Networks 3-w-w-w-1 with normal weights: all regions listed; proved in pieces by one process, by
two, and by two workers of a Dask cluster on this machine; the pieces and the manifest checked.
Each is measured in processes of its own: seconds on the clock, and the most memory that one of
them held.  The folders of one, two and the cluster are compared byte by byte.  ``--picture FILE``
draws it.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import resource
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

import exactrelu as er
from benchmarks._timing import print_table
from exactrelu.files import atomic_write
from exactrelu.view.plot import pyplot

WIDTHS = (8, 12, 16, 24, 32, 48)
SEED = 0
WAYS = ("list", "1 process", "2 processes", "Dask, 2 workers", "check", "check, 2 processes")


def network(width: int) -> er.Network:
    """3-w-w-w-1 with normal weights, as doubles."""
    rng, widths = np.random.default_rng(SEED), (3, width, width, width, 1)
    shapes = list(pairwise(widths))
    weights = [rng.standard_normal((m, n)) for n, m in shapes]
    return er.from_arrays(weights, [rng.standard_normal(m) for _, m in shapes])


def files(folder: Path) -> list[Path]:
    """The certificates of a folder, the manifest last."""
    return sorted(folder.glob("*.cert.jsonl.gz"))


def measured(way: str, width: int, folder: Path) -> dict[str, Any]:
    """One way, in this process and those that it starts."""
    net = network(width)
    start = perf_counter()
    if way == "list":
        found: dict[str, Any] = {"regions": er.regions(net, certify=False).n_regions}
    elif way.startswith("check"):
        options = ["--jobs", "2"] if "2" in way else []
        ledger = ["--ledger", str(folder) + f".ledger-{len(options)}"]
        program = [sys.executable, "-m", "exactrelu", "check", *options, *ledger]
        subprocess.run([*program, *map(str, files(folder))], check=True, capture_output=True)
        found = {}
    else:
        limits: dict[str, Any] = {"jobs": 2} if way.startswith("2") else {}
        if way.startswith("Dask"):
            from distributed import LocalCluster

            cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
            limits = {"cluster": cluster.scheduler_address}
            start = perf_counter()
        done = er.in_shards("regions", net, folder=folder, **limits)
        found = {"regions": done.numbers[0], "pieces": done.n_pieces}
    found["seconds"] = perf_counter() - start
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    found["megabytes"] = max(u.ru_maxrss for u in usage) / 1024
    return found


def in_a_process(way: str, width: int, folder: Path) -> dict[str, Any]:
    """The same in a process of its own."""
    program = [sys.executable, "-m", __spec__.name, "--one", way, str(width), str(folder)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    run = subprocess.run(program, check=True, stdout=subprocess.PIPE, env=environment)
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def rows_of(width: int, folder: Path) -> list[dict[str, Any]]:
    """All ways for one width."""
    place = {way: folder / f"{width}-{k}" for k, way in enumerate(WAYS)}
    rows: list[dict[str, Any]] = []
    for way in WAYS:
        where = place["1 process"] if way.startswith("check") else place[way]
        rows.append({"width": width, "way": way, **in_a_process(way, width, where)})
        rows[-1]["regions"] = rows[0]["regions"]
        print(rows[-1], file=sys.stderr, flush=True)
    contents = [{path.name: path.read_bytes() for path in files(place[way])} for way in WAYS[1:4]]
    rows[0]["same bytes"] = contents[0] == contents[1] == contents[2]
    rows[0]["bytes"] = sum(map(len, contents[0].values()))
    return rows


def draw(rows: list[dict[str, Any]], path: str) -> None:
    """Seconds and memory against the number of regions, both axes logarithmic."""
    figure, (left, right) = pyplot().subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for way in WAYS:
        own = [row for row in rows if row["way"] == way]
        x = [row["regions"] for row in own]
        left.plot(x, [row["seconds"] for row in own], marker="o", markersize=3, label=way)
        right.plot(x, [row["megabytes"] for row in own], marker="o", markersize=3, label=way)
    for axes, title in ((left, "seconds"), (right, "MB, the largest process")):
        axes.set(xscale="log", yscale="log", xlabel="regions", title=title)
        axes.grid(alpha=0.3)
    left.legend(fontsize=8)
    data = io.BytesIO()
    figure.savefig(data, format="svg", metadata={"Date": None})
    atomic_write(path, data.getvalue())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", nargs=3, metavar=("WAY", "WIDTH", "FOLDER"), help="measure one")
    parser.add_argument("--picture", metavar="FILE", help="draw an SVG")
    parser.add_argument("widths", nargs="*", type=int, default=WIDTHS)
    args = parser.parse_args()
    if args.one:
        way, width, folder = args.one
        print(json.dumps(measured(way, int(width), Path(folder))))
        return
    with TemporaryDirectory(prefix="exactrelu-") as folder:
        rows = [row for width in args.widths for row in rows_of(width, Path(folder))]
    header = ("width", "regions", "pieces", "way", "seconds", "µs a region", "MB", "bytes", "same")
    print_table(
        header,
        [
            (
                row["width"],
                row["regions"],
                row.get("pieces", ""),
                row["way"],
                f"{row['seconds']:.2f}",
                f"{1e6 * row['seconds'] / row['regions']:.0f}",
                f"{row['megabytes']:.0f}",
                row.get("bytes", ""),
                row.get("same bytes", ""),
            )
            for row in rows
        ],
    )
    if args.picture:
        draw(rows, args.picture)


if __name__ == "__main__":
    main()
