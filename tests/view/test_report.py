"""The report page: whole, alone, escaped, with certificates that the checker accepts."""

import base64
import gzip
import json
import random
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.scalar import vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network
from exactrelu.questions.catalogue import Asked
from exactrelu.view.report.explorer import POSITIONS, Explorer, core, explorer
from exactrelu.view.report.report import CheckedAnswer, _page, data_for_script, report
from exactrelu.view.scene import scene
from tests.questions.pairs import random_network
from tests.view.brute_force import DEGENERATE

CASES = Path(__file__).parents[2] / "cases"
XOR = load(CASES / "xor" / "network.json")
VOID = {"meta", "input", "br"}


class _Tags(HTMLParser):
    """Every tag that is opened is closed, and nothing points outside."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert not any(name.startswith("on") for name in given)
        self.links += [given[name] or "" for name in ("href", "src") if name in given]
        self.ids += [given["id"] or ""] if "id" in given else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _parsed(text: str) -> _Tags:
    tags = _Tags()
    tags.feed(text)
    tags.close()
    assert tags.open == []
    assert all(link.startswith("data:") for link in tags.links)
    assert len(set(tags.ids)) == len(tags.ids)
    assert set(re.findall(r"https?://[^\s\"']*", text)) == {"http://www.w3.org/2000/svg"}
    return tags


def _data(text: str) -> dict:
    found = re.search(r"^const DATA = (.*);$", text, re.MULTILINE)
    assert found is not None
    return json.loads(found[1])


def _made(network: Network, found: Explorer) -> str:
    """The page without questions."""
    return _page(network, "n", found, ())


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_networks(name: str) -> None:
    network = DEGENERATE[name]
    found = explorer(network)
    text = _made(network, found)
    _parsed(text)
    (slice_,) = _data(text)["slices"]
    expected = found.slices[0].scene
    assert expected is not None
    assert len(slice_["cells"]) == len(expected.cells) == text.count('class="cell ')
    assert text.count('class="wall l') >= len(expected.walls)
    assert not re.search(r"points=\"[^\"]*(nan|inf)", text)


@pytest.mark.parametrize("widths", [(1, 3, 1), (1, 2, 2, 3), (1, 1)])
def test_one_input(widths: tuple[int, ...]) -> None:
    network = random_network(random.Random(5), widths)
    text = _made(network, explorer(network))
    _parsed(text)
    assert text.count('class="graph ') == len(_data(text)["slices"][0]["cells"]) * widths[-1]


def test_vertices_are_exact_fractions() -> None:
    found = _data(_made(XOR, explorer(XOR, LinearSystem.box([(0, "1/3"), (0, 1)]))))
    (cell,) = found["slices"][0]["cells"]
    assert cell["vertices"] == ["(0, 0)", "(0, 1)", "(1/3, 0)", "(1/3, 1)"]
    assert cell["map"] == ["y1 = -2 x1 - 2 x2 + 1"]
    assert (cell["signs"], cell["bounded"], cell["same"]) == (["layer 1 ++"], True, 1)


def test_long_vertices_are_decimals_that_differ() -> None:
    rng = random.Random(4)
    network = random_network(rng, (2, 3, 1))
    long = Network.from_arrays(
        [layer.weights.rows() for layer in network.layers],
        [
            [b + fmpq(rng.randint(1, 10**9), 10**9 + 7) for b in layer.bias]
            for layer in network.layers
        ],
    )
    found = explorer(long, LinearSystem.box([(-2, 2), (-2, 2)]))
    cells = _data(_made(long, found))["slices"][0]["cells"]
    scene = found.slices[0].scene
    assert scene is not None
    shown = {}
    for cell, told in zip(scene.cells, cells, strict=True):
        shown |= dict(zip(cell.vertices, told["vertices"], strict=True))
    assert len(set(shown.values())) == len(shown) > 6
    assert any(text.startswith("≈ (") for text in shown.values())
    assert max(map(len, shown.values())) < 40


@pytest.mark.parametrize("domain", [None, LinearSystem.box([(-1, 2)] * 5), LinearSystem.orthant(5)])
def test_sliders(domain: LinearSystem | None) -> None:
    rng = random.Random(8)
    network = random_network(rng, (5, 3, 2, 1))
    found = explorer(network, domain)
    assert [slider.name for slider in found.sliders] == ["x3", "x4", "x5"]
    for j, slider in enumerate(found.sliders, 2):
        assert POSITIONS <= len(slider.positions) <= POSITIONS + 1
        for label, number in slider.positions:
            where = found.slices[number].where
            assert label in where.split(", ")
            shown = found.slices[number].scene
            if shown is None:
                # The slice misses the interior of the domain.
                assert domain is not None
                continue
            (base,) = shown.network.slice((0, 0), [(1, 0)]).layers[:1]
            place = vector(text.split(" = ")[1] for text in where.split(", "))
            assert place[j - 2] == vector([label.split(" = ")[1]])[0]
            assert base.bias == tuple(
                b + sum((w * x for w, x in zip(row[2:], place, strict=True)), fmpq(0))
                for row, b in zip(
                    network.layers[0].weights.rows(), network.layers[0].bias, strict=True
                )
            )
    windows = {part.scene.window for part in found.slices if part.scene is not None}
    assert len(windows) == 1
    text = _made(network, found)
    _parsed(text)
    assert text.count('<input type="range"') == 3


def test_given_planes() -> None:
    network = random_network(random.Random(2), (3, 3, 1))
    base, along = vector((1, 0, 0)), [vector(v) for v in ((1, 1, 0), (0, 1, 1), (0, 0, 1))]
    assert len(explorer(network, None, (base, along[:2])).slices) == 1
    line = explorer(network, None, (base, along[:1])).slices[0].scene
    assert line is not None
    assert line.dimension == 1
    moved = explorer(network, None, (base, along))
    assert len(moved.slices) == POSITIONS
    assert moved.sliders[0].positions[0][0] == "t3 = -3/2"
    with pytest.raises(InputError, match="expected 1, 2 or 3"):
        explorer(network, None, (base, []))


def test_a_part_where_the_whole_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    from exactrelu.view.report import explorer as slices

    network = load(CASES / "networks/trained-2-8-8-1" / "network.json")
    monkeypatch.setattr(slices, "MAX_REGIONS", 20)
    (shown,) = explorer(network).slices
    assert shown.note.startswith("a part, |x_i| ≤ 1/")
    assert shown.scene is not None
    assert 1 < len(shown.scene.cells) <= 20
    monkeypatch.setattr(slices, "MAX_REGIONS", 1)
    (shown,) = explorer(network).slices
    assert (shown.scene, shown.note) == (None, "not drawn: even a small part is too much")
    _parsed(_made(network, Explorer((shown,), ())))


def test_the_core_of_a_picture() -> None:
    found = scene(load(CASES / "networks/trained-2-8-8-1" / "network.json"))
    inner, outer = core(found), found.window
    for (a, b), (lower, upper) in zip(inner.sides, outer.sides, strict=True):
        assert lower <= a < b <= upper
        assert (b - a) * 10 < upper - lower
    assert inner.aspect == outer.aspect


def test_names_are_escaped() -> None:
    evil = "</script><script>alert(1)</script>\"'&<b>"
    network = Network(XOR.layers, evil, ((evil, evil),))
    asked = Asked(evil, "no", evil, b"proof")
    text = _page(
        network, "n", explorer(network), (CheckedAnswer(asked, "n.gz", f"REJECTED {evil}"),)
    )
    _parsed(text)
    assert text.count("<script>") == 1
    assert "<b>" not in text
    assert json.loads(data_for_script([evil, "é&"])) == [evil, "é&"]
    assert "<" not in data_for_script([evil])


def test_a_whole_page(tmp_path: Path) -> None:
    out = tmp_path / "xor.html"
    made = report(XOR.renamed("x o/r"), out, timeout=600)
    assert len(made.checked) > 20
    refused = [entry.asked for entry in made.checked if not entry.is_accepted]
    assert [(asked.question, asked.verdict) for asked in refused] == [("simplify", "left out")]
    text = out.read_text()
    _parsed(text)
    checked = [entry for entry in made.checked if entry.file]
    assert "no step of simplify makes the network smaller" in text
    links = dict(re.findall(r'<a download="([^"]*)" href="data:[^"]*;base64,([^"]*)"', text))
    assert set(links) == {"x-o-r.json", *(entry.file for entry in checked)}
    assert "regions, plots and roles of neurons are computed, not certified" in text
    (tmp_path / "x-o-r.json").write_bytes(base64.b64decode(links.pop("x-o-r.json")))
    assert load(tmp_path / "x-o-r.json").sha256 == XOR.sha256
    for entry in checked:
        packed = base64.b64decode(links[entry.file])
        assert gzip.decompress(packed) == entry.asked.certificate
        assert f"<code>exactrelu-check {entry.file}</code>" in text
    # What the page says is what the checker says of a saved file.
    name, packed = next((n, p) for n, p in links.items() if ".regions." in n)
    (tmp_path / name).write_bytes(base64.b64decode(packed))
    from exactrelu.certificates.program import run_checker

    network = tmp_path / "x-o-r.json"
    finished = run_checker([f"--network={network}", str(tmp_path / name)])
    assert finished.returncode == 0
    assert finished.stdout.split(" [")[0] in text


def test_the_page_needs_no_extra(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "for name in ('matplotlib', 'PIL', 'sklearn', 'onnx'): sys.modules[name] = None\n"
        "import exactrelu as er\n"
        f"er.report(er.load({str(CASES / 'xor' / 'network.json')!r}), 'out.html', timeout=600)\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)
    _parsed((tmp_path / "out.html").read_text())


def test_no_time_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from exactrelu.questions import catalogue as asking

    monkeypatch.setattr(asking, "CATALOGUE", asking.CATALOGUE[:1])
    made = report(XOR, tmp_path / "a.html", timeout=1e-9)
    assert [entry.asked.verdict for entry in made.checked] == ["not asked"] * 2
    assert made.explorer.slices[0].scene is None
    text = (tmp_path / "a.html").read_text()
    _parsed(text)
    assert "stopped after" in text


def test_no_time_for_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from exactrelu.questions import catalogue as asking

    monkeypatch.setattr(asking, "CATALOGUE", asking.CATALOGUE[:1])
    made = report(XOR, tmp_path / "a.html", seconds_each=1e-9)
    assert [entry.asked.verdict for entry in made.checked] == ["undecided"] * 2
    assert made.explorer.slices[0].note == "not drawn: time was over"
    _parsed((tmp_path / "a.html").read_text())


def test_the_checker_has_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from exactrelu.questions import catalogue as asking
    from exactrelu.view.report import report as module

    def late(arguments: list[str], effort: Effort) -> None:
        raise Stopped("stopped after 5 s")

    monkeypatch.setattr(asking, "CATALOGUE", asking.CATALOGUE[:1])
    monkeypatch.setattr(module, "run_checker", late)
    made = report(XOR, tmp_path / "a.html")
    assert made.unchecked == "stopped after 5 s"
    assert [entry.line for entry in made.checked] == ["not checked"] * 2
    assert "accepted 0 of 2" in (tmp_path / "a.html").read_text()
