"""Check certificates of exactrelu, in exact integer arithmetic.

exit codes:
  0  ACCEPTED: a proof of its claim
  1  REJECTED: well-formed, but not a proof of its claim
  2  UNREADABLE: no file, or no permission; wrong usage
  3  MALFORMED: not an exactrelu-certificate/2 file
  4  INCOMPLETE: the file stops before its footer; LIMIT: over a resource limit
With several files it is the first of 2, 1, 3, 4 that occurs, else 0.

example: exactrelu-check --network xor.json --domain box:0,1 --expect regions xor.cert
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from . import __version__
from .check import Outcome, Question, check_file
from .file import Limits, Refused

_EXIT = {"ACCEPTED": 0, "REJECTED": 1, "UNREADABLE": 2, "MALFORMED": 3, "INCOMPLETE": 4, "LIMIT": 4}
_EXIT_ORDER = (2, 1, 3, 4, 0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the files named in the arguments; return the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if not options.files and not options.trust:
        parser.error("no FILE")
    try:
        if options.trust:
            return int(import_module(".options", __package__).print_trust(options.trust))
        return _run(options)
    except BrokenPipeError:
        # The reader of the lines went away: what is left unchecked is not accepted.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        print("exactrelu-check: interrupted", file=sys.stderr)
        return 130
    except Exception as error:
        print(f"exactrelu-check: internal error: {type(error).__name__}", file=sys.stderr)
    return 4


def _run(options: argparse.Namespace) -> int:
    try:
        networks, domain = _pins(options)
    except (OSError, ValueError, LookupError, TypeError, ArithmeticError, Refused) as error:
        why = error.why if isinstance(error, Refused) else str(error)
        print(f"exactrelu-check: {_printable(why)}", file=sys.stderr)
        return 2
    limits = Limits(*(getattr(options, f"max_{name}") for name in Limits._fields))
    question = Question(limits, networks, domain, options.expect, not options.no_theorems)
    outcomes = []
    for path in options.files:
        outcomes.append(check_file(path, question))
        if not options.json:
            stream = sys.stderr if outcomes[-1].verdict == "UNREADABLE" else sys.stdout
            print(_line(outcomes[-1]), file=stream, flush=True)
    exit_code = min((_EXIT[o.verdict] for o in outcomes), key=_EXIT_ORDER.index)
    if options.json:
        print(json.dumps({"exit": exit_code, "results": [o._asdict() for o in outcomes]}))
    return exit_code


def _pins(options: argparse.Namespace) -> tuple[Any, Any]:
    """Return what the user says that claims are about; the module is loaded if he does."""
    if not options.network and options.domain is None:
        return (), None
    pins = import_module(".options", __package__)
    networks = tuple(map(pins.load_network, options.network))
    return networks, pins.domain_of(options.domain) if options.domain is not None else None


def _line(outcome: Outcome) -> str:
    file = _printable(outcome.file)
    if outcome.verdict == "ACCEPTED":
        return f"ACCEPTED {outcome.claim} [{outcome.trusts}] ({file})"
    return f"{outcome.verdict} {file}: line {outcome.line}: {outcome.code}: {outcome.why}"


def _printable(text: str) -> str:
    """Return a text that cannot start a line of its own, whatever a file is called."""
    return text if text.isascii() and text.isprintable() else ascii(text)


def _positive(text: str) -> int:
    number = int(text)
    if number <= 0:
        raise ValueError("a limit is positive")
    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="exactrelu-check",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="certificate, gzipped or not")
    add("--network", action="append", default=[], metavar="FILE",
        help="refuse another network; repeat it for N1, N2, … in order")  # fmt: skip
    add("--domain", metavar="D", help="refuse another domain: R, orthant, box:lo..hi,…, or FILE")
    add("--expect", metavar="CLAIM", help="refuse another claim: a kind, or the whole sentence")
    add("--no-theorems", action="store_true", help="refuse methods that quote a theorem")
    add("--trust", metavar="KIND[:METHOD]", help="list the modules that a kind uses, and stop")
    add("--json", action="store_true", help="print one JSON object")
    add("--version", action="version", version=f"exactrelu-check {__version__}")
    for name, default in Limits._field_defaults.items():
        add(f"--max-{name}", type=_positive, default=default, metavar="N",
            help=f"limit on {name} (default {default})")  # fmt: skip
    return parser


if __name__ == "__main__":
    sys.exit(main())
