"""What the checker keeps of a line, and ``--max-memory``."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from bundles import cases, sealed
from exactrelu_checker.check import Outcome, Question
from exactrelu_checker.file import Limits
from test_bombs_moves import head
from test_cases import check_bytes

PACKAGE = Path(__file__).resolve().parents[2] / "proofs" / "exactrelu_checker"
CLAIM = head(kind="nonempty", holds=True, system={"dim": 1, "rows": []})


SIZE = 200_000
#: What is taken whatever a line says.
ROOM = 500_000
MANY = pytest.mark.parametrize("digits", [1, 3, 4, 5, 8, 10, 16, 40, 100_000])


def weight(line: str) -> int:
    """What a line weighs, with its newline."""
    return len(line) + 1 + 28 * sum(map(line.count, " ,[{")) - 16 * line.count(',"0"')


def numbers(digits: int, size: int) -> list[str]:
    """So many, with so many digits; all differ where there are enough."""
    first = 16 ** (digits - 1)
    return [f"{first + i * 40_503 % (15 * first):x}" for i in range(size)]


def checked(lines: list[str], limits: Limits | None = None) -> tuple[Outcome, int]:
    """The outcome, and how much memory it took beside the file."""
    data = sealed(lines)
    tracemalloc.start()
    try:
        outcome = check_bytes(data, Question(limits or Limits()))
        return outcome, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def nonempty(dim: int, rows: list[object]) -> str:
    return head(kind="nonempty", holds=True, system={"dim": dim, "rows": rows})


def regions(widths: tuple[int, int], entries: list[str]) -> str:
    """A claim about an affine map."""
    n, m = widths
    rows = [entries[i * (n + 1) : (i + 1) * (n + 1)] for i in range(m)]
    network = {"layers": [{"inputs": n, "matrix": ["1", rows], "outputs": m}]}
    domain = {"dim": n, "rows": []}
    return head(kind="regions", sense="at-least", count=1, network=network, domain=domain)


@MANY
def test_a_record_is_kept_as_its_integers(digits: int) -> None:
    """No text of all of them beside; also if it is accepted, and as a point."""
    entries = numbers(digits, SIZE // (digits + 1))
    line = " ".join(["point", *entries])
    for dim, expected in ((len(entries) - 1, ""), (len(entries), "wrong-length")):
        outcome, peak = checked([nonempty(dim, []), "by point", line])
        assert outcome.code == expected
        assert peak < 4 * weight(line) + ROOM
    limits = Limits(line=weight(line) - 1)
    outcome, peak = checked([nonempty(dim, []), "by point", line], limits)
    assert outcome.code == "line-too-long"


@MANY
@pytest.mark.parametrize("inputs", [0, 199])
def test_a_claim_takes_five_times_its_weight(digits: int, inputs: int) -> None:
    """A network of one row, of few entries in a row, of many; a system of one row."""
    inputs = min(inputs, SIZE // (digits + 4) - 1)
    outputs = SIZE // (digits + 4) // (inputs + 1)
    entries = numbers(digits, outputs * (inputs + 1))
    row = [*entries, "1"]
    for line in (
        regions((inputs, outputs), entries),
        regions((len(entries) - 1, 1), entries),
        nonempty(len(entries), [["ge", row]]),
        nonempty(len(entries), [["ge", ["0"] * len(entries) + ["1"]]]),
    ):
        outcome, peak = checked([line, "by nothing"])
        assert outcome.code == "wrong-method"
        assert peak < 5 * weight(line) + ROOM


@pytest.mark.parametrize(
    "item",
    ["[]", "{}", "[[]]", '""', "0", "12345678", "null", '["ge",["1"]]', '{"a":1}', "[[[[[]]]]]"],
)  # fmt: skip
def test_what_is_no_claim_takes_no_more(item: str) -> None:
    """Lists and objects without entries, or of one."""
    line = nonempty(0, ["*"]).replace(
        '"*"', '"",'.join([f"{item}," * 99] * (SIZE // len(item) // 99)) + "0"
    )
    outcome, peak = checked([line, "by point"])
    assert outcome.verdict == "MALFORMED"
    assert peak < 5 * weight(line) + ROOM


def test_a_line_takes_no_more_than_the_default_allows() -> None:
    """What would take the most is refused when it is read, and in memory is the line alone."""
    line = regions((0, 800_000), numbers(3, 800_000))
    assert 5 * weight(line) > 5 * Limits().line > 240_000_000
    outcome, peak = checked([line, "by cells"])
    assert (outcome.verdict, outcome.code) == ("LIMIT", "line-too-long")
    assert peak < 20_000_000


def test_what_a_record_repeats_takes_no_more() -> None:
    """Rows with their multipliers, and neurons of a cone: as often as a file wants, or fewer."""
    empty = head(kind="nonempty", holds=False, system={"dim": 0, "rows": [["ge", ["-1"]]]})
    line = "multipliers 186a0" + " 0 1" * 100_000
    outcome, peak = checked([empty, "by multipliers", line])
    assert outcome.verdict == "ACCEPTED"
    assert peak < 4 * weight(line) + ROOM
    lines = list(cases()["tree/cone"].lines)
    lines[3] += " 1" * 100_000
    outcome, peak = checked(lines)
    assert outcome.code == "wrong-length"
    assert peak < 4 * weight(lines[3]) + ROOM


@pytest.mark.parametrize("length", [16_379, 16_380, 16_381, 32_768, 100_000])
def test_a_long_line_is_read_whole(length: int) -> None:
    """Wherever its pieces end: within a number, at a space, at the newline."""
    for line in ("point 1 " + "0" * (length - 9) + "1", "point " + "0 " * (length // 2) + "1"):
        data = sealed([CLAIM, "by point", line])
        expected = "ACCEPTED" if line.count(" ") == 2 else "MALFORMED"
        assert check_bytes(data).verdict == expected
        enough = max(weight(line), weight(CLAIM))
        for most, code in ((enough, check_bytes(data).code), (enough - 1, "line-too-long")):
            assert check_bytes(data, Question(Limits(line=most))).code == code
    assert check_bytes(data[: len(data) - 100]).verdict == "INCOMPLETE"


def run(data: bytes, path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    path.write_bytes(data)
    return subprocess.run(
        [sys.executable, "-I", "-S", str(PACKAGE), *options, str(path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_memory_is_a_limit(tmp_path: Path) -> None:
    """Of lines, and of the process: no traceback, exit code 4."""
    path = tmp_path / "a.cert"
    good = cases()["tree/cone"].data
    assert run(good, path, "--max-memory", "200000000").returncode == 0
    long = sealed([CLAIM, "by point", "point" + " 1" * 4_000_000])
    found = run(long, path, "--max-memory", "100000000")
    assert (found.returncode, found.stderr) == (4, "")
    assert "line-too-long" in found.stdout
    nested = head(kind="nonempty", holds=True, system={"dim": 0, "rows": [["ge", ["1"]]] * 300_000})
    found = run(sealed([nested, "by point", "point 1"]), path, "--max-memory", "130000000")
    assert (found.returncode, found.stderr) == (4, "")
    assert found.stdout.startswith("LIMIT ")
