"""Commands about fold-sets, the theorem's class and what a function determines."""

import json
from pathlib import Path

import networkx as nx
import pytest

from exactrelu.network.formats.load import save
from exactrelu.network.network import Network

CASES = Path(__file__).parents[2] / "cases"
P1 = CASES / "phuong-lampert/S001-P1-transparent/N.json"
E1 = CASES / "phuong-lampert/S001-E1-thmA1-nonconvex"
E3 = CASES / "phuong-lampert/S001-E3-bends"
HIDING = "cases/three-layers/S002-P13-hiding-translation/theta.json"
YES = "cases/three-layers/S002-P16-ident-ppm/N.json"
WIDE = "cases/three-layers/S002-E09-generic-not-open/theta.json"
OPEN = "cases/identifiable/tracks-open/N.json"


def parts(result) -> tuple[int, str, str]:
    """Exit code, stdout and stderr."""
    return result.code, result.out, result.err


def test_folds_as_json(run, tmp_path) -> None:
    path = tmp_path / "f.cert.jsonl"
    code, out, _ = parts(run("folds", P1, "--domain", "box:-1,1", "--json", "--certificate", path))
    found = json.loads(out)
    assert code == 0
    assert (found["order"], found["n_pieces"], len(found["edges"])) == (2, 8, 6)
    assert found["edges"][0].keys() == {"from", "to", "witness"}
    assert found["is_union_of_zero_sets"]
    assert found["invisible"] == []
    assert run("check", path).code == 0


def test_folds_on_a_union_of_boxes(run, tmp_path) -> None:
    path = tmp_path / "c.cert.jsonl"
    options = ("--domain", E1 / "domain.json", "--json", "--list", "--certificate", path)
    code, out, _ = parts(run("folds", E1 / "theta.json", *options))
    found = json.loads(out)
    assert code == 0
    assert (found["order"], found["n_pieces"], found["certificate"]) == (2, 6, str(path))
    assert run("check", path, "--network", E1 / "theta.json").code == 0
    # Sides of boxes cut facets into parts, which a picture needs.
    assert (found["n_facets"], len(found["facets"])) == (7, 11)
    assert {facet["level"] for facet in found["facets"]} == {1, 2}


@pytest.mark.parametrize("suffix", ["dot", "json", "graphml"])
def test_graphs_are_written(run, tmp_path, suffix) -> None:
    path = tmp_path / f"graph.{suffix}"
    assert run("folds", P1, "--domain", "box:-1,1", "--graph", path).code == 0
    text = path.read_text()
    if suffix == "graphml":
        assert nx.parse_graphml(text).number_of_edges() == 6
    elif suffix == "json":
        assert len(json.loads(text)["edges"]) == 6
    else:
        assert text.count("->") == 6


def test_limits_are_undecided(run) -> None:
    for limit in (("--max-faces", "2"), ("--max-regions", "1"), ("--timeout", "0.000001")):
        code, out, _ = parts(run("folds", P1, "--domain", "box:-1,1", *limit, "--json"))
        assert code == 3
        assert json.loads(out)["verdict"] == "undecided"
    assert run("theorem-class", P1, "--domain", "box:-1,1", "--max-faces", "2").code == 3


def test_theorem_class(run, tmp_path) -> None:
    path = tmp_path / "c.cert.jsonl"
    code, out, _ = parts(
        run(
            "theorem-class",
            P1,
            "--domain",
            "box:-1,1",
            "--json",
            "--certificate",
            path,
            "--other",
            P1,
        )
    )
    found = json.loads(out)
    assert code == 0
    assert found["verdict"] == "yes"
    assert [chain["unit"] for chain in found["chains"]] == [[1, 1], [1, 2], [2, 1], [2, 2]]
    assert found["identification"]["permutations"] == [[1, 2], [1, 2]]
    assert found["identification"]["same_function"] is True
    assert run("check", path).code == 0
    code, out, _ = parts(
        run(
            "theorem-class",
            E3 / "theta.json",
            "--domain",
            "box:-1,1",
            "--json",
            "--certificate",
            path,
        )
    )
    assert code == 1
    assert json.loads(out)["chains"] is None
    assert run("check", path).code == 0


def test_other_widths_are_not_in_the_class(run, tmp_path) -> None:
    """The widths say it: there is nothing to certify."""
    path, wide = tmp_path / "c.cert.jsonl", CASES / "regions/generic-2-6-6-1-12/network.json"
    result = run("theorem-class", wide, "--certificate", path)
    assert result.code == 1
    assert "no certificate is written" in result.err
    assert not path.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("folds", P1, "--domain", "none.json"),
        ("folds", P1, "--domain", E3 / "theta.json"),
        ("folds", P1, "--domain", "box:-1,1", "--graph", "graph.png"),
        ("folds", E3 / "theta.json", "--domain", E1 / "domain.json"),
    ],
)
def test_bad_input(run, arguments, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = parts(run(*arguments))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "text",
    [
        '{"format": "exactrelu-union/1", "boxes": []}',
        '{"format": "exactrelu-union/1", "boxes": [[]]}',
        '{"format": "exactrelu-union/1"}',
        '{"format": "exactrelu-union/1", "boxes": [[["0","1"]]]}',
        '{"format": "exactrelu-union/1", "boxes": [[["1","0"],["0","1"]]]}',
        '{"format": "exactrelu-union/1", "boxes": [[["0"],["0","1"]]]}',
        '{"format": "exactrelu-union/1", "boxes": [[["0","1"],["0",1.5]]]}',
        '{"format": "exactrelu-union/1", "boxes": [[["0","1"],["0","1"]],[["0","1"]]]}',
        '{"format": "exactrelu-union/1", "boxes": [["0","1"]]}',
        '{"format": "exactrelu-union/2", "boxes": [[["0","1"],["0","1"]]]}',
        "[1, 2",
    ],
)
def test_bad_unions(run, text, tmp_path) -> None:
    path = tmp_path / "union.json"
    path.write_text(text)
    code, out, err = parts(run("folds", P1, "--domain", path))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1


