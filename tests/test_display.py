"""Every public result is a line, a few lines, a small table; however large it is."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from flint import fmpq, fmpz

import exactrelu as er
from exactrelu.display import LINES, WIDTH, Shown, assigned, brief, clipped, plain
from exactrelu.network.written import network_text
from exactrelu.view.plot import Picture
from tests.test_newcomers import XOR, subclasses


def network(*widths: int) -> er.Network:
    """A random network of these widths, with numbers of 60 bits."""
    rng = random.Random(f"display {widths}")
    pairs = list(zip(widths[1:], widths, strict=False))

    def number() -> float:
        return rng.uniform(-1, 1)

    weights = [[[number() for _ in range(n)] for _ in range(m)] for m, n in pairs]
    return er.Network.from_arrays(weights, [[number() for _ in range(m)] for m, _ in pairs])


NET = network(2, 4, 3, 1)
SHALLOW = er.Network.from_arrays([[[1, 2], [3, -1]], [[1, -2]]], [[1, -1], [5]])
BOX = "box:-1,1"
MATRIX = er.Matrix([[1, 0, 3], [0, 1, 2]])
#: What is shown, by the question that gives it.
RESULTS: dict[str, Any] = {
    "network": lambda: NET,
    "wide network": lambda: network(30, 40, 30, 20),
    "layer": lambda: NET.layers[0],
    "matrix": lambda: network(30, 40, 1).layers[0].affine,
    "system": lambda: er.LinearSystem.box([(-1, 1)] * 30),
    "box": lambda: er.Domain.of("box:-1/3,1", 30),
    "union": lambda: er.BoxUnion((((er.rational(0), er.rational(1)),) * 30,)),
    "regions": lambda: er.regions(NET),
    "some regions": lambda: er.regions(NET, max_regions=3),
    "region": lambda: er.regions(network(30, 3, 1), BOX)[0],
    "complex": lambda: er.polyhedral_complex(NET),
    "face": lambda: er.polyhedral_complex(NET)[0],
    "some faces": lambda: er.polyhedral_complex(NET, max_faces=5),
    "folds": lambda: er.folds(NET),
    "facet": lambda: er.folds(NET)[0],
    "fiber": lambda: er.fiber(SHALLOW),
    "fiber of three layers": lambda: er.fiber(network(2, 2, 2, 1)),
    "component": lambda: er.fiber(SHALLOW)[0],
    "verdict": lambda: er.is_transparent(NET),
    "certificate": lambda: er.is_transparent(NET).certificate,
    "checked": lambda: er.is_transparent(NET).check(),
    "generic": lambda: er.is_generic(NET),
    "injective": lambda: er.is_injective(NET),
    "invert": lambda: er.invert(NET, [1], BOX),
    "equivalent": lambda: er.equivalent(NET, network(2, 4, 1), BOX),
    "within": lambda: er.equivalent(NET, network(2, 4, 1), BOX, within=100),
    "difference": lambda: er.largest_difference(NET, network(2, 4, 1), BOX),
    "largest": lambda: er.largest_difference(NET, network(2, 4, 1), BOX).largest,
    "isomorphic": lambda: er.isomorphic(NET, NET),
    "symmetry": lambda: er.canonical(network(2, 30, 1)).symmetry,
    "canonical": lambda: er.canonical(NET),
    "simplify": lambda: er.simplify(NET),
    "shallow form": lambda: er.shallow_form(SHALLOW),
    "recovery": lambda: er.recover(SHALLOW),
    "perturbed": lambda: er.make_generic(XOR),
    "local": lambda: er.local(NET, [(0, 1), (1, 0)]),
    "affine map": lambda: er.regions(NET).affine_map(er.regions(NET)[0]),
    "trace": lambda: er.trace(NET, [1, 2]),
    "functional dimension": lambda: er.functional_dimension(NET),
    "identifiable": lambda: er.identifiable(SHALLOW),
    "volume": lambda: er.identifiable_volume((2, 2, 2, 1)),
    "share": lambda: er.identifiability.share((2, 2, 1), count=2),
    "stability": lambda: er.stability(network(1, 4, 1), layer=1),
    "rank": lambda: er.rank_proof(MATRIX),
    "nonnegative rank": lambda: er.nonnegative_column_rank(MATRIX),
    "sigma": lambda: er.sigma_min_bounds(MATRIX),
    "spark": lambda: er.spark(MATRIX),
    "completion": lambda: er.completion(XOR.layers[0]),
    "shortcuts": lambda: er.injectivity_shortcuts(MATRIX, (er.rational(0),) * 2)[0],
    "feasible": lambda: er.feasible(er.LinearSystem.box([(0, 1)] * 30)),
    "statements": lambda: er.statements,
    "statement": lambda: next(iter(er.statements.values())),
    "scene": lambda: er.plot(NET, BOX, path="p.svg"),
    "report": lambda: er.report(SHALLOW, "p.html", seconds_each=1),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_short(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    result = RESULTS[name]()
    assert len(repr(result)) <= WIDTH
    assert "\n" not in repr(result)
    lines = str(result).split("\n")
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= WIDTH
    if isinstance(result, Picture):
        assert "<svg" in result._repr_html_()
    elif isinstance(result, Shown):
        assert str(result).startswith(repr(result))
        page = result._repr_html_()
        assert page.startswith("<table>")
        assert page.count("<tr>") == len(lines) - 1


def test_every_class_is_shown_in_one_way() -> None:
    for cls in subclasses(Shown):
        assert cls.__repr__ is Shown.__repr__, f"{cls}: the dataclass has a repr of its own"
        assert cls.__str__ is Shown.__str__
    assert len(subclasses(Shown)) > 50


def test_values_show_themselves_in_a_line() -> None:
    assert repr(XOR) == "Network xor: 2-2-1, 9 parameters, 3 bits"
    assert repr(er.regions(XOR)) == "Regions: 3 of 2-2-1 on R^2, complete"
    assert repr(er.regions(XOR, "box:-1,1")) == "Regions: 3 of 2-2-1 on box:-1..1, complete"
    found = repr(er.regions(NET, max_regions=3))
    assert found.startswith("Regions: at least ")
    assert found.endswith(" of 2-4-3-1 on R^2, stopped at 3 regions")
    assert repr(er.regions(XOR)[0]) == "Region(--, point=(-2, 0))"
    assert repr(er.polyhedral_complex(XOR)).startswith("Complex: f-vector (0, 2, 3) of 2-2-1")
    assert repr(er.is_injective(XOR)) == "no: the first layer takes two points to one"
    assert str(er.is_injective(XOR)).splitlines()[1] == "  witness      ((-1, -1), (0, -1))"
    assert repr(er.statements).startswith("Statements: ")


def test_values_in_brief() -> None:
    assert brief((1, "a", [2])) == "(1, 'a', [2])"
    assert brief((1,)) == "(1,)"
    assert brief({"a": 1}) == "{'a'}"
    assert brief(list(range(10**6)), 20) == "[0, … 999,999 more]"
    assert clipped("x" * 10**6, 5) == "xxxx…"
    assert clipped("") == ""


def test_numbers_in_brief_are_short_and_marked() -> None:
    long = fmpq(1, fmpz(3) ** 60)
    assert (brief(fmpq(1, 3)), brief(long), brief(fmpz(7)), brief(True)) == (
        *("1/3", "≈ 2.359e-29", "7"),
        "True",
    )
    assert brief((fmpq(1, 3), fmpq(2))) == "(1/3, 2)"
    assert brief(((long, fmpq(2)), (fmpq(1, 3),))) == "≈ ((2.359e-29, 2), (0.3333,))"
    assert brief([long, "x"]) == "[≈ 2.359e-29, 'x']"
    assert brief((long,) * 1000, 60) == "≈ (2.359e-29, 2.359e-29, 2.359e-29, 2.359e-29, … 996 more)"
    # Different numbers look different, and a name says that what follows is rounded.
    assert brief((fmpq(1, 3), fmpq(10**9 + 1, 3 * 10**9))) == "≈ (0.333333333, 0.333333334)"
    assert (assigned("x", (fmpq(1),)), assigned("x", long)) == ("x=(1,)", "x ≈ 2.359e-29")
    assert repr(er.sigma_min_bounds(er.Matrix([[1, 2], [3, 4]]))) == (
        "SigmaMinBounds: 0.3659 ≤ σ_min ≤ 0.3660"
    )
    assert repr(NET.layers[0].affine).startswith("Matrix(≈ [[")


# --- JSON


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, None),
        (True, True),
        (7, 7),
        ("x", "x"),
        (fmpq(1, 3), "1/3"),
        (fmpz(10) ** 50, "1" + "0" * 50),
        ((fmpq(2), [fmpq(-1, 2)], ()), ["2", ["-1/2"], []]),
        ({"a": (1, fmpq(1))}, {"a": [1, "1"]}),
        (er.Matrix.from_entries(2, 2, [1, 2, 3, fmpq(1, 4)]), [["1", "2"], ["3", "1/4"]]),
        (XOR, json.loads(network_text(XOR))),
        (lambda: {"late": fmpq(1, 2)}, {"late": "1/2"}),
        ([lambda: 1, lambda: (fmpq(3),)], [1, ["3"]]),
    ],
)
def test_plain(value: object, written: object) -> None:
    assert plain(value) == written
    json.dumps(plain(value))


def test_nothing_is_written_that_is_not_exact() -> None:
    with pytest.raises(TypeError, match="set: no exact value"):
        plain({"a": {1, 2}})
