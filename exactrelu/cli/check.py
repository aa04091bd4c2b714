"""``exactrelu check FILE…``: run the independent checker as a program of its own.

Its exit code is passed on: 0 only if every file is accepted, 1 if one is
rejected, 2 usage, 3 malformed, 4 incomplete or over a limit.
"""

from __future__ import annotations

import argparse
import json
import sys

from exactrelu.cli.command import BAD_INPUT, Command, Outcome
from exactrelu.errors import InputError

_WORD = {0: "yes", 1: "no"}
#: Limits that the checker takes as --max-…; it parses and explains them itself.
_LIMITS = ("bytes", "line", "lines", "depth", "marks", "bits", "fuel")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="certificate, gzipped or not")
    parser.add_argument(
        "--network",
        metavar="NET",
        action="append",
        default=[],
        help="refuse certificates of other networks; repeat it for claims about several",
    )
    parser.add_argument(
        "--expect", metavar="CLAIM", help="refuse another claim: a kind, or the whole sentence"
    )
    for limit in _LIMITS:
        parser.add_argument(
            f"--max-{limit}",
            metavar="N",
            help="a limit of the checker, as exactrelu-check --help explains",
        )


def _run(args: argparse.Namespace) -> Outcome:
    from exactrelu.certificates.checker import run_checker

    options = [f"--network={network}" for network in args.network]
    if args.expect is not None:
        options.append(f"--expect={args.expect}")
    for limit in _LIMITS:
        if (value := getattr(args, f"max_{limit}")) is not None:
            options.append(f"--max-{limit}={value}")
    finished = run_checker([*options, *(["--json"] if args.json else []), "--", *args.files])
    if not finished.stdout and finished.returncode == BAD_INPUT:
        raise InputError(finished.stderr.splitlines()[-1].removeprefix("exactrelu-check: "))
    sys.stderr.write(finished.stderr)
    word = _WORD.get(finished.returncode, "undecided")
    n = len(args.files)
    reason = {
        "yes": f"the independent checker accepts all of {n} certificate(s)",
        "no": "the independent checker rejects a certificate",
        "undecided": "the independent checker could not read or finish a certificate",
    }[word]
    fields = {"results": json.loads(finished.stdout)["results"]} if args.json else {}
    text = finished.stdout.rstrip("\n")
    return Outcome(
        text,
        reason,
        fields,
        verdict=word,
        exit_code=finished.returncode,
        certified=("results.claim",) if word == "yes" else (),
    )


CHECK = Command(
    "check",
    "re-validate certificates with the independent checker",
    "exactrelu check --network cases/xor/network.json xor-value.cert.jsonl",
    _add_arguments,
    _run,
)
