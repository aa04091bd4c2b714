"""Every command that takes a domain: an empty one is refused, a flat one is answered."""

from __future__ import annotations

import json

import pytest

from exactrelu.cli.main import COMMANDS
from exactrelu.network.formats.load import save
from exactrelu.network.network import Network
from tests.cli.typed import command, has, line_of

#: Two networks that agree where x2 = 0 and nowhere else in the half-plane x1 > 0.
A = Network.from_arrays([[[1, 1], [1, -1]], [[1, 1]]], [["1/2", 0], [0]], "a")
B = Network.from_arrays([[[1, 7], [1, 3]], [[1, 1]]], [["1/2", 0], [0]], "b")

#: Commands that take a domain and ask something on it.
ASKED = [c.name for c in COMMANDS if has(c, "--domain") and line_of(c)]
#: What more is typed, and what is answered on the segment box:-1,1;0,0; of others only that it is.
SAID = {
    "build": ("", 2, "no network is identifiable"),
    "cancellation-free": ("", 0, "none of 2 facets is cancelled; for the restriction"),
    "complex": ("", 0, "f-vector (2, 3) on box:-1,1;0,0"),
    "difference": ("", 0, "largest difference 0"),
    "equivalent": ("", 0, "equivalent on box:-1,1;0,0: yes"),
    "fiber": ("", 3, "on domains with interior only"),
    "folds": ("", 0, "order 1 with 2 pieces"),
    "generic": ("--sense supertransversal", 0, "each of 5 faces"),
    "holds": ("", 0, "holds on box:-1,1;0,0: yes"),
    "honest": ("", 0, "honest on box:-1,1;0,0: yes"),
    "identifiable": ("", 1, "an equation of the domain was added to row 1"),
    "injective": ("", 1, "the first layer takes two points to one"),
    "invert": ("", 0, "x = (1/4, 0)"),
    "plot": ("", 0, "3 regions, 2 facets in [-1, 1]"),
    "regions": ("", 0, "3 activation regions on box:-1,1;0,0, 3 linear regions"),
    "report": ("", 0, "3 regions"),
    "robust": ("", 0, "wins at 1/2,0"),
    "roles": ("", 0, "on box:-1,1;0,0"),
    "shallow": ("", 3, "on domains with interior only"),
    "simplify": ("", 0, "2-2-1: nothing to remove on box:-1,1;0,0"),
    "stability": ("--bound upper", 0, "c = 0, two points have one image"),
    "theorem-class": ("", 1, "no interior points"),
    "transparent": ("", 1, "x = (-2/3, 0)"),
}
#: Those that write no certificate whatever the domain is.
WITHOUT = {"build", "fiber", *(c.name for c in COMMANDS if not has(c, "--certificate"))}


def test_commands_with_a_domain_are_found():
    assert {*SAID} <= {*ASKED}
    # What these are given is compared with the domain of a claim.
    assert {c.name for c in COMMANDS if has(c, "--domain")} - {*ASKED} == {"check", "pin"}


@pytest.fixture
def typed(tmp_path):
    """The arguments of a command, with files for the networks and OUT."""
    for network in (A, B):
        save(network, tmp_path / f"{network.name}.json")

    def arguments(name: str) -> list[str]:
        more = SAID.get(name, ("",))[0].split()
        files = {"NET": "a.json", "OTHER": "b.json"}
        words = [files.get(word, word) for word in line_of(command(name))]
        named = ("a.", "b.", "OUT")
        line = (str(tmp_path / w) if w.startswith(named) else w for w in words)
        return [name, *line, *more]

    return arguments


