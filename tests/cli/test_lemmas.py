"""``lemmas``, ``refute`` and ``conjecture`` on the command line."""

import html
import json
from collections import Counter
from pathlib import Path

import pytest

from exactrelu.effort import clock
from exactrelu.lemmas.statement import CLASSES
from tests.checking import CHECKER

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "lemmas" / "data"
KEPT = ROOT / "proofs" / "certificates" / "lemmas"


def test_lemmas_lists_every_statement(run) -> None:
    result = run("lemmas", "--json")
    assert result.code == 0
    listed = json.loads(result.out)["lemmas"]
    words = {"refuted", "open", "holds-to-bound", "untestable"}
    assert {entry["status"] for entry in listed} <= words
    assert all(entry["id"] and entry["source"] and entry["text"] for entry in listed)
    assert len({entry["id"] for entry in listed}) == len(listed)
    for entry in listed:
        assert (entry["counterexample"] is not None) == (entry["status"] == "refuted")


def test_every_refuted_statement_is_listed_with_its_class(run) -> None:
    listed = json.loads(run("lemmas", "--json").out)["lemmas"]
    lines = run("lemmas").out.splitlines()
    for entry in listed:
        refuted = entry["status"] == "refuted"
        assert (entry["class"] in CLASSES) == (entry["class_reason"] is not None) == refuted
        assert (entry["mended_by"] is not None) == (entry["class"] == "edge case")
        (row,) = (k for k, line in enumerate(lines) if line.split()[1:2] == [entry["id"]])
        start = f"{entry['class']}: {entry['class_reason']}"
        assert lines[row + 1].strip().startswith(start) == refuted
    counts = Counter(entry["class"] for entry in listed if entry["class"])
    by_class = ", ".join(f"{counts[name]} {name}" for name in CLASSES)
    assert f"{counts.total()} refuted ({by_class})" in lines[-1]


def test_refute_says_what_it_means_for_the_paper(run) -> None:
    result = run("refute", "S003-mean-row")
    assert result.code == 0
    assert "\nreading: In A.3 the matrix is Gaussian" in result.out
    found = json.loads(run("refute", "S002-lemma-20", "--json").out)
    assert found["class"] == "edge case"
    assert found["class_reason"].startswith("Supertransversality alone")
    assert found["mended_by"].startswith("column j of W_L is not 0")
    open_one = json.loads(run("refute", "S003-lemma-1-if", "--seconds", "0.1", "--json").out)
    assert open_one["class"] is open_one["class_reason"] is open_one["mended_by"] is None


def test_lemmas_by_prefix(run) -> None:
    result = run("lemmas", "S003-lemma-1")
    assert "S003-lemma-1-if" in result.out
    assert run("lemmas", "S9").code == 2


def test_refute_writes_case_and_certificate(run, tmp_path) -> None:
    import subprocess
    import sys

    case, certificate = tmp_path / "case", tmp_path / "lemma-1.cert.jsonl"
    result = run("refute", "S003-lemma-1", "-o", case, "--certificate", certificate, "--json")
    assert result.code == 0
    answer = json.loads(result.out)
    assert answer["verdict"] == "yes"
    assert answer["counterexample"]["N"]["network"]["layers"][0]["bias"] == ["-1", "1"]
    assert json.loads((case / "expected.json").read_text())["networks"] == {"N": "N.json"}
    program = [sys.executable, "-I", "-S", str(CHECKER), str(certificate)]
    found = subprocess.run(program, capture_output=True, text=True, check=False)
    assert found.stdout.startswith("ACCEPTED S003-lemma-1 (if ReLU(Wx + b) is injective, ")
    assert run("info", case / "N.json").code == 0


def test_refute_is_undecided_without_a_find(run) -> None:
    result = run("refute", "S003-lemma-1-if", "--seconds", "0.2", "--json")
    assert result.code == 3
    assert json.loads(result.out)["verdict"] == "undecided"
    assert json.loads(result.out)["counterexample"] is None


def test_refute_refuses_unknown_names(run) -> None:
    result = run("refute", "lemma-7")
    assert result.code == 2
    assert len(result.err.splitlines()) == 1
    assert "exactrelu lemmas" in result.err


def test_conjecture(run, tmp_path) -> None:
    certificate = tmp_path / "c.cert.jsonl"
    file = DATA / "same_means_isomorphic.py"
    result = run("conjecture", file, "--certificate", certificate)
    assert result.code == 0
    assert "FAILS" in result.out
    assert run("check", certificate).code == 0
    assert run("conjecture", tmp_path / "missing.py").code == 2


