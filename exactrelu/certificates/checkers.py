"""Certificates that are checked by several checkers, each a program of its own.

A checker reads one file after another, and what it says about one does not depend on the others.
So files can be given to several of them, in *portions* that follow each other, and what they say is
put together in the order of the files.  It is what one would have said, line by line:

- the text is that of the portions, one after another, and so are the lines about files that cannot
  be read;
- the object of ``--json`` has the results of all;
- the exit code is the first of 2, 1, 3, 4 that occurs, else 0, which is the rule of the checker.

An option that is wrong is refused by each of them with the same line, and nothing is checked.
Every option is handed to every checker as it is.  A ledger is one file for all, to which each adds
its lines.  A certificate in pieces may be read before its pieces are in the ledger: a portion with
something that is incomplete is checked once more in the end, when all that was accepted is known.

The checkers are programs and no workers of a crew: they share no code with exactrelu, and what is
between them and the answer is as little as possible.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from tempfile import TemporaryFile

from exactrelu.certificates.program import checker_program, run_checker, with_verdict
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.work.worker import WATCH

#: Portions for each checker: those that are done first take more.
PORTIONS = 8
#: The exit code of a checker that something is incomplete, or over a limit.
INCOMPLETE = 4
#: Bytes of certificates that take about as long as the start of a checker.
SMALL = 100_000


def run_checkers(
    options: list[str], files: Sequence[str], effort: Effort = UNLIMITED
) -> subprocess.CompletedProcess[str]:
    """What one checker would have said about the files, by as many as the effort has jobs.

    The options are those of each of them; the files come last.
    """
    if effort.jobs == 1:
        return run_checker([*options, "--", *files], effort)
    portions = [[*options, "--", *portion] for portion in _portions(files, effort.jobs)]
    running: dict[int, _Checker] = {}
    done: dict[int, subprocess.CompletedProcess[str]] = {}
    try:
        while len(done) < len(portions):
            effort.spend()
            while len(running) < effort.jobs and len(done) + len(running) < len(portions):
                k = len(done) + len(running)
                running[k] = _Checker(portions[k])
            for k in [k for k, checker in running.items() if checker.is_done]:
                done[k] = with_verdict(running.pop(k).finished())
    finally:
        for checker in running.values():
            checker.end()
    if any(option.startswith("--ledger=") for option in options):
        for k in [k for k, found in sorted(done.items()) if found.returncode == INCOMPLETE]:
            done[k] = run_checker(portions[k], effort)
    return _as_one([done[k] for k in range(len(portions))], "--json" in options)


def _portions(files: Sequence[str], jobs: int) -> list[list[str]]:
    """Files that follow each other, of about the same size in sum."""
    sizes = [os.path.getsize(file) if os.path.isfile(file) else 0 for file in files]
    most = max(SMALL, sum(sizes) // (PORTIONS * jobs))
    found: list[list[str]] = [[]]
    held = 0
    for file, size in zip(files, sizes, strict=True):
        if held and held + size > most:
            found.append([])
            held = 0
        found[-1].append(file)
        held += size
    return found


class _Checker:
    """A checker that is running; what it says goes to files, which are never full."""

    def __init__(self, arguments: list[str]) -> None:
        self._out, self._err = (TemporaryFile("w+") for _ in range(2))  # noqa: SIM115
        program = [*checker_program(), *arguments]
        self._process = subprocess.Popen(program, stdout=self._out, stderr=self._err)

    @property
    def is_done(self) -> bool:
        """Whether it has ended, after a moment in which it might."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(WATCH)
        return self._process.returncode is not None

    def finished(self) -> subprocess.CompletedProcess[str]:
        """What it said."""
        said = []
        for file in (self._out, self._err):
            with file:
                file.seek(0)
                said.append(file.read())
        return subprocess.CompletedProcess([], self._process.returncode, *said)

    def end(self) -> None:
        """It need not go on."""
        self._process.kill()
        self.finished()
        self._process.wait()


def _as_one(
    parts: Sequence[subprocess.CompletedProcess[str]], is_json: bool
) -> subprocess.CompletedProcess[str]:
    """What one checker would have said about all the files."""
    # The order is that of the checker: unreadable, rejected, malformed, the rest.
    code = next((code for code in (2, 1, 3) if any(p.returncode == code for p in parts)), None)
    code = max(part.returncode for part in parts) if code is None else code
    out = "".join(part.stdout for part in parts)
    if is_json and out:
        results = [result for p in parts if p.stdout for result in json.loads(p.stdout)["results"]]
        out = json.dumps({"exit": code, "results": results}) + "\n"
    return subprocess.CompletedProcess([], code, out, "".join(part.stderr for part in parts))
