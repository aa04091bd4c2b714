"""``exactrelu injective-table N``: how many random layers with N inputs are injective?"""

from __future__ import annotations

import argparse

from exactrelu.cli.command import Command, Outcome, add_limits


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", metavar="N", type=int, help="the number of inputs")
    parser.add_argument("--rows", metavar="m1,m2,…", help="numbers of rows (default: 2N to 6N)")
    parser.add_argument("--samples", metavar="K", type=int, default=50, help="layers of each")
    parser.add_argument("--seed", metavar="S", type=int, default=0)
    add_limits(parser)


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.cli.progress import counting
    from exactrelu.errors import InputError
    from exactrelu.questions.injectivity.construction import injective_fractions

    n = args.inputs
    try:
        rows = (
            list(range(2 * n, 6 * n + 1, n))
            if args.rows is None
            else [int(part) for part in args.rows.split(",")]
        )
    except ValueError:
        raise InputError(f"--rows {args.rows}: expected integers m1,m2,…") from None
    if n < 1 or args.samples < 1 or min(rows) < 1:
        raise InputError("inputs, rows and samples must be positive")
    with counting("layers") as progress:
        table = injective_fractions(
            n, rows, args.samples, args.seed, timeout=args.timeout, progress=progress
        )
    lines = ["  m    m/n   injective  not  undecided"]
    lines += [
        f"{row.m:3}  {row.m / row.n:5.2f}  {row.n_injective:10}  {row.n_not:3}  {row.n_undecided:9}"
        for row in table
    ]
    reason = f"{args.samples} random layers of {n} inputs for each number of rows"
    fields = {
        "table": [
            {
                "rows": row.m,
                "injective": row.n_injective,
                "not": row.n_not,
                "undecided": row.n_undecided,
            }
            for row in table
        ]
    }
    return Outcome("\n".join(lines), reason, fields, computed=("these numbers",))


INJECTIVE_TABLE = Command(
    "injective-table",
    "how many random layers are one-to-one, for several numbers of rows",
    "exactrelu injective-table 2 --samples 100",
    _add_arguments,
    _run,
)
