"""Queries with many inputs: decided by signs of neurons, checked, compared with what is published.

``python -m benchmarks splits [--timeout S] [NAME…]``

The networks and queries are public ones, of VNN-COMP (where they are beside the project, with the
answers that αβ-CROWN published); a NAME is a part of that of a query.  *decide* is the whole way
from the files to the proof, *check* is the checker, in this process, reading included.  Seconds are
those of one core.
"""

import argparse
import csv
import sys
from collections.abc import Sequence
from io import BufferedReader, BytesIO
from pathlib import Path
from time import process_time
from typing import Any

from exactrelu_checker.check import Question, check_stream

from benchmarks._timing import print_table, shown
from exactrelu.cli.command import positive_number
from exactrelu.questions.properties.verify import verify

INSTANCES = Path(__file__).parents[2] / "shared" / "data" / "splits"
#: Networks whose convolutions are too large as dense matrices.
DENSE = ("cifar", "collins")


def main(options: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks splits")
    parser.add_argument("--timeout", metavar="S", type=positive_number, default=60.0)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a part of the name of a query")
    args = parser.parse_args(options)
    if not INSTANCES.is_dir():
        print("the instances are not beside the project")
        return
    rows, right = [], 0
    for one in instances(args.names):
        row, is_right = measured(one["network"], one["query"], one["answer"], args.timeout)
        print(*row, file=sys.stderr)
        rows.append(row)
        right += is_right
    header = ("network", "query", "published", "found", "leaves", "decide", "check", "", "bytes")
    print_table(header, rows)
    print(f"{right} of {len(rows)} as published")


def instances(names: Sequence[str]) -> list[dict[str, str]]:
    """The instances that are named, or all with networks that can be read soon."""
    with (INSTANCES / "expected.csv").open(encoding="utf-8") as file:
        listed = list(csv.DictReader(file))
    if names:
        return [one for one in listed if any(name in one["query"] for name in names)]
    return [one for one in listed if not one["network"].startswith(DENSE)]


def measured(
    network: str, query: str, published: str, timeout: float
) -> tuple[tuple[str, ...], bool]:
    """A row of the table, and whether the answer is the one that was published."""
    start = process_time()
    paths = [INSTANCES / f"{query}.vnnlib.gz", INSTANCES / f"{network}.onnx.gz"]
    found = verify(*paths, timeout=timeout)
    decide = process_time() - start
    data = b"" if found.certificate is None else found.certificate.to_bytes()
    start = process_time()
    verdict = checked(data) if data else ""
    check = shown(process_time() - start) if data else ""
    n_leaves = f"{found.n_boxes:,}"
    row = (network, query, published, found.result, n_leaves, shown(decide), check, verdict)
    return (*row, f"{len(data):,}"), found.result == published


def checked(data: bytes) -> str:
    stream: Any = BufferedReader(BytesIO(data))
    return check_stream("", stream, Question()).verdict
