import json

import pytest

XOR = "cases/xor/network.json"


@pytest.mark.parametrize(
    ("at", "value"), [("1,1", "-3"), ("1,-1", "1"), ("-1,1", "1"), ("-1,-1", "-1")]
)
def test_xor(run, at: str, value: str) -> None:
    result = run("eval", XOR, "--at", at, "--json")
    assert result.code == 0
    assert json.loads(result.out)["output"] == [value]
    assert f"= ({value})" in run("eval", XOR, "--at", at).out


def test_json_fields(run) -> None:
    answer = json.loads(run("eval", XOR, "--at", "1/2,-0.5", "--json").out)
    assert answer["output"] == ["1"]
    assert answer["pattern"] == [[1, -1]]
    assert answer["jacobian"] == [["2", "2"]]
    assert answer["offset"] == ["1"]
    assert answer["certificate"] is None
    assert isinstance(answer["reason"], str)


def test_several_points(run) -> None:
    answer = json.loads(run("eval", XOR, "--at", "1,1", "--at=-1,-1", "--json").out)
    assert [p["output"] for p in answer["points"]] == [["-3"], ["-1"]]
    refused = run("eval", XOR, "--at", "1,1", "--at", "2,2", "--certificate", "x.jsonl")
    assert refused.code == 2
    assert "one point" in refused.err


def test_certificate_is_accepted_for_this_network_only(run, tmp_path) -> None:
    path = tmp_path / "value.cert.jsonl.gz"
    result = run("eval", XOR, "--at", "1/3,1", "--certificate", path, "--json")
    assert json.loads(result.out)["certificate"] == str(path)
    checked = run("check", path, "--network", XOR)
    assert checked.code == 0
    assert checked.out.startswith("ACCEPTED ")
    assert "(-5/3)" in checked.out
    other = run("check", path, "--network", "cases/S002-P11-weights/N.json")
    assert other.code == 1
    assert other.out.startswith("REJECTED ")


@pytest.mark.parametrize("at", ["", "1", "1,2,3", "1,x", "1,1/0", "nan,0", "1e9999999,0", "1,,2"])
def test_bad_points(run, at: str) -> None:
    result = run("eval", XOR, "--at", at)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)


def test_long_numbers_are_shortened_for_people_only(run) -> None:
    digits = "7" * 5000
    assert "(5000 characters)" in run("eval", XOR, "--at", f"{digits},1").out
    answer = json.loads(run("eval", XOR, "--at", f"{digits},1", "--json").out)
    assert answer["point"][0] == digits


def test_the_checker_reads_the_users_network_file_whatever_it_holds(run, tmp_path) -> None:
    """Names, integers and fractions of thousands of digits, decimals with exponents."""
    digits = "7" * 5000
    path = tmp_path / "net.json"
    path.write_text(
        '{"format": "exactrelu-network/1", "layers": [{"neurons": ["gate"], "bias": ["+3"],'
        f' "weights": [["{digits}/3", ".5", -{digits}, "1e-3", "-2.50"]]}},'
        ' {"weights": [["1"]], "bias": ["0"]}]}'
    )
    certificate = tmp_path / "c.cert.jsonl"
    assert run("eval", path, "--at", "1,1,1,1,1", "--certificate", certificate).code == 0
    assert run("check", "--network", path, certificate).code == 0
    path.write_text(path.read_text().replace("1e-3", "1e-4"))
    assert run("check", "--network", path, certificate).code == 1
