"""What newcomers typed: one test for each stumble, named after its row in the list of them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

XOR = "cases/xor/network.json"
PROOFS = Path(__file__).parents[2] / "proofs"


def checker(*arguments: object) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, str(PROOFS / "exactrelu_checker"), *map(str, arguments)]
    return subprocess.run(program, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("box:-1..1,-2..2", "box:-1,1;-2,2"),
        ("box:-1..1", "box:-1,1"),
        ("box:-1/2..0.25,1e-1..2", "box:-1/2,0.25;1e-1,2"),
        ("box:.5..1.,-2..2", "box:.5,1.;-2,2"),
    ],
)
def test_B3_a_box_that_no_shell_cuts(run, tmp_path: Path, new: str, old: str) -> None:
    proof = tmp_path / "regions.cert.jsonl"
    found = run("regions", XOR, "--domain", new, "--json", "--certificate", proof)
    same = json.loads(run("regions", XOR, "--domain", old, "--json").out)
    assert found.code == 0
    assert json.loads(found.out)["n_regions"] == same["n_regions"]
    for spelling in (new, old):
        assert checker("--domain", spelling, proof).returncode == 0
    assert checker("--domain", "box:-1..1,-2..3", proof).returncode == 1
    shell = subprocess.run(["sh", "-c", f"echo {new}"], capture_output=True, text=True, check=True)
    assert shell.stdout == f"{new}\n"


@pytest.mark.parametrize(
    "text", ["box:0...5", "box:0..1..2", "box:0..1;0..1", "box:0..1,", "box:..1", "box:1..0"]
)
def test_B3_a_box_that_is_none(run, text: str) -> None:
    found = run("regions", XOR, "--domain", text)
    assert (found.code, found.err.count("\n")) == (2, 1)
    assert checker("--domain", text, "none.cert.jsonl").returncode == 2


@pytest.mark.parametrize(
    "point", [["1,2"], ["1", "2"], ["1, 2"], ["(1,2)"], ["( 1 , 2 )"], ["[1 2]"], ["(1,", "2)"]]
)
def test_B9_points_as_people_write_them(run, point: list[str]) -> None:
    expected = run("eval", XOR, "--at", "1,2")
    assert run("eval", XOR, "--at", *point) == expected
    assert run("eval", "--at", *point, XOR) == expected
    assert expected.code == 0


def test_B9_negative_numbers_with_spaces_between_them(run) -> None:
    found = run("eval", XOR, "--at", "-1", "-1/2", "--at", "-1,-1/2")
    assert found.out.count("f(-1, -1/2)") == 2


@pytest.mark.parametrize("point", ["1,,2", "(1,2", "1;2", "", "()", "((1,2))"])
def test_B9_points_that_are_none(run, point: str) -> None:
    found = run("eval", XOR, "--at", point)
    assert (found.code, found.err.count("\n")) == (2, 1)


@pytest.mark.parametrize("box", ["Box:-1,1", "box: -1, 1", "BOX: -1 .. 1", "box:(-1,1);(-1,1)"])
def test_B9_boxes_as_people_write_them(run, box: str) -> None:
    expected = json.loads(run("regions", XOR, "--domain", "box:-1,1", "--json").out)
    found = json.loads(run("regions", XOR, "--domain", box, "--json").out)
    assert found["n_regions"] == expected["n_regions"] == 3


def test_B9_a_word_and_a_colon_are_no_file(run) -> None:
    for arguments in (["regions"], ["folds"]):
        found = run(*arguments, XOR, "--domain", "bix:-1,1")
        assert (found.code, found.err.count("\n")) == (2, 1)
        assert "found 'bix', expected R, orthant, box:a..b" in found.err
        assert "no such file" not in found.err
