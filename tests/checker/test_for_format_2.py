"""What the checker of format 1 does with the files that are kept for format 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bundles import read
from exactrelu_checker.main import main
from running import check, check_bytes

KEPT = {case.name: case for case in read(Path(__file__).with_name("for_format_2.txt"))}
FILES = [name for name, case in KEPT.items() if case.expectation != "file"]
ABOUT_NOTHING = [name for name in KEPT if name.startswith("about-nothing/")]


@pytest.mark.parametrize("name", FILES)
def test_kept_file(name: str) -> None:
    outcome = check_bytes(KEPT[name].data)
    assert (outcome.verdict.name, outcome.code) == (KEPT[name].verdict, KEPT[name].code)


@pytest.mark.parametrize("name", ABOUT_NOTHING)
def test_the_set_is_empty_and_the_sentence_does_not_say_so(name: str) -> None:
    data = KEPT[name].data
    claim = json.loads(data.splitlines()[0])["claim"]
    assert claim["kind"] == name.removeprefix("about-nothing/")
    # The first coordinate is more than 1 and less than 0, or at least 1 and at most 0.
    ends = [[int(entry, 16) for entry in row] for _, row in claim["domain"]["rows"]]
    assert [(row[0], row[-1]) for row in ends] == [(1, -1), (-1, 0)]
    assert not any(any(row[1:-1]) for row in ends)
    assert "empty" not in check_bytes(data).sentence


def test_there_are_as_many_as_kinds_are_concerned() -> None:
    assert len(ABOUT_NOTHING) == 21


def test_the_first_gzip_member_alone_is_no_file() -> None:
    data = KEPT["file/several-gzip-members"].data
    first = data[: data.index(b"\x1f\x8b", 2)]
    assert check_bytes(first).code == "no-footer"


def test_no_option_compares_a_kernel_with_the_claim(tmp_path: Path) -> None:
    """The claim is about kernels 1 and -1; with the kernel 1 alone it is false."""
    case = KEPT["kernel/other-matrix"]
    KEPT["kernel/kernel.json"].write(tmp_path)
    proof = str(case.write(tmp_path))
    assert check(proof)[0] == 0
    assert main([*case.options(tmp_path), proof]) == 2
