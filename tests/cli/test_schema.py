"""One schema: what ``--json`` prints of an answer is what ``to_json()`` says of it in Python.

Each question is asked in both ways.  The object must be the same, to the last digit.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

import exactrelu as er
from exactrelu.cli.main import COMMANDS
from exactrelu.public.names import COMMANDS as FUNCTIONS
from exactrelu.public.names import questions
from tests.cli.test_certified import make_files, places

CASES = Path(__file__).parents[2] / "cases"
XOR = "{xor}"


def case(name: str) -> er.Network:
    return er.load(CASES / name)


def xor() -> er.Network:
    return case("xor/network.json")


def pair(name: str = "equal/spike-2-10") -> tuple[er.Network, er.Network]:
    return case(f"{name}/spike.json"), case(f"{name}/zero.json")


def matrix(name: str) -> er.Matrix:
    return er.matrices.load_matrix(CASES / name)


TRIANGLE = "three-layers/S002-P10-nonneg-column-rank/triangle.matrix.json"
TRANSPARENT = "phuong-lampert/S001-P1-transparent/N.json"
QUERY = CASES / "xor/query.vnnlib"

#: What is asked in the shell, and the same in Python.
ASKED: tuple[tuple[str, Callable[[Path], Any]], ...] = (
    ("plot {xor} -o {tmp}/xor.svg", lambda tmp: er.plot(xor(), path=tmp / "xor.svg")),
    (
        "local {xor} --points {tmp}/points.json",
        lambda _: er.local(xor(), [(1, 2), (0, 0), (2, 3)]),
    ),
    ("robust {xor} --at 0,0", lambda _: er.robust_radius(xor(), [0, 0])),
    ("verify {cases}/xor/query.vnnlib --network {xor}", lambda _: er.verify(QUERY, xor())),
    ("holds {xor} 'y1 < 1' --domain box:-1..1", lambda _: er.holds(xor(), "box:-1..1", "y1 < 1")),
    (
        "judge {cases}/xor/query.vnnlib --network {xor} --result {cases}/xor/result.txt",
        lambda _: er.judge(QUERY, xor(), CASES / "xor/result.txt"),
    ),
    ("regions {xor}", lambda _: er.regions(xor())),
    ("regions {xor} --max-regions 1", lambda _: er.regions(xor(), max_regions=1)),
    ("complex {xor}", lambda _: er.polyhedral_complex(xor())),
    ("honest {xor}", lambda _: er.is_honest(xor())),
    ("honest {tmp}/straight.json", lambda tmp: er.is_honest(er.load(tmp / "straight.json"))),
    (
        "cancellation-free {tmp}/cancelled.json",
        lambda tmp: er.is_cancellation_free(er.load(tmp / "cancelled.json")),
    ),
    ("generic {ties}/ok.json", lambda _: er.is_generic(case("three-layers/S002-D2-ties/ok.json"))),
    (
        "generic {ties}/parallel.json",
        lambda _: er.is_generic(case("three-layers/S002-D2-ties/parallel.json")),
    ),
    (
        "generic {cases}/regions/concurrent3/network.json --sense supertransversal",
        lambda _: er.is_generic(case("regions/concurrent3/network.json"), sense="supertransversal"),
    ),
    (
        "roles {cases}/phuong-lampert/S001-P1-transparent/N.json --domain box:-1..1",
        lambda _: er.roles(case(TRANSPARENT), "box:-1..1"),
    ),
    (
        "isomorphic {permuted}/A.json {permuted}/B.json",
        lambda _: er.is_isomorphic(
            case("equal/permuted-2-4-1/A.json"), case("equal/permuted-2-4-1/B.json")
        ),
    ),
    ("equivalent {spike}/spike.json {spike}/zero.json", lambda _: er.is_equivalent(*pair())),
    (
        "equivalent {spike}/spike.json {spike}/zero.json --within 2",
        lambda _: er.is_equivalent(*pair(), within=2),
    ),
    (
        "difference {spike}/spike.json {spike}/zero.json",
        lambda _: er.largest_difference(*pair()),
    ),
    (
        "identifiable {cases}/three-layers/S002-P13-hiding-translation/theta.json",
        lambda _: er.is_identifiable(case("three-layers/S002-P13-hiding-translation/theta.json")),
    ),
    (
        "identifiable {cases}/identifiable/tracks-open/N.json",
        lambda _: er.is_identifiable(case("identifiable/tracks-open/N.json")),
    ),
    (
        "identifiable {cases}/identifiable/tracks-open/N.json --dimension",
        lambda _: er.functional_dimension(case("identifiable/tracks-open/N.json")),
    ),
    (
        "identifiable --architecture 2,2,2,1 --volume",
        lambda _: er.identifiability.volume((2, 2, 2, 1)),
    ),
    (
        "identifiable --share 2,2,1 --count 2",
        lambda _: er.identifiability.share((2, 2, 1), count=2),
    ),
    ("injective {xor}", lambda _: er.is_injective(xor())),
    ("injective {xor} --layer 1", lambda _: er.is_injective(xor(), layer=1)),
    ("invert {xor} --value 1", lambda _: er.invert(xor(), [1])),
    (
        "convolution {cases}/injective-layers/convolution-width-3/valid.json",
        lambda _: er.layers.convolution_injective(
            er.layers.load_convolution(CASES / "injective-layers/convolution-width-3/valid.json")
        ),
    ),
    ("stability {xor} --layer 1", lambda _: er.stability(xor(), layer=1)),
    ("stability {xor}", lambda _: er.layers.network_stability(xor())),
    (
        "theorem-class {cases}/phuong-lampert/S001-P1-transparent/N.json --domain box:-1..1",
        lambda _: er.is_in_theorem_class(case(TRANSPARENT), "box:-1..1"),
    ),
    ("canonical {xor} -o {tmp}/canonical.json", lambda _: er.canonical(xor())),
    (
        "simplify {tmp}/twins.json -o {tmp}/s.json",
        lambda tmp: er.simplify(er.load(tmp / "twins.json")),
    ),
    (
        "fiber {both}/theta.json",
        lambda _: er.fiber(case("three-layers/S002-P04-fiber-case3-both/theta.json")),
    ),
    (
        "fiber {flips}/theta.json",
        lambda _: er.fiber(case("three-layers/S002-P14-hiding-flips/theta.json")),
    ),
    ("recover {tmp}/small.json", lambda tmp: er.recover(er.load(tmp / "small.json"))),
    ("rank {triangle}", lambda _: er.matrices.rank_proof(matrix(TRIANGLE))),
    ("nnrank {triangle}", lambda _: er.matrices.nonnegative_column_rank(matrix(TRIANGLE))),
    (
        "sigma {tmp}/pointed.json",
        lambda tmp: er.matrices.sigma_min_bounds(er.Matrix([[1, 0], [0, 1]])),
    ),
    ("spark {triangle}", lambda _: er.matrices.spark(matrix(TRIANGLE))),
    (
        "polyhedron {square}",
        lambda _: er.polyhedra.is_nonempty(
            er.polyhedra.load_polyhedron(CASES / "polyhedra/unit-square/polyhedron.json")
        ),
    ),
    (
        "polyhedron {square} --bounded",
        lambda _: er.polyhedra.is_bounded(
            er.polyhedra.load_polyhedron(CASES / "polyhedra/unit-square/polyhedron.json")
        ),
    ),
    ("cone {triangle}", lambda _: er.matrices.is_pointed(matrix(TRIANGLE).rows())),
    (
        "cone {tmp}/line.json",
        lambda _: er.matrices.is_pointed(er.Matrix([[1, 0], [-2, 0], [0, 1]]).rows()),
    ),
    ("refute S003-lemma-1", lambda _: er.refute("S003-lemma-1")),
)

#: Commands whose answers are no results, or results of several questions.
ELSEWHERE = {
    "arrangement": "numbers of an arrangement, beside those of regions",
    "build": "writes a network; its verdict is that of another question",
    "certify": "a table",
    "check": "what the checker prints",
    "conjecture": "the same result as refute",
    "convert": "writes a file",
    "eval": "values",
    "info": "a description",
    "injective-table": "a table",
    "lemmas": "a table",
    "pin": "a manifest",
    "plot": "a picture",
    "real-query": "a file",
    "report": "a page",
    "shallow": "a function",
    "supports": "a table",
}


def difference(shell: dict[str, Any], python: dict[str, Any]) -> list[str]:
    """The names that only one of two objects has, or that they have with other values."""
    names = sorted(shell.keys() | python.keys())
    return [
        f"{name}: {shell.get(name, 'missing')!r:.60} / {python.get(name, 'missing')!r:.60}"
        for name in names
        if name not in shell or name not in python or shell[name] != python[name]
    ]


def asked_twice(run: Any, folder: Path, line: str, ask: Callable[[Path], Any]) -> list[str]:
    make_files(folder)
    shell = json.loads(run(*shlex.split(line.format(**places(folder))), "--json").out)
    return difference(shell, json.loads(ask(folder).to_json()))


def on_a_box(command: str) -> tuple[str, Callable[[Path], Any]]:
    """A question about a network on a domain, which needs no line of its own."""
    declared, ask = DECLARED[FUNCTIONS[command]], attrgetter(FUNCTIONS[command])(er)
    needed = [p.name for p in declared.parameters if p.default is p.empty]
    assert declared.has_domain, f"{command}: found no line in ASKED or ELSEWHERE"
    assert needed == ["network"], f"{command}: found no line in ASKED or ELSEWHERE"
    return f"{command} {{xor}} --domain box:-1..1", lambda _: ask(xor(), "box:-1..1")


DECLARED = questions()
LISTED = {line.split()[0] for line, _ in ASKED} | {*ELSEWHERE}
EVERY = (*ASKED, *(on_a_box(c.name) for c in COMMANDS if c.name not in LISTED))


@pytest.mark.parametrize(("line", "ask"), EVERY, ids=[line for line, _ in EVERY])
def test_the_shell_and_python_give_one_object(
    run: Any, tmp_path: Path, line: str, ask: Callable[[Path], Any]
) -> None:
    assert not asked_twice(run, tmp_path, line, ask)


def test_every_command_is_here() -> None:
    assert {line.split()[0] for line, _ in EVERY} | {*ELSEWHERE} == {c.name for c in COMMANDS}
    assert len(EVERY) > len(ASKED)