@pytest.mark.parametrize("command", ASKED)
@pytest.mark.parametrize("domain", ["box:1,0", "box:0,1;2,1", "EMPTY"])
def test_an_empty_domain_is_bad_input(run, typed, tmp_path, command, domain):
    """Exit code 2, and nothing is written: neither a result nor a certificate."""
    if domain == "EMPTY":
        domain = str(tmp_path / "empty.json")
        rows = '[{"normal": ["1", "0"], "offset": "0", "strict": true}]'
        equations = '[{"normal": ["1", "0"], "offset": "0"}]'
        text = f'"inequalities": {rows}, "equations": {equations}'
        (tmp_path / "empty.json").write_text(f'{{"format": "exactrelu-polyhedron/1", {text}}}')
    before = set(tmp_path.iterdir())
    certificate = [] if command in WITHOUT else ["--certificate", tmp_path / "none.cert.jsonl"]
    result = run(*typed(command), "--domain", domain, *certificate)
    assert result.code == 2
    assert result.out == ""
    line = f"exactrelu {command}: error: {domain}: the domain is empty\n"
    assert result.err == line
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("command", ASKED)
def test_a_flat_domain_is_answered(run, typed, tmp_path, command):
    _, code, words = SAID.get(command, ("", None, ""))
    path = tmp_path / "flat.cert.jsonl"
    certificate = [] if command in WITHOUT else ["--certificate", path]
    result = run(*typed(command), "--domain", "box:-1,1;0,0", *certificate)
    assert result.code in ((0, 1, 3) if code is None else (code,))
    assert words in result.out + result.err
    if command not in WITHOUT and result.code != 3:
        assert run("check", path).code == 0


@pytest.mark.parametrize("command", sorted({*ASKED} - {"build", "plot", "report"}))
def test_a_flat_domain_in_json(run, typed, command):
    result = run(*typed(command), "--domain", "box:-1,1;0,0", "--json")
    answer = json.loads(result.out)
    assert result.code == SAID.get(command, ("", result.code))[1]
    assert answer["certificate"] is None
    if result.code == 3:
        assert answer["verdict"] == "undecided"


def test_points_are_those_of_the_user(run, typed):
    listed = json.loads(run(*typed("complex"), "--domain", "box:-1,1;0,0", "--list", "--json").out)
    points = [face["point"] for face in listed["faces"]]
    assert all(len(point) == 2 and point[1] == "0" for point in points)
    assert ["-1/2", "0"] in points
    found = json.loads(run(*typed("regions"), "--domain", "box:-1,1;0,0", "--list", "--json").out)
    middle = found["regions"][1]
    assert middle["pattern"] == [[1, 0]]
    assert sorted(middle["vertices"]) == [["-1/2", "0"], ["0", "0"]]
    folds = json.loads(run(*typed("folds"), "--domain", "box:-1,1;0,0", "--list", "--json").out)
    assert [piece["hyperplane"] for piece in folds["pieces"]] == [["2", "0", "1"], ["1", "0", "0"]]
    assert [facet["vertices"] for facet in folds["facets"]] == [[["-1/2", "0"]], [["0", "0"]]]


def test_a_slice_that_misses_the_domain_is_empty(run, typed):
    result = run(*typed("regions"), "--domain", "box:-1,1", "--slice", "0,5;1,0")
    assert result.code == 2
    assert "the domain is empty" in result.err
    result = run(*typed("regions"), "--slice", "0,5")
    assert result.code == 2
    assert "at least one direction" in result.err
    for domain in ("R", "box:-1,1", "box:-1,1;0,0"):
        for words in ("0;1", "0,0;1", "0,0,0;1,0,0"):
            result = run(*typed("regions"), "--domain", domain, "--slice", words)
            assert (result.code, result.err.count("\n")) == (2, 1)
            assert "a slice needs a base point and directions of 2 coordinates" in result.err


def test_an_axis_of_a_picture_has_the_name_of_its_coordinate(run, typed, tmp_path):
    out = typed("plot")[-1]
    result = run("plot", tmp_path / "a.json", "-o", out, "--domain", "box:0,0;-1,1")
    assert result.code == 0
    from exactrelu.view.scene import scene

    assert scene(A, "box:0,0;-1,1").axis(0) == "x_2"
    assert scene(A, "box:-1,1").axis(1) == "x_2"
