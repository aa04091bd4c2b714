"""Commands about one network: values, roles, normal forms."""

import json
from pathlib import Path

import pytest

import exactrelu as er
from exactrelu.network.formats.load import load, save
from exactrelu.network.network import Network

XOR = "cases/xor/network.json"
CASES = Path(__file__).parents[2] / "cases"
DEAD = CASES / "three-layers/S002-E05-dead-changes-case" / "theta.json"


@pytest.mark.parametrize(
    ("at", "value"), [("1,1", "-3"), ("1,-1", "1"), ("-1,1", "1"), ("-1,-1", "-1")]
)
def test_eval_of_xor(run, at: str, value: str) -> None:
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
    other = run("check", path, "--network", "cases/three-layers/S002-P11-weights/N.json")
    assert other.code == 1
    assert other.out.startswith("REJECTED ")


@pytest.mark.parametrize("at", ["", "1", "1,2,3", "1,x", "1,1/0", "nan,0", "1e9999999,0", "1,,2"])
def test_bad_points(run, at: str) -> None:
    result = run("eval", XOR, "--at", at)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)


def test_long_numbers_are_shortened_for_people_only(run) -> None:
    digits = "7" * 5000
    shown = run("eval", XOR, "--at", f"{digits},1").out
    assert shown.startswith("x    ≈ (7.778e4999, 1)\nf(x) ≈ (-1.556e5000)\n")
    assert run("eval", XOR, "--at", f"{digits},1", "--exact").out.startswith(f"f({digits}, 1) = (-")
    answer = json.loads(run("eval", XOR, "--at", f"{digits},1", "--json").out)
    assert answer["point"][0] == digits


def test_values_are_shown_exactly_and_as_decimals(run) -> None:
    shown = run("eval", "example:moons", "--at", "1/3,0.1").out.splitlines()
    assert shown[0] == "f(1/3, 1/10) = (-2774553937/503316480) ≈ (-5.513)"
    assert shown[2] == "  locally  y1 ≈ 30.54 x1 + 18.63 x2 - 17.55"
    exact = run("eval", "example:moons", "--at", "1/3,0.1", "--exact").out.splitlines()
    assert exact[0] == "f(1/3, 1/10) = (-2774553937/503316480)"
    assert exact[2] == (
        "  locally  y1 = 512329811/16777216 x1 + 312572001/16777216 x2 - 294518935/16777216"
    )
    plain = run("eval", "example:moons", "--at", "1/3,0.1", "--json").out
    assert run("eval", "example:moons", "--at", "1/3,0.1", "--json", "--exact").out == plain


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


def test_simplify(run, tmp_path) -> None:
    path, proof = tmp_path / "s.json", tmp_path / "s.cert.jsonl"
    result = run("simplify", DEAD, "-o", path, "--certificate", proof)
    assert result.out.startswith(
        "2-2-2-1 became 2-2-1-1, with the same function\n"
        "  4 → 3 neurons, 15 → 11 parameters\n  1 dead neuron "
    )
    assert load(path).widths == (2, 2, 1, 1)
    assert run("check", proof).code == 0
    again = run("simplify", path, "-o", path)
    assert again.out == "2-2-1-1: nothing to remove\n"


def test_shallow(run) -> None:
    answer = json.loads(run("shallow", XOR, "--json").out)
    assert [h["jump"] for h in answer["hyperplanes"]] == [["-4"], ["2"]]
    assert answer["offset"] == ["-1"]
    assert "y1 = -2 x1 - 2 x2 + 1" in run("shallow", XOR, "--domain", "orthant").out
    for options in ([DEAD], [XOR, "--domain", "box:1,0"]):
        result = run("shallow", *options)
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert "box:1,0: the domain is empty" in result.err
    # It bends where x1 + x2 is 0 and −1; at a corner of the domain it does not count.
    places = (("box:-1,1", [["-4"], ["2"]]), ("box:-1/4,1", [["-4"]]), ("box:0,1", []))
    for place, jumps in places:
        answer = json.loads(run("shallow", XOR, "--domain", place, "--json").out)
        assert [h["jump"] for h in answer["hyperplanes"]] == jumps
    result = run("shallow", XOR, "--domain", "box:0,1;2,2")
    assert (result.code, result.err) == (3, "")
    words = "one hidden layer is understood on domains with interior only"
    assert result.out == f"undecided: {words}\n"
    answer = json.loads(run("shallow", XOR, "--domain", "box:0,1;2,2", "--json").out)
    assert (answer["verdict"], answer["reason"]) == ("undecided", words)


