"""Check certificates of exactrelu, in exact integer arithmetic.

exit codes:
  0  ACCEPTED: a proof of its claim
  1  REJECTED: well-formed, but not a proof of its claim; by a manifest also missing,
     changed, weaker, vacuous or unlisted
  2  UNREADABLE: no file, or no permission; wrong usage; a wrong manifest; UNSUPPORTED: a
     kind or method that --verified does not know
  3  MALFORMED: not an exactrelu-certificate/2 file
  4  INCOMPLETE: the file stops before its footer, or has shards that are not in the ledger;
     LIMIT: over a resource limit
 70  no verdict: the checker itself failed, or could not write; 130 interrupted
With several files it is the first of 2, 1, 3, 4 that occurs, else 0.

--ledger L believes the lines of L, your own file: what was accepted before, by this version
of the checker. It adds a line for each file that is accepted, and does not check again what
has one. A file by shards is accepted if all its pieces are in L: name it after them. A
FOLDER of --shards is checked in one call, the pieces and then the whole, and needs no
ledger.

examples: exactrelu-check --manifest certificates.toml --format github
  exactrelu-check --network xor.json --domain box:0,1 --expect regions xor.cert
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.util import find_spec
from runpy import run_path
from typing import Any

if not __package__:
    # By its path this file is what its folder is: the program.
    run_path(os.path.dirname(os.path.abspath(__file__)), run_name="__main__")

from .check import Outcome, Question
from .file import Limits, Refused

_EXIT = {
    "ACCEPTED": 0,
    "REJECTED": 1,
    "UNREADABLE": 2,
    "UNSUPPORTED": 2,
    "MALFORMED": 3,
    "INCOMPLETE": 4,
    "LIMIT": 4,
}


def main(arguments: list[str] | None = None) -> int:
    """Check the files named in the arguments; return the exit code."""
    parser = import_module(".options", __package__).parser(str(__doc__))
    options = parser.parse_args(arguments)
    if not (options.files or options.manifest or options.trust):
        parser.error("no FILE")
    return _run(options)


def _run(options: argparse.Namespace) -> int:
    limits = Limits(*(getattr(options, f"max_{name}") for name in Limits._fields))
    try:
        mine = import_module(".options", __package__)
        limits = mine.bounded(limits)
        if options.trust:
            return int(mine.print_trust(options.trust))
        found, say = _asked(options, limits, mine)
    except (OSError, ValueError, LookupError, TypeError, ArithmeticError, Refused) as error:
        why = error.why if isinstance(error, Refused) else str(error)
        print(f"exactrelu-check: {printable(why)}", file=sys.stderr)
        return 2
    pinned = any((options.manifest, options.network, options.domain, options.expect))
    outcomes = []
    for outcome in found:
        outcomes.append(outcome)
        if options.format != "json":
            aside = outcome.verdict == "UNREADABLE" and options.format != "github"
            file = sys.stderr if aside else sys.stdout
            print(say(outcome, pinned), file=file, flush=True)
    exit_code = min((_EXIT[o.verdict] for o in outcomes), key=(2, 1, 3, 4, 0).index)
    if options.format == "json":
        print(json.dumps({"exit": exit_code, "results": [o._asdict() for o in outcomes]}))
    return exit_code


def _asked(
    options: argparse.Namespace, limits: Limits, mine: Any
) -> tuple[Iterable[Outcome], Callable[[Outcome, bool], str]]:
    """Return the verdicts on all files, and how each is said; wrong options are errors."""
    mine.require_apart(options)
    networks = tuple(mine.load_network(path, limits.line) for path in options.network)
    domain = mine.domain_of(options.domain, limits.line) if options.domain else None
    ledger = map(mine.ledger_of, options.ledger)
    question = Question(limits, networks, domain, options.expect, *ledger)
    found = (outcome for path in options.files for outcome in mine.checked(path, question))
    say = line_of
    for_ci = options.manifest or options.summary or options.verified
    if for_ci or options.format == "github":
        if not find_spec("exactrelu_ci"):
            raise ValueError("this needs the folder exactrelu_ci beside exactrelu_checker")
        found, say = import_module("exactrelu_ci.job").job(options, question, found)
    if options.format == "statement":
        say = import_module(".statement", __package__).sayer(limits)
    return found, say


def line_of(outcome: Outcome, pinned: bool) -> str:
    """Return the line that says what came of a file, and whether anybody said what it must
    be.
    """
    file = printable(outcome.file)
    if outcome.verdict == "ACCEPTED":
        trusts = outcome.trusts if pinned else f"{outcome.trusts}; unpinned"
        return f"ACCEPTED {outcome.claim} [{trusts}] ({file})"
    where = f"line {outcome.line}: " if outcome.line else ""
    return f"{outcome.verdict} {file}: {where}{outcome.code}: {outcome.why}"


def printable(text: str) -> str:
    """Return a text that cannot start a line of its own, whatever a file is called."""
    return text if text.isascii() and text.isprintable() else ascii(text)
