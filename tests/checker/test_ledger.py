"""The ledger: what it remembers, what it does not, and forgeries of it."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from bundles import VERSION, cases, sealed
from exactrelu_checker.main import main
from jobs import Job, made

PROOFS = Path(__file__).resolve().parents[2] / "proofs"
#: A claim with two pieces.
WHOLE, LEFT, RIGHT = "two-shards", "left", "right"


class Desk:
    """Files of cases in a folder, and a ledger."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capsys, self.ledger = folder, capsys, folder / "ledger"
        for name in (WHOLE, LEFT, RIGHT):
            self.file(name).write_bytes(cases()[f"shards/{name}"].data)

    def file(self, name: str) -> Path:
        return self.folder / f"{name}.cert"

    def check(self, *names: str) -> tuple[int, list[str], str]:
        """The exit code, the lines, and what goes wrong."""
        paths = [name if name.startswith("-") else str(self.file(name)) for name in names]
        code = main(["--ledger", str(self.ledger), *paths])
        said = self.capsys.readouterr()
        return code, said.out.splitlines(), said.err

    def words(self, *names: str) -> list[str]:
        """The verdict on each file, in a word."""
        return [line.split()[0] for line in self.check(*names)[1]]

    @property
    def lines(self) -> list[str]:
        return self.ledger.read_text().splitlines(keepends=True)


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(tmp_path, capsys)


def test_lines_are_those_of_what_was_accepted(desk: Desk) -> None:
    assert desk.words(LEFT, RIGHT, WHOLE) == ["ACCEPTED"] * 3
    assert desk.lines == [cases()[f"shards/{name}"].line for name in (LEFT, RIGHT, WHOLE)]


def test_pieces_come_first(desk: Desk) -> None:
    """A claim whose pieces are not there gets no line, and is accepted once they are."""
    code, said, _ = desk.check(WHOLE, LEFT, RIGHT)
    assert (code, [line.split()[0] for line in said]) == (4, ["INCOMPLETE", "ACCEPTED", "ACCEPTED"])
    digest = cases()[f"shards/{LEFT}"].line[:64]
    assert said[0].endswith(
        f": shard-missing: 2 not in a ledger: {digest}; check its folder, or them first"
    )
    assert len(desk.lines) == 2
    code, (said_now,), _ = desk.check(WHOLE)
    assert code == 0
    assert "[by shards; trusts the ledger (shards: 2); unpinned]" in said_now


def test_one_piece_is_missing(desk: Desk) -> None:
    for name, other in ((LEFT, RIGHT), (RIGHT, LEFT)):
        desk.ledger.write_text(cases()[f"shards/{name}"].line)
        code, (said,), _ = desk.check(WHOLE)
        digest = cases()[f"shards/{other}"].line[:64]
        assert code == 4
        assert f": shard-missing: 1 not in a ledger: {digest}; " in said


