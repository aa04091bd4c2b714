"""The independent checker, run as a program of its own.

It shares no code with exactrelu and trusts none: what is handed over is the names of files.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

from exactrelu.errors import ExactReluError


def run_checker(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """The checker in a Python of its own, isolated from this one."""
    spec = find_spec("exactrelu_checker")
    if spec is None or not spec.submodule_search_locations:
        raise ExactReluError("the checker 'exactrelu_checker' is not installed beside exactrelu")
    program = [sys.executable, "-I", spec.submodule_search_locations[0]]
    return subprocess.run([*program, *arguments], capture_output=True, text=True, check=False)
