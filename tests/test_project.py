"""What is said of the project as a whole: version, changelog, citation, how to contribute."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from pathlib import Path

import exactrelu_checker

import exactrelu as er
from exactrelu.errors import FORMATS_PAGE

ROOT = Path(__file__).parents[1]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
PACKAGING = tomllib.loads((ROOT / "pyproject.toml").read_text())

#: The keys of Citation File Format 1.2.0; the first four are required.
CITATION_KEYS = {
    "authors", "cff-version", "message", "title",
    "abstract", "commit", "contact", "date-released", "doi", "identifiers", "keywords", "license",
    "license-url", "preferred-citation", "references", "repository", "repository-artifact",
    "repository-code", "type", "url", "version",
}  # fmt: skip


def citation() -> dict[str, str]:
    """The keys of the citation with what follows them; its lists and folded lines as they stand.

    A reader of YAML is no dependency of the project, and a file of one level needs none.
    """
    found: dict[str, str] = {}
    name = ""
    for line in (ROOT / "CITATION.cff").read_text().splitlines():
        if line.startswith("#"):
            continue
        if entry := re.fullmatch(r"([a-z-]+):(?: (.*))?", line):
            name = entry[1]
            assert name not in found, f"{name} twice"
            found[name] = (entry[2] or "").strip('"')
        else:
            assert line.startswith("  "), f"{line!r} is no key, and belongs to none"
            found[name] = f"{found[name]}\n{line}".strip()
    return found


def test_the_version_is_in_one_place() -> None:
    assert PACKAGING["project"]["dynamic"] == ["version"]
    assert "version" not in PACKAGING["project"]
    path = ROOT / PACKAGING["tool"]["hatch"]["version"]["path"]
    assert path == ROOT / "exactrelu" / "__init__.py"
    assert path.read_text().count(f'__version__ = "{er.__version__}"') == 1
    assert re.fullmatch(r"\d+\.\d+\.\d+", er.__version__)


def test_what_else_names_the_version() -> None:
    assert exactrelu_checker.__version__ == er.__version__
    assert citation()["version"] == er.__version__
    released = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - (\S+)$", CHANGELOG, re.MULTILINE)
    if released:
        assert released[0] == (er.__version__, citation()["date-released"])
    else:
        assert f"What will be {er.__version__}" in CHANGELOG


def test_the_citation_is_valid() -> None:
    found = citation()
    assert {"authors", "cff-version", "message", "title"} <= found.keys() <= CITATION_KEYS
    assert found["cff-version"] == "1.2.0"
    assert found["type"] in ("software", "dataset")
    assert found["license"] == PACKAGING["project"]["license"]
    assert date.fromisoformat(found["date-released"]) >= date(2026, 1, 1)
    assert re.fullmatch(r'- name: ".+"', found["authors"])
    keywords = found["keywords"].splitlines()
    assert keywords
    assert all(re.fullmatch(r" *- \S.*", keyword) for keyword in keywords)
    assert len(set(keywords)) == len(keywords)
    assert all(found.values())


def test_every_version_speaks_of_certificates_and_soundness() -> None:
    first, *versions = re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)
    assert first.startswith("# Changelog\n")
    assert versions[0].startswith("[Unreleased]\n")
    known = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    for version in versions:
        parts = re.split(r"^### (.*)\n", version, flags=re.MULTILINE)
        headings = dict(zip(parts[1::2], parts[2::2], strict=True))
        assert headings.keys() <= {*known, "Certificates", "Soundness"}
        assert headings["Certificates"].strip()
        assert headings["Soundness"].strip()


def test_soundness_names_cases_that_are_there() -> None:
    named = re.findall(r"case\s+`([a-z-]+)/([a-z0-9-]+)`", CHANGELOG)
    assert len(named) >= 2
    for bundle, case in named:
        text = (ROOT / "tests" / "checker" / "cases" / f"{bundle}.txt").read_text()
        assert re.search(rf"^== {case}: (reject|malformed) ", text, re.MULTILINE), case


def test_contributing_names_tests_and_files_that_are_there() -> None:
    tests = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    named = re.findall(r"`(test_\w+)`", CONTRIBUTING)
    assert len(named) >= 15
    for name in named:
        assert f"def {name}(" in tests, name
    places = re.findall(r"`((?:exactrelu|proofs|tests)/[\w/.*-]*)`", CONTRIBUTING)
    links = re.findall(r"\]\(([^)#:]+)\)", CONTRIBUTING)
    assert len(places) >= 10
    for place in (*places, *links):
        assert list(ROOT.glob(place.rstrip("/"))), place


def test_contributing_names_targets_that_are_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z-]+)", CONTRIBUTING))
    assert {"demo", "docs", "lint", "sweep", "test"} <= named <= targets


def test_the_page_of_formats_is_there() -> None:
    """What the reader of a refused operator is told to open."""
    assert (ROOT / "docs" / f"{FORMATS_PAGE}.md").is_file()


def test_the_first_page_is_one() -> None:
    readme = (ROOT / "README.md").read_text()
    assert len(readme.splitlines()) <= 200
    for words in ("pip install", "make demo", "make test", "What is not claimed", "Peers", "MIT"):
        assert words in readme
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", readme)
    assert pictures
    for picture in pictures:
        assert 1_000 < (ROOT / picture).stat().st_size < 100_000, picture


def test_names_of_tests_say_what_holds() -> None:
    """And not the row of a list in which somebody found it missing."""
    rows = re.compile(r"^ *def (test_(?!z3_)[a-z]\d+_\w*)", re.MULTILINE)
    found = {path.name: rows.findall(path.read_text()) for path in (ROOT / "tests").rglob("*.py")}
    assert not {name: tests for name, tests in found.items() if tests}
