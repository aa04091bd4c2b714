"""The report page in a real browser: it loads without a word, pointing and clicking work.

Skipped where there is no Chromium, or no playwright to drive it (``make browser``).
"""

import os
import shutil
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from exactrelu.exact.scalar import rational, vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network, trace
from exactrelu.view.plot import animate
from exactrelu.view.report.explorer import explorer
from exactrelu.view.report.report import _page, report
from tests.view.brute_force import DEGENERATE
from tests.view.test_report import _data

CASES = Path(__file__).parents[2] / "cases"
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = os.environ.get("BROWSER_PROGRAM") or next(filter(None, map(shutil.which, NAMES)), "")
    if not program:
        pytest.skip("no Chromium was found (apt-get install chromium)")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def visit(browser: Any) -> Iterator[Any]:
    """Open a file; at the end nothing was said on the console, and nothing was fetched."""
    context = browser.new_context(viewport={"width": 1200, "height": 1000})
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("requestfailed", lambda request: said.append(request.url))
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))

    def opened(path: Path) -> Any:
        page.goto(path.as_uri())
        return page

    yield opened
    assert said == []
    assert [url.split(":")[0] for url in fetched] == ["file"]
    context.close()


def _spot(page: Any, x: float, y: float) -> None:
    """Move the mouse to a place in the picture, (0, 0) its upper left corner."""
    picture = page.locator("svg.slice:visible")
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])


def _lines(page: Any, name: str) -> list[str]:
    """What the panel says under a name."""
    items = page.locator(f'#region dt:text-is("{name}") + dd li')
    return [text.strip() for text in items.all_inner_texts()]


@pytest.mark.parametrize("name", ["xor", "networks/trained-2-8-8-1"])
def test_pointing_and_clicking(name: str, visit: Any, tmp_path: Path) -> None:
    network = load(CASES / name / "network.json")
    path = tmp_path / "page.html"
    made = report(network, path, timeout=600)
    first = made.explorer.slices[0].scene
    assert first is not None
    page = visit(path)
    assert page.locator("#verdicts tbody tr").count() == len(made.checked)
    panel = page.locator("#region")
    assert "No region" in panel.inner_text()
    _spot(page, 0.3, 0.35)
    number = int(panel.get_attribute("data-cell"))
    cell = first.cells[number]
    # The panel describes the region under the mouse: the network itself says which that is.
    left, top, width, height = (
        Fraction(text) for text in page.locator("svg.slice").get_attribute("viewBox").split()
    )
    (a, b), (c, d) = first.window.sides
    across = rational((left + Fraction(3, 10) * width) / 1000)
    down = rational((top + Fraction(35, 100) * height) / 1000)
    under = trace(network, (a + across * (b - a), d - down * (d - c)))
    signs = ["".join({1: "+", -1: "-", 0: "0"}[s] for s in layer) for layer in under.pattern]
    assert _lines(page, "pattern") == [f"layer {l} {text}" for l, text in enumerate(signs, 1)]
    assert len(_lines(page, "affine map")) == network.n_outputs
    # What the page holds of them: short ones exactly, the others as decimals that differ.
    told = _data(path.read_text())["slices"][0]["cells"][number]["vertices"]
    assert _lines(page, "vertices") == told
    assert len(set(told)) == len(cell.vertices)
    for text, vertex in zip(told, cell.vertices, strict=True):
        assert text.startswith("≈ (") or vector(text.strip("()").split(", ")) == vertex
    # A click keeps it, wherever the mouse goes; a second click or Escape lets go.
    page.mouse.down()
    page.mouse.up()
    _spot(page, 0.8, 0.8)
    assert panel.get_attribute("data-cell") == str(number)
    assert "kept" in panel.inner_text()
    page.keyboard.press("Escape")
    _spot(page, 0.9, 0.1)
    assert panel.get_attribute("data-cell") not in (str(number), "")
    assert "kept" not in panel.inner_text()