def test_what_is_known_is_not_checked_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert desk.check(LEFT, RIGHT, WHOLE)[0] == 0
    before = desk.lines
    monkeypatch.setattr("exactrelu_checker.check.prove", lambda *_: 1 // 0)
    code, said, _ = desk.check(LEFT, RIGHT, WHOLE)
    assert code == 0
    assert all("[checked before; trusts the ledger; unpinned]" in line for line in said)
    sentence = "has exactly 3 activation regions on the relative interior of all of R^1"
    assert sentence in said[2]
    assert desk.lines == before


def test_pins_hold_for_what_is_known(desk: Desk) -> None:
    assert desk.check(LEFT)[0] == 0
    for option, value, code in (
        ("--expect", "complex", "claim-mismatch"),
        ("--expect", "not regions", "claim-mismatch"),
        ("--domain", "R", "domain-mismatch"),
    ):
        found, (said,), _ = desk.check(f"{option}={value}", LEFT)
        assert found == 1
        assert f": {code}: " in said
    code, (said,), _ = desk.check("--expect=regions", LEFT)
    assert code == 0
    assert "[checked before; trusts the ledger]" in said


def test_other_bytes_are_checked(desk: Desk) -> None:
    """The same claim in a gzip file, and a broken proof of it."""
    assert desk.check(LEFT)[0] == 0
    data = desk.file(LEFT).read_bytes()
    desk.file("packed").write_bytes(gzip.compress(data, mtime=0))
    code, (said,), _ = desk.check("packed")
    assert code == 0
    assert "[by cells; trusts NOTHING; unpinned]" in said
    assert len(desk.lines) == 2
    assert desk.words("packed") == ["ACCEPTED"]
    assert len(desk.lines) == 2
    lines = data.decode().splitlines()[:-1]
    desk.file(LEFT).write_bytes(sealed([*lines[:-1], "cell 1 1"]))
    assert desk.words(LEFT) == ["REJECTED"]
    desk.file(LEFT).write_bytes(data[:-5])
    assert desk.words(LEFT) == ["INCOMPLETE"]
    assert len(desk.lines) == 2


def test_the_hash_of_a_file_is_not_enough(desk: Desk) -> None:
    """A line with another claim does not make a file known."""
    left, right = (cases()[f"shards/{name}"].line for name in (LEFT, RIGHT))
    desk.ledger.write_text(left[:64] + right[64:])
    _, (said,), _ = desk.check(RIGHT)
    assert "[by cells; trusts NOTHING; unpinned]" in said


def test_claims_of_another_version_are_unknown(desk: Desk) -> None:
    assert desk.check(LEFT, RIGHT)[0] == 0
    for version in ("0.0.9", f"{VERSION}.1", f"1{VERSION}", VERSION[:-1]):
        text = "".join(desk.lines[:2]).replace(f" {VERSION}\n", f" {version}\n")
        desk.ledger.write_text(text)
        assert desk.words(WHOLE) == ["INCOMPLETE"]
        _, (said,), _ = desk.check(LEFT)
        assert "[by cells; " in said
        desk.ledger.write_text("".join(cases()[f"shards/{name}"].line for name in (LEFT, RIGHT)))


@pytest.mark.parametrize("at", range(0, 134, 7))
def test_a_digit_that_is_changed(desk: Desk, at: int) -> None:
    """Another claim is not the piece; another file is the piece, but is checked; spaces matter."""
    line = cases()[f"shards/{RIGHT}"].line
    other = "0" if line[at] != "0" else "1"
    desk.ledger.write_text(cases()[f"shards/{LEFT}"].line + line[:at] + other + line[at + 1 :])
    code, said, err = desk.check(WHOLE)
    if line[at] == " ":
        assert (code, said) == (2, [])
        assert "line 2 is not 'claim-sha256 file-sha256 version'" in err
    elif at < 64 or at > 128:
        assert said[0].startswith("INCOMPLETE")
    else:
        assert said[0].startswith("ACCEPTED")


@pytest.mark.parametrize("length", [1, 63, 64, 65, 100, 129, 130, 134])
def test_a_line_that_is_cut(desk: Desk, length: int) -> None:
    """Also the last one without its newline: the next one would be joined to it."""
    line = cases()[f"shards/{RIGHT}"].line
    text = cases()[f"shards/{LEFT}"].line + line[:length]
    desk.ledger.write_text(text)
    code, said, err = desk.check(WHOLE)
    assert (code, said) == (2, [])
    where = f"exactrelu-check: {desk.ledger}: line 2 is not"
    assert err == f"{where} 'claim-sha256 file-sha256 version'\n"
    assert desk.ledger.read_text() == text


@pytest.mark.parametrize(
    "wrong",
    [b"\n", b"x\n", b"\xff\n", b"A" + b"0" * 63 + b" " + b"0" * 64 + b" 1\n",
     b"0" * 64 + b" " + b"0" * 64 + b"\n", b"0" * 64 + b" " + b"0" * 64 + b" 1 2\n",
     b"0" * 64 + b"  " + b"0" * 64 + b" 1\n", b" " + b"0" * 64 + b" " + b"0" * 64 + b" 1\n",
     b"0" * 64 + b" " + b"0" * 63 + b" 1\n", b"0" * 64 + b" " + b"0" * 64 + b" \xe9\n"],
)  # fmt: skip
def test_a_line_of_another_form(desk: Desk, wrong: bytes) -> None:
    desk.ledger.write_bytes(wrong)
    code, said, err = desk.check(LEFT)
    assert (code, said) == (2, [])
    assert err.count("\n") == 1
    assert "line 1 is not" in err


def test_what_is_refused_has_no_line(desk: Desk) -> None:
    lines = desk.file(LEFT).read_bytes().decode().splitlines()[:-1]
    desk.file(LEFT).write_bytes(sealed([*lines[:-1], "cell 1 1"]))
    desk.file(RIGHT).write_bytes(sealed(lines)[:-10])
    desk.file("none").write_bytes(b"")
    assert desk.words(LEFT, RIGHT, "none", "nowhere") == ["REJECTED", "INCOMPLETE", "INCOMPLETE"]
    assert desk.lines == []


def test_lines_of_windows_are_read(desk: Desk) -> None:
    lines = [cases()[f"shards/{name}"].line for name in (LEFT, RIGHT)]
    desk.ledger.write_bytes("".join(lines).replace("\n", "\r\n").encode())
    assert desk.words(WHOLE) == ["ACCEPTED"]


def test_a_ledger_that_cannot_be_opened(desk: Desk) -> None:
    for path in (desk.folder, desk.folder / "no" / "ledger"):
        desk.ledger = path
        code, said, err = desk.check(LEFT)
        assert (code, said) == (2, [])
        assert err.startswith("exactrelu-check: ")
        assert err.count("\n") == 1


def test_a_pipe_cannot_be_read_twice(desk: Desk) -> None:
    """Without a ledger it may be a pipe."""
    run = [sys.executable, "-I", str(PROOFS / "exactrelu_checker")]
    data = desk.file(LEFT).read_bytes()
    plain = subprocess.run([*run, "/dev/stdin"], input=data, capture_output=True, check=False)
    assert plain.returncode == 0
    run += ["--ledger", str(desk.ledger), "/dev/stdin"]
    found = subprocess.run(run, input=data, capture_output=True, check=False)
    assert found.returncode == 2
    assert found.stderr.startswith(b"UNREADABLE /dev/stdin: unreadable: ")
    assert b"None" not in found.stderr


def test_many_processes_share_a_ledger_and_ledgers_are_joined(desk: Desk) -> None:
    run = [sys.executable, "-I", "-S", str(PROOFS / "exactrelu_checker"), "--ledger"]
    jobs = [
        subprocess.Popen([*run, str(ledger), str(desk.file(name))], stdout=subprocess.DEVNULL)
        for ledger in (desk.ledger, desk.folder / "other")
        for name in (LEFT, RIGHT)
    ]
    assert [job.wait() for job in jobs] == [0] * 4
    assert sorted(desk.lines) == sorted(cases()[f"shards/{name}"].line for name in (LEFT, RIGHT))
    desk.ledger.write_text("".join(desk.lines) + (desk.folder / "other").read_text())
    assert desk.words(WHOLE) == ["ACCEPTED"]


def test_a_line_is_written_at_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that others added meanwhile stay: nothing is written over."""
    other = f"{'0' * 64} {'1' * 64} {VERSION}\n"

    def grown(proof: object, claim: object, known: object = ()) -> str:
        with open(desk.ledger, "a", encoding="ascii") as file:
            file.write(other)
        return "by cells; trusts NOTHING"

    monkeypatch.setattr("exactrelu_checker.options.proved", grown)
    assert desk.words(LEFT) == ["ACCEPTED"]
    assert desk.lines == [other, cases()[f"shards/{LEFT}"].line]


def test_json_says_what_is_trusted(desk: Desk) -> None:
    desk.check(LEFT, RIGHT)
    code, lines, _ = desk.check("--json", LEFT, WHOLE)
    found = json.loads(lines[0])
    assert code == found["exit"] == 0
    assert [result["trusts"] for result in found["results"]] == [
        "checked before; trusts the ledger",
        "by shards; trusts the ledger (shards: 2)",
    ]


def test_a_manifest_with_a_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a list names and pins may have shards; what it pins holds for what is known too."""
    job: Job = made(tmp_path)
    for _ in range(2):
        ledger = str(tmp_path / "ledger")
        assert main(["--manifest", str(job.folder / "certificates.toml"), "--ledger", ledger]) == 0
        said = capsys.readouterr().out.splitlines()
    assert len(said) == 5
    assert all("[checked before; trusts the ledger] " in line for line in said)
    job.change("box:0..2", "box:0..3")
    assert main(["--manifest", str(job.folder / "certificates.toml"), "--ledger", ledger]) == 1
    assert ": changed: " in capsys.readouterr().out


def test_a_file_that_is_named_twice_is_checked_once(desk: Desk) -> None:
    _, said, _ = desk.check(LEFT, LEFT)
    assert [line.split(" [")[1].split(";")[0] for line in said] == ["by cells", "checked before"]
    assert len(desk.lines) == 1


def test_trust_speaks_of_the_proofs_of_shards(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--trust", "regions:shards"]) == 0
    assert "and what --trust lists for the method of each shard" in capsys.readouterr().out
