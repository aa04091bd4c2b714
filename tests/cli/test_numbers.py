"""Numbers in the texts of commands: true decimals, told apart, and all digits one step away."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import exactrelu as er
from exactrelu.cli.main import COMMANDS, _parser

DECIMAL = r"-?\d+(?:\.\d+)?(?:e-?\d+)?"
ROOT_HALF = "cases/injective-layers/S003-E7-sharp-constant/L.json"
MATRIX = "cases/three-layers/S002-P10-nonneg-column-rank/full_col.matrix.json"


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network with numbers as training leaves them."""
    rng = np.random.default_rng(23)
    pairs = ((2, 5), (5, 3), (3, 1))
    weights = [rng.normal(size=(m, n)).astype("float32") for n, m in pairs]
    biases = [rng.normal(size=m).astype("float32") for _, m in pairs]
    path = tmp_path_factory.mktemp("trained") / "net.json"
    er.save(er.Network.from_arrays(weights, biases), path)
    return path


def numbers(text: str) -> list[Fraction]:
    return [Fraction(number) for number in re.findall(DECIMAL, text)]


def test_every_command_takes_exact() -> None:
    parser = _parser()
    (commands,) = (
        a for a in parser._actions if hasattr(a, "choices") and isinstance(a.choices, dict)
    )
    assert set(commands.choices) == {command.name for command in COMMANDS}
    for command in commands.choices.values():
        assert "--exact" in command._option_string_actions


def test_a_list_has_decimals_that_are_near_and_different(run, trained) -> None:
    options = ("regions", trained, "--domain", "box:-3,3", "--list")
    lines = [line for line in run(*options).out.splitlines() if "  at " in line]
    regions = json.loads(run(*options, "--json").out)["regions"]
    assert len(lines) == len(regions) > 10
    shown: dict[Fraction, Fraction] = {}
    for line, region in zip(lines, regions, strict=True):
        place = re.search(r"at ≈ \((.*?)\)", line)
        local = re.search(r"y1 ≈ (.*)", line)
        assert place
        assert local
        assert "/" not in line
        slopes = [value for value in region["jacobian"][0] if value != "0"]
        exact = [abs(Fraction(value)) for value in (*region["point"], *slopes)]
        said = [*place[1].split(", "), *re.findall(rf"({DECIMAL}) x", local[1].replace("- ", "-"))]
        assert len(said) == len(exact)
        shown |= dict(zip(exact, (abs(Fraction(text)) for text in said), strict=True))
    assert len(set(shown.values())) == len(shown) > 40
    for value, decimal in shown.items():
        # Four digits, so at most half a unit of the fourth.
        assert abs(value - decimal) <= max(value, decimal) / 2000
    exact_lines = run(*options, "--exact").out
    for region in regions:
        assert f"at ({', '.join(region['point'])})" in exact_lines
        slope = region["jacobian"][0][0].lstrip("-")
        assert slope == "0" or f"{slope} x1" in exact_lines
    assert "≈" not in exact_lines


@pytest.mark.parametrize(
    "asked", [("stability", ROOT_HALF, "--layer", "1"), ("sigma", MATRIX)], ids=lambda a: a[0]
)
def test_bounds_are_true_as_they_are_printed(run, asked) -> None:
    answer = json.loads(run(*asked, "--json").out)
    lower, upper = Fraction(answer["lower"]), Fraction(answer["upper"])
    line = run(*asked).out.splitlines()[0]
    low, high = re.search(rf"({DECIMAL}) ≤ \S+ ≤ ({DECIMAL})$", line).groups()
    assert Fraction(low) <= lower < upper <= Fraction(high)
    assert Fraction(high) - Fraction(low) <= upper / 500
    exact = run(*asked, "--exact").out.splitlines()[0]
    assert f"{answer['lower']} ≤ " in exact
    assert exact.endswith(f" ≤ {answer['upper']}")
    # A reason is for programs too: it has what it had.
    assert answer["reason"] in exact


def test_points_of_local_are_listed_as_decimals(run, trained, tmp_path) -> None:
    points = tmp_path / "points.csv"
    points.write_text("1/3,1/7\n0.25,-2\n")
    lines = run("local", trained, "--points", points, "--list").out.splitlines()
    assert lines[0].startswith("≈ (0.3333, 0.1429) in region ")
    assert any(line.startswith("(0.25, -2) in region ") for line in lines)
    assert any(re.match(rf"  boundary at ℓ∞ ≈ {DECIMAL} of ", line) for line in lines)
    exact = run("local", trained, "--points", points, "--list", "--exact").out
    assert "(1/3, 1/7) in region " in exact
    assert "≈" not in exact


def test_a_witness_is_exact_and_a_decimal(run, trained) -> None:
    shown = run("injective", trained, "--domain", "box:-1,1").out
    exact = run("injective", trained, "--domain", "box:-1,1", "--exact").out
    witness = json.loads(run("injective", trained, "--domain", "box:-1,1", "--json").out)["witness"]
    for name, point in zip("xy", witness, strict=True):
        assert f"  {name} = ({', '.join(point)})" in exact
        line = next(line for line in shown.splitlines() if line.startswith(f"  {name} "))
        near = numbers(line.split("≈ ")[-1].split(" = ")[-1])
        for decimal, value in zip(near, point, strict=True):
            assert abs(decimal - Fraction(value)) <= abs(decimal) / 2000


def test_generators_are_points(run) -> None:
    square = "cases/polyhedra/unit-square/polyhedron.json"
    lines = run("polyhedron", square, "--describe", "--maximize", "1,1/3").out.splitlines()
    assert "  vertices (0, 0) (0, 1) (1, 0) (1, 1)" in lines
    assert "  rays none" in lines
    assert "  maximum 4/3 ≈ 1.333" in lines
    assert "  multipliers 1 of row 3, 1/3 of row 4" in lines
