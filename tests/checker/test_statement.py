"""All of a claim: nothing is shortened, each word has a meaning, only what is proved is said."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from bundles import Case, cases
from exactrelu_checker import statement
from exactrelu_checker.claims import KINDS, Book, from_module, read_claim
from exactrelu_checker.main import main
from exactrelu_checker.statement import WORDS, Whole
from jobs import made

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "proofs" / "rules"
#: Words of sentences that say what they say to everybody who knows what a hyperplane is.
PLAIN = {
    "a", "after", "all", "alone", "among", "an", "and", "another", "are", "as", "at", "both",
    "boundary", "bounded", "by", "contains", "differ", "differs", "difference", "dimension",
    "distances", "does", "domain", "each", "equal", "euclidean", "every", "exactly", "false",
    "fewer", "first", "for", "former", "from", "functions", "affine", "gives", "greatest",
    "has", "have", "hold", "hyperplanes", "if", "in", "interior", "is", "it", "k", "its", "largest",
    "leads", "least", "lie", "lies", "line", "list", "many", "maps", "maximum", "more", "near",
    "negative", "never", "no", "none", "norm", "not", "numbers", "of", "on", "one", "only",
    "or", "other", "output", "outputs", "own", "part", "point", "points", "positive", "r",
    "rank", "region", "rows", "same", "satisfy", "set", "sets", "several", "share", "sharing",
    "so", "solution", "solutions", "some", "somewhere", "space", "span", "squares", "starts",
    "such", "take", "takes", "than", "that", "the", "them", "then", "there", "these", "this",
    "those", "to", "too", "two", "unbounded", "up", "value", "values", "where", "which",
    "whose", "wider", "with", "x", "y", "z", "zero", "maximal", "f",
}  # fmt: skip


def said(capsys: pytest.CaptureFixture[str], path: Path, *options: str) -> tuple[int, str]:
    code = main([*options, "--statement", str(path)])
    return code, capsys.readouterr().out


def accepted() -> dict[str, Case]:
    return {
        key: case for key, case in cases().items()
        if case.verdict == "ACCEPTED" and not case.options and case.lines
    }  # fmt: skip


def test_every_word_of_a_sentence_is_plain_or_has_a_meaning() -> None:
    for name, module in KINDS.items():
        known = from_module(module, name)
        for template in filter(None, (known.sentence, known.negation)):
            text = re.sub(r"\{\w+\}", "", template)
            meant: set[int] = set()
            for pattern, _ in WORDS:
                for found in re.finditer(rf"(?<![\w-])({pattern})(?![\w-])", text):
                    meant.update(range(*found.span()))
            words = re.finditer(r"[a-z][a-z-]*", text.lower())
            left = {found[0] for found in words if found.start() not in meant} - PLAIN
            assert not left, (name, left)


def test_no_word_is_there_for_nothing() -> None:
    """Each has a sentence of an accepted case, or a statement of the tables."""
    sentences = [
        read_claim(json.loads(case.lines[0])["claim"], Book()).sentence
        for case in accepted().values()
    ]
    for pattern, _ in WORDS:
        words = re.compile(rf"(?<![\w-])({pattern})(?![\w-])")
        assert any(map(words.search, sentences)), pattern


def test_pages_that_are_named_are_there() -> None:
    text = "\n".join(meaning for _, meaning in WORDS)
    for page in re.findall(r"rules/([\w-]+)\.md", text):
        assert (RULES / f"{page}.md").is_file(), page


def test_nothing_is_shortened() -> None:
    """In no claim of no case, and the short sentence stays what it is."""
    n_shortened = 0
    for case in accepted().values():
        claim = json.loads(case.lines[0])["claim"]
        short, book = read_claim(claim, Book()).sentence, Whole()
        whole = read_claim(claim, book).sentence
        n_shortened += "...{sha256 " in short
        assert "...{sha256 " not in whole
        names = set(re.findall(r"\bL[0-9]+\b", whole))
        below = {name for name, _ in book.below if name[0] == "L"}
        assert below == names | {n for n in below if any(n in " ".join(e) for _, e in book.below)}
        assert all(entries for name, entries in book.below if name[0] in "NL")
    assert n_shortened > 40


def test_all_constraints_are_printed(tmp_path: Path, capsys) -> None:
    case = max((c for k, c in accepted().items() if '"kind":"fiber-equations"' in c.lines[0]),
               key=lambda c: len(c.lines[0]))  # fmt: skip
    path = tmp_path / "equations.cert"
    path.write_bytes(case.data)
    constraints = json.loads(case.lines[0])["claim"]["constraints"]
    code, out = said(capsys, path)
    assert code == 0
    first, *lines = out.splitlines()
    assert first.startswith("ACCEPTED ")
    for constraint in constraints:
        assert f'    "{constraint}"' in lines
    assert f"  L1, {len(constraints)} in all:" in lines
    assert "satisfy L1 after positive scaling" in lines[0]
    assert lines[-1] == "  what it means exactly: rules/fiber-equations.md"
    for name in ("N1", "N2"):
        assert any(line.startswith(f"  {name} (") and line.endswith(" in all:") for line in lines)
    assert any(line.startswith("  r1, r2: ") for line in lines)


@pytest.mark.parametrize(("key", "word"), [
    ("cells/transparent", "preactivation"), ("identifiable/tracks", "general position"),
    ("folds/", "fold-set"), ("fibers/", "strata"), ("points/value", "hidden signs"),
])  # fmt: skip
def test_words_have_their_meaning(key: str, word: str, tmp_path: Path, capsys) -> None:
    found = [case for name, case in accepted().items() if name.startswith(key)]
    found = found or [
        case for case in accepted().values()
        if word in read_claim(json.loads(case.lines[0])["claim"], Book()).sentence
    ]  # fmt: skip
    texts = []
    for case in found[:10]:
        path = tmp_path / "x.cert"
        path.write_bytes(case.data)
        texts.append(said(capsys, path)[1])
    assert any(f"\n  {word}" in text for text in texts)


@pytest.mark.parametrize(
    "key", ["REJECTED", "MALFORMED", "INCOMPLETE", "LIMIT"],
)  # fmt: skip
def test_nothing_is_said_of_what_is_not_accepted(key: str, tmp_path: Path, capsys) -> None:
    """Not even its claim: the line is the usual one."""
    of_this = [c for c in cases().values() if c.verdict == key and not c.options]
    for number, case in enumerate(of_this[:40]):
        path = tmp_path / f"{number}.cert"
        path.write_bytes(case.data)
        usual = main([str(path)]), capsys.readouterr().out
        assert said(capsys, path) == usual
        assert usual[1].count("\n") == 1


def test_a_file_that_changes_has_no_statement(tmp_path: Path, monkeypatch, capsys) -> None:
    path = tmp_path / "x.cert"
    for other in (cases()["linear/rank"].data, b"{}", None):
        path.write_bytes(cases()["file/relu"].data)
        usual = statement.line_of

        def changed(outcome, pinned, other=other, usual=usual):
            path.unlink()
            if other is not None:
                path.write_bytes(other)
            return usual(outcome, pinned)

        with monkeypatch.context() as context:
            context.setattr(statement, "line_of", changed)
            _, out = said(capsys, path)
        first, second = out.splitlines()
        assert first.startswith("ACCEPTED N1 (1-1-1, ")
        assert second == "  (the file is another one now: all of its claim is not known)"


def test_what_is_asked_is_asked_of_statements_too(tmp_path: Path, capsys) -> None:
    path = tmp_path / "x.cert"
    path.write_bytes(cases()["file/relu"].data)
    code, out = said(capsys, path, "--expect", "regions")
    assert code == 0
    assert "unpinned" not in out.splitlines()[0]
    code, out = said(capsys, path, "--expect", "complex")
    assert (code, out.count("\n")) == (1, 1)


def test_a_manifest_is_read_out(tmp_path: Path) -> None:
    said = made(tmp_path).run("--statement")
    assert said.code == 0
    assert said.out.count("  what was proved: ") == 5
    assert said.out.count("\nACCEPTED ") == 4


def test_no_line_but_the_first_can_be_taken_for_a_verdict(tmp_path: Path, capsys) -> None:
    for number, case in enumerate([*accepted().values()][::40]):
        path = tmp_path / f"{number}.cert"
        path.write_bytes(case.data)
        _, out = said(capsys, path)
        assert all(line.startswith("  ") for line in out.splitlines()[1:])
