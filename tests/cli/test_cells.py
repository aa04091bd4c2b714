"""Commands about cells and faces."""

import json
import random
import signal
import subprocess
import sys

import pytest

from exactrelu.network.formats.load import load, save
from tests.cells.simple_networks import random_network
from tests.cli.test_linear import ask

XOR = "cases/xor/network.json"
TIES = "cases/three-layers/S002-D2-ties"
PARALLEL = "cases/three-layers/S002-D2-ties/parallel.json"
OK = "cases/three-layers/S002-D2-ties/ok.json"
SQUARE = "cases/phuong-lampert/S001-P1-transparent/N.json"


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


def test_polyhedra_of_regions_are_for_json_only(run, monkeypatch) -> None:
    """A list for people has no vertices: nobody waits for them."""
    shown = run("regions", XOR, "--list")

    def fails(*_: object) -> None:
        raise ArithmeticError

    monkeypatch.setattr("exactrelu.questions.regions.Regions.polyhedron", fails)
    assert run("regions", XOR, "--list") == shown
    assert run("regions", XOR, "--list", "--json").code == 70


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
    answer = json.loads(stopped.out)
    assert (stopped.code, answer["verdict"], answer["f_vector"]) == (3, "undecided", None)
    assert answer["f_vector_at_least"] == [0, 0, 1]
    assert len(answer["faces"]) == 1


def test_over_a_limit_it_is_undecided(run, tmp_path) -> None:
    path = tmp_path / "some.cert.jsonl"
    result = run("regions", XOR, "--max-regions", "2", "--json", "--certificate", path)
    assert result.code == 3
    answer = json.loads(result.out)
    assert (answer["verdict"], answer["n_regions"]) == ("undecided", None)
    assert (answer["n_regions_at_least"], answer["certified"]) == (3, ["n_regions_at_least"])
    assert answer["reason"] == "stopped at 2 regions: at least 3 activation regions"
    assert run("check", path).out.startswith("ACCEPTED")
    # Closures are left out of a list that is not finished.
    listed = json.loads(run("regions", XOR, "--max-regions", "2", "--json", "--list").out)
    assert [region["vertices"] for region in listed["regions"]] == [None] * 3
    assert run("regions", XOR, "--timeout", "0.000000001").code == 3


@pytest.mark.parametrize(
    "options",
    [["--domain", "box:1"], ["--domain", "none.json"], ["--slice", "0,0"], ["--slice", "0;1"],
     ["--timeout", "0"], ["--timeout", "x"], ["--max-regions", "0"], ["--max-regions", "1.5"]],
)  # fmt: skip
def test_bad_options(run, options: list[str]) -> None:
    result = run("regions", XOR, *options)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)


def test_complex_with_certificate(run, tmp_path) -> None:
    answer = ask(run, tmp_path, "complex", XOR)
    assert answer["f_vector"] == [0, 2, 3]
    answer = ask(run, tmp_path, "complex", XOR, "--domain", "box:0,1")
    assert answer["f_vector"] == [0, 0, 1]


def test_honest(run, tmp_path) -> None:
    assert ask(run, tmp_path, "honest", f"{TIES}/ok.json")["failures"] == []
    net = tmp_path / "straight.json"
    net.write_text(
        json.dumps(
            {
                "format": "exactrelu-network/1",
                "name": "straight",
                "layers": [
                    {"weights": [[1, 0], [0, 1], [0, -1]], "bias": [0, 0, 0]},
                    {"weights": [[1, 0, 0], [0, 1, -1]], "bias": [0, 0]},
                    {"weights": [[1, 1]], "bias": [0]},
                ],
            }
        )
    )
    answer = ask(run, tmp_path, "honest", net, code=1)
    (failure,) = answer["failures"]
    assert (failure["point"], failure["layers"]) == (["0", "0"], [1, 2])
    assert ask(run, tmp_path, "honest", net, "--domain", "box:1,2")["verdict"] == "yes"


def test_cancellation_free(run, tmp_path) -> None:
    answer = ask(run, tmp_path, "cancellation-free", XOR)
    assert (answer["verdict"], answer["failures"]) == ("yes", [])


def test_limits_on_faces(run) -> None:
    for command in ("complex", "honest", "cancellation-free"):
        result = run(command, f"{TIES}/ok.json", "--max-faces", 2, "--json")
        assert result.code == 3
        assert json.loads(result.out)["verdict"] == "undecided"


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
    result = run("generic", "cases/regions/dup/network.json", "--sense", "non-proportional")
    assert result.code == 1
    assert "are proportional" in result.out


def test_generic_limits_and_bad_input(run) -> None:
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


def answered(run, *arguments) -> tuple[int, dict]:
    result = run(*arguments, "--json")
    return result.code, json.loads(result.out)


def test_invert(run, tmp_path) -> None:
    proof = tmp_path / "c.cert.jsonl"
    code, yes = answered(run, "invert", XOR, "--value", "-1", "--certificate", proof)
    assert (code, yes["verdict"]) == (0, "yes")
    assert [str(y) for y in load(XOR)(yes["point"])] == ["-1"]
    assert run("check", proof).code == 0
    code, no = answered(run, "invert", XOR, "--value", "2", "--certificate", proof)
    assert (code, no["verdict"], no["point"]) == (1, "no", None)
    assert run("check", proof).code == 0
    assert run("invert", XOR, "--value", "1,2").code == 2
    text = run("invert", XOR, "--value", "1", "--domain", "box:0,1").out
    assert text == "value (1) taken on box:0,1: yes, the value is taken at this point: x = (0, 0)\n"


def test_a_stream_of_regions(run) -> None:
    """JSON Lines: the regions of ``--list``, then what ``--json`` says of them."""
    *lines, last = run("regions", "example:moons", "--stream").out.splitlines()
    listed = json.loads(run("regions", "example:moons", "--list", "--json").out)
    names = ("pattern", "point", "jacobian", "offset")
    assert [json.loads(line) for line in lines] == [
        {name: region[name] for name in names} for region in listed["regions"]
    ]
    assert json.loads(last)["n_regions"] == len(lines) == listed["n_regions"]


def test_a_stream_that_is_stopped_or_makes_no_sense(run) -> None:
    found = run("regions", "example:moons", "--stream", "--max-regions", "5")
    assert found.code == 3
    answer = json.loads(found.out.splitlines()[-1])
    assert answer["verdict"] == "undecided"
    assert answer["n_regions"] is None
    assert answer["n_regions_at_least"] > 5
    for other in (["--list"], ["--certificate", "a.cert.jsonl"]):
        refused = run("regions", "example:xor", "--stream", *other)
        assert refused.code == 2
        assert "--stream: found" in refused.err


def test_an_interrupted_stream_says_how_many_there_are_at_least(tmp_path) -> None:
    network = tmp_path / "net.json"
    save(random_network(random.Random(0), "dyadic", [3, 16, 16, 1]), network)
    command = [sys.executable, "-m", "exactrelu", "regions", str(network), "--stream"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        first = program.stdout.readline()
        program.send_signal(signal.SIGINT)
        *lines, last = program.stdout.read().splitlines()
    assert program.returncode == 130
    assert "pattern" in json.loads(first)
    answer = json.loads(last)
    assert answer["verdict"] == "undecided"
    assert answer["n_regions"] is None
    assert answer["n_regions_at_least"] >= len(lines) + 1
