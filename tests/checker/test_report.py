"""Formats for CI: annotations and tables in which nothing that a file says becomes a command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bundles import cases
from exactrelu_checker.check import Outcome
from exactrelu_checker.main import main
from exactrelu_ci.report import github, summarize
from jobs import Job, claim_of, edited, made


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return made(tmp_path)


def test_annotations_of_github_have_file_title_and_reason(
    job: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = edited("pairs/intervals-closed", ('"bound":["1","2"]', '"bound":["1","5f5e100"]'))
    job.write("certs/within.cert.jsonl", data)
    job.change('at-most = {bound = "2"}', 'at-most = {bound = "1/100"}')
    monkeypatch.chdir(job.folder)
    said = Job(Path()).run("--format", "github")
    assert said.code == 1
    lines = said.out.splitlines()
    assert lines[0] == (
        "::error file=certs/within.cert.jsonl,title=weaker::"
        "bound is 100000000, expected at most 1/100"
    )
    assert [line.split()[0] for line in lines[1:]] == ["ACCEPTED"] * 4


def test_annotations_without_a_manifest(tmp_path: Path, capsys) -> None:
    good, bad = tmp_path / "good.cert", tmp_path / "bad.cert"
    good.write_bytes(cases()["file/relu"].data)
    bad.write_bytes(cases()["file/relu"].data.replace(b'"count":2', b'"count":3'))
    table = tmp_path / "table.md"
    table.write_text("before\n")
    options = ["--format", "github", "--summary", str(table)]
    assert main([*options, str(good), str(bad), str(good)]) == 1
    first, second, _ = capsys.readouterr().out.splitlines()
    assert first.startswith("ACCEPTED N1 (1-1-1, ")
    assert second == f"::error file={bad},line=6,title=region-count::the proof has 2 regions"
    text = table.read_text()
    assert text.startswith("before\nexactrelu-check: 2 of 3 accepted\n\n| verdict | file |")
    assert text.endswith("|\n\n")
    rows = text.splitlines()[5:-1]
    assert rows[0].startswith("| REJECTED | ")
    assert rows[0].endswith(" | region&#45;count: the proof has 2 regions |")
    assert rows[1].startswith("| ACCEPTED | ")
    assert "has exactly 2 activation regions" in rows[1]


def test_a_file_of_which_nobody_said_what_it_must_be(tmp_path: Path, capsys) -> None:
    """The line still starts with ACCEPTED and the claim."""
    path = tmp_path / "relu.cert"
    path.write_bytes(cases()["file/relu"].data)
    network = tmp_path / "relu.json"
    network.write_text(json.dumps(claim_of("file/relu")["network"]))
    assert main([str(path)]) == 0
    assert f"[by cells; trusts NOTHING; unpinned] ({path})" in capsys.readouterr().out
    for pin in (["--network", str(network)], ["--domain", "R"], ["--expect", "regions"]):
        assert main([*pin, str(path)]) == 0
        assert f"[by cells; trusts NOTHING] ({path})" in capsys.readouterr().out


def test_json_is_one_format(tmp_path: Path, capsys) -> None:
    path = tmp_path / "good.cert"
    path.write_bytes(cases()["file/relu"].data)
    said = []
    for options in (["--json"], ["--format", "json"], ["--summary", str(tmp_path / "s"), "--json"]):
        assert main([*options, str(path)]) == 0
        said.append(json.loads(capsys.readouterr().out))
    assert said[0] == said[1] == said[2]
    assert main(["--format", "text", str(path)]) == 0
    assert capsys.readouterr().out.startswith("ACCEPTED ")
    with pytest.raises(SystemExit):
        main(["--format", "xml", str(path)])


def test_a_summary_leaves_the_lines_as_they_are(tmp_path: Path, capsys) -> None:
    path = tmp_path / "bad.cert"
    path.write_bytes(cases()["file/relu"].data.replace(b'"count":2', b'"count":3'))
    assert main(["--summary", str(tmp_path / "s.md"), str(path)]) == 1
    assert capsys.readouterr().out.startswith(f"REJECTED {path}: line 6: region-count: ")


def test_a_summary_that_cannot_be_written(tmp_path: Path, capsys) -> None:
    path = tmp_path / "good.cert"
    path.write_bytes(cases()["file/relu"].data)
    assert main(["--summary", str(tmp_path / "none" / "s.md"), str(path)]) == 2
    assert capsys.readouterr().out == ""


HOSTILE = "a,b:c%d\n::error::x\r##[add-mask]y`|<b>\x1b\u2028é"


def test_no_name_injects_a_command() -> None:
    for outcome in (
        Outcome(HOSTILE, "REJECTED", line=3, code="changed", why=HOSTILE),
        Outcome(HOSTILE, "ACCEPTED", "rank", "a claim", "by minor; trusts NOTHING"),
    ):
        line = github(outcome, True)
        assert line.splitlines() == [line]
        assert "##[" not in line
        assert line.isascii()
        assert line.isprintable()
    refused = github(Outcome("a,b:c%d", "REJECTED", code="changed", why="50 %, so: no"), True)
    assert refused == "::error file=a%2Cb%3Ac%25d,title=changed::50 %25, so: no"
    refused = github(Outcome("a\\b", "REJECTED", code="changed", why="it's \\"), True)
    assert refused == "::error file=a\\b,title=changed::it's \\"
    refused = github(Outcome("\xe9\x1b", "REJECTED", code="changed", why="\u2028."), True)
    assert refused == "::error file=\\xe9\\x1b,title=changed::\\u2028."
    refused = github(Outcome(HOSTILE, "MALFORMED", code="not-json", why="x\r\ny"), True)
    assert refused.endswith("::x%0D%0Ay")
    assert refused.count("::") == 2


def test_no_name_leaves_its_cell() -> None:
    outcome = Outcome(HOSTILE, "REJECTED", code="changed", why="a | b\n\n# title [x](y) @me <i>")
    table = summarize([outcome])
    head, line, *rest = table.splitlines()[2:]
    assert (head.count("|"), line) == (4, "|---|---|---|")
    assert rest[0].count("|") == 4
    for mark in "<>[]()#`*@":
        assert mark not in rest[0].replace("&#", "")
    assert rest[1:] == [""]
