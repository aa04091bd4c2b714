"""``exactrelu report``: what it prints, and errors of one line."""

import json
from pathlib import Path

import pytest

CASES = Path(__file__).parents[2] / "cases"
XOR = CASES / "xor" / "network.json"


def test_report(run, tmp_path: Path) -> None:
    out = tmp_path / "xor.html"
    found = run("report", XOR, "-o", out, "--timeout", "600", "--json")
    assert found.code == 0
    fields = json.loads(found.out)
    assert fields["n_regions"] == [3]
    assert fields["n_undecided"] == 0
    assert fields["n_accepted"] == fields["n_certificates"] == fields["n_verdicts"] > 20
    text = out.read_text()
    assert text.startswith("<!DOCTYPE html>")
    assert text.count(">save</a>") == fields["n_certificates"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((XOR, "-o", "a.pdf"), "a.pdf: expected a name that ends in .html"),
        (("nowhere.json", "-o", "a.html"), "nowhere.json: no such file"),
        ((XOR, "-o", "a.html", "--slice", "0,0"), "found 0 directions"),
        ((XOR, "-o", "a.html", "--slice", "0,0,0;1,0,0"), "directions of 2 coordinates"),
        ((XOR, "-o", "a.html", "--domain", "box:0,1;0,1;0,1"), "found 3 intervals"),
    ],
)
def test_errors_have_one_line(run, arguments, words, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = run("report", *arguments)
    assert (found.code, found.out) == (2, "")
    assert words in found.err
    assert found.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
