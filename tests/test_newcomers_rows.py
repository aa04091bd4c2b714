"""Every stumble of the first newcomers has a test that is named after its row.

A are the rows of the theorist, B those of the engineer, C those of the maintainer with a CI job.
What their tests lead a reader to has to be there too.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from exactrelu.errors import FORMATS_PAGE

ROOT = Path(__file__).parents[1]
ROWS = [f"{who}{k}" for who, n in (("a", 16), ("b", 10), ("c", 8)) for k in range(1, n + 1)]
NAMES = {
    name
    for path in (ROOT / "tests").rglob("test_*.py")
    for name in re.findall(r"^def (test_\w+)\(", path.read_text(), re.MULTILINE)
}


@pytest.mark.parametrize("row", ROWS)
def test_every_row_has_its_test(row: str) -> None:
    assert any(name.startswith(f"test_{row}_") for name in NAMES)


def test_no_test_is_named_after_a_row_that_is_none() -> None:
    named = {found[1] for name in NAMES if (found := re.match(r"test_([abc]\d+)_", name))}
    assert named <= set(ROWS)


def test_the_page_of_formats_is_there() -> None:
    """What the reader of a refused operator is told to open."""
    assert (ROOT / "docs" / f"{FORMATS_PAGE}.md").is_file()


def test_contributing_names_targets_that_are_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z-]+)", (ROOT / "CONTRIBUTING.md").read_text()))
    assert {"demo", "docs", "lint", "sweep", "test"} <= named <= targets
