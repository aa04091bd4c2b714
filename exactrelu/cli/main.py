"""``exactrelu COMMAND …``: parsing, output, errors and exit codes.

Exit codes: 0 yes or done, 1 no, 2 bad input or usage, 3 undecided, 70 an error of the program
itself, 130 interrupted.  An error is one line on stderr, never a traceback; one of the program
itself says where it happened, and which networks it was asked about, by their hashes.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from exactrelu.cli import (
    cells,
    documents,
    fibers,
    folds,
    injectivity,
    lemmas,
    linear,
    networks,
    pairs,
    queries,
)
from exactrelu.cli.command import BAD_INPUT, UNDECIDED, Ask, Command, Outcome, stopped
from exactrelu.errors import ExactReluError, Unanswered
from exactrelu.view.text import plain

#: In the order in which ``--help`` shows them.
COMMANDS: tuple[Command, ...] = (
    networks.info,
    networks.evaluate,
    queries.local,
    networks.convert,
    cells.regions,
    cells.complex,
    cells.honest,
    cells.cancellation_free,
    cells.generic,
    cells.transparent,
    folds.folds,
    pairs.isomorphic,
    pairs.equivalent,
    pairs.difference,
    folds.identifiable,
    injectivity.injective,
    cells.invert,
    injectivity.convolution,
    injectivity.injective_table,
    injectivity.stability,
    folds.theorem_class,
    folds.build,
    networks.canonical,
    networks.simplify,
    networks.shallow,
    fibers.fiber,
    queries.recover,
    linear.rank,
    linear.nnrank,
    linear.sigma,
    linear.spark,
    linear.polyhedron,
    linear.cone,
    linear.arrangement,
    documents.plot,
    documents.report,
    lemmas.lemmas,
    lemmas.refute,
    lemmas.conjecture,
    documents.certify,
    documents.check,
)

INTERNAL_ERROR, INTERRUPTED = 70, 130
_EPILOG = f"""\
exit codes: 0 yes or done, 1 no, 2 bad input or usage, 3 undecided,
  {INTERNAL_ERROR} an error of exactrelu itself, {INTERRUPTED} interrupted

example: exactrelu eval cases/xor/network.json --at 1,-1
"""

#: Options whose value may begin with a minus, which argparse takes for an option.
_NUMERIC_OPTIONS = ("--at", "--component", "--maximize", "--slice", "--value")

#: Arguments that name files to write.
_WRITTEN = ("certificate", "output")


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: error: {message} (see --help)", file=sys.stderr)
        sys.exit(BAD_INPUT)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    args = _parser().parse_args(_join_numeric_options(arguments))
    command: Command = args.command
    try:
        outcome = _run(command, args)
        wanted = getattr(args, "certificate", None)
        saved = _save_certificate(outcome, wanted)
        if wanted is not None and saved is None:
            outcome = replace(outcome, certified=())
        _print(outcome, saved, as_json=args.json)
    except ExactReluError as error:
        return _fail(command, str(error), BAD_INPUT)
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing to tell anybody.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return outcome.exit_code
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _fail(command, f"{place}{error.strerror or error}", BAD_INPUT)
    except KeyboardInterrupt:
        return _fail(command, "interrupted", INTERRUPTED)
    except MemoryError:
        return _fail(command, "out of memory: undecided", UNDECIDED)
    except Exception as error:
        return _fail(command, _report(error, args), INTERNAL_ERROR)
    return outcome.exit_code


def _run(command: Command, args: argparse.Namespace) -> Outcome:
    """What the command finds; undecided where the question cannot be answered as asked."""
    try:
        with Ask(args) as ask:
            outcome = command.run(ask)
            return replace(outcome, fields=plain(outcome.fields)) if args.json else outcome
    except Unanswered as missing:
        return replace(stopped(f"undecided: {missing}"), reason=str(missing))


def _fail(command: Command, message: str, code: int) -> int:
    line = " ".join(message.split())
    print(f"exactrelu {command.name}: error: {line}", file=sys.stderr)
    return code


def _report(error: Exception, args: argparse.Namespace) -> str:
    """What somebody who mends the program has to know."""
    from exactrelu import __version__

    *_, frame = traceback.extract_tb(error.__traceback__)
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    networks = ", ".join(_networks(args)) or "none"
    return (
        f"internal error, please report it: {type(error).__name__}: {error} ({place}, "
        f"exactrelu {__version__}); networks: {networks}"
    )


def _networks(args: argparse.Namespace) -> Iterator[str]:
    """The networks among the arguments, with their hashes."""
    from exactrelu.network.formats.load import load

    for name, value in vars(args).items():
        for path in value if isinstance(value, list) else [value]:
            if name in _WRITTEN or not isinstance(path, str) or not Path(path).is_file():
                continue
            try:
                yield f"{path} sha256 {load(path).sha256}"
            except Exception:
                # A file of another kind, or the very error: nothing more is known of it.
                continue


def _parser() -> _Parser:
    parser = _Parser(
        prog="exactrelu",
        description="Exact answers about ReLU networks, each with a certificate.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    for command in COMMANDS:
        sub = subparsers.add_parser(
            command.name,
            help=command.summary,
            description=command.summary,
            epilog=f"example: {command.example}",
        )
        command.add_arguments(sub)
        sub.add_argument("--json", action="store_true", help="print one JSON object")
        sub.set_defaults(command=command)
    return parser


class _Version(argparse.Action):
    def __call__(self, *_: object) -> NoReturn:
        from exactrelu import __version__

        print(f"exactrelu {__version__}")
        sys.exit(0)


def _join_numeric_options(arguments: Sequence[str]) -> list[str]:
    """``--at -1,2`` as ``--at=-1,2``."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] in _NUMERIC_OPTIONS:
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


def _save_certificate(outcome: Outcome, path: str | None) -> Path | None:
    if path is None:
        return None
    if outcome.certificate is None:
        undecided = outcome.verdict == "undecided"
        why = "the question is undecided" if undecided else "there is none for this answer"
        print(f"no certificate is written: {why}", file=sys.stderr)
        return None
    return outcome.certificate.save(path)


def _print(outcome: Outcome, saved: Path | None, *, as_json: bool) -> None:
    if as_json:
        verdict = {} if outcome.verdict is None else {"verdict": outcome.verdict}
        evidence = {
            "certificate": None if saved is None else str(saved),
            "certified": list(outcome.certified),
        }
        print(json.dumps({**verdict, "reason": outcome.reason, **evidence, **outcome.fields}))
    else:
        print(outcome.text)
        if outcome.computed:
            print(f"computed, not certified: {', '.join(outcome.computed)}")
        if saved is not None:
            print(f"certificate: {saved}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