def test_groups_in_info(run, tmp_path) -> None:
    path = tmp_path / "n.json"
    save(Network.from_arrays([[[1], [2], [-1]], [[1, 1, -3]]], [[1, 2, -1], [0]]), path)
    assert "groups      1 with one hyperplane, 1 with duplicates, 1 cancelling" in (
        run("info", path).out
    )


def test_simplify_on_a_domain(run, tmp_path) -> None:
    net = er.Network.from_arrays([[[1, 1], [1, -1]], [[3, 1]]], [[-2, 0], [0]])
    source, small, proof = (tmp_path / name for name in ("n.json", "s.json", "s.cert.jsonl"))
    er.save(net, source)
    found = run("simplify", source, "-o", small, "--domain", "box:0,1", "--certificate", proof)
    assert found.out.startswith(
        "2-2-1 became 2-1-1, with the same function on box:0,1\n"
        "  2 → 1 neuron, 9 → 5 parameters\n  off on the domain: 1, on: 0, may bend: 1\n"
    )
    assert run("check", proof, "--network", source, "--network", small).code == 0
    assert er.load(small).widths == (2, 1, 1)


def test_simplify_that_keeps_weights(run, tmp_path) -> None:
    """All rows that are left are given ones, though two linear neurons would do."""
    first = [[1, 1], [1, -1], [-1, -1], [3, 0]]
    net = er.Network.from_arrays([first, [[3, 1, 5, 7]]], [[9, 0, -3, 9], ["1/2"]])
    source = tmp_path / "n.json"
    er.save(net, source)
    for kept, widths in (([], (2, 2, 1)), (["--keep-weights"], (2, 3, 1))):
        small = tmp_path / "small.json"
        assert run("simplify", source, "-o", small, "--domain", "box:0,1", *kept).code == 0
        assert er.load(small).widths == widths
    given = set(net.layers[0].affine.rows())
    assert set(er.load(small).layers[0].affine.rows()) <= given


@pytest.mark.parametrize(
    "command",
    ["info {net}", "eval {net} --at 1,1", "convert {net} {tmp}/out.json", "rank {matrix}",
     "nnrank {matrix}", "sigma {matrix}", "local {net} --points cases/xor/points.csv",
     "recover {net}"],
)  # fmt: skip
def test_no_time(run, tmp_path: Path, command: str) -> None:
    matrix = "cases/three-layers/S002-P10-nonneg-column-rank/full_col.matrix.json"
    given = command.format(net=XOR, tmp=tmp_path, matrix=matrix).split()
    found = run(*given, "--timeout", "1e-9", "--json")
    assert (found.code, json.loads(found.out)["verdict"]) == (3, "undecided")
    assert list(tmp_path.iterdir()) == []
    assert run(*given, "--timeout", "600").code == 0


def test_simplify_without_time(run, tmp_path) -> None:
    """What was found by then is written, with its certificate, and said to be undecided."""
    net = tmp_path / "net.json"
    save(Network.from_arrays([[[1], [2], [0]], [[3, 1, 5]]], [[1, 2, 4], [0]]), net)
    small, proof = tmp_path / "small.json", tmp_path / "s.cert.jsonl"
    result = run(
        "simplify", net, "-o", small, "--timeout", "1e-9", "--certificate", proof, "--json"
    )
    answer = json.loads(result.out)
    assert (result.code, answer["verdict"], answer["widths"]) == (3, "undecided", [1, 3, 1])
    assert answer["reason"].startswith("stopped after 1e-09 s: 1-3-1 became 1-3-1 so far")
    assert run("equivalent", net, small).code == 0
    assert run("check", proof).code == 0
