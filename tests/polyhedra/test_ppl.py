"""The libraries for polyhedra and LPs: how they are imported, and what that must not change."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import exactrelu


def test_floats_still_round_to_nearest() -> None:
    """Importing pplpy 0.9 leaves the processor rounding upward; we must not."""
    code = (
        "import exactrelu\n"
        "from exactrelu.polyhedra.polyhedron import Polyhedron\n"
        "from exactrelu.exact.system import LinearSystem\n"
        "Polyhedron(LinearSystem.box([(0, 1)])).vertices\n"
        "one, tiny = float('1'), float('1e-30')\n"
        "print(one + tiny == 1.0, -one - tiny == -1.0)\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "True True\n"


@pytest.mark.parametrize("library", ["ppl", "highspy"])
def test_one_module_imports_each_library(library: str) -> None:
    package = Path(exactrelu.__file__).parent
    pattern = re.compile(rf"^\s*(import|from) {library}\b", re.MULTILINE)
    users = [p.name for p in package.rglob("*.py") if pattern.search(p.read_text("utf-8"))]
    assert len(users) == 1, users
