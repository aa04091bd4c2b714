import json

NET = "cases/S000-P1-sign-recovery/N.json"
HIDDEN = "cases/S000-D1-LRA-fails-open/N.json"


def test_recover(run, tmp_path) -> None:
    out, certificate = tmp_path / "recovered.json", tmp_path / "r.cert.jsonl"
    result = run("recover", NET, "-o", out, "--certificate", certificate, "--json")
    answer = json.loads(result.out)
    assert (result.code, answer["verdict"]) == (0, "yes")
    assert answer["isomorphic"] is True
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


def test_limits_and_bad_input(run) -> None:
    stopped = run("recover", NET, "--max-queries", 50, "--json")
    answer = json.loads(stopped.out)
    assert (stopped.code, answer["verdict"], answer["network"]) == (3, "undecided", None)
    assert answer["n_queries"] <= 50
    assert answer["obstructions"][0]["name"] == "budget exhausted"
    missing = run("recover", "no-such-file.json")
    assert missing.code == 2
    assert len(missing.err.splitlines()) == 1
