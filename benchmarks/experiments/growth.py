"""``python -m benchmarks.experiments.growth``: time and memory as the number of regions grows.

Networks 3-w-w-w-1 with normal weights: all regions listed; proved in pieces by one process, by
two, and by two workers of a Dask cluster on this machine; the pieces and the manifest checked.
Each is measured in processes of its own: seconds on the clock and of the processor (of a cluster
these are not known), and the most memory that one of them held.  The folders of one, two and the
cluster are compared byte by byte.  ``--picture FILE`` draws it.

``--some WIDTHS --seconds N`` proves and checks some pieces of a network that has too many for one
sitting: what a region costs there.
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
from exactrelu.cli.command import positive_integer, positive_number
from exactrelu.cli.streams import prepare
from exactrelu.files import atomic_write
from exactrelu.view.plot import pyplot

WIDTHS = (8, 12, 16, 24, 32, 48)
SEED = 0
WAYS = ("list", "1 process", "2 processes", "Dask, 2 workers", "check", "check, 2 processes")


def network(*widths: int) -> er.Network:
    """Normal weights, as doubles."""
    rng = np.random.default_rng(SEED)
    shapes = list(pairwise(widths))
    weights = [rng.standard_normal((m, n)) for n, m in shapes]
    return er.from_arrays(weights, [rng.standard_normal(m) for _, m in shapes])


def files(folder: Path) -> list[Path]:
    """The certificates of a folder, the manifest last."""
    return sorted(folder.glob("*.cert.jsonl.gz"))


def measured(way: str, width: int, folder: Path) -> dict[str, Any]:
    """One way, in this process and those that it starts."""
    net = network(3, width, width, width, 1)
    before, start = used()["processor"], perf_counter()
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
    found |= used()
    found["processor"] -= before
    if way.startswith("Dask"):
        del found["processor"]
    return found


def used() -> dict[str, float]:
    """Seconds of this process and those that it has started, and the memory of the largest."""
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {
        "processor": sum(u.ru_utime + u.ru_stime for u in usage),
        "megabytes": max(u.ru_maxrss for u in usage) / 1024,
    }


def widths_of(text: str) -> str:
    """The widths of a network, 5-30-30-1, as they are."""
    if min(map(positive_integer, text.split("-"))) and text.count("-") >= 2:
        return text
    raise argparse.ArgumentTypeError(f"found {text!r}, expected widths such as 5-30-30-1")


def some(widths: str, seconds: float, place: Path) -> None:
    """Pieces of a network, as many as are proved in some seconds, then checked."""
    net = network(*map(int, widths.split("-")))
    before = used()["processor"]
    done = er.in_shards("regions", net, folder=place / "out", timeout=seconds)
    proved = used()
    found = files(place / "out")
    program = [sys.executable, "-m", "exactrelu", "check", "--ledger", str(place / "ledger")]
    subprocess.run([*program, *map(str, found)], check=True, capture_output=True)
    (n,) = done.numbers
    cost = (proved["processor"] - before, used()["processor"] - proved["processor"])
    size = sum(path.stat().st_size for path in found)
    row = [widths, done.n_pieces, n, *(f"{1e6 * s / n:.0f}" for s in cost), f"{size / n:.1f}"]
    print_table(
        ("network", "pieces", "regions", "µs to prove", "µs to check", "bytes", "MB"),
        [[*row, f"{proved['megabytes']:.0f}"]],
    )


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
    """Seconds and memory against the number of regions, all axes logarithmic."""
    matplotlib = pyplot()
    data = io.BytesIO()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "exactrelu"})
        figure = matplotlib.figure.Figure(figsize=(11, 3.6), layout="constrained")
        panels = {
            "seconds": "seconds on the clock",
            "processor": "seconds of the processor",
            "megabytes": "MB, the largest process",
        }
        for axes, (name, title) in zip(figure.subplots(1, 3), panels.items(), strict=True):
            for way in WAYS:
                own = [row for row in rows if row["way"] == way and name in row]
                x = [row["regions"] for row in own]
                axes.plot(x, [row[name] for row in own], "o-", markersize=3, label=way)
            axes.set(xscale="log", yscale="log", xlabel="regions", title=title)
            axes.grid(alpha=0.3)
        figure.axes[0].legend(fontsize="small")
        figure.savefig(data, format="svg", metadata={"Date": None, "Creator": None})
    atomic_write(path, data.getvalue())


def main() -> None:
    prepare()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", nargs=3, metavar=("WAY", "WIDTH", "FOLDER"), help="measure one")
    parser.add_argument("--picture", metavar="FILE", help="draw an SVG")
    parser.add_argument(
        "--some", type=widths_of, metavar="WIDTHS", help="measure some pieces, of 5-30-30-1 for one"
    )
    parser.add_argument("--seconds", type=positive_number, default=120, help="for so long")
    parser.add_argument("widths", nargs="*", type=positive_integer, default=WIDTHS)
    args = parser.parse_args()
    if args.one:
        way, width, folder = args.one
        if way not in WAYS or not width.isdecimal():
            parser.error(f"--one {way} {width}: expected one of {', '.join(WAYS)}, and a width")
        print(json.dumps(measured(way, int(width), Path(folder))))
        return
    with TemporaryDirectory(prefix="exactrelu-") as folder:
        if args.some:
            some(args.some, args.seconds, Path(folder))
            return
        rows = [row for width in args.widths for row in rows_of(width, Path(folder))]
    header = (
        "width",
        "regions",
        "pieces",
        "way",
        "seconds",
        "processor",
        "µs",
        "MB",
        "bytes",
        "same",
    )
    print_table(
        header,
        [
            (
                row["width"],
                row["regions"],
                row.get("pieces", ""),
                row["way"],
                f"{row['seconds']:.2f}",
                f"{row['processor']:.2f}" if "processor" in row else "",
                f"{1e6 * row['processor'] / row['regions']:.0f}" if "processor" in row else "",
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
