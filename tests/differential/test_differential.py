"""The differential search and the growth of a process: a little daily, more in the sweep."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import exactrelu as er
from tests.differential import faces, gains, hunt, polygons, ranks
from tests.seeds import SEED, seeds, shifted

ROOT = Path(__file__).parents[2]
#: In the sweep: networks of each part of the search, rounds of the test of growth, seconds of both.
NETWORKS, PARTS, ROUNDS, SECONDS = 5000, 4, 1500, 300
XOR = er.load("example:xor")


def test_the_oracle_on_what_is_known() -> None:
    zero, one = Fraction(0), Fraction(1)
    found = list(polygons.pieces(polygons.whole(2), XOR))
    assert {piece.patterns[0] for piece in found} == {((1, 1),), ((1, -1),), ((-1, -1),)}
    assert polygons.highest(found, [piece.maps[0][0] for piece in found]) == 1
    absolute = er.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    found = list(polygons.pieces(polygons.whole(1), absolute))
    assert [piece.maps[0][0] for piece in found] == [(-one, zero), (one, zero)]
    assert polygons.highest(found, [piece.maps[0][0] for piece in found]) is None
    square = [[*polygons.box([(zero, one), (zero, one)])[0]]]
    parts = polygons.split(square[0], (one, one, -one))
    assert {side: len(part) for side, part in parts.items()} == {-1: 3, 1: 3}
    assert polygons.split(square[0], (one, zero, zero)).keys() == {1}
    assert polygons.split(square[0], (zero, zero, zero)) == {0: tuple(square[0])}


def network_of(weights: Any, biases: Any) -> tuple[er.Network, faces.Faces]:
    """A network of the plane, and its faces in a square."""
    network = er.from_arrays(weights, biases)
    square = polygons.box([(Fraction(-1), Fraction(1))] * 2)
    return network, faces.Faces(network, square, list(polygons.pieces(square, network)))


def test_faces_and_folds_of_what_is_known() -> None:
    """Two lines cross, and a neuron of the second layer bends at one of them."""
    weights, biases = [[[1, 0], [0, 1]], [[2, 2]], [[1]]], [[0, 0], [-1], [0]]
    _, found = network_of(weights, biases)
    # Its fold runs from the side x = 1/2, y < 0 to the corner (1/2, 0), (0, 1/2), and up.
    assert found.f_vector == (3, 9, 7)
    assert found.is_supertransversal
    assert not found.has_zero_optimum
    # The first two lines are seen only where the second layer is on.
    assert found.representation() == []
    assert len(found.facets) == 5
    _, cross = network_of([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])
    assert cross.f_vector == (1, 4, 4)
    pieces = cross.representation()
    assert {(piece.level, piece.line) for piece in pieces} == {(1, (1, 0, 0)), (1, (0, 1, 0))}
    assert faces.dependencies(pieces) == {}
    _, three = network_of([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]], [[0, 0, 0], [0]])
    assert not three.is_supertransversal
    _, opposite = network_of([[[1, 0], [-1, 0]], [[1, 1]], [[1]]], [[0, 0], [0], [0]])
    assert opposite.has_zero_optimum
    _, cancelled = network_of([[[1, 0], [-1, 0]], [[1, -1]]], [[0, 0], [0]])
    assert cancelled.is_cancelled
    assert cancelled.facets == []


def test_pieces_of_two_levels() -> None:
    """All of the two lines is seen, and the fold of the second layer bends at them."""
    weights = [[[1, 0], [0, 1]], [[2, 2], [1, 0], [0, 1]], [[1, 3, 5]]]
    _, found = network_of(weights, [[0, 0], [-1, 0, 0], [0]])
    pieces = found.representation()
    half, zero = Fraction(1, 2), Fraction(0)
    lines = {piece.line: piece for piece in pieces}
    assert {line: piece.level for line, piece in lines.items()} == {
        (1, 0, 0): 1,
        (0, 1, 0): 1,
        (0, 2, -1): 2,
        (2, 0, -1): 2,
        (2, 2, -1): 2,
    }
    assert sorted(lines[2, 2, -1].ends) == [(zero, half), (half, zero)]
    edges = {
        (pieces[k].line, pieces[m].line): x for (k, m), x in faces.dependencies(pieces).items()
    }
    assert edges == {
        ((1, 0, 0), (0, 2, -1)): (zero, half),
        ((1, 0, 0), (2, 2, -1)): (zero, half),
        ((0, 1, 0), (2, 0, -1)): (half, zero),
        ((0, 1, 0), (2, 2, -1)): (half, zero),
    }


def test_ranks_of_what_is_known() -> None:
    good = faces.rows_of(er.from_arrays([[[1, 0], [1, 1]], [[1, 2]]], [[0, 1], [5]]))
    assert ranks.masked_ranks_are_maximal(good)
    assert ranks.are_non_proportional(good)
    parallel = faces.rows_of(er.from_arrays([[[1, 0], [2, 0]], [[1, 2]]], [[0, 1], [3]]))
    assert not ranks.masked_ranks_are_maximal(parallel)
    assert ranks.are_non_proportional(parallel)
    same = faces.rows_of(er.from_arrays([[[1, 0], [2, 0]], [[1, 2]]], [[1, 2], [0]]))
    assert not ranks.are_non_proportional(same)
    assert ranks.rank([[0, 1], [0, 2], [3, 1]]) == 2


def test_gains_of_what_is_known() -> None:
    one = Fraction(1)
    absolute = ((one, 0 * one), (-one, 0 * one))
    gain = gains.Gain(absolute, polygons.whole(1), False)
    assert gain.is_at_least(one)
    assert not gain.is_at_least(one + Fraction(1, 1000))
    assert gain.squared((-one,), (one,)) == 2
    # On half of the line, and without the ReLU, rows are always on and count twice.
    assert gains.Gain(absolute[:1], polygons.orthant(1), False).is_at_least(2 * one)
    assert gains.Gain(absolute, polygons.whole(1), True).is_at_least(4 * one)
    assert not gains.Gain(absolute[:1], polygons.whole(1), False).is_at_least(one / 1000)


@pytest.mark.parametrize("number", range(30))
def test_answers_are_those_of_polygons(number: int) -> None:
    assert hunt.compare(f"daily {shifted(number)}")


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("regions", lambda ask: lambda net, domain: ask(net, "box:7..8")),
        ("largest_difference", lambda ask: lambda a, b, domain: ask(a, a, domain)),
        ("is_equivalent", lambda ask: lambda a, b, domain, **more: ask(a, a, domain, **more)),
        ("holds", lambda ask: lambda net, domain, rows: ask(net, domain, "y1 <= 10000000")),
        ("folds", lambda ask: lambda net, domain: ask(net, "box:7..8")),
        ("is_generic", lambda ask: lambda net, domain, **more: ask(XOR, None, **more)),
        ("stability", lambda ask: lambda net, domain, layer: ask(net, "box:7..8", layer=layer)),
        ("simplify", lambda ask: lambda net, domain: ask(er.load("example:xor"), None)),
    ],
)
def test_a_wrong_answer_is_found(name: str, wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(er, name, wrong(getattr(er, name)), raising=False)
    found = []
    for number in range(12):
        try:
            hunt.compare(f"planted {number}")
        except Exception as error:
            found.append(error)
    assert found


@pytest.mark.sweep
@pytest.mark.parametrize("part", seeds(PARTS))
def test_the_search_finds_nothing(part: int) -> None:
    counts, faults = hunt.hunt(NETWORKS, SECONDS, part)
    print(dict(counts))
    assert counts["networks"]
    assert faults == []


def grown(rounds: int, *bounds: float) -> dict[str, tuple[int, int]]:
    """What a process holds after a tenth of the rounds, and after all."""
    run = [sys.executable, "-m", "tests.differential.growth", *map(str, (rounds, *bounds))]
    printed = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    lines = [line.split() for line in printed.splitlines()]
    return {name: (int(before), int(after)) for name, before, after in lines}


def test_nothing_is_left_open() -> None:
    found = grown(40)
    for name in ("files", "processes", "threads", "temporary"):
        assert found[name][0] == found[name][1], name


@pytest.mark.sweep
def test_a_process_does_not_grow() -> None:
    """Some ten thousand calls."""
    found = grown(ROUNDS, SECONDS, SEED)
    for name in ("files", "processes", "threads", "temporary"):
        assert found[name][0] == found[name][1], name
    for name, more in (("memory", 16 * 2**20), ("objects", 5000)):
        assert found[name][1] <= found[name][0] + more, name
