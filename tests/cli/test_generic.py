import json

import pytest

PARALLEL = "cases/S002-D2-ties/parallel.json"
OK = "cases/S002-D2-ties/ok.json"
SQUARE = "cases/S001-P1-transparent/N.json"


def test_generic(run, tmp_path) -> None:
    path = tmp_path / "no.cert.jsonl"
    result = run("generic", PARALLEL, "--json", "--certificate", path)
    answer = json.loads(result.out)
    assert (result.code, answer["verdict"], answer["sense"]) == (1, "no", "generic")
    assert answer["failures"] == [
        {
            "condition": "masked-rank",
            "layers": [1, 1],
            "masks": [[1, 2]],
            "expected_rank": 2,
            "kernel": ["-1", "1"],
        }
    ]
    assert run("check", path).code == 0
    assert run("generic", OK).code == 0
    assert "2 minimal failures" not in run("generic", PARALLEL, "--all").out


def test_proportional(run) -> None:
    result = run("generic", "cases/xor/network.json", "--sense", "non-proportional", "--json")
    assert result.code == 0
    result = run("generic", "cases/regions-dup/network.json", "--sense", "non-proportional")
    assert result.code == 1
    assert "are proportional" in result.out


def test_limits_and_bad_input(run) -> None:
    result = run("generic", OK, "--max-masks", 1, "--json")
    assert (result.code, json.loads(result.out)["verdict"]) == (3, "undecided")
    assert run("generic", OK, "--timeout", "0.000000001").code == 3
    result = run("generic", OK, "--sense", "odd")
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert "expected one of" in result.err


def test_perturb(run, tmp_path) -> None:
    path = tmp_path / "near.json"
    result = run("generic", PARALLEL, "--perturb", path, "--json")
    assert result.code == 0
    assert json.loads(result.out)["distance"].startswith("1/")
    assert run("generic", path).code == 0
    assert run("generic", path, "--sense", "non-proportional").code == 0


@pytest.mark.parametrize(("domain", "code"), [("box:-1,1", 0), ("R", 1)])
def test_transparent(run, tmp_path, domain: str, code: int) -> None:
    path = tmp_path / "t.cert.jsonl"
    result = run("transparent", SQUARE, "--domain", domain, "--json", "--certificate", path)
    answer = json.loads(result.out)
    assert result.code == code
    assert (answer["witness"] is None) is (code == 0)
    assert run("check", path).code == 0


def test_transparent_limits(run) -> None:
    assert run("transparent", SQUARE, "--domain", "box:-1,1", "--max-regions", 1).code == 3
