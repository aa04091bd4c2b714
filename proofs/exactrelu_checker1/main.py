"""The program ``exactrelu-check``: arguments, one line for each file, exit code."""

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import fields

from .budget import Limits
from .checking import Outcome, Question, check_file, full_sentence
from .user_network import UserNetworkError, load_network
from .verdicts import Verdict

_EXIT_ORDER = (2, 1, 3, 4, 0)
_VERDICTS = "\n".join(
    f"  {verdict.exit_code}  {verdict.name}: {verdict.meaning}" for verdict in Verdict
)
_EPILOG = f"""\
exit codes:
{_VERDICTS}
Wrong usage is 2. With several files it is the first of 2, 1, 3, 4 that occurs, else 0.

example: exactrelu-check --network xor.json --expect value xor-value.cert.jsonl.gz
"""
_LIMIT_HELP = (
    ("bytes", "bytes of a file after decompression"),
    ("line", "bytes of a line"),
    ("lines", "lines of a file"),
    ("depth", "nesting of brackets"),
    ("marks", "brackets, commas and quotes of a line"),
    ("bits", "bits of an integer"),
    ("fuel", "units of work, about one multiplication of short integers each"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the files named in the arguments; return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except BrokenPipeError:
        # The reader of the lines went away: what is left unchecked is not accepted.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        print("exactrelu-check: interrupted", file=sys.stderr)
        return 130
    except Exception as error:
        print(f"exactrelu-check: internal error: {type(error).__name__}", file=sys.stderr)
    return Verdict.LIMIT.exit_code


def _run(options: argparse.Namespace) -> int:
    """Check the files, a line for each."""
    try:
        networks = tuple(load_network(path) for path in options.network)
    except UserNetworkError as error:
        print(f"exactrelu-check: {_printable(str(error))}", file=sys.stderr)
        return 2
    limits = Limits(*(getattr(options, f"max_{field.name}") for field in fields(Limits)))
    question = Question(limits, networks, options.expect)
    outcomes = []
    for path in options.files:
        outcome = check_file(path, question)
        outcomes.append(outcome)
        if not options.json:
            stream = sys.stderr if outcome.verdict is Verdict.UNREADABLE else sys.stdout
            print(_line(outcome), file=stream, flush=True)
    exit_code = _worst(outcome.verdict.exit_code for outcome in outcomes)
    if options.json:
        print(json.dumps({"exit": exit_code, "results": [_as_json(o) for o in outcomes]}))
    return exit_code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="exactrelu-check",
        description="Check certificates of exactrelu, in exact integer arithmetic.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="certificate, gzipped or not")
    parser.add_argument(
        "--network",
        action="append",
        default=[],
        metavar="FILE",
        help="refuse certificates of other networks; repeat it for claims about several",
    )
    parser.add_argument(
        "--expect",
        metavar="CLAIM",
        help="refuse another claim: a kind, or the sentence with or without its hashes",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    for name, what in _LIMIT_HELP:
        default = getattr(Limits, name)
        parser.add_argument(
            f"--max-{name}",
            type=_positive,
            default=default,
            metavar="N",
            help=f"limit on the {what} (default {default})",
        )
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number <= 0:
        raise ValueError("a limit is positive")
    return number


def _worst(exit_codes: Iterable[int]) -> int:
    return min(exit_codes, key=_EXIT_ORDER.index)


def _line(outcome: Outcome) -> str:
    file = _printable(outcome.file)
    if outcome.verdict is Verdict.ACCEPTED:
        return f"ACCEPTED {full_sentence(outcome.sentence, outcome.subjects)} ({file})"
    return f"{outcome.verdict.name} {file}: {outcome.where}: {outcome.code}: {outcome.why}"


def _as_json(outcome: Outcome) -> dict[str, object]:
    result: dict[str, object] = {"file": outcome.file, "verdict": outcome.verdict.name}
    if outcome.verdict is Verdict.ACCEPTED:
        hashes = {subject.name: subject.sha256 for subject in outcome.subjects}
        return result | {"kind": outcome.kind, "claim": outcome.sentence, "sha256": hashes}
    return result | {"where": outcome.where, "code": outcome.code, "why": outcome.why}


def _printable(text: str) -> str:
    """Return a text that cannot start a line of its own, whatever a file is called."""
    return text if text.isascii() and text.isprintable() else ascii(text)


if __name__ == "__main__":
    sys.exit(main())
