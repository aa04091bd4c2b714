"""Runs the checker: inside this process, and as a program of its own under a memory limit."""

from __future__ import annotations

import contextlib
import io
import json
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from exactrelu_checker1.budget import Limits
from exactrelu_checker1.checking import Outcome, Question, check_stream
from exactrelu_checker1.main import main

PROOFS = Path(__file__).resolve().parents[2] / "proofs"
PACKAGE = PROOFS / "exactrelu_checker1"
MEMORY = 512 << 20


def check(*arguments: str) -> tuple[int, Any]:
    """Return the exit code and the JSON answer of the checker, run in this process."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
        exit_code = main(["--json", *arguments])
    return exit_code, json.loads(output.getvalue() or "{}")


def check_bytes(data: bytes) -> Outcome:
    """Return the verdict on a file with the given content."""
    return check_stream("a file", io.BufferedReader(io.BytesIO(data)), Question(Limits()))


def program(
    *arguments: str, flags: Sequence[str] = (), package: Path = PACKAGE, memory: int = MEMORY
) -> subprocess.CompletedProcess[str]:
    """Run the folder of the package with a bare Python, under a limit on its address space."""
    return subprocess.run(
        [sys.executable, *flags, str(package), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={"LC_ALL": "C"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)),
    )
