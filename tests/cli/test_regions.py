import json

import pytest

XOR = "cases/xor/network.json"


def test_counts_list_and_certificate(run, tmp_path) -> None:
    path = tmp_path / "regions.cert.jsonl.gz"
    result = run("regions", XOR, "--list", "--json", "--certificate", path)
    answer = json.loads(result.out)
    assert (answer["n_regions"], answer["n_linear_regions"], answer["n_affine_maps"]) == (3, 3, 3)
    assert [r["pattern"] for r in answer["regions"]] == [[[0, 0]], [[1, 0]], [[1, 1]]]
    assert answer["regions"][2]["jacobian"] == [["-2", "-2"]]
    assert answer["regions"][2]["inequalities"] == [{"normal": ["1", "1"], "offset": "0"}]
    assert not answer["regions"][2]["bounded"]
    box = json.loads(run("regions", XOR, "--domain", "box:0,1", "--list", "--json").out)
    assert box["regions"][0]["bounded"]
    assert sorted(box["regions"][0]["vertices"]) == [["0", "0"], ["0", "1"], ["1", "0"], ["1", "1"]]
    checked = run("check", path, "--network", XOR)
    assert (checked.code, "exactly 3" in checked.out) == (0, True)
    text = run("regions", XOR, "--list").out
    assert text.splitlines()[3] == "3 activation regions, 3 linear regions, 3 affine maps"
    assert text.count("\n") == 5


def test_domains_and_slices(run) -> None:
    assert json.loads(run("regions", XOR, "--domain", "orthant", "--json").out)["n_regions"] == 1
    assert json.loads(run("regions", XOR, "--domain", "box:-1,1", "--json").out)["n_regions"] == 3
    line = run("regions", XOR, "--slice", "-1,0;1,-1", "--json")
    assert json.loads(line.out)["n_regions"] == 1


def test_complex(run) -> None:
    answer = json.loads(run("complex", XOR, "--json", "--list").out)
    assert answer["f_vector"] == [0, 2, 3]
    assert [b["n_facets"] for b in answer["bent_hyperplanes"]] == [1, 1]
    assert [b["jump"] for b in answer["breakpoint_facets"]] == [[["2", "2"]], [["-4", "-4"]]]
    assert len(answer["faces"]) == 5
    text = run("complex", XOR, "--domain", "box:0,1").out
    assert text.splitlines()[-2] == (
        "f-vector (0, 0, 1) on box:0,1; 0 breakpoint facets of 0 facets, "
        "0 cancelled; 0 ridges, 0 bending, 0 dishonest"
    )
    stopped = run("complex", XOR, "--max-faces", "1", "--json", "--list")
    assert (stopped.code, json.loads(stopped.out)["verdict"]) == (3, "undecided")


def test_over_a_limit_it_is_undecided(run, tmp_path) -> None:
    path = tmp_path / "none.cert.jsonl"
    result = run("regions", XOR, "--max-regions", "2", "--json", "--certificate", path)
    assert result.code == 3
    answer = json.loads(result.out)
    assert (answer["verdict"], answer["n_regions"], answer["certificate"]) == ("undecided", 3, None)
    assert not path.exists()
    assert run("regions", XOR, "--timeout", "0.000000001").code == 3


@pytest.mark.parametrize(
    "options",
    [["--domain", "box:1"], ["--domain", "none.json"], ["--slice", "0,0"], ["--slice", "0;1"],
     ["--timeout", "0"], ["--timeout", "x"], ["--max-regions", "0"], ["--max-regions", "1.5"]],
)  # fmt: skip
def test_bad_options(run, options: list[str]) -> None:
    result = run("regions", XOR, *options)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
