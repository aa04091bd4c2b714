"""Pictures in notebooks: quick, without matplotlib, and never in the way."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import exactrelu as er
from exactrelu.drawn import Drawn
from exactrelu.view import svg as drawing
from tests.test_display import network
from tests.test_newcomers import XOR

MOONS = er.load("example:moons")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("ask", "n_cells"),
    [
        (lambda: XOR, 3),
        (lambda: er.regions(XOR), 3),
        (lambda: er.regions(XOR, "box:0,1"), 1),
        (lambda: er.regions(XOR, "box:-1,1;0,0"), 2),
        (lambda: er.polyhedral_complex(XOR), 3),
        (lambda: er.folds(XOR), 3),
        (lambda: er.folds(XOR, "box:-1,1;0,0"), 2),
        (lambda: network(1, 3, 1), 4),
        (lambda: MOONS, 129),
    ],
)
def test_what_is_drawn(ask: Callable[[], Drawn], n_cells: int) -> None:
    value = ask()
    text = value._repr_svg_()
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert len(root.findall(f"{SVG}polygon")) == n_cells
    page = value._repr_html_()
    assert page.startswith("<table>")
    assert page.endswith(f"<figure>{text}</figure>")
    # Nothing that another picture of the page could change, or that would change it.
    for word in ("<style", "class=", " id=", "url("):
        assert word not in text
    assert pickle.loads(pickle.dumps(value)) == value


def test_what_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in (network(3, 2, 1), er.regions(XOR, "box:0,0"), er.regions(network(3, 2, 1))):
        assert value._repr_svg_() is None
        assert "<figure>" not in value._repr_html_()
    monkeypatch.setattr(drawing, "MAX_REGIONS", 2)
    assert er.regions(XOR)._repr_svg_() is None
    assert er.folds(XOR)._repr_svg_() is None
    monkeypatch.setattr(drawing, "MAX_REGIONS", 500)
    monkeypatch.setattr(drawing, "SECONDS", 0)
    assert er.regions(MOONS, certify=False)._repr_svg_() is None


def test_results_are_plotted(tmp_path: Path) -> None:
    for value in (XOR, er.regions(XOR), er.polyhedral_complex(XOR), er.folds(XOR)):
        path = tmp_path / f"{type(value).__name__}.svg"
        picture = value.plot(path=path)
        assert picture.svg.startswith("<svg")
        assert path.exists()
    assert er.regions(XOR, "box:0,1").plot(colour="map").cells == er.plot(XOR, "box:0,1").cells
    with pytest.raises(er.InputError, match="did you mean 'map'"):
        XOR.plot(colour="mapp")


def test_without_matplotlib_and_without_a_painter() -> None:
    program = (
        "import sys; sys.modules['matplotlib'] = None; import exactrelu as er; "
        "print(er.load('example:xor')._repr_svg_()[:4])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout == "<svg\n"
    alone = type("Alone", (Drawn,), {"_pictures": None})()
    assert alone._repr_svg_() is None
    with pytest.raises(LookupError, match="import exactrelu"):
        alone.plot()
    with pytest.raises(TypeError, match="is not drawn"):
        drawing.subject(3)
