"""Thousands of calls in one process: what it holds afterwards, and what it held before.

``python -m tests.differential.growth CALLS [SECONDS [SEED]]`` asks the questions of
``tests/test_results.py`` about ever new networks, writes and reads files of all formats and checks
certificates, in turn.  After a tenth of the calls, for caches to fill, and at the end it says what
the process holds: memory, objects, open files, processes, threads, and temporary files.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import exactrelu as er
from exactrelu.memory import memory_in_use
from tests.budget import tries
from tests.differential.hunt import any_network, compare

#: What is written and read again.
FORMATS = (".json", ".json.gz", ".npz", ".onnx", ".nnet")


class Held(NamedTuple):
    """What a process holds."""

    memory: int
    objects: int
    files: int
    processes: int
    threads: int
    temporary: int


def held(folder: str) -> Held:
    """What this process holds now, without what nobody can reach."""
    gc.collect()
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return Held(
        memory_in_use(),
        len(gc.get_objects()),
        len(os.listdir("/proc/self/fd")),
        len(children),
        threading.active_count(),
        len(os.listdir(folder)),
    )


def _ask(k: int, folder: Path) -> None:
    """The questions about one network of the differential search."""
    compare(f"growth {k}")


def _write(k: int, folder: Path) -> None:
    """A network through a file of each format."""
    network = any_network(random.Random(k), [2, 3, 1], k % 4)
    path = folder / f"n{FORMATS[k % len(FORMATS)]}"
    try:
        er.save(network, path)
        assert er.load(path) == network
    except er.ExactReluError:
        # What the format cannot hold exactly.
        path.unlink(missing_ok=True)


def _refuse(k: int, folder: Path) -> None:
    """Bad input, of which nothing may be kept."""
    path = folder / "bad.json"
    path.write_text('{"format": "exactrelu-network/1", "layers": ' + "[" * (k % 50))
    for wrong in (lambda: er.load(path), lambda: er.regions(er.load("example:xor"), "box:1,0")):
        try:
            wrong()
        except er.InputError:
            continue
        raise AssertionError("bad input was taken")


def _stop(k: int, folder: Path) -> None:
    """Questions that are stopped, and those that draw."""
    network = any_network(random.Random(k), [2, 3, 2, 1], 0)
    er.regions(network, timeout=0)
    er.polyhedral_complex(network, max_faces=2)
    assert er.plot(network, "box:-1..1").cells
    assert er.statements
    er.refute("S003-lemma-1", timeout=0)


CALLS: tuple[Callable[[int, Path], None], ...] = (_ask, _write, _refuse, _stop)


def growth(calls: int, seconds: float | None, seed: int) -> tuple[Held, Held]:
    """What is held after a tenth of the calls, and after all that there was time for."""
    with tempfile.TemporaryDirectory() as name:
        tempfile.tempdir = name
        work = Path(name) / "work"
        work.mkdir()
        before: Held | None = None
        for k in tries(calls, seconds, "calls in one process"):
            CALLS[k % len(CALLS)](k + calls * seed, work)
            if k + 1 == calls // 10:
                before = held(name)
        after = held(name)
        tempfile.tempdir = None
    # In less than a tenth of the calls nothing can be seen to grow.
    return before or after, after


def main() -> None:
    """Say what is held, a line for each."""
    parser = argparse.ArgumentParser(description="Many calls in one process: does it grow?")
    parser.add_argument("calls", type=int)
    parser.add_argument("seconds", type=float, nargs="?")
    parser.add_argument("seed", type=int, nargs="?", default=0)
    given = parser.parse_args()
    before, after = growth(given.calls, given.seconds, given.seed)
    for name, one, other in zip(Held._fields, before, after, strict=True):
        print(f"{name} {one} {other}")


if __name__ == "__main__":
    main()
