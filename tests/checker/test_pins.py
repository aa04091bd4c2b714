"""What the user pins: networks and domains of his own, and what the program says of bad ones."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from bundles import cases
from exactrelu_checker.file import Refused
from exactrelu_checker.main import main
from exactrelu_checker.objects import System
from exactrelu_checker.options import domain_of, load_network, rational

PACKAGE = Path(__file__).resolve().parents[2] / "proofs" / "exactrelu_checker"


def polyhedron(folder: Path, **fields: object) -> str:
    path = folder / "domain.json"
    path.write_text(json.dumps({"format": "exactrelu-polyhedron/1", **fields}))
    return str(path)


def test_domains_are_normalised(tmp_path: Path) -> None:
    assert domain_of("R")(2) == System(2, (), ())
    assert domain_of("orthant")(1) == System(1, ("ge",), ((1, 0),))
    assert domain_of("box:0.5,3/2")(1) == System(1, ("ge", "ge"), ((-2, 3), (2, -1)))
    assert domain_of("box:0,1;2,2")(2).senses == ("eq", "ge", "ge")
    opposite = [{"normal": [2], "offset": -1}, {"normal": [-4], "offset": 2}]
    text = polyhedron(tmp_path, inequalities=opposite)
    assert domain_of(text)(1) == System(1, ("eq",), ((2, -1),))
    row = {"normal": ["2", 4], "offset": "-0.5"}
    text = polyhedron(tmp_path, inequalities=[{**row, "strict": True}, row], equations=[row])
    assert domain_of(text)(2) == System(2, ("eq", "ge", "gt"), ((4, 8, -1), (4, 8, -1), (4, 8, -1)))


def test_a_row_that_never_holds_is_an_error(tmp_path: Path) -> None:
    text = polyhedron(tmp_path, inequalities=[{"normal": ["0"], "offset": "-1"}])
    with pytest.raises(Refused, match="domain-not-normal"):
        domain_of(text)(1)


@pytest.mark.parametrize("strict", ["yes", "true", None, 2])
def test_strict_is_yes_or_no(strict: object, tmp_path: Path) -> None:
    text = polyhedron(tmp_path, inequalities=[{"normal": ["1"], "offset": "0", "strict": strict}])
    with pytest.raises(LookupError):
        domain_of(text)


@pytest.mark.parametrize("text", ["box:1,0", "box:a,b", "box:1", "box:1,2,3", "nowhere.json"])
def test_bad_domains_are_usage_errors(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "relu.cert"
    path.write_bytes(cases()["file/relu"].data)
    assert main(["--domain", text, str(path)]) == 2
    assert capsys.readouterr().out == ""


def test_numbers() -> None:
    assert rational("-3/4") == rational("-0.75") == rational("-75e-2")
    assert rational("1" * 5000) == int("1" * 4000) * 10**1000 + int("1" * 1000)
    for bad in (0.5, True, "1_0", "0x1", "", ".", "1/2/3", None, "１"):
        with pytest.raises((ValueError, ZeroDivisionError)):
            rational(bad)


def test_networks(tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    layer = {"weights": [["1"], ["1/2"]], "bias": ["0", "1"], "linear": [2]}
    last = {"weights": [["1", "1"]], "bias": ["0"]}
    path.write_text(json.dumps({"format": "exactrelu-network/1", "layers": [layer, last]}))
    network = load_network(str(path))
    assert network.layers[0].linear == {1}
    assert network.layers[0].rows == ((2, 0), (1, 2))
    path.write_text(json.dumps({"format": "exactrelu-network/1", "layers": [layer, {"a": 1}]}))
    with pytest.raises(ValueError, match="fields"):
        load_network(str(path))


def test_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "relu.cert"
    path.write_bytes(cases()["file/relu"].data)
    assert main(["--json", str(path)]) == 0
    result = json.loads(capsys.readouterr().out)["results"][0]
    assert result["verdict"] == "ACCEPTED"
    assert main(["--expect", result["claim"], str(path)]) == 0
    assert main([str(path), str(tmp_path / "none")]) == 2
    assert main(["--trust", "miracle"]) == 2
    assert main(["--trust", "regions:cells"]) == 0
    assert "exactrelu_checker.tree" in capsys.readouterr().out


def test_trust_names_proofs_within_proofs() -> None:
    """In a process of its own: what this one has loaded would be listed too."""
    run = [sys.executable, "-I", "-S", str(PACKAGE), "--trust"]
    said = subprocess.run([*run, "determined"], capture_output=True, text=True, check=True).stdout
    named = [line.split()[3] for line in said.splitlines() if line.lstrip().startswith("and what")]
    assert named == ["masked-rank", "non-proportional", "sign-vectors"]
    assert "exactrelu_checker.tree" not in said
