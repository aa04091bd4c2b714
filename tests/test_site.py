"""The manual is built without a warning, its links lead somewhere, and it asks no other machine."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from docs import links

ROOT = Path(__file__).parents[1]
NEEDED = ("sphinx", "myst_parser", "furo", "latex2mathml")


@pytest.mark.sweep
def test_the_site(tmp_path: Path) -> None:
    """What ``make docs`` does, but for notebooks; links of the pages are followed every day."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        pytest.skip(f"needs the extra docs: {', '.join(missing)} not installed")
    site = tmp_path / "site"
    options = ["-W", "--keep-going", "-q", "-b", "html", "-d", str(tmp_path / "doctrees")]
    run = [sys.executable, "-m", "sphinx", *options, str(ROOT / "docs"), str(site)]
    built = subprocess.run(run, capture_output=True, text=True, check=False)
    assert (built.returncode, built.stderr) == (0, "")
    assert "<math" in (site / "commands" / "stability.html").read_text()
    assert list(links.requests(site)) == []
    assert list(links.broken(site)) == []


def test_links_of_the_pages_lead_to_files() -> None:
    paths = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    pages = [path for path in sorted(paths) if "_build" not in path.parts]
    assert len(pages) > 60
    wrong = [line for path in pages for line in links.broken_in_markdown(path)]
    # The pages of names are written while the site is built.
    assert [line for line in wrong if ": /python/names/" not in line] == []


def test_what_is_wrong_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<p id="here"><a href="#here">1</a><a href="#gone">2</a><a href="b.html">3</a>'
        '<a href="https://example.org/x">4</a><img src="https://example.org/p.png">'
        '<style>@import "//example.org/a.css"; p {background: url(http://example.org/q)}</style>'
    )
    assert len(list(links.broken(tmp_path))) == 2
    assert len(list(links.requests(tmp_path))) == 3
    page = tmp_path / "page.md"
    page.write_text("# One place\n[1](#one-place) [2](#other) [3](gone.md) `[4](gone)`\n")
    assert len(list(links.broken_in_markdown(page))) == 2