def test_colours_rows_and_looking_closer(visit: Any, tmp_path: Path) -> None:
    network = DEGENERATE["cancelling"]
    path = tmp_path / "page.html"
    path.write_text(_page(network, "n", explorer(network), ()))
    page = visit(path)
    picture = page.locator("svg.slice:visible")

    def fills() -> set[str]:
        return set(
            picture.locator(".cell").evaluate_all("c => c.map(e => getComputedStyle(e).fill)")
        )

    assert len(fills()) == 2
    page.get_by_label("affine map").check()
    assert len(fills()) == 1
    wall = picture.locator(".wall")
    assert wall.evaluate("e => getComputedStyle(e).display") == "inline"
    page.get_by_label("bent hyperplanes").uncheck()
    assert wall.evaluate("e => getComputedStyle(e).display") == "none"
    before = picture.get_attribute("viewBox")
    page.get_by_role("button", name="closer").click()
    assert picture.get_attribute("viewBox") != before
    _spot(page, 0.2, 0.5)
    under = page.locator("#region").get_attribute("data-cell")
    for _ in range(10):
        page.mouse.wheel(0, -300)
    page.wait_for_timeout(200)
    _spot(page, 0.2, 0.501)
    assert page.locator("#region").get_attribute("data-cell") == under, "it stays under the mouse"
    page.mouse.down()
    _spot(page, 0.4, 0.6)
    page.mouse.up()
    assert page.locator("#region").get_attribute("data-cell") != "", "a drag is no click"
    page.get_by_role("button", name="everything").click()
    assert picture.get_attribute("viewBox") == picture.get_attribute("data-full")
    assert picture.locator(".ticks text").count() > 3
    page.locator("summary", has_text="2 regions").click()
    page.locator("tr.row").nth(1).click()
    assert page.locator("#region").get_attribute("data-cell") == "1"


def test_sliders(visit: Any, tmp_path: Path) -> None:
    network = load(CASES / "phuong-lampert/S001-E3-bends" / "theta.json")
    found = explorer(network, LinearSystem.box([(-1, 1)] * 3))
    path = tmp_path / "page.html"
    path.write_text(_page(network, "n", found, ()))
    page = visit(path)
    slider = page.locator("input[data-slider]")
    for position, (label, number) in enumerate(found.sliders[0].positions):
        slider.fill(str(position))
        assert page.locator("input[data-slider] + output").inner_text() == label
        assert label in page.locator("#where").inner_text()
        shown = page.locator("svg.slice:visible")
        assert shown.get_attribute("data-slice") == str(number)
        expected = found.slices[number].scene
        assert expected is not None
        assert shown.locator(".cell").count() == len(expected.cells)
    _spot(page, 0.5, 0.6)
    assert len(_lines(page, "pattern")) == 2


@pytest.mark.parametrize("name", ["affine", "huge", "tiny", "outputs", "dead-layer"])
def test_degenerate_networks(name: str, visit: Any, tmp_path: Path) -> None:
    network = DEGENERATE[name]
    path = tmp_path / "page.html"
    path.write_text(_page(network, "n", explorer(network), ()))
    page = visit(path)
    _spot(page, 0.5, 0.31)
    assert "affine map" in page.locator("#region").inner_text()


def test_one_input(visit: Any, tmp_path: Path) -> None:
    network = load(CASES / "regions/tent3" / "network.json")
    path = tmp_path / "page.html"
    path.write_text(_page(network, "n", explorer(network), ()))
    page = visit(path)
    _spot(page, 0.01, 0.5)
    assert _lines(page, "affine map") == ["y1 = 0"]


def test_an_animation(visit: Any, tmp_path: Path) -> None:
    networks = {f"step-{k}": Network.from_arrays([[[1, k]], [[1]]], [[0], [0]]) for k in range(3)}
    animate(networks, tmp_path / "a.html", LinearSystem.box([(-1, 1), (-1, 1)]))
    page = visit(tmp_path / "a.html")
    assert page.locator("#frames img:visible").get_attribute("alt") == "step-0"
    page.locator("#at").fill("2")
    assert page.locator("#frames img:visible").get_attribute("alt") == "step-2"
    page.locator("#play").click()
    page.locator("#name", has_text="step-1").wait_for()
    assert page.locator("#play").inner_text() == "stop"
