"""The whole command line, given a network with a linear unit.

Every command that is about a network answers, or refuses in one line with exit code 2: which of the
two, its question declares.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import exactrelu as er
from exactrelu.cli.main import COMMANDS, main
from exactrelu.errors import NotPlain
from exactrelu.network.network import plain
from exactrelu.public.names import COMMANDS as FUNCTIONS
from exactrelu.public.names import questions
from tests.cli.typed import command, is_about_a_network, line_of
from tests.test_linear_units import BOX, NET, PAIRS, POINTS

PAGES = Path(__file__).parents[2] / "docs" / "commands"

ABOUT_NETWORKS = [c.name for c in COMMANDS if is_about_a_network(c)]
#: What is about parameters, as the questions declare it, and one that is no question.
DECLARED = questions()
REFUSING = {"shallow"} | {
    name
    for name in ABOUT_NETWORKS
    if FUNCTIONS[name] in DECLARED and DECLARED[FUNCTIONS[name]].is_about
}
ANSWERING = [name for name in ABOUT_NETWORKS if name not in REFUSING]
#: What more is typed for those that answer, and the exit codes that are not 0.
MORE = {
    "local": "--list",
    "regions": "--list",
    "complex": "--list",
    **dict.fromkeys(("difference", "holds", "robust", "plot", "report"), f"--domain {BOX}"),
}
CODES = {"injective": 1}
#: Other ways to ask for what refuses.
WAYS = {
    "generic": ["--sense masked-rank", "--perturb FOLDER/out.json"],
    "identifiable": ["--second FOLDER/out.json"],
    "theorem-class": ["--other NET"],
    "fiber": ["--member PAIRS", "--minimal"],
    "recover": ["-o FOLDER/out.json"],
    # Some ways to ask a command that answers.
    "injective": [
        "--layer 1",
        "--layer 1 --shortcuts",
        "--layer 1 --at 1,1",
        "--layer 2 --domain image",
    ],
    "plot": [f"--domain {BOX} --show folds"],
}
REFUSED = [(name, "") for name in sorted(REFUSING)]
REFUSED += [(name, more) for name, ways in WAYS.items() for more in ways]


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Run a command about the network; code, output, error."""
    places = {"NET": NET, "OTHER": PAIRS, "PAIRS": PAIRS}
    files = {name: str(tmp_path / f"{name}.json") for name in places}
    for name, network in places.items():
        er.save(network, files[name])
    (tmp_path / "points.json").write_text(json.dumps(POINTS))
    files["POINTS"] = str(tmp_path / "points.json")

    def run(name: str, *arguments: str) -> tuple[int, str, str]:
        values = {"constraints": ("y1 < 1000",)}
        if name == "invert":
            values["value"] = ("1,0",)
        given = [*line_of(command(name), **values), *arguments]
        given = [files.get(a, a.replace("FOLDER", str(tmp_path))) for a in given]
        given = [str(tmp_path / a) if a.startswith("OUT") else a for a in given]
        capsys.readouterr()
        return main([name, *given]), *capsys.readouterr()

    return run


def test_commands_about_networks_are_found() -> None:
    assert len(ABOUT_NETWORKS) > 25
    assert {"regions", "equivalent", "certify", "report"} <= {*ANSWERING}
    assert {"fiber", "generic", "folds"} <= REFUSING


@pytest.mark.parametrize("name", ANSWERING)
def test_commands_about_the_function_answer(name: str, shell, tmp_path: Path) -> None:
    if name == "plot":
        pytest.importorskip("matplotlib")
    code, out, err = shell(name, *MORE.get(name, "").split())
    assert (code, err) == (CODES.get(name, 0), "")
    assert out


@pytest.mark.parametrize(("name", "more"), REFUSED, ids=[" ".join(way) for way in REFUSED])
def test_commands_about_parameters_refuse_in_one_line(
    name: str, more: str, shell, tmp_path: Path
) -> None:
    before = sorted(tmp_path.iterdir())
    code, out, err = shell(name, *more.split())
    assert (code, out) == (2, "")
    assert "is defined for layers of ReLUs; this network has 1 linear unit (layer 1: 1)" in err
    assert err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", [*sorted(REFUSING), "injective", "plot"])
def test_the_page_of_a_command_says_that_it_refuses(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text()
    assert re.search(r"\[linear units\]\(\.\./theory\.md#linear-unit\)", page)


def test_the_sentence_names_the_commands_that_answer() -> None:
    with pytest.raises(NotPlain) as refused:
        plain(NET, "fiber")
    named = str(refused.value).rpartition("answers for it: ")[2].split(", ")
    assert len(named) > 10
    assert {*named} <= {*ANSWERING}


# --- Patterns outside


@pytest.mark.parametrize(
    ("command", "arguments", "key"),
    [
        ("eval", [], None),
        ("regions", ["--list"], "regions"),
        ("complex", ["--list"], "faces"),
        ("local", ["--list"], "points"),
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
    assert shell("eval", "--certificate", path)[0] == 0
    assert '"signs":["-=-"]' in Path(path).read_text()
    assert main(["check", path]) == 0
