"""What was given, looked at before any work is done.

*Options together.*  An option may say nothing without another one, or beside another one. Whoever
gives it means something by it, so that it is refused and not left out.

*Files.*  Nothing is written where it cannot be, nor over a file that is read, nor over another one
that is written. Where a file was asked for and there is nothing to write, a note says so.

*Numbers.*  Types of argparse, whose errors say what was found, and lists.
"""

from __future__ import annotations

import argparse
import os
import stat
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from exactrelu.errors import InputError
from exactrelu.memory import memory_bytes

#: What tells a file from the one that is there after another was written in its place.
Mark = tuple[int, ...] | None


@dataclass(frozen=True)
class CommandArgument:
    """An argument as argparse takes it: its names, and everything else by keyword.

    It ``needs`` one of some other options, without which it says nothing, and ``excludes`` those
    beside which it says nothing. What ``replaces`` may take the place of the file that it is made
    of, the first argument.
    """

    names: tuple[str, ...]
    options: Mapping[str, Any]
    needs: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    replaces: bool = False

    @property
    def name(self) -> str:
        """The long name, or how what is not an option is shown."""
        own: str = self.options.get("metavar", self.names[-1])
        return self.names[-1] if self.names[-1].startswith("-") else own

    @property
    def destination(self) -> str:
        """The attribute of the parsed arguments that holds its value."""
        own: str = self.options.get("dest", self.names[-1].removeprefix("--").replace("-", "_"))
        return own

    @property
    def is_network(self) -> bool:
        """Whether it names networks that the command reads."""
        own = {"network", "networks", "a", "b", "source"}
        return self.names[0] in own or self.options.get("dest") == "networks"

    @property
    def is_written(self) -> bool:
        """Whether it names a file to write."""
        return self.options.get("metavar") == "OUT" or self.name == "--certificate"

    @property
    def is_filled(self) -> bool:
        """Whether it names a folder to write to."""
        return self.options.get("metavar") == "DIR"


def require_sense(args: Namespace) -> None:
    """Refuse options that mean nothing together, and files that cannot be written."""
    given = dict(_given(args))
    for name, option in given.items():
        if option.needs and not given.keys() & set(option.needs):
            raise InputError(f"{name}: only with {' or '.join(option.needs)}")
        for other in option.excludes:
            if other in given:
                raise InputError(f"{name}: not with {other}")
    if getattr(args, "no_normalize", False) and not any(map(_is_nnet, _read(args))):
        raise InputError("--no-normalize: no network is a .nnet file")
    _require_files(args)
    _require_folders(args)


def _is_nnet(text: str) -> bool:
    from exactrelu.network.formats.load import is_nnet

    return is_nnet(text)


def refuse(args: Namespace, names: str, why: str) -> None:
    """Refuse some options, where only the values of others say that they mean nothing."""
    given = dict(_given(args))
    for name in names.split():
        if name in given:
            raise InputError(f"{name}: {why}")


def _given(args: Namespace) -> Iterator[tuple[str, CommandArgument]]:
    """The arguments with another value than by default, by their names."""
    for argument in args.command.arguments:
        default = argument.options.get("default")
        value = getattr(args, argument.destination)
        if value is not None and value is not False and value != [] and value != default:
            yield argument.name, argument


def outputs(args: Namespace) -> Iterator[str]:
    """The files that were asked for, and the folders, unless what is there already may be all."""
    folders = () if getattr(args, "resume", False) else _filled(args)
    return (getattr(args, argument.destination) for argument in (*_written(args), *folders))


def _written(args: Namespace) -> Iterator[CommandArgument]:
    for argument in args.command.arguments:
        if argument.is_written and getattr(args, argument.destination) is not None:
            yield argument


def _filled(args: Namespace) -> Iterator[CommandArgument]:
    for argument in args.command.arguments:
        if argument.is_filled and getattr(args, argument.destination) is not None:
            yield argument


