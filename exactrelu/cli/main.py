"""``exactrelu COMMAND …``: parsing, output, errors and exit codes.

Exit codes: 0 yes or done, 1 no, 2 bad input or usage, 3 undecided, 70 an error of the program
itself, 130 interrupted.  An error is one line on stderr, never a traceback; one of the program
itself says where it happened, and which networks it was asked about, by their hashes.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
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
    regions,
)
from exactrelu.cli.command import BAD_INPUT, EVERYWHERE, UNDECIDED, Ask, Command, Outcome, stopped
from exactrelu.cli.names import SHELLS, completion, meant, nearest, nearest_command
from exactrelu.display import plain
from exactrelu.effort import STOPPED, default_memory
from exactrelu.errors import ExactReluError, InputError, ProgramError, Unanswered
from exactrelu.files import kind_named, write_bytes
from exactrelu.worker import Bounds, Ended, Reporter, forked, working

#: In the order in which ``--help`` shows them.
COMMANDS: tuple[Command, ...] = (
    reading.info,
    networks.evaluate,
    queries.local,
    reading.convert,
    regions.regions,
    cells.complex,
    cells.honest,
    cells.cancellation_free,
    cells.generic,
    cells.transparent,
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


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, with the name that was probably meant."""

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

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: error: {message} (see --help)", file=sys.stderr)
        sys.exit(BAD_INPUT)


@dataclass(frozen=True)
class Printed:
    """What goes to stdout and to stderr, and the exit code."""

    out: str
    err: str
    exit_code: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    As a program, without ``arguments``, it runs in a process of its own, whose bounds are kept
    whatever it does (:mod:`exactrelu.worker`).
    """
    try:
        given = sys.argv[1:] if arguments is None else list(arguments)
        parser = _parser()
        if not given:
            parser.error("no command; for example: exactrelu regions example:moons")
        args = parser.parse_args(_join_numeric_options(_as_options(given)))
        # A stream is JSON to its last line.
        args.json |= getattr(args, "stream", False)
        is_program = arguments is None and hasattr(os, "fork")
        printed = _in_worker(args) if is_program else _answered(args, Ask(args))
        sys.stderr.write(printed.err)
        sys.stdout.write(printed.out)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing to tell anybody.
        _leave_stdout()
    except OSError as error:
        _leave_stdout()
        sys.stderr.write(f"exactrelu: error: stdout: {error.strerror or error}\n")
        return BAD_INPUT
    except KeyboardInterrupt:
        sys.stderr.write("exactrelu: interrupted\n")
        return INTERRUPTED
    return printed.exit_code


def _leave_stdout() -> None:
    """What is left to be written there would fail once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _in_worker(args: argparse.Namespace) -> Printed:
    """What the command prints; of one that has to be ended, what it knew by then."""
    memory = default_memory() if args.max_memory is None else args.max_memory
    bounds = Bounds(args.timeout, memory)
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
        printed = _guarded(args, lambda: _shown(args, told))
        if ended.is_interrupted and printed.exit_code == UNDECIDED:
            return replace(printed, exit_code=INTERRUPTED)
    return printed


def _work(args: argparse.Namespace, bounds: Bounds, report: Callable[[Outcome], None]) -> Printed:
    """The worker: what the command prints, and reports of what it would print if it were ended."""
    effort = working(bounds, Reporter(report, lambda _: _sent(args, ask.known())))
    ask = Ask(args, effort)
    printed = _answered(args, ask)
    if effort.is_interrupted and printed.exit_code == UNDECIDED:
        return replace(printed, exit_code=INTERRUPTED)
    return printed


@dataclass(frozen=True)
class _Kept:
    """A certificate of which only the bytes are left."""

    content: bytes

    def to_bytes(self) -> bytes:
        return self.content

    def save(self, path: str) -> Path:
        write_bytes(path, self.content)
        return Path(path)


def _sent(args: argparse.Namespace, outcome: Outcome) -> Outcome:
    """An outcome that needs nothing but this module to be printed."""
    certificate = outcome.certificate if getattr(args, "certificate", None) else None
    kept = None if certificate is None else _Kept(certificate.to_bytes())
    fields = plain(outcome.fields) if args.json else {}
    return replace(outcome, fields=fields, certificate=kept)


def _answered(args: argparse.Namespace, ask: Ask) -> Printed:
    """What the command prints, whatever happens."""
    return _guarded(args, lambda: _shown(args, _outcome(args, ask)))


