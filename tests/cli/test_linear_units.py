"""The whole command line, given a network with a linear unit.

Every command is in the list of those that answer, or refuses in one line with exit code 2, or takes
no network.  One that is new fails here until it is listed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import exactrelu as er
from exactrelu.cli.main import main
from exactrelu.errors import NotPlain
from exactrelu.network.network import plain
from exactrelu.public.names import COMMANDS
from tests.test_linear_units import BOX, NET, PAIRS, POINTS

PAGES = Path(__file__).parents[2] / "docs" / "commands"

#: Arguments after the file, and the exit code, of the commands that answer.
COMMANDS_THAT_ANSWER: dict[str, tuple[list[str], int]] = {
    "info": ([], 0),
    "eval": (["--at", "1,2"], 0),
    "local": (["--points", "POINTS", "--list"], 0),
    "convert": (["FOLDER/out.json"], 0),
    "regions": (["--list"], 0),
    "complex": (["--list"], 0),
    "equivalent": (["PAIRS"], 0),
    "difference": (["PAIRS", "--domain", BOX], 0),
    "holds": (["y1 < 1000", "--domain", BOX], 0),
    "robust": (["--at", "1,2", "--domain", BOX], 0),
    "injective": ([], 1),
    "invert": (["--value", "1,0"], 0),
    "simplify": (["-o", "FOLDER/out.json"], 0),
    "roles": ([], 0),
    "plot": (["-o", "FOLDER/out.svg", "--domain", BOX], 0),
    "report": (["-o", "FOLDER/out.html", "--seconds-each", "5"], 0),
    "certify": (["-o", "FOLDER/out"], 0),
}
COMMANDS_THAT_REFUSE: dict[str, list[list[str]]] = {
    "honest": [[]],
    "cancellation-free": [[]],
    "generic": [[], ["--sense", "masked-rank"], ["--perturb", "FOLDER/out.json"]],
    "transparent": [[]],
    "folds": [[]],
    "isomorphic": [["PAIRS"]],
    "identifiable": [[], ["--second", "FOLDER/out.json"]],
    "stability": [["--layer", "1"], []],
    "theorem-class": [[], ["--other", "NET"]],
    "canonical": [["-o", "FOLDER/out.json"]],
    "shallow": [[]],
    "fiber": [[], ["--member", "PAIRS"], ["--minimal"]],
    "recover": [["-o", "FOLDER/out.json"]],
    # Some ways to ask a command that answers.
    "injective": [
        ["--layer", "1"],
        ["--layer", "1", "--shortcuts"],
        ["--layer", "1", "--at", "1,1"],
        ["--layer", "2", "--domain", "image"],
    ],
    "plot": [["-o", "FOLDER/out.svg", "--domain", BOX, "--show", "folds"]],
}
COMMANDS_OF_OTHERS = {
    *("arrangement", "build", "check", "cone", "conjecture", "convolution", "injective-table"),
    *("lemmas", "nnrank", "pin", "polyhedron", "rank", "refute", "sigma", "spark"),
    # What it takes first is a query; tests/test_linear_units.py asks it.
    *("judge", "real-query", "supports", "verify"),
}


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Run a command about the network; code, output, error."""
    places = {"NET": NET, "PAIRS": PAIRS}
    files = {name: str(tmp_path / f"{name}.json") for name in places}
    for name, network in places.items():
        er.save(network, files[name])
    (tmp_path / "points.json").write_text(json.dumps(POINTS))
    files["POINTS"] = str(tmp_path / "points.json")

    def run(command: str, *arguments: str) -> tuple[int, str, str]:
        given = [files.get(a, a.replace("FOLDER", str(tmp_path))) for a in arguments]
        capsys.readouterr()
        code = main([command, files["NET"], *given])
        return code, *capsys.readouterr()

    return run


def test_every_command_is_listed_once() -> None:
    refusing = {*COMMANDS_THAT_REFUSE} - {*COMMANDS_THAT_ANSWER}
    listed = [*COMMANDS_THAT_ANSWER, *refusing, *COMMANDS_OF_OTHERS]
    assert sorted(listed) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS_THAT_ANSWER)
def test_commands_about_the_function_answer(command: str, shell, tmp_path: Path) -> None:
    if command == "plot":
        pytest.importorskip("matplotlib")
    arguments, expected = COMMANDS_THAT_ANSWER[command]
    code, out, err = shell(command, *arguments)
    assert (code, err) == (expected, "")
    assert out


@pytest.mark.parametrize(
    ("command", "arguments"),
    [(command, each) for command, several in COMMANDS_THAT_REFUSE.items() for each in several],
    ids=lambda value: value if isinstance(value, str) else " ".join(value[:1]),
)
def test_commands_about_parameters_refuse_in_one_line(
    command: str, arguments: list[str], shell, tmp_path: Path
) -> None:
    before = sorted(tmp_path.iterdir())
    code, out, err = shell(command, *arguments)
    assert (code, out) == (2, "")
    assert "is defined for layers of ReLUs; this network has 1 linear unit (layer 1: 1)" in err
    assert err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("command", COMMANDS_THAT_REFUSE)
def test_the_page_of_a_command_says_that_it_refuses(command: str) -> None:
    page = (PAGES / f"{command}.md").read_text()
    assert re.search(r"\[linear units\]\(\.\./theory\.md#linear-unit\)", page)


def test_the_sentence_names_the_commands_that_answer() -> None:
    with pytest.raises(NotPlain) as refused:
        plain(NET, "fiber")
    named = str(refused.value).rpartition("answers for it: ")[2].split(", ")
    # Those that are no question, but read, write or ask all questions, need not be named.
    assert {*named} == {*COMMANDS_THAT_ANSWER} - {"info", "eval", "convert", "report", "certify"}


# --- Patterns outside


@pytest.mark.parametrize(
    ("command", "arguments", "key"),
    [
        ("eval", ["--at", "1,2"], None),
        ("regions", ["--list"], "regions"),
        ("complex", ["--list"], "faces"),
        ("local", ["--points", "POINTS", "--list"], "points"),
    ],
)
def test_patterns_in_json_and_in_text(command, arguments, key, shell) -> None:
    code, out, _ = shell(command, *arguments, "--json")
    assert code == 0
    found = json.loads(out)
    entries = [found] if key is None else found[key]
    assert entries
    for entry in entries:
        ((first, linear, last),) = entry["pattern"]
        assert linear is None
        assert first in (0, 1, -1)
        assert last in (0, 1, -1)
    _, out, _ = shell(command, *arguments)
    lines = [line for line in out.splitlines() if "layer 1 " in line]
    assert lines
    assert all(line.partition("layer 1 ")[2][1] == "·" for line in lines)


def test_the_claim_about_a_value_has_no_sign_for_a_linear_unit(shell, tmp_path: Path) -> None:
    path = str(tmp_path / "value.cert")
    assert shell("eval", "--at", "-1,-2", "--certificate", path)[0] == 0
    assert '"signs":["-=-"]' in Path(path).read_text()
    assert main(["check", path]) == 0
