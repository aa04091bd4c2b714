"""``exactrelu COMMAND …``: parsing, output, errors and exit codes.

Exit codes: 0 yes or done, 1 no, 2 bad input or usage, 3 undecided, 70 an error of the program
itself, 130 interrupted.  An error is one line on stderr, never a traceback; one of the program
itself says where it happened, and which networks it was asked about, by their hashes.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from exactrelu.cli import (
    architectures,
    cells,
    documents,
    fibers,
    folds,
    injectivity,
    lemmas,
    linear,
    networks,
    pairs,
    pins,
    properties,
    queries,
    reading,
)
from exactrelu.cli.command import EVERYWHERE, Ask, Command
from exactrelu.cli.given import marks, one_line, outputs, require_sense
from exactrelu.cli.names import SHELLS, completion, meant, nearest, nearest_command
from exactrelu.cli.outcome import BAD_INPUT, UNDECIDED, YES, Outcome, stopped
from exactrelu.cli.shown import Printed, sent, shown
from exactrelu.cli.streams import write
from exactrelu.display import plain
from exactrelu.effort import STOPPED
from exactrelu.errors import CheckerFailed, ExactReluError, ProgramError, Unanswered
from exactrelu.files import kind_named
from exactrelu.memory import default_memory
from exactrelu.work.worker import Ended, Reporter, WorkerBounds, forked, working

#: In the order in which ``--help`` shows them.
COMMANDS: tuple[Command, ...] = (
    reading.info,
    networks.evaluate,
    queries.local,
    reading.convert,
    cells.regions,
    cells.complex,
    cells.honest,
    cells.cancellation_free,
    cells.generic,
    cells.transparent,
    cells.roles,
    folds.folds,
    pairs.isomorphic,
    pairs.equivalent,
    pairs.difference,
    properties.verify,
    properties.holds,
    properties.robust,
    properties.judge,
    properties.real_query,
    properties.supports,
    folds.identifiable,
    injectivity.injective,
    cells.invert,
    injectivity.convolution,
    injectivity.injective_table,
    injectivity.stability,
    folds.theorem_class,
    architectures.build,
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
    pins.pin,
)

INTERNAL_ERROR, INTERRUPTED = 70, 130
#: A variable of the environment for those who mend the program.
_TRACEBACK = "EXACTRELU_TRACEBACK"
_EPILOG = f"""\
exit codes: 0 yes or done, 1 no, 2 bad input or usage, 3 undecided,
  {INTERNAL_ERROR} an error of exactrelu itself ({_TRACEBACK}=1 shows the traceback),
  {INTERRUPTED} interrupted

