"""Scenes: the cells tile the window, and walls lie where neurons are 0."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from flint import fmpq

from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.scalar import fraction
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.folds.folds import folds
from exactrelu.view.scene import Scene, SceneCell, decision_boundary, scene
from exactrelu.view.window import Points, Window, label
from tests.questions.pairs import random_network
from tests.seeds import seeds
from tests.view.brute_force import DEGENERATE, values

SQUARE = LinearSystem.box([(-3, 3), (-3, 3)])


def _area(corners: Points) -> fmpq:
    """By the shoelace formula: positive, as the corners are counterclockwise."""
    turns = zip(corners, (*corners[1:], corners[0]), strict=True)
    return sum((p[0] * q[1] - p[1] * q[0] for p, q in turns), fmpq(0)) / 2


def _contains(cell: SceneCell, x: tuple[fmpq, fmpq]) -> bool:
    edges = zip(cell.corners, (*cell.corners[1:], cell.corners[0]), strict=True)
    return all((q[0] - p[0]) * (x[1] - p[1]) >= (q[1] - p[1]) * (x[0] - p[0]) for p, q in edges)


def _check(found: Scene, rng: random.Random) -> None:
    network = found.network
    assert sum(map(_area, (cell.corners for cell in found.cells)), fmpq(0)) == 36
    assert all(_area(cell.corners) > 0 for cell in found.cells)
    for _ in range(20):
        x = (fmpq(rng.randint(-290, 290), 97), fmpq(rng.randint(-290, 290), 97))
        signs, outputs = values(network, x)
        (cell, *others) = (cell for cell in found.cells if _contains(cell, x))
        assert [fraction(y) for y in cell.map(x)] == outputs
        if not others:
            assert [list(s) for s in cell.pattern] == signs
    for wall in found.walls:
        below, above = (found.cells[k] for k in wall.beside)
        assert set(wall.corners) == set(below.corners) & set(above.corners)
        assert wall.is_visible == (below.map != above.map)
        for corner in wall.corners:
            signs, _ = values(network, corner)
            assert all(signs[l - 1][i - 1] == 0 for l, i in wall.units)


@pytest.mark.parametrize("seed", seeds(3))
def test_random_networks(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(9):
        widths = rng.choice([(2, 3, 1), (2, 3, 3, 1), (2, 2, 2, 2, 1), (2, 4, 2), (2, 1, 1, 1)])
        _check(scene(random_network(rng, widths), SQUARE), rng)


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_networks(name: str) -> None:
    _check(scene(DEGENERATE[name], SQUARE), random.Random(1))


@pytest.mark.parametrize("name", DEGENERATE)
def test_the_window_has_all_vertices_and_all_cells(name: str) -> None:
    found = scene(DEGENERATE[name])
    expected = polyhedral_complex(DEGENERATE[name], certify=False)
    assert len(found.cells) == expected.f_vector[-1]
    assert len(found.walls) == len(expected.facet_jumps)
    for cell in found.cells:
        for vertex in cell.vertices:
            sides = zip(vertex, found.window.sides, strict=True)
            assert all(lower < x < upper for x, (lower, upper) in sides)
            assert all(0 < place < 1 for place in found.window.place(vertex))
    for axis in (0, 1):
        places = [place for place, _ in found.window.ticks(axis)]
        assert 2 <= len(places) <= 12
        assert places == sorted(places)


@pytest.mark.parametrize("seed", seeds(3))
def test_walls_are_the_facets_of_the_fold_set(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(5):
        network = random_network(rng, rng.choice([(2, 3, 3, 1), (3, 2, 2, 1), (1, 4, 1)]))
        box = LinearSystem.box([(-3, 3)] * network.n_inputs)
        found = scene(network, box)
        drawn = folds(network, box).drawn_facets()
        expected = sorted((sorted(f.vertices), f.level, f.piece, f.units) for f in drawn)
        walls = [wall for wall in found.walls if wall.is_visible]
        level = found.level
        assert expected == sorted(
            (sorted(w.corners), *level.get(w.signs, (None, None)), w.units) for w in walls
        )


def test_a_domain_that_is_not_convex() -> None:
    zero, one, two = fmpq(0), fmpq(1), fmpq(2)
    ell = BoxUnion((((zero, two), (zero, one)), ((zero, one), (zero, two))))
    network = Network.from_arrays([[[1, 1]], [[1]]], [["-3/2"], [0]])
    found = scene(network, ell)
    assert sum(map(_area, (cell.corners for cell in found.cells)), fmpq(0)) == 3
    assert {cell.pattern for cell in found.cells} == {((-1,),), ((1,),)}
    # The sides of the boxes are not walls.
    assert all(wall.units == ((1, 1),) for wall in found.walls)
    assert found.window.sides == ((0, 2), (0, 2))


def test_flat_domains() -> None:
    """A segment in the plane, drawn over the coordinate that moves along it."""
    network = Network.from_arrays([[[1, 1], [1, -1]], [[1, 2]]], [[-1, 0], [3]])
    # On x = 1/2: y − 1/2 and 1/2 − y; on 2y = x, |x| ≤ 2: 3y − 1 and y.
    side = scene(network, LinearSystem.box([("1/2", "1/2"), (0, 2)]))
    rows = (Row.of((1, -2), 0, Sense.EQUAL), Row.of((1, 0), 2), Row.of((-1, 0), 2))
    slanted = scene(network, LinearSystem(2, rows))
    for found, axis, bends, place in (
        (side, 2, [fmpq(1, 2)], lambda t: (fmpq(1, 2), t)),
        (slanted, 2, [fmpq(0), fmpq(1, 3)], lambda t: (2 * t, t)),
    ):
        assert (found.dimension, found.axes, found.axis(0)) == (1, (axis,), f"x_{axis}")
        assert sorted(wall.corners[0][0] for wall in found.walls) == bends
        ((lower, upper),) = found.window.sides
        ends = [lower, *bends, upper]
        assert sorted(sorted(x for (x,) in cell.corners) for cell in found.cells) == [
            list(pair) for pair in pairwise(ends)
        ]
        for cell in found.cells:
            middle = sum((x for (x,) in cell.corners), fmpq(0)) / 2
            assert cell.map((middle,)) == network(place(middle))


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(InputError, match="4 inputs"):
        scene(Network.from_arrays([[[1, 1, 1, 1]]], [[0]]))
    with pytest.raises(InputError, match="the domain is one point: there is nothing to see"):
        scene(DEGENERATE["affine"], LinearSystem.box([(0, 0), (1, 1)]))
    for empty in (LinearSystem.box([(1, 0), (0, 1)]), LinearSystem.box([(1, 1)] * 2).interior()):
        with pytest.raises(InputError, match="the domain is empty"):
            scene(DEGENERATE["affine"], empty)
    with pytest.raises(Stopped, match="stopped at"):
        scene(DEGENERATE["through-0"], max_regions=2)
    with pytest.raises(Stopped, match="stopped after 0 s"):
        scene(DEGENERATE["through-0"], effort=Effort(seconds=0))


def test_a_fold_set_over_its_time() -> None:
    late = replace(scene(DEGENERATE["through-0"]), effort=Effort(seconds=0))
    with pytest.raises(Stopped, match="stopped after 0 s"):
        late.folds  # noqa: B018


def test_a_window_cuts() -> None:
    found = scene(DEGENERATE["through-0"], window=Window(((fmpq(1), fmpq(2)), (fmpq(1), fmpq(3)))))
    assert [_area(cell.corners) for cell in found.cells] == [2]
    assert found.walls == ()


def _crosses(segment: Points, p: tuple[fmpq, ...], q: tuple[fmpq, ...]) -> bool:
    def side(a: tuple[fmpq, ...], b: tuple[fmpq, ...], c: tuple[fmpq, ...]) -> fmpq:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    a, b = segment
    return side(a, b, p) * side(a, b, q) <= 0 and side(p, q, a) * side(p, q, b) <= 0


@pytest.mark.parametrize("n_outputs", [1, 2, 3])
def test_decision_boundaries(n_outputs: int) -> None:
    rng = random.Random(n_outputs)
    n_crossings = 0
    for _ in range(12):
        network = random_network(rng, (2, 4, 3, n_outputs))
        found = scene(network, SQUARE)
        boundary = [part.corners for part in decision_boundary(found)]
        assert len(set(boundary)) == len(boundary)
        for a, b in boundary:
            assert a != b
            for t in (Fraction(0), Fraction(1, 3), Fraction(1)):
                x = [
                    u + fmpq(t.numerator, t.denominator) * (v - u)
                    for u, v in zip(a, b, strict=True)
                ]
                _, y = values(network, x)
                assert y == [0] if n_outputs == 1 else sorted(y)[-2:] == [max(y)] * 2
        points = [
            (fmpq(rng.randint(-290, 290), 97), fmpq(rng.randint(-290, 290), 97)) for _ in range(12)
        ]
        classes = [_class(values(network, x)[1]) for x in points]
        for p, c in zip(points, classes, strict=True):
            for q, d in zip(points, classes, strict=True):
                if c is not None and d is not None and c != d and not _ties(network, found):
                    n_crossings += 1
                    assert any(_crosses(part, p, q) for part in boundary)
    assert n_crossings > 0


def _class(y: list[Fraction]) -> int | None:
    """The sign of one output, or the number of the largest; None for a tie."""
    if len(y) == 1:
        return None if y[0] == 0 else int(y[0] > 0)
    return None if y.count(max(y)) > 1 else y.index(max(y))


def _ties(network: Network, found: Scene) -> bool:
    """Whether a whole cell is undecided: it may then lie between two classes."""
    return any(_class(values(network, cell.point)[1]) is None for cell in found.cells)


def test_zeros_on_a_line() -> None:
    tent = Network.from_arrays([[[1], [1]], [[1, -2]]], [[0, -1], ["-1/3"]])
    parts = decision_boundary(scene(tent, LinearSystem.box([(-1, 3)])))
    assert [part.corners for part in parts] == [((fmpq(1, 3),),), ((fmpq(5, 3),),)]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ((0,), "0"),
        ((1, 8), "0.125"),
        ((2, 3), "0.667"),
        ((-12345,), "-12345"),
        ((1, 2**40), "9.09e-13"),
        ((999999, 1000000), "0.999999"),
        ((10**7,), "1e7"),
        ((-(10**5000),), "-1e5000"),
        ((1, 10**5000), "1e-5000"),
    ],
)
def test_labels(value: tuple[int, ...], text: str) -> None:
    assert label(fmpq(*value)) == text
