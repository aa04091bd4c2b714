"""The program: lines, exit codes, options, a bare copy of the folder, robustness."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from bundles import CASES, named
from exactrelu_checker import checking
from exactrelu_checker.main import main
from running import PACKAGE, PROOFS, check, program

FOLDER = tempfile.TemporaryDirectory()  # it goes with this process
ACCEPTED, REJECTED, MALFORMED, INCOMPLETE = (
    named(name).write(Path(FOLDER.name))
    for name in (
        "value/xor",
        "rank/missing-record--no-kernel",
        "format/not-json--unclosed",
        "format/no-footer--claim-only",
    )
)
SENTENCE = "the network N of widths 2-2-1 maps (1, -1) to (1), with hidden signs (+0)"


def test_accepted_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(ACCEPTED)]) == 0
    line = capsys.readouterr().out
    assert line.startswith(f"ACCEPTED {SENTENCE} [N sha256 ")
    assert line.endswith(f" ({ACCEPTED})\n")
    assert line.count("\n") == 1


def test_network_hash_is_that_of_its_canonical_bytes() -> None:
    import hashlib

    _, answer = check(str(ACCEPTED))
    claim = json.loads(ACCEPTED.read_text().splitlines()[0])["claim"]
    text = json.dumps(claim["network"], sort_keys=True, separators=(",", ":"))
    assert answer["results"][0]["sha256"]["N"] == hashlib.sha256(text.encode()).hexdigest()


def test_rejected_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(REJECTED)]) == 1
    assert capsys.readouterr().out.startswith(
        f"REJECTED {REJECTED}: line 3, record kernel: missing-record: "
    )


@pytest.mark.parametrize(
    ("files", "exit_code"),
    [
        ([ACCEPTED, ACCEPTED], 0),
        ([ACCEPTED, REJECTED, MALFORMED, INCOMPLETE], 1),
        ([INCOMPLETE, MALFORMED, ACCEPTED], 3),
        ([ACCEPTED, INCOMPLETE], 4),
        ([ACCEPTED, REJECTED, Path("no-such-file")], 2),
        ([CASES], 2),
    ],
)
def test_worst_exit_code(files: list[Path], exit_code: int) -> None:
    got, answer = check(*map(str, files))
    assert got == answer["exit"] == exit_code
    assert [result["file"] for result in answer["results"]] == list(map(str, files))


def test_expect_takes_the_sentence_with_its_hashes(capsys: pytest.CaptureFixture[str]) -> None:
    main([str(ACCEPTED)])
    full = capsys.readouterr().out.removeprefix("ACCEPTED ").removesuffix(f" ({ACCEPTED})\n")
    assert check("--expect", full, str(ACCEPTED))[0] == 0
    assert check("--expect", full.replace("sha256 ", "sha256 0", 1), str(ACCEPTED))[0] == 1


@pytest.mark.parametrize(
    "arguments", [[], ["--max-bits", "0", "x"], ["--max-bits", "many", "x"], ["--max-b", "9", "x"]]
)
def test_usage(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(arguments)
    assert exit_.value.code == 2


def test_help_says_the_order_of_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["--help"])
    assert exit_.value.code == 0
    assert "the first of 2, 1, 3, 4 that occurs" in capsys.readouterr().out


def test_unexpected_exception_is_never_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    for error, code in ((ZeroDivisionError, "internal-error"), (MemoryError, "out-of-memory")):

        def fail(*_: object, error: type[Exception] = error) -> None:
            raise error

        monkeypatch.setattr(checking, "read_claim", fail)
        exit_code, answer = check(str(ACCEPTED))
        assert exit_code == 4
        assert answer["results"][0]["code"] == code


def test_file_name_cannot_forge_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x\nACCEPTED everything"
    path.write_bytes(REJECTED.read_bytes())
    assert main([str(path)]) == 1
    assert capsys.readouterr().out.count("\n") == 1


SCRIPT = Path(sys.executable).with_name("exactrelu-check")


@pytest.mark.parametrize(
    "start",
    [
        [sys.executable, "-m", "exactrelu_checker"],
        [sys.executable, "-m", "exactrelu_checker.main"],
        [sys.executable, "-m", "exactrelu_checker.__main__"],
        [sys.executable, "exactrelu_checker"],
        [sys.executable, "exactrelu_checker/__main__.py"],
        [str(SCRIPT)],
    ],
    ids=lambda start: " ".join(Path(word).name for word in start),
)
def test_every_way_to_start_the_checker_checks(start: list[str]) -> None:
    def run(path: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*start, str(path)], cwd=PROOFS, capture_output=True, text=True, check=False
        )

    accepted, rejected = run(ACCEPTED), run(REJECTED)
    assert (accepted.returncode, accepted.stdout[:8]) == (0, "ACCEPTED")
    assert (rejected.returncode, rejected.stdout[:8]) == (1, "REJECTED")


def test_a_file_of_the_package_alone_refuses_to_run() -> None:
    """Outside its package ``main.py`` finds no other module: nothing is checked."""
    run = subprocess.run(
        [sys.executable, str(PACKAGE / "main.py"), str(ACCEPTED)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode != 0
    assert (run.stdout, run.stderr.splitlines()[-1][:11]) == ("", "ImportError")


@pytest.mark.parametrize("name", ["exactrelu_checker", "renamed"])
def test_bare_copy_runs_and_nothing_beside_it_is_imported(tmp_path: Path, name: str) -> None:
    copy = tmp_path / name
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for module in ("json", "gzip", "hashlib", "exactrelu_checker" if name == "renamed" else "re"):
        (tmp_path / f"{module}.py").write_text("raise SystemExit(99)\n")
    for flags in ((), ("-I",)):
        run = program(str(ACCEPTED), package=copy, flags=flags)
        assert (run.returncode, run.stdout[:8]) == (0, "ACCEPTED"), run.stderr
        assert program(str(REJECTED), package=copy, flags=flags).returncode == 1


def test_long_numbers_are_named_by_their_length() -> None:
    from exactrelu_checker.describe import rational_text, signs_text, vector_text, widths_text
    from exactrelu_checker.values import RationalVector

    assert vector_text(RationalVector(4, (2, -3, 0, 4))) == "(1/2, -3/4, 0, 1)"
    assert rational_text(RationalVector(3, (-(1 << 20_000),))) == "-[20001 bits]/[2 bits]"
    assert vector_text(RationalVector(1, (7,) * 30)).endswith("7, ... 30 entries)")
    assert widths_text((2, 3, 1)) == "2-3-1"
    assert widths_text((1,) * 20).endswith("1-... 20 widths")
    assert signs_text(["+" * 70]) == f"({'+' * 64}... 70 signs)"


@pytest.mark.parametrize(
    ("error", "exit_code", "line"),
    [
        (KeyboardInterrupt(), 130, "exactrelu-check: interrupted"),
        (ZeroDivisionError("secret"), 4, "exactrelu-check: internal error: ZeroDivisionError"),
        (MemoryError(), 4, "exactrelu-check: internal error: MemoryError"),
    ],
)
def test_what_no_file_is_to_blame_for_is_one_line(
    error: BaseException, exit_code: int, line: str, monkeypatch, capsys
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr("exactrelu_checker.main.check_file", fails)
    assert main([str(ACCEPTED)]) == exit_code
    assert capsys.readouterr() == ("", f"{line}\n")


def test_a_closed_pipe_is_not_acceptance() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-I", "-S", str(PACKAGE), str(ACCEPTED)]
    found = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (found.returncode, found.stderr) == (4, "")
