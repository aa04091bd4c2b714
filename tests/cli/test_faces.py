"""Questions about the faces of a network from the command line."""

import json

from tests.cli.test_questions import ask

XOR = "cases/xor/network.json"
TIES = "cases/S002-D2-ties"


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


def test_limits(run) -> None:
    for command in ("complex", "honest", "cancellation-free"):
        result = run(command, f"{TIES}/ok.json", "--max-faces", 2, "--json")
        assert result.code == 3
        assert json.loads(result.out)["verdict"] == "undecided"
