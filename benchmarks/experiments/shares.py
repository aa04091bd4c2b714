"""``python -m benchmarks.experiments.shares``: how often a function determines its network.

For each shape up to a dozen neurons, random networks are asked by ``er.identifiability.share``, and
a line of the table of ``docs/shares.md`` is printed when it is done.  Networks are those of the
seed; over ``--seconds-each`` one is undecided.
"""

from __future__ import annotations

import argparse

import exactrelu as er
from exactrelu.cli.command import positive_integer, positive_number
from exactrelu.cli.streams import prepare

#: One hidden layer; three-layer bottlenecks; other widths of two hidden layers; deeper ones.
SHAPES = [
    *((2, 4, 1), (2, 12, 1)),
    *((2, 2, 1, 1), (2, 2, 2, 1), (2, 2, 3, 1), (3, 3, 2, 1), (3, 3, 3, 1), (2, 1, 2, 1)),
    *((1, 2, 2, 1), (2, 3, 2, 1), (2, 3, 3, 1), (2, 3, 3, 2), (2, 4, 4, 1), (2, 6, 6, 1)),
    *((2, 2, 2, 2, 1), (2, 2, 2, 2, 2), (3, 2, 2, 2, 1), (2, 3, 3, 3, 1), (3, 3, 3, 3, 1)),
    *((2, 4, 4, 4, 1), (2, 2, 2, 2, 2, 1), (3, 3, 3, 3, 3, 1)),
]

HEAD = """\
| widths | hidden neurons | asked | yes | no | undecided | share, 95 % | exactly |
|---|---|---|---|---|---|---|---|"""


def widths_of(text: str) -> tuple[int, ...]:
    """The widths of a shape, 2,3,2,1."""
    return tuple(map(positive_integer, text.split(",")))


def main() -> None:
    prepare()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--count", type=positive_integer, default=200, help="networks of each shape"
    )
    parser.add_argument("--weights", choices=("normal", "uniform"), default="normal")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds-each", type=positive_number, default=20)
    parser.add_argument("--jobs", type=positive_integer, default=1)
    parser.add_argument(
        "shapes", nargs="*", type=widths_of, help="2,3,2,1 …; those of the table by default"
    )
    args = parser.parse_args()
    print(HEAD, flush=True)
    for widths in args.shapes or SHAPES:
        found = er.identifiability.share(
            widths,
            count=args.count,
            weights=args.weights,
            seed=args.seed,
            seconds_each=args.seconds_each,
            jobs=args.jobs,
        )
        print(line(found), flush=True)


def line(found: er.Result) -> str:
    """The row of a shape."""
    exactly = "" if found.volume is None else er.show(found.volume)
    cells = [
        "-".join(map(str, found.widths)),
        sum(found.widths[1:-1]),
        found.count,
        found.n_yes,
        found.n_no,
        found.n_undecided + found.n_unasked,
        f"{found.lower:.4f} to {found.upper:.4f}",
        exactly,
    ]
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
