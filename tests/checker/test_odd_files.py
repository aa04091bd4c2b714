"""Files that are no files, that are written while they are read, and options given in vain."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from bundles import cases
from exactrelu_checker.main import main
from exactrelu_checker.options import domain_of, ledger_of, load_network
from jobs import made
from test_memory import PACKAGE

GOOD = cases()["file/relu"].data
Asked = Callable[..., tuple[int, str, str]]


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.cert"
    path.write_bytes(GOOD)
    return path


@pytest.fixture
def asked(capsys: pytest.CaptureFixture[str]) -> Asked:
    """The exit code, what was printed, and the line of an error."""

    def ask(*arguments: object) -> tuple[int, str, str]:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:
            code = int(stop.code or 0)
        said = capsys.readouterr()
        return code, said.out, said.err

    return ask


def test_a_file_without_an_end(tmp_path: Path) -> None:
    """Of a device, or of a file that is too long, no more is read than one line may have."""
    long = tmp_path / "long.json"
    with long.open("wb") as file:
        file.truncate(1 << 33)
    for path in (str(long), *(p for p in ("/dev/zero", "/dev/full") if os.path.exists(p))):
        for read in (load_network, domain_of):
            with pytest.raises(ValueError, match="more characters than --max-line, 100000"):
                read(path, 100_000)
        with pytest.raises(ValueError, match="line 1 is not 'claim-sha256"):
            ledger_of(path)


def test_as_much_as_may_be_is_read(tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    text = '{"format": "exactrelu-network/1", "layers": [{"weights": [[1]], "bias": [0]}]}'
    path.write_text(text.ljust(65_536 * 2))
    assert load_network(str(path), 65_536).widths == (1, 1)
    path.write_text(text.ljust(65_536 * 2 + 1))
    with pytest.raises(ValueError, match="more characters than --max-line, 65536"):
        load_network(str(path), 65_536)


@pytest.mark.parametrize("option", ["--network", "--domain"])
def test_a_long_file_is_a_mistake_of_usage(asked: Asked, good: Path, option: str) -> None:
    long = good.with_name("long.json")
    long.write_text(" " * 1_000_000)
    why = f"exactrelu-check: {long}: more characters than --max-line, 1000\n"
    assert asked(option, long, "--max-line=1000", good) == (2, "", why)


def test_a_long_network_of_a_manifest(tmp_path: Path) -> None:
    job = made(tmp_path)
    for name in ("models/line.json", "models/cut.json"):
        job.write(name, " " * 200_000)
    said = job.run("--max-line=100000")
    assert (said.code, said.out) == (2, "")
    first, second = said.err.splitlines()
    assert "line.json: wrong-network: " in first
    assert "cut.json: wrong-domain: " in second
    assert first.endswith("more characters than --max-line, 100000")
    assert second.endswith("more characters than --max-line, 100000")


def test_lists_without_an_end(asked: Asked, good: Path) -> None:
    deep = good.with_name("deep.json")
    deep.write_text("[" * 100_000)
    why = f"exactrelu-check: {deep}: lists within lists within lists\n"
    assert asked("--network", deep, good) == asked("--domain", deep, good) == (2, "", why)


def test_the_ledger_hashes_what_is_paid_for(good: Path, capsys) -> None:
    """What follows a proof is hashed too: without an end it is over the limit of the work."""
    with good.open("ab") as file:
        file.truncate(1 << 39)
    ledger = good.with_name("ledger")
    assert main(["--ledger", str(ledger), str(good)]) == 4
    assert "out-of-fuel" in capsys.readouterr().out
    assert ledger.read_text() == ""


@pytest.mark.parametrize("value", ["", "--"])
@pytest.mark.parametrize(
    "option",
    ["--network", "--domain", "--expect", "--manifest", "--ledger", "--trust", "--summary"],
)
def test_a_value_that_is_none(asked: Asked, good: Path, option: str, value: str) -> None:
    code, out, err = asked(f"{option}={value}", good)
    wanted = f"exactrelu-check: error: argument {option}: found {value!r}, expected a value"
    assert (code, out, err) == (2, "", f"{wanted} (see --help)\n")


@pytest.mark.parametrize(
    "twice",
    [
        "--domain=R --domain=orthant", "--expect=regions --expect=equal", "--ledger=a --ledger=b",
        "--manifest=a --manifest=b", "--trust=equal --trust=regions", "--summary=a --summary=b",
        "--format=json --format=text", "--format=text --json", "--json --statement",
        "--max-fuel=1 --max-fuel=2",
    ],
)  # fmt: skip
def test_an_option_given_twice(
    asked: Asked, good: Path, monkeypatch: pytest.MonkeyPatch, twice: str
) -> None:
    monkeypatch.chdir(good.parent)
    code, out, err = asked(*twice.split(), good)
    name = twice.split()[1].partition("=")[0]
    wanted = f"exactrelu-check: error: argument {name}: given twice (see --help)\n"
    assert (code, out, err) == (2, "", wanted)
    assert os.listdir() == [good.name]


def test_two_networks_are_no_repetition(asked: Asked, good: Path) -> None:
    assert asked("--network", good, "--network", good, good)[2].count("given twice") == 0


def test_a_mistake_of_usage_is_one_line(asked: Asked, good: Path) -> None:
    for word in ("--nope", "--max-fuel=a\nb", "--no\npe", "--format=ß", "--nope=\x1b[31m"):
        code, out, err = asked(good, word)
        assert (code, out) == (2, "")
        assert err.startswith("exactrelu-check: error: ")
        assert err.removesuffix("\n").isprintable()
        assert err.isascii()


def same(path: Path, other: str) -> Path:
    """A file by its name, a link, or a second name."""
    if other == "itself":
        return path
    place = path.with_name("other")
    (place.symlink_to if other == "link" else place.hardlink_to)(path)
    return place


@pytest.mark.parametrize("option", ["--summary", "--ledger"])
@pytest.mark.parametrize("other", ["itself", "link", "second name"])
def test_a_certificate_is_not_written_to(asked: Asked, good: Path, option: str, other: str) -> None:
    name = same(good, other)
    code, out, err = asked(option, name, good)
    wanted = f"exactrelu-check: {name}: is read, so nothing may be written to it\n"
    assert (code, out, err) == (2, "", wanted)
    assert good.read_bytes() == GOOD


@pytest.mark.parametrize("option", ["--summary", "--ledger"])
@pytest.mark.parametrize("read", ["--network", "--domain"])
def test_nor_is_a_pin(asked: Asked, good: Path, option: str, read: str) -> None:
    pin = good.with_name("pin.json")
    for data in ("", "{}"):
        pin.write_text(data)
        code, out, err = asked(option, pin, read, pin, good)
        assert (code, out, err.count("is read, so")) == (2, "", 1)
        assert pin.read_text() == data


def test_nor_is_the_ledger(asked: Asked, good: Path) -> None:
    ledger = good.with_name("ledger")
    code, out, err = asked("--ledger", ledger, "--summary", ledger, good)
    assert (code, out, err.count("is read, so")) == (2, "", 1)
    assert not ledger.exists()
    assert asked("--ledger", ledger, good)[0] == 0


@pytest.mark.parametrize("option", ["--summary", "--ledger"])
def test_nor_is_a_piece_of_a_folder(asked: Asked, tmp_path: Path, option: str) -> None:
    piece = tmp_path / "piece-1.cert.jsonl"
    piece.write_bytes(b"")
    (tmp_path / "whole.cert.jsonl").write_bytes(GOOD)
    code, out, err = asked(option, piece, tmp_path)
    assert (code, out, err.count("is read, so")) == (2, "", 1)
    assert piece.read_bytes() == b""
    # What is beside the pieces is nobody's.
    assert asked(option, tmp_path / "table", tmp_path)[0] == 4


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="there is no name of stdout")
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_nor_is_it_printed_to(good: Path, stream: str) -> None:
    """``>> good.cert``; what a shell has emptied before is no certificate in any case."""
    program = [sys.executable, "-I", "-S", str(PACKAGE), str(good)]
    with good.open("ab") as file:
        run = subprocess.run(program, check=False, **{"stdout": subprocess.PIPE, stream: file})
    assert run.returncode == 2
    wanted = f"exactrelu-check: /dev/{stream}: is read, so nothing may be written to it\n"
    assert good.read_bytes() == GOOD + wanted.encode() * (stream == "stderr")


NAMED = ["certificates.toml", "models/line.json", "models/relu.onnx", "models/cut.json",
         "certs/within.cert.jsonl", "certs/deep/cut.cert.jsonl.gz"]  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("broken", ["", "models/zero.json", "a key"])
def test_nor_is_what_a_manifest_names(tmp_path: Path, name: str, broken: str) -> None:
    """Also if something else is wrong with it."""
    job = made(tmp_path)
    if broken == "a key":
        job.write("certificates.toml", "nobody = 1\n" + job.manifest.read_text())
    elif broken:
        job.write(broken, "{")
    before = (tmp_path / name).read_bytes()
    said = job.run("--summary", str(tmp_path / name))
    wanted = f"exactrelu-check: {tmp_path / name}: is read, so nothing may be written to it\n"
    assert (said.code, said.out, said.err) == (2, "", wanted)
    assert (tmp_path / name).read_bytes() == before


def test_a_table_in_the_folder_of_a_manifest(tmp_path: Path) -> None:
    job = made(tmp_path)
    for n in (1, 2):
        assert job.run("--summary", str(tmp_path / "certs" / "table.md")).code == 0
        assert (tmp_path / "certs" / "table.md").read_text().count("accepted") == n
