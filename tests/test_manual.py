"""The tables of the manual that are made from the program: errata and trust."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from exactrelu_checker.claims import KINDS

pytest.importorskip("sphinx", reason="needs the extra docs")

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

import errata  # noqa: E402
import trusted  # noqa: E402

from exactrelu.lemmas.record import summary  # noqa: E402
from exactrelu.lemmas.statement import CLASSES  # noqa: E402


def test_every_refuted_statement_has_an_article() -> None:
    named = [name for wanted in CLASSES for name in errata.refuted(wanted)]
    all_refuted = [name for name in errata.STATEMENTS if errata.entry(name).status == "refuted"]
    assert sorted(named) == sorted(all_refuted)
    for name in named:
        text = "\n\n".join(errata.article(name))
        kept = re.search(r"<\.\./(proofs/[^>]+)>", text)
        assert kept is not None
        assert (ROOT / kept[1]).exists()
        assert "Fails: " in text


def test_the_page_of_errata_has_all_classes_and_papers() -> None:
    page = (ROOT / "docs" / "errata.md").read_text()
    assert re.findall(r"```\{refuted\} (.*)", page) == list(CLASSES)
    headings = re.findall(r"^## (.*)", page, re.MULTILINE)
    assert [name for name in headings if name.lower() in CLASSES] == [
        name.capitalize() for name in CLASSES
    ]
    papers = re.findall(r"```\{statements\} (.*)", page)
    tables = "\n".join(map(errata.table, papers))
    assert all(f"`{name}`" in tables for name in errata.STATEMENTS)


def test_the_classes_are_counted_as_the_laboratory_does() -> None:
    pairs = [(statement, errata.entry(name)) for name, statement in errata.STATEMENTS.items()]
    for name in CLASSES:
        assert f"{len(errata.refuted(name))} {name}" in summary(pairs)
        assert f"| {len(errata.refuted(name))} |" in errata.counts()


def test_a_counterexample_is_written_with_all_its_numbers() -> None:
    instance = errata.entry("S001-condition-3").instance()
    assert list(errata.lines(instance))[:5] == [
        "N: widths 2-1-1-1, rows (w | b)",
        "   layer 1: (0 -1 | 0)",
        "   layer 2: (1 | -1)",
        "   layer 3: (-1 | 1)",
        "Z: all x with (1, 0)·x > -2, (-1, 0)·x > -2, (0, 1)·x > -2, (0, -1)·x > -2",
    ]


def test_text_has_no_meaning_in_markdown() -> None:
    assert errata.plain("a_b <c> |d| $e$") == "a\\_b \\<c\\> \\|d\\| \\$e\\$"


def test_the_table_of_trust_says_what_the_checker_says() -> None:
    run = [sys.executable, str(trusted.CHECKER), "--trust", "regions:cells"]
    said = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert said.split()[-6:-5] == [str(trusted.sizes()["regions:cells"])]
    table = trusted.table()
    for kind in KINDS:
        assert f"[`{kind}`](certificates/rules/{kind}.md)" in table
        assert (ROOT / "proofs" / "rules" / f"{kind}.md").exists()
    assert trusted.sizes().keys() == set(trusted.names())


def test_every_page_of_a_rule_says_what_is_trusted_and_no_paper() -> None:
    for kind in KINDS:
        page = (ROOT / "proofs" / "rules" / f"{kind}.md").read_text()
        trusted_there = page.split("**Trusted.**")[1].split("\n\n")[0]
        assert "arXiv" not in trusted_there, kind
        assert "paper" not in trusted_there, kind
