"""Commands about widths: the volume and the share of identifiable networks, and building some."""

import json

import pytest

YES = "cases/three-layers/S002-P16-ident-ppm/N.json"


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
        ((YES, "--volume"), "--volume: only with --architecture"),
        (("--architecture", "2,2,2,1"), "--architecture: only with --volume"),
        (("--architecture", "2,x", "--volume"), "expected integers"),
        (("--architecture", "1,2,2,1", "--volume"), "n0 >= n1"),
        (("--share", "2,x"), "expected integers"),
        (("--share", "2,1"), "L >= 2"),
        (("--share", "2,0,1"), "expected integers"),
        (("--share", "2,2,1", YES), "--share: not with NET"),
        (("--share", "2,2,1", "--certificate", "c.jsonl"), "--share: not with --certificate\n"),
        (("--share", "2,2,1", "--count", "0"), "positive integer"),
        (("--share", "2,2,1", "--weights", "gauss"), "expected normal, uniform"),
        (("--share", "2,2,1", "--domain", "box:1,0"), "empty"),
        ((YES, "--seed", "0"), "--seed: only with --share"),
        ((YES, "--seconds-each", "1"), "--seconds-each: only with --share"),
    ],
)
def test_identifiable_with_bad_input(run, arguments, error) -> None:
    result = run("identifiable", *arguments)
    assert result.code == 2
    assert error in result.err


def test_share(run) -> None:
    result = run("identifiable", "--share", "2,2,2,1", "--count", "12", "--seed", "3", "--json")
    assert result.code == 0
    found = json.loads(result.out)
    assert found["widths"] == [2, 2, 2, 1]
    assert (found["count"], found["weights"], found["seed"]) == (12, "normal", 3)
    assert found["n_yes"] + found["n_no"] + found["n_undecided"] == 12
    assert found["answers"].count(True) == found["n_yes"]
    assert found["n_unasked"] == 0
    assert found["volume"] == "17/32"
    assert found["reason"].startswith(f"{found['n_yes']} identifiable, {found['n_no']} not, ")
    text = run("identifiable", "--share", "2,2,2,1", "--count", "12", "--seed", "3").out
    assert text.splitlines()[2].startswith("exactly, of all parameters: 17/32 = 0.53125")
    other = run("identifiable", "--share", "2,2,2,1", "--count", "12", "--seed", "4", "--json").out
    assert json.loads(other)["answers"] != found["answers"]


def test_share_by_two_processes(run) -> None:
    arguments = ("identifiable", "--share", "2,2,1,1", "--count", "5", "--weights", "uniform")
    assert run(*arguments, "--jobs", "2") == run(*arguments)


def test_share_with_certificates(run, tmp_path) -> None:
    folder = tmp_path / "all"
    result = run("identifiable", "--share", "2,2,1,1", "--count", "4", "--certificates", folder)
    assert result.code == 0
    assert result.out.endswith("computed, not certified: the share\n")
    assert run("check", *sorted(folder.iterdir())).code == 0


def test_share_when_the_time_is_over(run) -> None:
    arguments = ("--count", "100000", "--timeout", "1.5", "--json")
    result = run("identifiable", "--share", "2,2,2,1", *arguments)
    assert result.code == 3
    found = json.loads(result.out)
    assert found["reason"] == "stopped after 1.5 s"
    assert found["n_unasked"] > 0
    assert (found["lower"], found["volume"]) == ("0", "17/32")


def test_built_networks_are_identifiable(run, tmp_path) -> None:
    network, path = tmp_path / "n.json", tmp_path / "n.cert.jsonl"
    options = ("--domain", "box:-1,1")
    result = run(
        *("build", "identifiable", "2,2,2,2,1", *options, "-o", network),
        *("--certificates", tmp_path / "all", "--certificate", path),
    )
    assert result.code == 0
    files = sorted((tmp_path / "all").iterdir())
    assert len(files) == 4
    assert run("check", path, *files, "--network", network).code == 0
    # On all of space it is another question, but a no there would be one here.
    assert run("identifiable", network).code != 1
    assert run("identifiable", network, *options).code == 0
    again = tmp_path / "m.json"
    assert run("build", "identifiable", "2,2,2,2,1", "-o", again, "--json").code == 0
    assert again.read_bytes() == network.read_bytes()


def test_networks_of_other_widths_are_sought(run, tmp_path) -> None:
    network, path, folder = tmp_path / "n.json", tmp_path / "n.cert.jsonl", tmp_path / "all"
    arguments = ("build", "identifiable", "2,2,3,2", "-o", network)
    result = run(*arguments, "--certificate", path, "--certificates", folder)
    assert result.code == 0
    assert "\n  on R: yes, " in result.out
    assert [found.name for found in folder.iterdir()] == ["identifiable.cert.jsonl"]
    assert run("check", path, "--network", network, "--expect", "identifiable").code == 0
    assert run("identifiable", network).code == 0
    before = network.read_bytes()
    assert run(*arguments).code == 0
    assert network.read_bytes() == before
    assert run(*arguments, "--seed", "1").code == 0
    assert network.read_bytes() != before


def test_a_search_that_ends_without_a_network(run, tmp_path) -> None:
    """Far too many neurons for the time: nothing is written."""
    arguments = ("build", "identifiable", "2,9,9,9,1", "-o", tmp_path / "n.json", "--domain", "R")
    result = run(*arguments, "--timeout", "1")
    assert result.code == 3
    assert result.out.startswith("undecided: stopped after ")
    assert not list(tmp_path.iterdir())


def test_build_non_localizable(run, tmp_path) -> None:
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


@pytest.mark.parametrize(
    "arguments",
    [
        ("identifiable", "2,1"),
        ("identifiable", "2,0,1"),
        ("identifiable", "2,x,1"),
        ("identifiable", "2,3,1", "--domain", "box:0,1;0,0"),
        ("identifiable", "2,2,1", "--domain", "box:0,1;0,0"),
        ("non-localizable", "3,3,2,2,1", "--domain", "R"),
    ],
)
def test_bad_input(run, arguments, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("build", *arguments, "-o", "n.json")
    assert (result.code, result.out) == (2, "")
    assert len(result.err.splitlines()) == 1
    assert not list(tmp_path.iterdir())
