"""``python -m benchmarks.experiments.million``: a million regions proved, killed half-way, resumed.

The network is 3-64-64-64-1 with normal weights.  Its regions are counted one by one, none of them
kept; then, by the command line, proved in pieces by two processes, which are killed (SIGKILL) once
half of the regions are proved, and resumed; the pieces and the manifest checked.  With ``--again``
they are proved by two workers of a Dask cluster and by one process, too, and the files compared
byte by byte.  Seconds are on the clock, the memory is that of all processes at a time: the program
with its workers, or the scheduler with its own.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

import exactrelu as er
from benchmarks._timing import agree, print_table
from benchmarks.experiments.growth import files, network
from exactrelu.cli.command import positive_integer
from exactrelu.cli.streams import prepare
from exactrelu.work.worker import memory_of

PROGRAM = (sys.executable, "-m", "exactrelu")
COUNT = (
    "import exactrelu as er, sys\nprint(sum(1 for _ in er.iter_regions(er.load(sys.argv[1]))))\n"
)
SCHEDULER = (
    "import distributed, sys\n"
    "with distributed.LocalCluster(\n"
    "        n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:\n"
    "    print(cluster.scheduler_address, flush=True)\n"
    "    sys.stdin.read()\n"
)
INTERVAL = 0.25


class Run:
    """A program until its end, or until it is killed: what it says, the time, the most memory."""

    def __init__(
        self,
        *command: object,
        also: int | None = None,
        until: Callable[[], bool] = lambda: False,
    ) -> None:
        """``also`` is a process whose memory counts too."""
        self.bytes = 0
        start = time.perf_counter()
        with TemporaryFile("w+") as said:
            program = subprocess.Popen([*map(str, command)], stdout=said)
            members = [program.pid, *([] if also is None else [also])]
            while program.poll() is None:
                self.bytes = max(self.bytes, sum(map(memory_of, members)))
                if until():
                    program.send_signal(signal.SIGKILL)
                    program.wait()
                time.sleep(INTERVAL)
            said.seek(0)
            self.said = said.read()
        self.seconds = time.perf_counter() - start
        if program.returncode not in (0, -signal.SIGKILL):
            raise SystemExit(f"exit code {program.returncode}")


def proved(folder: Path) -> int:
    """How many regions the journal of a folder has."""
    path = folder / "journal.jsonl"
    lines = path.read_text().split("\n")[1:-1] if path.exists() else []
    return sum(sum(json.loads(line).get("numbers", ())) for line in lines)


def content(folder: Path) -> dict[str, bytes]:
    """The files that must not depend on who has written them."""
    return {path.name: path.read_bytes() for path in files(folder)}


def main() -> None:
    prepare()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--width", type=positive_integer, default=64)
    parser.add_argument("--again", action="store_true", help="by a cluster and by one process too")
    args = parser.parse_args()
    with TemporaryDirectory(prefix="exactrelu-") as place:
        rows = shown(args.width, Path(place), again=args.again)
    print_table(("what", "seconds", "MB", "regions"), rows)


def shown(width: int, place: Path, *, again: bool) -> list[list[Any]]:
    """The rows of the table."""
    rows: list[list[Any]] = []

    def note(what: str, run: Run, n: int) -> None:
        rows.append([what, f"{run.seconds:.0f}", f"{run.bytes / 2**20:.0f}", f"{n:,}"])
        print(*rows[-1], file=sys.stderr, flush=True)

    path, out, ledger = place / "net.json", place / "out", place / "ledger"
    er.save(network(3, width, width, width, 1), path)
    run = Run(sys.executable, "-c", COUNT, path)
    n = int(run.said)
    note("counted one by one", run, n)
    command = (*PROGRAM, "regions", path, "--shards")
    run = Run(*command, out, "--jobs", 2, until=lambda: 2 * proved(out) >= n)
    note("2 processes, killed on the way", run, proved(out))
    run = Run(*command, out, "--jobs", 2, "--resume")
    agree(run.said.split(" activation regions, proved")[0], f"{n:,}", "regions, resumed")
    note("resumed", run, n)
    pieces = files(out)
    run = Run(*PROGRAM, "check", "--jobs", 2, "--ledger", ledger, *pieces)
    note(f"checked by 2 processes: {len(pieces) - 1:,} pieces and the manifest", run, n)
    print(f"{sum(map(len, content(out).values())):,} bytes", file=sys.stderr)
    if again:
        ends = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with subprocess.Popen([sys.executable, "-c", SCHEDULER], **ends) as cluster:
            address = cluster.stdout.readline().decode().strip()
            other = place / "cluster"
            run = Run(*command, other, "--cluster", address, also=cluster.pid)
            cluster.stdin.close()
        agree(content(other), content(out), "files, by a cluster")
        note("Dask, 2 workers: the same bytes", run, n)
        run = Run(*command, place / "one")
        agree(content(place / "one"), content(out), "files, by one process")
        note("1 process: the same bytes", run, n)
    return rows


if __name__ == "__main__":
    main()
