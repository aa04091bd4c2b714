"""What the checker of format 1 does with the files that are kept for format 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from exactrelu_checker.main import main
from for_format_2 import ABOUT_NOTHING, KEPT, KERNEL_FILE, OTHER_MATRIX
from running import check, check_bytes


@pytest.mark.parametrize("name", KEPT)
def test_kept_file(name: str, tmp_path: Path) -> None:
    result = check_bytes(tmp_path, KEPT[name].data)
    assert (result["verdict"], result.get("code", "")) == (KEPT[name].verdict, KEPT[name].code)


@pytest.mark.parametrize("kind", ABOUT_NOTHING)
def test_the_set_is_empty_and_the_sentence_does_not_say_so(kind: str, tmp_path: Path) -> None:
    claim = json.loads(ABOUT_NOTHING[kind].splitlines()[0])["claim"]
    assert claim["kind"] == kind
    # The first coordinate is more than 1 and less than 0, or at least 1 and at most 0.
    ends = [[int(entry, 16) for entry in row] for _, row in claim["domain"]["rows"]]
    assert [(row[0], row[-1]) for row in ends] == [(1, -1), (-1, 0)]
    assert not any(any(row[1:-1]) for row in ends)
    assert "empty" not in check_bytes(tmp_path, ABOUT_NOTHING[kind])["claim"]


def test_the_first_gzip_member_alone_is_no_file(tmp_path: Path) -> None:
    data = KEPT["several-gzip-members"].data
    first = data[: data.index(b"\x1f\x8b", 2)]
    assert check_bytes(tmp_path, first)["code"] == "no-footer"


def test_no_option_compares_a_kernel_with_the_claim(tmp_path: Path) -> None:
    """The claim is about kernels 1 and -1; with the kernel 1 alone it is false."""
    kernel, proof = tmp_path / "kernel.json", tmp_path / "one.cert.jsonl"
    kernel.write_text(KERNEL_FILE)
    proof.write_bytes(OTHER_MATRIX)
    assert check(str(proof))[0] == 0
    assert main(["--network", str(kernel), str(proof)]) == 2