example: exactrelu eval example:xor --at 1,-1
"""

#: Options whose value may begin with a minus, which argparse takes for an option.
_NUMERIC_OPTIONS = ("--at", "--component", "--maximize", "--slice", "--value")
#: Those whose value is a point, which people also write with spaces.
_POINTS = ("--at=", "--maximize=", "--value=")
_NUMBERS = re.compile(r"[-+\d.,/eE()\[\]]*\d[-+\d.,/eE()\[\]]*", re.ASCII)

#: What may be asked of commands, and of nothing else.
_OPTIONS = {
    name
    for command in COMMANDS
    for argument in (*command.arguments, *EVERYWHERE)
    for name in argument.names
    if name.startswith("-")
}

#: Arguments that name files to write.
_WRITTEN = ("certificate", "output")


class _Once(argparse.Action):
    """A value that is given once: of two the first would be left out."""

    def __call__(
        self, _: object, given: argparse.Namespace, value: Any, name: str | None = None
    ) -> None:
        seen = given.__dict__.setdefault("seen", set())
        if name is not None and self.dest in seen:
            raise argparse.ArgumentError(self, "given twice")
        seen.add(self.dest)
        setattr(given, self.dest, value)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, with the name that was probably meant."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.register("action", None, _Once)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str], namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        self._require_options(args)
        return super().parse_known_args(args, namespace)

    def _require_options(self, arguments: Sequence[str]) -> None:
        """A wrong option is named before anything that is missing because of it."""
        known = [name for action in self._actions for name in action.option_strings]
        for argument in arguments:
            is_command = self._subparsers is not None and not argument.startswith("-")
            if argument == "--" or is_command:
                return
            name = argument.partition("=")[0]
            if name.startswith("-") and f"-{name}" in known:
                self.error(f"no option {name}{meant(f'-{name}')}")
            if self._subparsers is not None and name in _OPTIONS:
                self.error(f"{name} comes after the command: exactrelu COMMAND … {name}")
            if name.startswith("--") and not any(k.startswith(name) for k in known):
                spelled = name.lower().replace("_", "-")
                self.error(f"no option {name}{meant(nearest(spelled, known))}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        known = list(map(str, action.choices or ()))
        if action.choices is None or value in action.choices:
            return
        if action.dest == argparse.SUPPRESS:
            self.error(f"no command {value!r}{meant(nearest_command(value, known))}")
        hint = meant(nearest(str(value), known))
        message = f"found {value!r}, expected {', '.join(known)}{hint}"
        raise argparse.ArgumentError(action, message)

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError as error:
            if action.type is not int:
                raise
            found = f"found {arg_string!r}, expected an integer"
            raise argparse.ArgumentError(action, found) from error

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        # argparse takes the value of --at=-- for the mark behind which there are no options.
        if action.option_strings and arg_strings == ["--"]:
            raise argparse.ArgumentError(action, "found '--', expected a value")
        return super()._get_values(action, arg_strings)

    def _print_message(self, message: str, file: object = None) -> None:
        """What ``--help`` shows."""
        if write(message, "", YES, BAD_INPUT):
            sys.exit(BAD_INPUT)

    def error(self, message: str) -> NoReturn:
        write("", f"{self.prog}: error: {one_line(message)} (see --help)\n", BAD_INPUT, BAD_INPUT)
        sys.exit(BAD_INPUT)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    As a program, without ``arguments``, it runs in a process of its own, whose bounds are kept
    whatever it does (:mod:`exactrelu.work.worker`).
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    parser = _parser()
    if not given:
        parser.error("no command; for example: exactrelu regions example:moons")
    args = parser.parse_args(_join_numeric_options(_as_options(given)))
    # A stream is JSON to its last line.
    args.json |= getattr(args, "stream", False)
    args.before = marks(outputs(args))
    is_program = arguments is None and hasattr(os, "fork")
    printed = _guarded(args, lambda: _asked(args, is_program))
    return write(printed.out, printed.err, printed.exit_code, BAD_INPUT)


def _asked(args: argparse.Namespace, is_program: bool) -> Printed:
    """What the command prints, if what is given means something; no worker has to find that out."""
    require_sense(args)
    return _in_worker(args) if is_program else _answered(args, Ask(args))


def _in_worker(args: argparse.Namespace) -> Printed:
    """What the command prints; of one that has to be ended, what it knew by then."""
    memory = default_memory() if args.max_memory is None else args.max_memory
    bounds = WorkerBounds(args.timeout, memory)
    try:
        printed: Printed = forked(partial(_work, args, bounds), bounds)
    except Ended as ended:
        if ended.is_crash:
            return _fail(args, f"internal error, please report it: {ended.why}", INTERNAL_ERROR)
        known = ended.report or stopped(STOPPED)
        told = replace(
            known,
            text=known.text.replace(STOPPED, ended.why),
            reason=known.reason.replace(STOPPED, ended.why),
            notes=tuple(note.replace(STOPPED, ended.why) for note in known.notes),
        )
        # There is no time left to ask the checker.
        printed = _guarded(args, lambda: shown(args, told, None))
        if ended.is_interrupted and printed.exit_code == UNDECIDED:
            return replace(printed, exit_code=INTERRUPTED)
    return printed


def _work(
    args: argparse.Namespace, bounds: WorkerBounds, report: Callable[[Outcome], None]
) -> Printed:
    """The worker: what the command prints, and reports of what it would print if it were ended."""
    effort = working(bounds, Reporter(report, lambda _: sent(args, ask.known())))
    ask = Ask(args, effort)
    printed = _answered(args, ask)
    if effort.is_interrupted and printed.exit_code == UNDECIDED:
        return replace(printed, exit_code=INTERRUPTED)
    return printed


def _answered(args: argparse.Namespace, ask: Ask) -> Printed:
    """What the command prints, whatever happens."""
    return _guarded(args, lambda: shown(args, _outcome(args, ask), ask.effort))


def _guarded(args: argparse.Namespace, printed: Callable[[], Printed]) -> Printed:
    """What is to be printed, or the line that says what went wrong."""
    try:
        return printed()
    except ProgramError as error:
        told = _fail(args, error.what, BAD_INPUT)
        return replace(told, err=f"{told.err}  {error.about}\n") if error.about else told
    except CheckerFailed as error:
        return _fail(args, str(error), INTERNAL_ERROR)
    except ExactReluError as error:
        return _fail(args, str(error), BAD_INPUT)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _fail(args, f"{place}{error.strerror or error}", BAD_INPUT)
    except (Exception, SystemExit) as error:
        told = _fail(args, _report(error, args), INTERNAL_ERROR)
        if not os.environ.get(_TRACEBACK):
            return told
        return replace(told, err="".join(traceback.format_exception(error)) + told.err)


def _outcome(args: argparse.Namespace, ask: Ask) -> Outcome:
    """What the command finds; undecided where the question cannot be answered as asked."""
    try:
        with ask:
            outcome: Outcome = args.command.run(ask)
            return replace(outcome, fields=plain(outcome.fields)) if args.json else outcome
    except Unanswered as missing:
        return replace(stopped(f"undecided: {missing}"), reason=str(missing))
    except MemoryError:
        return stopped("undecided: out of memory")


def _fail(args: argparse.Namespace, message: str, code: int) -> Printed:
    return Printed("", f"exactrelu {args.command.name}: error: {one_line(message)}\n", code)


def _report(error: BaseException, args: argparse.Namespace) -> str:
    """What somebody who mends the program has to know."""
    from exactrelu import __version__

    *_, frame = traceback.extract_tb(error.__traceback__)
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    networks = ", ".join(_networks(args)) or "none"
    return (
        f"internal error, please report it: {type(error).__name__}: {error} ({place}, "
        f"exactrelu {__version__}; {_TRACEBACK}=1 shows the traceback); networks: {networks}"
    )


def _networks(args: argparse.Namespace) -> Iterator[str]:
    """The networks among the arguments, with their hashes."""
    try:
        from exactrelu.network.formats.load import load
    except ImportError:
        # What is broken is the installation.
        return

    for name, value in vars(args).items():
        for path in value if isinstance(value, list) else [value]:
            if name in _WRITTEN or not isinstance(path, str):
                continue
            if not Path(path).is_file() and kind_named(path) != "example":
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
    parser.add_argument("--name", action=_Name, nargs=0, help="print the name of the program")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    parser.add_argument(
        "--completion",
        action=_ShellCompletion,
        choices=SHELLS,
        help="print a script for this shell",
    )
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    for command in COMMANDS:
        sub = subparsers.add_parser(
            command.name,
            help=command.summary,
            description=command.summary,
            epilog=f"example: {command.example}",
        )
        command.add_arguments(sub)
        sub.set_defaults(command=command)
    return parser


class _ShellCompletion(argparse.Action):
    def __call__(
        self, _parser: object, _args: object, shell: Any, _name: object = None
    ) -> NoReturn:
        sys.exit(write(completion(shell, COMMANDS), "", YES, BAD_INPUT))


class _Name(argparse.Action):
    def __call__(self, *_: object) -> NoReturn:
        sys.exit(write("exactrelu\n", "", YES, BAD_INPUT))


class _Version(argparse.Action):
    """The version alone, for programs: the standard of VNN-LIB asks all verifiers for it."""

    def __call__(self, *_: object) -> NoReturn:
        from exactrelu import __version__

        sys.exit(write(f"{__version__}\n", "", YES, BAD_INPUT))


def _as_options(arguments: Sequence[str]) -> Sequence[str]:
    """``help regions`` as ``regions --help``, and ``version``: commands of other programs."""
    match arguments:
        case ["help", *about]:
            return [*about[:1], "--help"]
        case ["version"]:
            return ["--version"]
    return arguments


def _join_numeric_options(arguments: Sequence[str]) -> list[str]:
    """``--at -1,2`` as ``--at=-1,2``, and ``--at -1 2`` as ``--at=-1 2``."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] in _NUMERIC_OPTIONS:
            joined[-1] += f"={argument}"
        elif joined and joined[-1].startswith(_POINTS) and _NUMBERS.fullmatch(argument):
            joined[-1] += f" {argument}"
        else:
            joined.append(argument)
    return joined


if __name__ == "__main__":
    from exactrelu import __main__ as program

    sys.exit(program.run())
