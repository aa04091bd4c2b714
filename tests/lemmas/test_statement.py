"""Instances survive JSON; every refuted statement has a class and a reason, and the counts agree
wherever they stand.
"""

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from flint import fmpq

from exactrelu.lemmas.families import random_network
from exactrelu.lemmas.record import (
    STATEMENTS,
    RecordEntry,
    judgement_of,
    known_entry,
    load_record,
    summary,
)
from exactrelu.lemmas.statement import (
    CLASSES,
    Instance,
    Judgement,
    Statement,
    instance_object,
    instance_of,
)
from exactrelu.view.lemmas_page import lemmas_page

# --- instances


def test_instances_survive_json() -> None:
    rng = Random(6)
    from exactrelu.exact.matrix import Matrix
    from exactrelu.polyhedra.domain_text import parse_domain

    for _ in range(20):
        instance = Instance.of(
            N=random_network(rng, (2, 3, 1)),
            A=Matrix([[1, fmpq(1, 2)]]),
            x=(fmpq(1, 3), fmpq(-2)),
            t=fmpq(-7, 5),
            i=3,
            D=parse_domain("box:0,1", 2),
        )
        assert instance_of(instance_object(instance)).values == instance.values


# --- judgements


RECORD = load_record()
PAIRS = [(statement, known_entry(statement, RECORD)) for statement in STATEMENTS.values()]
REFUTED = [(statement, entry) for statement, entry in PAIRS if entry.status == "refuted"]
README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
#: The headings of the README, in the order of the classes.
HEADINGS = dict(
    zip(
        CLASSES,
        (
            "False as printed",
            "Edge cases",
            "Misprints",
            "Our reading",
            "Not the paper's",
            "Text damaged",
        ),
        strict=True,
    )
)


def by_class() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {name: set() for name in CLASSES}
    for statement, entry in REFUTED:
        judgement = judgement_of(statement, entry)
        assert judgement is not None, statement.id
        found[judgement.name].add(statement.id)
    return found


def test_refuted_statements_are_judged_and_no_others() -> None:
    for statement, entry in PAIRS:
        judgement = statement.judgement if isinstance(statement, Statement) else None
        assert (judgement is not None) == (entry.status == "refuted"), statement.id


def test_every_class_occurs() -> None:
    assert all(by_class().values())
    assert sum(map(len, by_class().values())) == len(REFUTED)


def test_a_statement_that_mends_another_says_so() -> None:
    """What an edge case names as its repair is in the catalogue, and repairs it."""
    for statement, entry in REFUTED:
        judgement = judgement_of(statement, entry)
        assert judgement is not None
        for name in re.findall(r"S00\d-[\w-]+-repaired", str(judgement)):
            mending = STATEMENTS[name]
            assert isinstance(mending, Statement)
            assert mending.repairs == statement.id


@pytest.mark.parametrize(
    ("name", "reason", "mended_by"),
    [
        ("wrong", "It is.", ""),
        ("false", "no sentence", ""),
        ("edge case", "It is.", ""),
        ("misprint", "It is.", "something"),
    ],
)
def test_a_judgement_is_well_formed(name: str, reason: str, mended_by: str) -> None:
    with pytest.raises(ValueError, match=name):
        Judgement(name, reason, mended_by)  # type: ignore[arg-type]


def test_the_summary_counts_by_class() -> None:
    counts = Counter(entry.status for _, entry in PAIRS)
    classes = {name: len(ids) for name, ids in by_class().items()}
    listed = ", ".join(f"{n} {name}" for name, n in classes.items())
    assert f"{counts['refuted']} refuted ({listed})" in summary(PAIRS)
    assert f"{counts['untestable']} untestable" in summary(PAIRS)


def test_a_refutation_that_nobody_has_judged_is_not_called_false() -> None:
    statement = STATEMENTS["S003-lemma-1-if"]
    entry = RecordEntry(statement.id, "refuted", "forged")
    assert summary([(statement, entry)]) == "1 refuted (1 not judged)"


def test_a_class_is_not_shown_of_what_is_not_refuted() -> None:
    statement = STATEMENTS["S003-lemma-1"]
    assert judgement_of(statement, RecordEntry(statement.id, "open", "forged")) is None


def test_the_first_page_counts_as_the_record_does() -> None:
    n_false = len(by_class()["false"])
    assert f"{len(PAIRS)} published statements are under test" in README
    assert f"{len(REFUTED)} are refuted as they are written down here" in README
    assert f"of which {n_false} are false as printed" in " ".join(README.split())


def test_the_page_shows_class_and_reason() -> None:
    import html

    page = lemmas_page(REFUTED)
    assert html.escape(summary(REFUTED)) in page
    articles = dict(re.findall(r'<article id="([^"]+)">(.*?)</article>', page, re.DOTALL))
    assert set(articles) == {statement.id for statement, _ in REFUTED}
    for statement, entry in REFUTED:
        judgement = judgement_of(statement, entry)
        assert judgement is not None
        article = articles[statement.id]
        assert f"<p>{html.escape(str(judgement))}</p>" in article
        kind = "false" if judgement.name == "false" else "refuted"
        assert f'<span class="status {kind}">{html.escape(judgement.name)}</span>' in article
    for meaning in CLASSES.values():
        assert html.escape(meaning) in page


def test_the_page_of_what_stands_has_no_class() -> None:
    standing = [(statement, entry) for statement, entry in PAIRS if entry.status != "refuted"]
    page = lemmas_page(standing)
    assert 'class="status false"' not in page
    assert not any(meaning in page for meaning in CLASSES.values())