def test_search_again_writes_record_cases_and_certificates(run, tmp_path) -> None:
    result = run("lemmas", "S003-lemma-1", "--search", "0.3", "-o", tmp_path)
    assert result.code == 0
    record = json.loads((tmp_path / "record.json").read_text())
    assert record[0]["status"] == "refuted"
    assert (tmp_path / "cases" / "lemmas/S003-lemma-1" / "N.json").is_file()
    assert (tmp_path / "certificates" / "S003-lemma-1.cert.jsonl").is_file()


def test_the_kept_refutations_are_written_again(run, tmp_path) -> None:
    assert run("lemmas", "S003-lemma", "-o", tmp_path).code == 0
    written = sorted((tmp_path / "certificates").iterdir())
    assert [path.name.split(".")[0] for path in written] == [
        "S003-lemma-1", "S003-lemma-3", "S003-lemma-4",
    ]  # fmt: skip
    for path in written:
        assert path.read_bytes() == (KEPT / path.name).read_bytes()
    case = Path("cases", "lemmas", "S003-lemma-1")
    for path in (tmp_path / case).iterdir():
        assert path.read_bytes() == (ROOT / case / path.name).read_bytes()


def test_the_page_stands_alone(run, tmp_path) -> None:
    page = tmp_path / "lemmas.html"
    assert run("lemmas", "--report", page).code == 0
    text = page.read_text()
    assert "S003-lemma-1" in text
    assert all(html.escape(name) in text for name in CLASSES)
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "https://" not in text


def test_searches_over_their_time(run, tmp_path: Path) -> None:
    start = clock()
    options = ("--search", "60", "--timeout", "1", "-o", tmp_path, "--report", tmp_path / "a.html")
    found = run("lemmas", "S003", *options, "--json")
    assert clock() - start < 30
    answer = json.loads(found.out)
    assert (found.code, answer["verdict"]) == (3, "undecided")
    assert answer["reason"].startswith("stopped after 1 s: ")
    names = [entry["id"] for entry in answer["lemmas"]]
    every = [e["id"] for e in json.loads(run("lemmas", "S003", "--json").out)["lemmas"]]
    assert names == every[: len(names)]
    assert len(names) < len(every)
    assert [e["id"] for e in json.loads((tmp_path / "record.json").read_text())] == names
    assert (tmp_path / "a.html").read_text().rstrip().endswith("</html>")


def test_a_timeout_is_the_length_of_a_search(run) -> None:
    lemma = next(
        entry["id"]
        for entry in json.loads(run("lemmas", "--json").out)["lemmas"]
        if entry["status"] == "holds-to-bound"
    )
    for options in (("--timeout", "0.5"), ("--timeout", "0.5", "--seconds", "60")):
        start = clock()
        found = run("refute", lemma, *options, "--json")
        assert clock() - start < 20
        answer = json.loads(found.out)
        assert (found.code, answer["verdict"]) == (3, "undecided")
        assert answer["reason"].startswith("stopped after 0.5 s: no counterexample among")
    found = run("refute", lemma, "--seconds", "0.5", "--timeout", "60", "--json")
    assert json.loads(found.out)["reason"].startswith("no counterexample among")


@pytest.mark.sweep
def test_searches_are_shared(run, tmp_path: Path) -> None:
    """Statements by two processes: the same cases and certificates, in order."""
    names = ("S000-visible", "S001-one-piece")
    written = []
    for jobs in ("1", "2"):
        folder = tmp_path / jobs
        found = run("lemmas", *names, "--search", "60", "-o", folder, "--jobs", jobs)
        assert [line.split()[1] for line in found.out.splitlines()[:-1:2]] == list(names)
        record = json.loads((folder / "record.json").read_text())
        files = [path for path in folder.rglob("*") if path.is_file() and path.parent != folder]
        written.append({path.relative_to(folder): path.read_bytes() for path in files})
        written.append([(entry["id"], entry["counterexample"]) for entry in record])
    assert written[:2] == written[2:]
    assert len(written[0]) > 3


@pytest.mark.sweep
def test_a_conjecture_is_shared(run, tmp_path: Path) -> None:
    """The counterexample is the first in order; so is an error of the program."""
    file = DATA / "same_means_isomorphic.py"
    assert run("conjecture", file, "--jobs", "2") == run("conjecture", file)
    bad = tmp_path / "bad.py"
    bad.write_text(
        "WIDTHS = [(1, 1, 1)]\n"
        "def hypotheses(N):\n    return True\n"
        "def conclusion(N):\n    return 1 / int(N([3])[0].numerator - 4) < 5\n"
    )
    found = run("conjecture", bad, "--jobs", "2")
    assert found == run("conjecture", bad)
    assert found.code == 2
    assert "bad.py:5: ZeroDivisionError" in found.err