def test_no_layer_is_printed_that_contradicts_a_unit(run, tmp_path) -> None:
    """Unit (1,1) has a piece of level 2: the network is not general and transparent."""
    path = tmp_path / "net.json"
    weights = [[[2, -3], [2, -2]], [[2, -2]], [[3]]]
    save(Network.from_arrays(weights, [[3, 3], [3], [-1]]), path)
    lines = run("folds", path).out.splitlines()
    assert "piece 2: level 2, unit (1,1)" in lines
    assert "no layers: not general and transparent, a zero set is not seen" in lines
    answer = json.loads(run("folds", path, "--json").out)
    assert [piece["layers"] for piece in answer["pieces"]] == [None, None]
    assert answer["no_layers"] == "a zero set is not seen"
    general = json.loads(run("folds", P1, "--domain", "box:-1,1", "--json").out)
    assert general["no_layers"] is None
    assert all(piece["level"] <= piece["layers"][1] for piece in general["pieces"])


def test_not_identifiable(run, tmp_path) -> None:
    certificate, second = tmp_path / "no.cert.jsonl", tmp_path / "second.json"
    result = run("identifiable", HIDING, "--json", "--certificate", certificate, "--second", second)
    answer = json.loads(result.out)
    assert (result.code, answer["verdict"]) == (1, "no")
    assert answer["witness"]["layers"][0]["bias"] == ["1", "0"]
    assert json.loads(second.read_text()) == answer["witness"]
    assert run("check", certificate).code == 0
    assert run("isomorphic", HIDING, second).code == 1


def test_identifiable(run, tmp_path) -> None:
    certificate = tmp_path / "yes.cert.jsonl"
    result = run("identifiable", YES, "--certificate", certificate)
    assert result.code == 0
    assert "every network of these widths" in result.out
    checked = run("check", certificate)
    assert checked.code == 0
    assert "is identifiable among all networks" in checked.out
    assert "by signs; trusts NOTHING" in checked.out


def test_two_wide_layers_are_identifiable(run, tmp_path) -> None:
    certificate = tmp_path / "ridges.cert.jsonl"
    result = run("identifiable", WIDE, "--json", "--certificate", certificate)
    answer = json.loads(result.out)
    assert (result.code, answer["verdict"], answer["among"]) == (0, "yes", "all")
    checked = run("check", certificate)
    assert checked.code == 0
    assert "by ridges; trusts NOTHING" in checked.out


def test_identifiable_or_not_is_undecided(run, tmp_path) -> None:
    certificate = tmp_path / "dimension.cert.jsonl"
    result = run("identifiable", OPEN, "--json", "--certificate", certificate)
    answer = json.loads(result.out)
    assert (result.code, answer["verdict"]) == (3, "undecided")
    assert answer["functional_dimension"] == {
        "value": 15,
        "is_exact": True,
        "upper_bound": 15,
        "locally_identifiable": True,
    }
    assert run("check", certificate).code == 0


def test_functional_dimension(run, tmp_path) -> None:
    """On all of space, on a domain and on one region, where some neurons are off; by three ways."""
    certificate = tmp_path / "dimension.cert.jsonl"
    dead = tmp_path / "dead.json"
    dead.write_text(
        '{"format": "exactrelu-network/1", "layers": [{"weights": [[1], [-1], [0]], '
        '"bias": [0, 0, -1]}, {"weights": [[1, 1, 5]], "bias": [0]}]}'
    )
    for options, words, kind in (
        ((), "functional dimension 4 of at most 10 − 3 = 7", "functional-dimension-on"),
        (
            ("--domain", "box:1..2"),
            "dimension 2 of at most 10 − 3 = 7 on box:1..2",
            "functional-dimension-on",
        ),
        (("--at", "1"), "functional dimension on one region 2 of", "functional-dimension"),
    ):
        given = ("identifiable", dead, "--dimension", *options, "--certificate", certificate)
        result = run(*given)
        assert words in result.out
        assert run("check", certificate, "--expect", kind).code == 0


def test_bad_questions_about_the_functional_dimension(run) -> None:
    for options, words in (
        (("--dimension", "--share", "2,2,1"), "--dimension: only with NET"),
        (("--at", "1,1"), "--at: only with --dimension"),
        (("--dimension",), "--dimension: only with NET"),
    ):
        result = run("identifiable", *options)
        assert (result.code, result.err.count("\n")) == (2, 1)
        assert words in result.err
    for options, words in (
        (("--at", "1,1"), "--at: only with --dimension"),
        (("--dimension", "--second", "x.json"), "--second: not with --dimension"),
        (("--dimension", "--at", "1"), "at: found 1 numbers, expected 2"),
        (("--dimension", "--at", "one"), "--at one"),
    ):
        result = run("identifiable", YES, *options)
        assert (result.code, result.err.count("\n")) == (2, 1)
        assert words in result.err