def _require_files(args: Namespace) -> None:
    """Better known before the work is done than after it."""
    first, *read = _read(args)
    written: list[str] = []
    for argument in _written(args):
        path = getattr(args, argument.destination)
        if not Path(path).absolute().parent.is_dir():
            raise InputError(f"{path}: cannot be written: there is no such folder")
        if Path(path).is_dir():
            raise InputError(f"{path}: found a directory, expected a file to write")
        if any(_is_same(path, other) for other in (read if argument.replaces else [first, *read])):
            raise InputError(f"{path}: found a file that is read too, expected another to write")
        if any(_is_same(path, other) for other in written):
            raise InputError(f"{path}: found one file to write twice, expected two")
        written.append(path)


def _require_folders(args: Namespace) -> None:
    """A folder that is written to is made when it is needed, where no file is in its place."""
    for argument in _filled(args):
        folder = getattr(args, argument.destination)
        there = next(p for p in (Path(folder), *Path(folder).absolute().parents) if p.exists())
        if not there.is_dir():
            raise InputError(f"{folder}: found the file {there}, expected a folder")


def _read(args: Namespace) -> Iterator[str]:
    """What may be a file that is read: ``NAME=FILE`` names one too."""
    for argument in args.command.arguments:
        value = getattr(args, argument.destination)
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and not argument.is_written:
                yield text
                yield text.partition("=")[2]
    yield ""


def _is_same(path: str, other: str) -> bool:
    """Whether two names are of one file, which is no device."""
    with suppress(OSError, ValueError):
        if not stat.S_ISREG(os.stat(path).st_mode):
            return False
    return bool(other) and os.path.realpath(path) == os.path.realpath(other)


def marks(paths: Iterable[str]) -> dict[str, Mark]:
    """Files and folders as they are now; a device is not looked at, nor what is no name of one."""
    return {path: mark for path in paths if (mark := _mark(path)) != ()}


def _mark(path: str) -> Mark:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    if stat.S_ISDIR(status.st_mode):
        # An empty folder is as good as none.
        inside = sorted(
            os.path.join(folder, file) for folder, _, files in os.walk(path) for file in files
        )
        return tuple(chain.from_iterable(_mark(file) or () for file in inside)) or None
    is_file = stat.S_ISREG(status.st_mode)
    return (status.st_dev, status.st_ino, status.st_mtime_ns) if is_file else ()


def unwritten(before: Mapping[str, Mark]) -> list[str]:
    """The files and folders that are as they were."""
    return [path for path, mark in before.items() if _mark(path) == mark]


def one_line(message: Any, most: int = 1000) -> str:
    """A message as one line that a terminal can show: what is long has a gap in the middle.

    >>> one_line("found 'a\\nb\\x1b'"), one_line("x" * 9, 4)
    ("found 'a b\\\\x1b'", 'xx … xx')
    """
    line = " ".join(str(message).split())
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)
    return shown if len(shown) <= most else f"{shown[: most // 2]} … {shown[-most // 2 :]}"


def parse_integers(text: str, message: str) -> tuple[int, ...]:
    """``n0,n1,…``, or bad input with this message."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise InputError(message) from None


def positive_number(text: str) -> float:
    """A number of seconds."""
    with suppress(ValueError):
        if 0 < (value := float(text)) < float("inf"):
            return value
    raise argparse.ArgumentTypeError(f"found {text!r}, expected a positive number")


def positive_integer(text: str) -> int:
    """A number of things, at least one."""
    return _integer(text, 1, "a positive integer")


def any_number(text: str) -> int:
    """A number of things, or none."""
    return _integer(text, 0, "an integer, at least 0")


def _integer(text: str, least: int, words: str) -> int:
    with suppress(ValueError):
        if (value := int(text)) >= least:
            return value
    raise argparse.ArgumentTypeError(f"found {text!r}, expected {words}")


def memory(text: str) -> int:
    """A number of bytes."""
    try:
        return memory_bytes(text)
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
