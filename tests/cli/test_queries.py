"""Commands that ask a network for values."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from exactrelu.network.formats.load import load
from exactrelu.questions.recovery.recover import Recovery

XOR = "cases/xor/network.json"
POINTS = "cases/xor/points.csv"
NET = "cases/rolnick-kording/S000-P1-sign-recovery/N.json"
HIDDEN = "cases/rolnick-kording/S000-D1-LRA-fails-open/N.json"


def test_local(run) -> None:
    answer = json.loads(run("local", XOR, "--points", POINTS, "--list", "--json").out)
    assert answer["n_points"] == 5
    assert answer["n_regions"] == 4
    assert answer["n_on_boundary"] == 2
    assert answer["n_sharing"] == 2
    assert answer["region_sizes"] == {"1": 3, "2": 1}
    assert answer["n_correct"] == answer["n_tests"] == 5
    first, second, *_, last = answer["points"]
    assert first["dual_points"] == [["-2", "-2", "1"]]
    assert first["linf"] == {"value": "1", "neuron": [1, 2]}
    assert first["l2_squared"] == {"value": "2", "neuron": [1, 2]}
    assert second["pattern"] == [[1, -1]]
    assert second["ties"] == [[1, 2]]
    assert last["l2_squared"]["value"] == "1/72"


def test_clusters_and_maps(run) -> None:
    arguments = ("--clusters", "1,3", "--other", XOR)
    answer = json.loads(run("local", XOR, "--points", POINTS, *arguments, "--json").out)
    assert answer["clusters"]["3"] == 5
    assert answer["other"] == {"n_correct": 5, "from_net": 5, "to_net": 5}
    text = run("local", XOR, "--points", POINTS, *arguments).out
    assert "3 clusters for each output: 5 of 5" in text
    assert "NET2 mapped to NET: 5 of 5" in text


def test_duals_are_written(run, tmp_path: Path) -> None:
    path = tmp_path / "duals.json"
    assert run("local", XOR, "--points", POINTS, "--duals", path).code == 0
    (matrix,) = json.loads(path.read_text())
    assert matrix[0] == ["-2", "-2", "1"]
    assert len(matrix) == 5


def test_the_certificate_is_accepted(run, tmp_path: Path) -> None:
    path = tmp_path / "local.cert.jsonl"
    assert run("local", XOR, "--points", POINTS, "--certificate", path).code == 0
    checked = run("check", path, "--network", XOR)
    assert checked.code == 0
    assert checked.out.startswith("ACCEPTED the points ")
    assert "with numbers [0, 1, 1, 2, 3]" in checked.out


def test_every_format_holds_the_same_points(run, tmp_path: Path) -> None:
    table = np.array([[1.0, 1.0], [0.25, -1.0]])
    labels = np.array([0, 1])
    np.save(tmp_path / "p.npy", table)
    np.save(tmp_path / "l.npy", labels)
    np.save(tmp_path / "both.npy", np.column_stack([table, labels]))
    np.savez(tmp_path / "p.npz", points=table.astype(np.float32), labels=labels)
    (tmp_path / "p.json").write_text('[["1", 1], ["1/4", "-1"]]')
    (tmp_path / "l.json").write_text("[0, 1]")
    (tmp_path / "p.csv").write_text("a,b\n1,1\n0.25,-1.0\n\n")
    (tmp_path / "l.csv").write_text("0\n1\n")
    answers = [
        run("local", XOR, "--json", "--list", "--points", tmp_path / first, *rest).out
        for first, rest in (
            ("p.npy", ("--labels", tmp_path / "l.npy")),
            ("both.npy", ()),
            ("p.npz", ()),
            ("p.json", ("--labels", tmp_path / "l.json")),
            ("p.csv", ("--labels", tmp_path / "l.csv")),
        )
    ]
    assert len(set(answers)) == 1
    assert json.loads(answers[0])["n_correct"] == 1


def test_a_test_file_of_its_own(run, tmp_path: Path) -> None:
    (tmp_path / "test.csv").write_text("1,1\n-1,1\n")
    (tmp_path / "labels.csv").write_text("0\n0\n")
    answer = json.loads(
        run("local", XOR, "--points", POINTS, "--test", tmp_path / "test.csv",
            "--test-labels", tmp_path / "labels.csv", "--clusters", "1,99", "--other", XOR,
            "--json").out
    )  # fmt: skip
    assert (answer["n_points"], answer["n_tests"], answer["n_correct"]) == (5, 2, 1)
    assert answer["clusters"]["99"] == 1
    assert answer["other"]["from_net"] == 1


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("p.csv", "1,2\n1\n", "point 2 has 1 coordinates, expected 2"),
        ("p.csv", "1,2\n1,x\n", "line 2: found 'x'"),
        ("p.csv", "1,x\n1,2\n", "line 1: found 'x'"),
        ("p.csv", "x,y\n", "no points"),
        ("p.csv", "1,2,-1\n", "label 1: found -1"),
        ("p.csv", "1,2,1/2\n", "label 1: found 1/2"),
        ("p.csv", "1,2,7\n", "label 1 is 7, expected one of 0 … 1"),
        ("p.json", "[[0.5, 1]]", "JSON float"),
        ("p.json", "{}", "expected a list"),
        ("p.json", "[]", "no points"),
        ("p.npy", "nonsense", "cannot be read"),
        ("p.npz", "nonsense", "no readable zip"),
        ("p.txt", "1,2\n", "expected a file of points"),
    ],
)
def test_bad_points(run, tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    result = run("local", XOR, "--points", tmp_path / name)
    assert result.code == 2
    assert message in result.err
    assert result.err.count("\n") == 1


def test_bad_requests(run, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("1,2\n")
    (tmp_path / "l.csv").write_text("1\n1\n")
    np.savez(tmp_path / "p.npz", points=[[np.nan, 1.0]])
    np.savez(tmp_path / "q.npz", W1=[[1.0]])
    plain = ("local", XOR, "--points", tmp_path / "p.csv")
    for arguments, message in (
        ((*plain, "--clusters", "2"), "need labels"),
        ((*plain, "--other", XOR), "need labels"),
        ((*plain, "--labels", tmp_path / "l.csv"), "found 2 labels, expected 1"),
        ((*plain, "--test-labels", tmp_path / "l.csv"), "--test-labels: only with --test"),
        ((*plain, "--clusters", "0"), "expected positive integers"),
        ((*plain, "--clusters", "a"), "expected positive integers"),
        (("local", XOR, "--points", POINTS, "--labels", POINTS), "and a file of labels"),
        (("local", XOR, "--points", tmp_path / "p.npz"), "finite number"),
        (("local", XOR, "--points", tmp_path / "q.npz"), "expected points"),
        (("local", XOR, "--points", tmp_path / "none.csv"), "no such file"),
        (
            (
                "local",
                XOR,
                "--points",
                POINTS,
                "--other",
                "cases/three-layers/S002-P11-weights/N.json",
            ),
            "",
        ),
    ):
        result = run(*arguments)
        assert result.code == 2, arguments
        assert message in result.err
        assert result.err.count("\n") == 1


def test_clusters_without_scikit_learn(run, monkeypatch: pytest.MonkeyPatch) -> None:
    """One cluster, and as many as there are maps, need no k-means; two say what is missing."""
    monkeypatch.setitem(sys.modules, "sklearn.cluster", None)
    assert run("local", XOR, "--points", POINTS, "--clusters", "1,3").code == 0
    result = run("local", XOR, "--points", POINTS, "--clusters", "2")
    assert result.code == 2
    assert "exactrelu[clusters]" in result.err
    assert result.err.count("\n") == 1


def test_recover(run, tmp_path) -> None:
    out, certificate = tmp_path / "recovered.json", tmp_path / "r.cert.jsonl"
    result = run("recover", NET, "-o", out, "--certificate", certificate, "--json")
    answer = json.loads(result.out)
    assert (result.code, answer["verdict"]) == (0, "yes")
    assert answer["is_isomorphic"] is True
    assert answer["obstructions"] == []
    assert json.loads(out.read_text()) == answer["network"]
    assert answer["n_queries"] > 11
    assert run("check", certificate).code == 0
    assert run("isomorphic", NET, out).code == 0


def test_what_is_not_determined_is_named(run) -> None:
    result = run("recover", HIDDEN)
    assert result.code == 0
    assert "hidden hyperplane: neuron (1,2)" in result.out
    assert "a second network fits all answers" in result.out


def test_recover_limits_and_bad_input(run) -> None:
    stopped = run("recover", NET, "--max-queries", 50, "--json")
    answer = json.loads(stopped.out)
    assert (stopped.code, answer["verdict"], answer["network"]) == (3, "undecided", None)
    assert answer["n_queries"] <= 50
    assert answer["obstructions"][0]["name"] == "budget exhausted"
    missing = run("recover", "no-such-file.json")
    assert missing.code == 2
    assert len(missing.err.splitlines()) == 1


@pytest.mark.parametrize("answer", [None, False])
def test_what_is_no_answer_is_not_written(run, tmp_path, monkeypatch, answer) -> None:
    """A network that gives all answers, and differs or was not compared, is no recovered one."""
    net = load(XOR)
    found = Recovery(answer, "it may differ", network=net, n_queries=9)
    monkeypatch.setattr("exactrelu.questions.recovery.recover.recover", lambda *_, **__: found)
    out = tmp_path / "out.json"
    result = run("recover", XOR, "-o", out)
    assert result.code == {None: 3, False: 1}[answer]
    assert not out.exists()
    assert "written to" not in result.out
    assert result.err.startswith(f"nothing is written to {out}: ")