def _guarded(args: argparse.Namespace, shown: Callable[[], Printed]) -> Printed:
    """What is to be printed, or the line that says what went wrong."""
    try:
        return shown()
    except ProgramError as error:
        told = _fail(args, error.what, BAD_INPUT)
        return replace(told, err=f"{told.err}  {error.about}\n") if error.about else told
    except ExactReluError as error:
        return _fail(args, str(error), BAD_INPUT)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _fail(args, f"{place}{error.strerror or error}", BAD_INPUT)
    except Exception as error:
        told = _fail(args, _report(error, args), INTERNAL_ERROR)
        if not os.environ.get(_TRACEBACK):
            return told
        return replace(told, err="".join(traceback.format_exception(error)) + told.err)


def _outcome(args: argparse.Namespace, ask: Ask) -> Outcome:
    """What the command finds; undecided where the question cannot be answered as asked."""
    _require_folders(args)
    try:
        with ask:
            outcome: Outcome = args.command.run(ask)
            return replace(outcome, fields=plain(outcome.fields)) if args.json else outcome
    except Unanswered as missing:
        return replace(stopped(f"undecided: {missing}"), reason=str(missing))
    except MemoryError:
        return stopped("undecided: out of memory")


def _require_folders(args: argparse.Namespace) -> None:
    """Where there is no folder nothing can be written: better known before the work is done."""
    for given in args.command.arguments:
        if given.options.get("metavar") == "OUT" or "--certificate" in given.names:
            path = getattr(args, given.names[-1].removeprefix("--"))
            if path is not None and not Path(path).absolute().parent.is_dir():
                raise InputError(f"{path}: cannot be written: there is no such folder")
            if path is not None and Path(path).is_dir():
                raise InputError(f"{path}: found a directory, expected a file to write")


def _fail(args: argparse.Namespace, message: str, code: int) -> Printed:
    line = " ".join(message.split())
    return Printed("", f"exactrelu {args.command.name}: error: {line}\n", code)


def _report(error: Exception, args: argparse.Namespace) -> str:
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
        "--completion", action=_Completion, choices=SHELLS, help="print a script for this shell"
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


class _Completion(argparse.Action):
    def __call__(
        self, _parser: object, _args: object, shell: Any, _name: object = None
    ) -> NoReturn:
        print(completion(shell, COMMANDS), end="")
        sys.exit(0)


class _Name(argparse.Action):
    def __call__(self, *_: object) -> NoReturn:
        print("exactrelu")
        sys.exit(0)


class _Version(argparse.Action):
    """The version alone, for programs: the standard of VNN-LIB asks all verifiers for it."""

    def __call__(self, *_: object) -> NoReturn:
        from exactrelu import __version__

        print(__version__)
        sys.exit(0)


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


def _shown(args: argparse.Namespace, outcome: Outcome) -> Printed:
    """Save the certificate, and say what was found."""
    if outcome.verdict == "undecided" and args.command.undecided is not None:
        outcome = args.command.undecided(outcome)
    wanted = getattr(args, "certificate", None)
    saved, err = None, "".join(f"{note}\n" for note in outcome.notes)
    if wanted is not None and outcome.certificate is not None:
        saved = outcome.certificate.save(wanted)
    elif wanted is not None:
        undecided = outcome.verdict == "undecided"
        why = "the question is undecided" if undecided else "there is none for this answer"
        err += f"no certificate is written: {why}\n"
        outcome = replace(outcome, certified=())
    if args.json:
        verdict = {} if outcome.verdict is None else {"verdict": outcome.verdict}
        evidence = {
            "certificate": None if saved is None else str(saved),
            "certified": list(outcome.certified),
        }
        # Whoever reads it finds what a full answer has, also where nothing is known of it.
        names = args.command.fields if outcome.verdict == "undecided" else ()
        unknown = dict.fromkeys(name for name in names if name not in outcome.fields)
        answer = {**verdict, "reason": outcome.reason, **evidence, **outcome.fields, **unknown}
        lines = [json.dumps(answer)]
    else:
        lines, beside = [outcome.text], []
        if outcome.computed:
            beside.append(f"computed, not certified: {', '.join(outcome.computed)}")
        if saved is not None:
            beside.append(f"certificate: {saved}")
        if outcome.is_bare:
            err += "".join(f"{line}\n" for line in beside)
        else:
            lines += beside
    return Printed("".join(f"{line}\n" for line in lines), err, outcome.exit_code)


if __name__ == "__main__":
    sys.exit(main())
