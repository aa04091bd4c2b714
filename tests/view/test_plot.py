"""Pictures: every panel of every kind of network, the same bytes twice."""

import builtins
from itertools import pairwise
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.errors import InputError, MissingExtra
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.view.panels import FILLS, HATCHES, colouring
from exactrelu.view.plot import plot
from exactrelu.view.scene import scene
from tests.view.brute_force import DEGENERATE

ALL = ("complex", "dual", "folds", "dependency")


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_networks_are_drawn(name: str, tmp_path: Path) -> None:
    found = plot(DEGENERATE[name], path=tmp_path / "out.svg", show=ALL, colour="map")
    assert found.cells
    text = (tmp_path / "out.svg").read_text()
    assert text.startswith("<?xml")
    assert "nan" not in text
    assert "inf" not in text.lower().replace("info", "")


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_the_same_bytes(suffix: str, tmp_path: Path) -> None:
    network = DEGENERATE["through-0"]
    paths = [tmp_path / f"{k}.{suffix}" for k in range(2)]
    for path in paths:
        plot(network, path=path, show=("complex", "folds"))
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    assert first.startswith({"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[suffix])


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = builtins.__import__

    def without(name: str, *args: object, **kwargs: object) -> object:
        if name.split(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=r"pip install 'exactrelu\[plots\]'"):
        plot(DEGENERATE["affine"], path=tmp_path / "a.svg")


def test_colours() -> None:
    assert len(FILLS) == len(HATCHES) == len(set(FILLS)) == len(set(HATCHES))
    found = scene(DEGENERATE["through-0"])
    fills = colouring(found, "pattern")
    assert all(fills[a] != fills[b] for a, b in (wall.beside for wall in found.walls))
    cancelling = scene(DEGENERATE["cancelling"])
    assert len(set(colouring(cancelling, "map"))) == 1
    assert len(set(colouring(cancelling, "pattern"))) == 2
    known: dict[object, int] = {cell.pattern: 3 for cell in found.cells}
    assert set(colouring(found, "pattern", known)) == {3}


def test_labels_keep_apart() -> None:
    from matplotlib.figure import Figure

    from exactrelu.view.panels import labels
    from exactrelu.view.window import Window

    axes = Figure().add_subplot()
    square = Window(((fmpq(0), fmpq(1)), (fmpq(0), fmpq(1))))
    diagonal = ((fmpq(0), fmpq(0)), (fmpq(1), fmpq(1)))
    labels(axes, square, [(str(k), "black", [diagonal]) for k in range(4)])
    places = sorted(text.get_position()[0] for text in axes.texts)
    assert all(b - a > 0.06 for a, b in pairwise(places))


def test_names_of_checkpoints_are_escaped(tmp_path: Path) -> None:
    from exactrelu.view.plot import animate

    networks = {"<b>&'": DEGENERATE["affine"]}
    animate(networks, tmp_path / "a.html", LinearSystem.box([(0, 1), (0, 1)]))
    text = (tmp_path / "a.html").read_text()
    assert "<b>" not in text
    other = Network.from_arrays([[[1]]], [[0]])
    with pytest.raises(InputError, match="expected one number"):
        animate({"a": other, **networks}, tmp_path / "b.gif")
