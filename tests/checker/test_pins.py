"""What the user pins: networks and domains of his own, and what the program says of bad ones."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import exactrelu_checker
import pytest
from bundles import cases
from exactrelu_checker.file import Refused
from exactrelu_checker.main import main
from exactrelu_checker.objects import System
from exactrelu_checker.options import code_lines, domain_of, load_network, rational

# The one that is loaded, which may be a mutant.
PACKAGE = Path(exactrelu_checker.__file__).parent


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
    assert "exactrelu_checker.chains\n" in said
    assert "exactrelu_checker.check\n" in said
    for name in ("options", "main", "__main__"):
        assert f"exactrelu_checker.{name}\n" not in said
    # The statement of ``isomorphic`` is in another module than its method, and both are needed.
    said = subprocess.run([*run, "equal:isomorphic"], capture_output=True, text=True, check=True)
    assert "exactrelu_checker.pairs\n" in said.stdout
    assert "exactrelu_checker.symmetry\n" in said.stdout


#: A network of the user's, and a domain; what is changed in it, and what is said.
NETWORK = {
    "format": "exactrelu-network/1",
    "name": "n",
    "inputs": ["x"],
    "outputs": ["y"],
    "layers": [{"weights": [["1/2"]], "bias": [1], "neurons": ["a"], "linear": []}],
}
DOMAIN = {
    "format": "exactrelu-polyhedron/1",
    "inequalities": [{"normal": [1], "offset": "1/2", "strict": True}],
    "equations": [{"normal": [1], "offset": 0}],
}


def test_all_fields_of_a_network_and_a_domain(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(NETWORK))
    (layer,) = load_network(str(path)).layers
    assert (layer.den, layer.rows, layer.linear) == (2, ((1, 2),), frozenset())
    path.write_text(json.dumps(DOMAIN))
    assert domain_of(str(path))(1) == System(1, ("eq", "gt"), ((1, 0), (2, 1)))


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"format": "exactrelu-network/2"}, "not an exactrelu-network/1 file"),
        ({"more": 1}, "an object with the fields format, layers, name"),
        ({"layers": [{"weights": [["1"]], "bias": [1], "more": 1}]}, "the fields weights, bias"),
        ({"layers": [["1"]]}, "the fields weights, bias"),
        ({"layers": [{"weights": [["1"]], "bias": [1, 2]}]}, "longer"),
        ({"layers": [{"weights": [["1"]], "bias": [0.5]}]}, "'0.5': an integer, or a string"),
        ({"layers": []}, "a network has a layer"),
        (
            {"layers": [{"weights": [["1"]], "bias": [1], "linear": [1]}]},
            "linear: increasing",
        ),
    ],
)
def test_networks_that_are_none(tmp_path: Path, changed: dict[str, object], why: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({**NETWORK, **changed}))
    with pytest.raises((ValueError, Refused), match=why) as found:
        load_network(str(path))
    assert str(found.value)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"format": "exactrelu-network/1"}, "not an exactrelu-polyhedron/1 file"),
        ({"more": 1}, "an object with the fields format, inequalities, equations"),
        (
            {"equations": [{"normal": [1], "offset": 0, "strict": False}]},
            "normal, offset is needed",
        ),
        ({"inequalities": [{"normal": [1], "offset": 0, "more": 1}]}, "normal, offset, strict"),
        ({"inequalities": [[1, 0]]}, "normal, offset, strict"),
    ],
)
def test_domains_that_are_none(tmp_path: Path, changed: dict[str, object], why: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({**DOMAIN, **changed}))
    with pytest.raises(ValueError, match=why):
        domain_of(str(path))


def test_files_that_are_no_object(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("[]")
    for read in (load_network, domain_of):
        with pytest.raises(ValueError, match="not a JSON object"):
            read(str(path))


@pytest.mark.parametrize("name", ["net.onnx", "NET.ONNX", "net.onnx.gz"])
def test_an_onnx_file_is_to_be_converted(name: str) -> None:
    with pytest.raises(ValueError, match=f"an ONNX file: `exactrelu convert {name} net.json`"):
        load_network(name)


def test_rows_that_hold_everywhere_are_left_out(tmp_path: Path) -> None:
    def read(sense: str, offset: int, strict: bool = False) -> System:
        row: dict[str, object] = {"normal": [0], "offset": offset}
        row |= {"strict": True} if strict else {}
        return domain_of(polyhedron(tmp_path, **{sense: [row]}))(1)

    everywhere = System(1, (), ())
    assert read("inequalities", 0) == read("inequalities", 1) == everywhere
    assert read("inequalities", 1, strict=True) == read("equations", 0) == everywhere
    for sense, offset, strict in (
        ("inequalities", -1, False),
        ("inequalities", 0, True),
        ("inequalities", -1, True),
        ("equations", 1, False),
        ("equations", -1, False),
    ):
        with pytest.raises(Refused, match="domain-not-normal"):
            read(sense, offset, strict)


def test_opposite_rows_that_are_strict_are_no_equation(tmp_path: Path) -> None:
    rows = [{"normal": [2], "offset": -1}, {"normal": [-2], "offset": 1, "strict": True}]
    assert domain_of(polyhedron(tmp_path, inequalities=rows))(1).senses == ("ge", "gt")
    rows = [{"normal": [2], "offset": -1}, {"normal": [-2], "offset": 2}]
    assert domain_of(polyhedron(tmp_path, inequalities=rows))(1).senses == ("ge", "ge")


def test_boxes_with_sides_of_their_own() -> None:
    box = domain_of("box:-1..2,0..1/2")(2)
    assert box == domain_of("BOX:-1,2;0,1/2")(2)
    assert box.rows == ((-1, 0, 2), (0, -2, 1), (0, 1, 0), (1, 0, 1))
    assert domain_of("box:-1..2")(2) == domain_of("box:-1..2,-1..2")(2)
    # Of another dimension it is the box that was written, which no claim in R^3 is about.
    assert {len(row) for row in domain_of("box:-1..2,0..1")(3).rows} == {3}
    assert domain_of("box:0..0")(1) == System(1, ("eq",), ((1, 0),))
    for bad in ("box:0...5", "box:1..0", "box:0..1..2", "box:", "box:0..1,1..0", "box:0"):
        with pytest.raises(ValueError, match=r"box|integer"):
            domain_of(bad)
    assert domain_of("orthant")(2).rows == ((0, 1, 0), (1, 0, 0))


def test_long_numbers(tmp_path: Path) -> None:
    """At the seams of the pieces in which they are read, with signs, in strings and as integers."""
    for digits in (3999, 4000, 4001, 8000, 8001):
        text = "".join(str(k % 9 + 1) for k in range(digits))
        value = sum(int(digit) * 10**k for k, digit in enumerate(reversed(text)))
        assert rational(text) == value
        assert rational(f"-{text}") == -value
        assert rational(f"1/{text}") * value == 1
        path = tmp_path / "x.json"
        layer = f'{{"weights": [[{text}]], "bias": [-{text}]}}'
        path.write_text(f'{{"format": "exactrelu-network/1", "layers": [{layer}]}}')
        assert load_network(str(path)).layers[0].rows == ((value, -value),)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e2", (100, 1)),
        ("1E-2", (1, 100)),
        ("-1.50e1", (-15, 1)),
        ("+.5", (1, 2)),
        ("5.", (5, 1)),
        (" 7 ", (7, 1)),
        ("-0.125", (-1, 8)),
        ("6/4", (3, 2)),
    ],
)
def test_numbers_as_people_write_them(text: str, value: tuple[int, int]) -> None:
    found = rational(text)
    assert (found.numerator, found.denominator) == value
    assert rational(found) == found


def test_json_integers_of_every_length(tmp_path: Path) -> None:
    for digits in (14, 15, 16, 17):
        number = int("123456789" * 2) % 10**digits
        path = tmp_path / "x.json"
        layer = f'{{"weights": [[{number}]], "bias": [-{number}]}}'
        path.write_text(f'{{"format": "exactrelu-network/1", "layers": [{layer}]}}')
        assert load_network(str(path)).layers[0].rows == ((number, -number),)


def test_trust_counts_lines_of_code(capsys: pytest.CaptureFixture[str]) -> None:
    title, text = '"""Title.\n\nText.\n"""', '    """One line."""'
    source = f"{title}\n\n# comment\nx = 1\n\n\ndef f():\n{text}\n    y = 2\n"
    assert code_lines(source) == 3
    assert main(["--trust", "equal:cells"]) == 0
    lines = capsys.readouterr().out.splitlines()
    sizes = {
        line.split()[1]: int(line.split()[0]) for line in lines if "exactrelu_checker." in line
    }
    assert "exactrelu_checker.options" not in sizes
    assert "exactrelu_checker.main" not in sizes
    assert "exactrelu_checker.forms" in sizes
    assert lines[-1] == f"{sum(sizes.values()):6} lines of code for equal:cells"
    assert main(["--trust", "facts"]) == 0
    said = capsys.readouterr().out
    assert "       and what --trust lists for the kind of each fact\n" in said
    assert main(["--trust", "miracle"]) == 2
    assert capsys.readouterr().err == "exactrelu-check: no kind and method 'miracle'\n"
    assert main(["--trust", "equal:miracle"]) == 2
    assert capsys.readouterr().err == "exactrelu-check: no kind and method 'equal:miracle'\n"
