"""The independent checker, run as a program of its own.

It shares no code with exactrelu and trusts none: what is handed over is the names of files.

It spends so much *fuel* on a file, however good, that a file of a stranger cannot make it work for
hours.  A proof of one's own may need more; then whoever checks it has to allow that, and has to be
told.  How much it is, only the checker knows, after it has done the work.  So it is run on what is
large, with a part of the time that is left.  Of small files none is known that takes a tenth of the
default: of 1,800 cases and certificates the dearest take some 5,000 units for a byte.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from textwrap import wrap

from exactrelu.display import WIDTH, Shown
from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.errors import CheckerFailed, ExactReluError
from exactrelu.work.worker import WATCH

#: The fuel of the checker for a file, if nothing is said.
DEFAULT_FUEL = 1_000_000_000
#: The exit codes of the checker that are verdicts.
VERDICTS = range(5)
#: Fuel for files that are no stranger's.
ENOUGH = 10**18
#: Bytes of a certificate that takes less than the default fuel.
_SMALL = 20_000
#: The checker gets so many seconds, and at most this share of the time that is left.
_SECONDS = 60
_SHARE = 0.5


def fuel_to_allow(spent: int) -> int | None:
    """``--max-fuel`` for a file that took so much, with two digits; None: the default is enough.

    One per cent is for what a user pins, which costs too.

    >>> fuel_to_allow(500_000_000), fuel_to_allow(3_424_802_173)
    (None, 3500000000)
    """
    wanted = spent + spent // 100
    unit = 10 ** (len(str(wanted)) - 2)
    return -(-wanted // unit) * unit if wanted > DEFAULT_FUEL else None


@dataclass(frozen=True)
class Fuel:
    """What ``exactrelu-check`` needs as ``--max-fuel`` for files; None: the default is enough."""

    max_fuel: int | None
    is_known: bool = True
    are_many: bool = False

    def __str__(self) -> str:
        them = "all of them" if self.are_many else "it"
        if not self.is_known:
            return f"not known: whether the default fuel of exactrelu-check is enough for {them}"
        if self.max_fuel is None:
            return ""
        return f"exactrelu-check needs --max-fuel {self.max_fuel} for {them}"

    @classmethod
    def of(cls, paths: Sequence[str | os.PathLike[str]], effort: Effort | None) -> Fuel:
        """What it needs for certificates of our own, or folders; no effort: there is no time.

        It is what the dearest of them takes.
        """
        many = len(paths) > 1 or any(map(os.path.isdir, paths))
        dear = [os.fspath(path) for path in paths if _size(path) > _SMALL]
        if not dear:
            return cls(None)
        if effort is not None:
            with suppress(Stopped, ExactReluError):
                part = effort.part(seconds=_SECONDS, share=_SHARE)
                found = run_checker(["--json", f"--max-fuel={ENOUGH}", "--", *dear], part)
                results = json.loads(found.stdout)["results"] if found.stdout else []
                is_known = all(result["verdict"] == "ACCEPTED" for result in results)
                needed = max((result["fuel"] for result in results), default=0)
                return cls(fuel_to_allow(needed), bool(results) and is_known, many)
        return cls(None, False, many)


def _size(path: str | os.PathLike[str]) -> int:
    """The bytes of a file, of a folder those of its largest.

    It may be compressed; the last four bytes of a gzip member say how long it is.
    """
    if os.path.isdir(path):
        with os.scandir(path) as entries:
            return max((_size(entry) for entry in entries if entry.is_file()), default=0)
    with open(path, "rb") as file:
        if file.read(2) != b"\x1f\x8b":
            return os.path.getsize(path)
        file.seek(-4, os.SEEK_END)
        return int.from_bytes(file.read(4), "little")


@dataclass(frozen=True, repr=False)
class Checked(Shown):
    """The word of the checker, and the sentence that it proves, or why it does not accept it.

    Attributes
    ----------
    status : str
        ``"ACCEPTED"`` or another word.
    sentence : str
        The claim in words.
    is_accepted : bool
        Whether the proof is complete and right.
    max_fuel : int or None
        What ``exactrelu-check`` needs as ``--max-fuel`` to accept it; None where the default is
        enough.
    """

    status: str
    sentence: str
    max_fuel: int | None = None

    @classmethod
    def of(
        cls, path: str | os.PathLike[str], effort: Effort, *, fuel: int | None = None
    ) -> Checked:
        """What the checker says of a file, with so much fuel or the default."""
        more = [] if fuel is None else [f"--max-fuel={fuel}"]
        found = run_checker(["--json", *more, "--", os.fspath(path)], effort)
        if not found.stdout:
            raise ExactReluError(f"the checker ended without an answer: {found.stderr.strip()}")
        (answer,) = json.loads(found.stdout)["results"]
        needed = fuel_to_allow(answer["fuel"])
        return cls(answer["verdict"], answer["claim"] or answer["why"], needed)

    @classmethod
    def of_files(
        cls, paths: Sequence[str | os.PathLike[str]], ledger: str | os.PathLike[str], effort: Effort
    ) -> Checked:
        """What the checker says of the last of some files; the claims of the others are known then.

        If it does not accept one of the others, that is what is said. It gets the fuel it takes.
        """
        arguments = [
            "--json",
            f"--max-fuel={ENOUGH}",
            "--ledger",
            os.fspath(ledger),
            "--",
            *(os.fspath(path) for path in paths),
        ]
        found = run_checker(arguments, effort)
        if not found.stdout:
            raise ExactReluError(f"the checker ended without an answer: {found.stderr.strip()}")
        answers = json.loads(found.stdout)["results"]
        refused = (answer for answer in answers if answer["verdict"] != "ACCEPTED")
        answer = next(refused, answers[-1])
        needed = fuel_to_allow(max(answer["fuel"] for answer in answers))
        said = answer["claim"] or f"{answer['file']}: {answer['why']}"
        return cls(answer["verdict"], said, needed)

    @property
    def is_accepted(self) -> bool:
        """Whether the proof is complete and right."""
        return self.status == "ACCEPTED"

    def _headline(self) -> str:
        return f"{self.status}: {self.sentence}"

    def _facts(self) -> Iterator[tuple[str, object]]:
        if len(self._headline()) > WIDTH:
            yield from (("", line) for line in wrap(self.sentence, WIDTH - 4)[:6])
        if self.max_fuel is not None:
            yield "needs", f"exactrelu-check --max-fuel {self.max_fuel}"


def run_checker(
    arguments: list[str], effort: Effort = UNLIMITED
) -> subprocess.CompletedProcess[str]:
    """The checker in a Python of its own, isolated from this one; it ends when the effort does."""
    effort.spend()
    program = [*checker_program(), *arguments]
    with subprocess.Popen(
        program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            while True:
                with suppress(subprocess.TimeoutExpired):
                    out, err = process.communicate(timeout=WATCH)
                    code = process.returncode
                    return with_verdict(subprocess.CompletedProcess(program, code, out, err))
                effort.spend()
        finally:
            process.kill()


def with_verdict(
    checker: subprocess.CompletedProcess[str],
) -> subprocess.CompletedProcess[str]:
    """A checker that has ended, if its exit code is one of a verdict."""
    if checker.returncode in VERDICTS:
        return checker
    why = " ".join(checker.stderr.split()[-40:]).removeprefix("exactrelu-check: ")
    raise CheckerFailed(
        f"the checker ended with exit code {checker.returncode}, which is no verdict: "
        f"{why or 'it said nothing'}"
    )


def checker_program() -> list[str]:
    """The command that runs the checker."""
    spec = find_spec("exactrelu_checker")
    if spec is None or not spec.submodule_search_locations:
        raise ExactReluError("the checker 'exactrelu_checker' is not installed beside exactrelu")
    return [sys.executable, "-I", spec.submodule_search_locations[0]]
