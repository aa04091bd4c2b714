"""Check certificates of exactrelu, in exact integer arithmetic.

exit codes:
  0  ACCEPTED: a proof of its claim
  1  REJECTED: well-formed, but not a proof of its claim; by a manifest also missing, changed,
     weaker, vacuous or unlisted
  2  UNREADABLE: no file, or no permission; wrong usage; a wrong manifest
  3  MALFORMED: not an exactrelu-certificate/2 file
  4  INCOMPLETE: the file stops before its footer, or has shards that are not in the ledger;
     LIMIT: over a resource limit
With several files it is the first of 2, 1, 3, 4 that occurs, else 0.

--ledger L believes the lines of L, your own file: what was accepted before, by this version of the
checker. It adds a line for each file that is accepted, and does not check again what has one. A
file by shards is accepted if all its pieces are in L: name it after them.

examples: exactrelu-check --manifest certificates.toml --format github
  exactrelu-check --network xor.json --domain box:0,1 --expect regions xor.cert
"""

import argparse
import json
import os
import sys
from importlib import import_module
from importlib.util import find_spec

from . import __version__
from .check import Outcome, Question, check_file
from .file import Limits, Refused

_EXIT = {"ACCEPTED": 0, "REJECTED": 1, "UNREADABLE": 2, "MALFORMED": 3, "INCOMPLETE": 4, "LIMIT": 4}


def main(arguments: list[str] | None = None) -> int:
    """Check the files named in the arguments; return the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if not (options.files or options.manifest or options.trust):
        parser.error("no FILE")
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
    return 4


def _run(options: argparse.Namespace) -> int:
    limits = Limits(*(getattr(options, f"max_{name}") for name in Limits._fields))
    try:
        mine = import_module(".options", __package__)
        if options.trust:
            return int(mine.print_trust(options.trust))
        networks = tuple(map(mine.load_network, options.network))
        domain = mine.domain_of(options.domain) if options.domain is not None else None
        ledger = map(mine.ledger_of, options.ledger)
        question = Question(limits, networks, domain, options.expect, *ledger)
        pinned = bool(options.manifest or networks or domain or options.expect)
        found, say = (check_file(path, question) for path in options.files), line_of
        if options.manifest or options.summary or options.format == "github":
            if not find_spec("exactrelu_ci"):
                raise ValueError("this needs the folder exactrelu_ci beside exactrelu_checker")
            found, say = import_module("exactrelu_ci.job").job(options, question, found)
    except (OSError, ValueError, LookupError, TypeError, ArithmeticError, Refused) as error:
        why = error.why if isinstance(error, Refused) else str(error)
        print(f"exactrelu-check: {printable(why)}", file=sys.stderr)
        return 2
    outcomes = []
    for outcome in found:
        outcomes.append(outcome)
        if options.format != "json":
            stream = sys.stderr if outcome.verdict == "UNREADABLE" else sys.stdout
            print(say(outcome, pinned), file=stream, flush=True)
    exit_code = min((_EXIT[o.verdict] for o in outcomes), key=(2, 1, 3, 4, 0).index)
    if options.format == "json":
        print(json.dumps({"exit": exit_code, "results": [o._asdict() for o in outcomes]}))
    return exit_code


def line_of(outcome: Outcome, pinned: bool) -> str:
    """Return the line that says what came of a file, and whether anybody said what it must be."""
    file = printable(outcome.file)
    if outcome.verdict == "ACCEPTED":
        trusts = outcome.trusts if pinned else f"{outcome.trusts}; unpinned"
        return f"ACCEPTED {outcome.claim} [{trusts}] ({file})"
    where = f"line {outcome.line}: " if outcome.line else ""
    return f"{outcome.verdict} {file}: {where}{outcome.code}: {outcome.why}"


def printable(text: str) -> str:
    """Return a text that cannot start a line of its own, whatever a file is called."""
    return text if text.isascii() and text.isprintable() else ascii(text)


def _positive(text: str) -> int:
    if (number := int(text)) <= 0:
        raise ValueError("a limit is positive")
    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("exactrelu-check", description=__doc__, allow_abbrev=False)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add = parser.add_argument
    add("files", nargs="*", metavar="FILE", help="certificate, gzipped or not")
    add("--manifest", metavar="FILE", help="check what a list certificates.toml names and pins")
    add("--network", action="append", default=[], metavar="F", help="refuse another; again for N2")
    add("--domain", metavar="D", help="refuse another domain: R, orthant, box:lo..hi,…, or FILE")
    add("--expect", metavar="CLAIM", help="refuse another claim: KIND, not KIND, or the sentence")
    add("--ledger", nargs=1, default=[], metavar="L", help="your record of what was accepted")
    add("--no-theorems", action="store_true", help="refuse what quotes a theorem: nothing does")
    add("--trust", metavar="KIND[:METHOD]", help="list the modules that a kind uses, and stop")
    add("--format", choices=("text", "json", "github"), help="lines, one object, or annotations")
    add("--json", action="store_const", dest="format", const="json", help="--format json")
    add("--summary", metavar="FILE.md", help="add a table in Markdown to a file")
    add("--version", action="version", version=f"exactrelu-check {__version__}")
    for name, most in Limits._field_defaults.items():
        add(f"--max-{name}", type=_positive, default=most, metavar="N", help=f"default {most}")
    return parser
