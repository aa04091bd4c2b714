"""Decides by brute force whether an instance refutes a statement, with fractions.

The statements are read from the papers again, not from the checker's table.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: A module ``lemma_truth_sNNN`` for each paper has a table of names and functions of an instance.
MODULES = sorted(path.stem for path in Path(__file__).parent.glob("lemma_truth_s*.py"))


def table() -> dict[str, Callable[[Any], bool]]:
    """Return the functions of all papers."""
    return {
        name: function
        for module in MODULES
        for name, function in importlib.import_module(module).REFUTES.items()
    }


def refutes(claim: Any) -> bool:
    """Tell whether the instance of a claim has the hypotheses and not the conclusion."""
    return table()[claim["lemma"]](claim["instance"])
