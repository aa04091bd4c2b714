"""A folder of --shards in one call: the pieces, then the whole, and what may be wrong with them."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from pathlib import Path

import pytest
from bundles import cases, sealed
from exactrelu_checker.main import main

import exactrelu as er


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shards") / "out"
    found = er.in_shards("regions", er.load("example:moons"), folder=folder, size=60)
    assert found.n_pieces == 4
    return folder


@pytest.fixture
def folder(pieces: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(pieces, tmp_path / "out"))


@pytest.fixture
def asked(capsys: pytest.CaptureFixture[str]):
    """The exit code and what was printed, lines and errors."""

    def ask(*arguments: object) -> tuple[int, list[str], str]:
        code = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return code, said.out.splitlines(), said.err

    return ask


WHOLE = "[by shards; trusts NOTHING (all 4 checked here); unpinned] ({}/whole.cert.jsonl.gz)"


def test_the_pieces_and_the_whole(asked, folder: Path) -> None:
    code, (line,), err = asked(folder)
    assert (code, err) == (0, "")
    assert "has exactly 129 activation regions" in line
    assert line.endswith(WHOLE.format(folder))
    assert asked(f"{folder}/")[0] == 0
    (result,) = json.loads("".join(asked("--json", folder)[1]))["results"]
    assert (result["verdict"], result["kind"]) == ("ACCEPTED", "regions")
    pieces = sorted(folder.glob("piece*"))
    taken = [r["fuel"] for r in json.loads("".join(asked("--json", *pieces)[1]))["results"]]
    assert result["fuel"] == max(taken) > 0
    assert asked("--max-fuel", max(taken), folder)[0] == 0
    assert asked("--max-fuel", max(taken) - 1, folder)[0] == 4


def test_the_whole_alone_says_what_is_missing(asked, folder: Path) -> None:
    code, (line,), _ = asked(folder / "whole.cert.jsonl.gz")
    assert code == 4
    assert ": shard-missing: 4 not in a ledger: " in line
    assert line.endswith("; check its folder, or them first")


def test_what_is_asked_is_asked_of_the_whole(asked, folder: Path, tmp_path: Path) -> None:
    network = tmp_path / "net.json"
    er.save(er.load("example:moons"), network)
    pins = ["--network", network, "--domain", "R", "--expect", "regions"]
    code, (line,), _ = asked(*pins, folder)
    assert (code, "unpinned" in line) == (0, False)
    for pin in (["--domain", "orthant"], ["--expect", "complex"]):
        code, (line,), _ = asked(*pin, folder)
        assert (code, line.split()[0]) == (1, "REJECTED")
        assert "whole.cert.jsonl.gz: line 1: " in line


@pytest.mark.parametrize("ledger", [False, True])
def test_a_piece_is_missing(asked, folder: Path, tmp_path: Path, ledger: bool) -> None:
    next(folder.glob("piece*")).unlink()
    options = ["--ledger", tmp_path / "ledger"] * ledger
    code, (line,), _ = asked(*options, folder)
    assert code == 4
    assert ": shard-missing: 1 not in a ledger: " in line


def test_a_piece_is_broken(asked, folder: Path) -> None:
    path = sorted(folder.glob("piece*"))[1]
    data = path.read_bytes()
    for broken, word, worst in ((data[:-20], "INCOMPLETE", 4), (b"{", "INCOMPLETE", 4),
                                (cases()["linear/rank"].data, "", 4),
                                (b"{}\n", "MALFORMED", 3)):  # fmt: skip
        path.write_bytes(broken)
        code, lines, _ = asked(folder)
        assert code == worst
        if word:
            first, last = lines
            assert first.startswith(f"{word} {path}: ")
        else:
            (last,) = lines
        assert last.startswith(f"INCOMPLETE {folder}/whole.cert.jsonl.gz: ")
        assert ": shard-missing: 1 not in a ledger: " in last


def test_a_false_piece_is_no_piece(asked, folder: Path) -> None:
    """A claim that is written for the whole, with a proof that shows less."""
    path = min(folder.glob("piece*"))
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()[:-1]
    leaf = next(k for k, line in enumerate(lines) if line.startswith("cell"))
    path.write_bytes(gzip.compress(sealed([*lines[:leaf], *lines[leaf + 1 :]])))
    code, (first, last), _ = asked(folder)
    assert (code, first.split()[0]) == (1, "REJECTED")
    assert last.startswith("INCOMPLETE ")


def test_one_piece_more_is_named(asked, folder: Path) -> None:
    (folder / "piece-9.cert.jsonl").write_bytes(cases()["linear/rank"].data)
    (folder / "notes.txt").write_text("not a certificate")
    code, (first, last), _ = asked(folder)
    assert code == 0
    assert "; trusts NOTHING; no piece of the whole; unpinned] " in first
    assert first.endswith("/piece-9.cert.jsonl)")
    assert last.endswith(WHOLE.format(folder))


def test_a_folder_that_is_none_of_these(asked, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    code, lines, err = asked(tmp_path / "empty")
    assert (code, lines) == (2, [])
    line = "a folder of --shards has one file whole.cert.jsonl.gz, this one has"
    assert err == f"UNREADABLE {tmp_path}/empty: no-whole: {line} 0\n"
    shutil.copy(folder / "whole.cert.jsonl.gz", folder / "whole.cert.jsonl")
    assert asked(folder)[2] == f"UNREADABLE {folder}: no-whole: {line} 2\n"
    code, lines, _ = asked("--format", "github", tmp_path / "empty")
    assert code == 2
    assert lines == [f"::error file={tmp_path}/empty,title=no-whole::{line} 0"]


def test_a_ledger_of_the_user_goes_on(asked, folder: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    code, (line,), _ = asked("--ledger", ledger, folder)
    assert code == 0
    assert "; trusts the ledger (shards: 4); unpinned]" in line
    assert len(ledger.read_text().splitlines()) == 5
    code, (line,), _ = asked("--ledger", ledger, folder)
    assert (code, "[checked before; trusts the ledger; unpinned]" in line) == (0, True)


def test_a_folder_that_cannot_be_read(asked, folder: Path, monkeypatch) -> None:
    def refused(path: str) -> list[str]:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "listdir", refused)
    assert asked(folder) == (2, [], f"UNREADABLE {folder}: unreadable: Permission denied\n")


def test_folders_and_files_in_one_call(asked, folder: Path, tmp_path: Path) -> None:
    """What one folder showed is not known in the next."""
    other = Path(shutil.copytree(folder, tmp_path / "other"))
    for path in other.glob("piece*"):
        path.unlink()
    code, (first, last), _ = asked(folder, other)
    assert (code, first.split()[0], last.split()[0]) == (4, "ACCEPTED", "INCOMPLETE")
