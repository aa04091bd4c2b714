import json

import pytest

HIDING = "cases/S002-P13-hiding-translation/theta.json"
FLIPS = "cases/S002-P14-hiding-flips/theta.json"
YES = "cases/S002-P16-ident-ppm/N.json"
WIDE = "cases/S002-E09-generic-not-open/theta.json"


def test_no(run, tmp_path) -> None:
    certificate, second = tmp_path / "no.cert.jsonl", tmp_path / "second.json"
    result = run("identifiable", HIDING, "--json", "--certificate", certificate, "--second", second)
    answer = json.loads(result.out)
    assert (result.code, answer["verdict"]) == (1, "no")
    assert answer["witness"]["layers"][0]["bias"] == ["1", "0"]
    assert json.loads(second.read_text()) == answer["witness"]
    assert run("check", certificate).code == 0
    assert run("isomorphic", HIDING, second).code == 1


def test_yes(run, tmp_path) -> None:
    certificate = tmp_path / "yes.cert.jsonl"
    result = run("identifiable", YES, "--certificate", certificate)
    assert result.code == 0
    assert "among generic networks" in result.out
    assert "Theorem 5" in result.out
    checked = run("check", certificate)
    assert checked.code == 0
    assert "by the sign theorem" in checked.out
    assert "every generic network with its widths" in checked.out


def test_undecided(run, tmp_path) -> None:
    certificate = tmp_path / "dimension.cert.jsonl"
    result = run("identifiable", WIDE, "--json", "--certificate", certificate)
    answer = json.loads(result.out)
    assert (result.code, answer["verdict"]) == (3, "undecided")
    assert answer["functional_dimension"] == {
        "value": 28,
        "is_exact": True,
        "upper_bound": 28,
        "locally_identifiable": True,
    }
    assert run("check", certificate).code == 0


def test_volume(run) -> None:
    result = run("identifiable", "--architecture", "2,2,2,1", "--volume", "--json")
    answer = json.loads(result.out)
    assert result.code == 0
    assert answer["volume"] == "17/32"
    assert (answer["published_lower"], answer["published_upper"]) == ("15/32", "49/64")
    assert "do not hold" in run("identifiable", "--architecture", "1,1,1,1", "--volume").out


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((), "expected a network file"),
        ((YES, "--volume"), "expected a network file"),
        (("--architecture", "2,2,2,1"), "expected --volume"),
        (("--architecture", "2,x", "--volume"), "expected integers"),
        (("--architecture", "1,2,2,1", "--volume"), "n0 >= n1"),
    ],
)
def test_bad_input(run, arguments, error) -> None:
    result = run("identifiable", *arguments)
    assert result.code == 2
    assert error in result.err


def test_fiber_of_three_layers(run) -> None:
    answer = json.loads(run("fiber", FLIPS, "--json").out)
    assert answer["complete"] is True
    assert answer["flips"] == [[], [2], [3], [2, 3]]
    assert [c["t_above"] for c in answer["components"]] == ["-2"] * 4
    one = json.loads(run("fiber", FLIPS, "--component", "2,3", "--json").out)
    assert "after the flips {2,3}" in one["reason"]
    assert run("fiber", FLIPS, "--component", "+-").code == 2
    other = json.loads(run("fiber", "cases/S002-P23-conserved/N.json", "--json").out)
    assert other["complete"] in (True, False)
    assert other["components"][0]["nonempty"] in (True, False)


def test_build(run, tmp_path) -> None:
    out, folder = tmp_path / "net.json", tmp_path / "proofs"
    result = run("build", "non-localizable", "2,2,2,2,1", "-o", out, "--certificates", folder)
    assert result.code == 0
    files = sorted(folder.iterdir())
    assert [path.name for path in files] == [
        "layers-1-3.cert.jsonl",
        "layers-1-4.cert.jsonl",
        "layers-2-4.cert.jsonl",
    ]
    assert run("check", *files).code == 0
    assert run("identifiable", out).code == 1
    assert run("build", "non-localizable", "2,2,1,1,1", "-o", out).code == 2
    assert run("build", "non-localizable", "2,y", "-o", out).code == 2
