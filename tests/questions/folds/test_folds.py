"""Fold-sets: degenerate input, zero sets that are not seen, unions of boxes, pictures, limits."""

import json
from pathlib import Path

import pytest

import exactrelu as er
from exactrelu.effort import Effort
from exactrelu.errors import InputError
from exactrelu.exact.system import Row, Sense
from exactrelu.exact.text import parse_strict
from exactrelu.polyhedra.boxes import union_of
from tests.checking import assert_accepted

CASES = Path(__file__).parents[3] / "cases"
SQUARE = er.LinearSystem.box([(-1, 1), (-1, 1)])
TALL = "9" * 5000


def union(*boxes):
    """A union of boxes from lists of intervals."""
    return union_of(parse_strict(json.dumps({"format": "exactrelu-union/1", "boxes": boxes})))


def test_the_counterexample_on_a_domain_that_is_not_convex():
    """S001-E1 from scratch: two pieces of one hyperplane, and a piece that is not connected."""
    theta = er.load(CASES / "phuong-lampert/S001-E1-thmA1-nonconvex/theta.json")
    eta = er.load(CASES / "phuong-lampert/S001-E1-thmA1-nonconvex/eta.json")
    domain = er.load_union(CASES / "phuong-lampert/S001-E1-thmA1-nonconvex/domain.json")
    found = er.folds(theta, domain)
    pieces = found.representation.pieces
    first = next(p for p in pieces if p.hyperplane == (1, 0, 0))
    # {0} x (2,3) and {0} x (4,5): between them x1 = 0 is not in the domain.
    heights = sorted(jump.facet.point[1] for jump in first.facets)
    assert heights[0] < 3
    assert heights[-1] > 4
    # Unit (2,1) folds twice in one hyperplane, and (2,2) never: two vertices, one hyperplane.
    twice = [p for p in pieces if p.hyperplane == (18, 2, -9)]
    assert len(twice) == 2
    assert {p.units for p in twice} == {((2, 1),)}
    assert not any((2, 2) in p.units for p in pieces)
    assert {edge[2] for edge in found.graph.edges(data="witness")} == {
        (er.rational(0), er.rational("9/2")),
        (er.rational("1/2"), er.rational(0)),
    }
    assert er.identify(theta, eta).symmetry is None
    # On the whole frame (2,1) would be one piece there: the gap in the domain makes two.
    frame = er.folds(theta, domain.frame).representation.pieces
    assert sum(p.hyperplane == (18, 2, -9) for p in frame) == 1


def test_lemma_3_fails_on_a_cube():
    """S001-E3: a dependency path of length 1 starts at a unit of the last hidden layer."""
    theta = er.load(CASES / "phuong-lampert/S001-E3-bends/theta.json")
    cube = er.LinearSystem.box([(-1, 1)] * 3)
    found = er.folds(theta, cube)
    pieces = found.representation.pieces
    last = [k for k, p in enumerate(pieces) if p.units[0][0] == 2 and p.level == 1]
    assert len(last) == 2
    assert all(len(found.longest_paths[k]) == 2 for k in last)
    for k in last:
        assert found.bends.out_degree(pieces[k].hyperplane) == 0
        assert found.layers[pieces[k].hyperplane].is_ambiguous


@pytest.mark.parametrize(
    ("weights", "biases", "order", "n_pieces", "is_union"),
    [
        # No hidden layer; a unit with the weights 0, positive or 0; a dead layer.
        ([[[1, 2]]], [[0]], 0, 0, True),
        ([[[0, 0]], [[1]]], [[1], [0]], 0, 0, True),
        ([[[0, 0]], [[1]]], [[0], [0]], 0, 0, False),
        ([[[1, 0]], [[0]]], [[0], [1]], 0, 0, False),
        ([[[1, 0]], [[1]], [[1]]], [[0], [-9], [0]], 0, 0, False),
        # Two units on one line: the jumps add up, cancel, or stay one line.
        ([[[1, 0], [2, 0]], [[1, 1]]], [[0, 0], [0]], 1, 1, True),
        ([[[1, 0], [2, 0]], [[2, -1]]], [[0, 0], [0]], 0, 0, False),
        ([[[1, 0], [-1, 0]], [[1, 1]]], [[0, 0], [0]], 1, 1, True),
        ([[[1, 0], [1, 0]], [[1, 1]]], [[0, "1/2"], [0]], 1, 2, True),
        # Width 1, twice: s(s(x)) folds where s(x) does.
        ([[[1, 0]], [[1]], [[1]]], [[0], [0], [0]], 1, 1, False),
        # max(0, x, y): three rays, no piece at all.
        ([[[1, 0], [0, 1], [0, -1]], [[-1, 1, -1]], [[1]]], [[0, 0, 0], [0], [0]], None, 0, False),
        # A unit that touches 0 at a point from above.
        (
            [[[1, 0], [-1, 0], [0, 1], [0, -1]], [[1, 1, 1, 1]], [[1]]],
            [[0] * 4, [0], [0]],
            1,
            2,
            True,
        ),
    ],
)
def test_degenerate_networks(weights, biases, order, n_pieces, is_union, tmp_path):
    network = er.Network.from_arrays(weights, biases)
    found = er.folds(network, SQUARE)
    assert (found.order, len(found.representation.pieces)) == (order, n_pieces)
    assert found.is_union_of_zero_sets == is_union
    assert_accepted([found.certificate], tmp_path)


def test_flat_domains(tmp_path):
    """On a segment the folds are those along it; in the wall of the fold nothing bends."""
    network = er.Network.from_arrays([[[1, 0], [1, -1]], [[1, 2]]], [[0, 1], [0]])
    wall = er.folds(network, er.LinearSystem.box([(0, 0), (-1, 1)]))
    assert (wall.order, wall.facets) == (0, ())
    # On x = 0 unit (1,1) is 0, and 1 − y changes its sign at the end of the segment only.
    assert [(f.signs, f.dimension) for f in wall.cells.faces] == [(((0, 1),), 1)]
    # x = (s, 1/2 + s/2), s in (−2, 1): folds at s = 0 and s = −1.
    base, along = (er.rational(0), er.rational("1/2")), (er.rational(2), er.rational(1))
    line = er.LinearSystem(2, (Row.of((1, -2), 1, Sense.EQUAL), Row.of((1, 0), 2)))
    line &= er.LinearSystem(2, (Row.of((-1, 0), 1),))
    found = er.folds(network, line)
    sliced = er.folds(network.slice(base, [along]), er.LinearSystem.box([(-1, "1/2")]))
    assert (found.order, len(found.representation.pieces)) == (1, 2)
    assert (sliced.order, len(sliced.representation.pieces)) == (1, 2)
    signs = {f.signs: f.dimension for f in sliced.cells.faces}
    assert {f.signs: f.dimension for f in found.cells.faces} == signs
    assert {facet.vertices for facet in found.drawn_facets()} == {
        ((er.rational(0), er.rational("1/2")),),
        ((er.rational(-1), er.rational(0)),),
    }
    sentences = assert_accepted([wall.certificate, found.certificate], tmp_path)
    assert all("(flat: said in its affine hull)" in sentence for sentence in sentences)
    assert found.certificate.fields["network"] == network.canonical_form()


@pytest.mark.parametrize(
    ("weights", "biases"),
    [
        ([[[1, 1], [1, 1]], [[1, -1]]], [[0, 0], [0]]),  # twice the same neuron, cancelled
        ([[[0, 0], [1, -1]], [[1, 1]]], [[0, 0], [0]]),  # zero rows; 0 on the whole line x = y
        ([[[1, 0], [0, 1]], [[-1, -1]], [[1]]], [[0, 0], [-1], [0]]),  # a dead layer
        ([[[2**1000, "1/7"], [f"1/{2**1000}", -1]], [[3, 1]]], [[1, f"1/{2**1000}"], [0]]),
        ([[[1, 2]]], [[3]]),  # no hidden layer
    ],
)
def test_degenerate_networks_on_flat_domains(weights, biases, tmp_path):
    network = er.Network.from_arrays(weights, biases)
    line = er.LinearSystem(2, (Row.of((1, -1), 0, Sense.EQUAL),))
    implied = er.LinearSystem(2, (Row.of((2, -6), 1), Row.of((-2, 6), -1), Row.of((0, 1), 0)))
    places = (line, implied, "box:0,0;-1,1", "box:0,0", "box:1/3,1/3;-2,-2")
    found = [er.folds(network, place) for place in places]
    sentences = assert_accepted([each.certificate for each in found], tmp_path)
    assert all("(flat: said in its affine hull)" in sentence for sentence in sentences)
    assert found[3].order == found[4].order == 0


@pytest.mark.parametrize(
    "boxes",
    [
        [[["0", "0"], ["-1", "1"]]],
        [[["1", "1"], ["0", "1"]], [["0", "2"], ["1", "1"]]],
        [[["1", "1"], ["1", "1"]]],
    ],
)
def test_unions_without_interior_are_refused(boxes):
    with pytest.raises(InputError, match="the union of the boxes has no interior points"):
        union(*boxes)


def test_flat_boxes_of_a_union_add_nothing(tmp_path):
    network = er.Network.from_arrays([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])
    solid = [["-1", "1"], ["-1", "1"]]
    plain, more = (
        er.folds(network, union(*boxes)) for boxes in ([solid], [solid, [["1", "3"], ["0", "0"]]])
    )
    assert len(more.representation.pieces) == len(plain.representation.pieces) == 2
    assert more.count(more.facets) == plain.count(plain.facets) == 4
    assert_accepted([plain.certificate, more.certificate], tmp_path)


def test_empty_domains_are_refused():
    network = er.Network.from_arrays([[[1, 0]], [[1]]], [[0], [0]])
    with pytest.raises(InputError, match="the domain is empty"):
        er.folds(network, er.LinearSystem.box([(1, 0), (0, 1)]))


def test_boxes_with_a_common_side_are_one_piece():
    """The side is inside; a common corner is not."""
    network = er.Network.from_arrays([[[0, 1]], [[1]]], [["-1/2"], [0]])
    left, right = [["0", "1"], ["0", "1"]], [["1", "2"], ["0", "1"]]
    corner = [["1", "2"], ["1", "2"]]
    slanted = er.Network.from_arrays([[[1, -1]], [[1]]], [[0], [0]])
    assert len(er.folds(network, union(left, right)).representation.pieces) == 1
    assert len(er.folds(slanted, union(left, corner)).representation.pieces) == 2


def test_a_fold_on_the_side_of_a_box(tmp_path):
    """A side may lie in the zero set of a unit, or be seen by nothing."""
    on_side = er.Network.from_arrays([[[1, 0]], [[1]]], [[-1], [0]])
    domain = union([["0", "1"], ["0", "1"]], [["1", "2"], ["0", "1"]])
    found = er.folds(on_side, domain)
    assert [p.hyperplane for p in found.representation.pieces] == [(1, 0, -1)]
    assert found.units[0].visible
    assert not found.units[0].invisible
    affine = er.folds(er.Network.from_arrays([[[1, 0]]], [[0]]), domain)
    assert (affine.order, affine.is_union_of_zero_sets) == (0, True)
    assert_accepted([found.certificate, affine.certificate], tmp_path)


def test_a_hyperplane_that_is_seen_in_one_arm_only(tmp_path):
    """y = 1 is a fold on the left; on the right the domain has it too, and there is no fold."""
    network = er.Network.from_arrays([[[1, 0], [0, 1]], [[-2, 1]], [[1]]], [[0, 9], [-10], [0]])
    left, right = [["-2", "-1"], ["-1", "2"]], [["1", "2"], ["-1", "2"]]
    strip = [["-2", "2"], ["-1", "0"]]
    apart, joined = (er.folds(network, union(*b)) for b in ((left, right), (left, right, strip)))
    assert [p.hyperplane for p in apart.representation.pieces] == [(0, 1, -1)]
    assert (joined.order, joined.representation.pieces) == (None, ())
    assert_accepted([apart.certificate, joined.certificate], tmp_path)


def test_long_numbers():
    network = er.Network.from_arrays([[[1, 0], [TALL, 1]], [[1, 1]]], [[0, f"-1/{TALL}"], [0]])
    found = er.folds(network, SQUARE)
    assert (found.order, len(found.representation.pieces)) == (1, 2)


def test_limits():
    network = er.load(CASES / "phuong-lampert/S001-P1-transparent/N.json")
    assert not er.folds(network, SQUARE, max_faces=3).is_complete
    assert not er.folds(network, SQUARE, max_regions=2).is_complete
    assert er.folds(network, SQUARE, max_regions=100).is_complete
    assert er.folds(network, SQUARE, max_faces=3).certificate is None
    # On a union the proof takes more faces than the answer.
    domain = union([["-1", "1"], ["-1", "0"]], [["-1", "0"], ["-1", "1"]])
    n_faces = len(er.folds(network, domain, certify=False).cells.found.faces)
    assert er.folds(network, domain, max_faces=n_faces, certify=False).is_complete
    assert not er.folds(network, domain, max_faces=n_faces).is_complete
    assert er.folds(network, domain).certificate is not None


def test_pictures_have_the_vertices_of_the_facets():
    network = er.load(CASES / "phuong-lampert/S001-P1-transparent/N.json")
    found = er.folds(network, SQUARE)
    drawn = found.drawn_facets()
    assert len(drawn) == len(found.facets)
    pieces = found.representation.pieces
    for facet in drawn:
        assert len(facet.vertices) == 2
        assert not facet.rays
        assert facet.level == pieces[facet.piece].level
        *normal, offset = pieces[facet.piece].hyperplane
        for x in facet.vertices:
            assert sum((a * v for a, v in zip(normal, x, strict=True)), er.rational(offset)) == 0
            assert max(map(abs, x)) <= 1
    line = er.folds(er.Network.from_arrays([[[1, 0]], [[1]]], [[0], [0]])).drawn_facets()
    assert sorted(line[0].rays) == [(0, -1), (0, 1)]


def test_what_is_known_by_then():
    network = er.load(CASES / "phuong-lampert/S001-P1-transparent/N.json")
    whole = er.folds(network, SQUARE)
    for most in (3, 6, 12, 24):
        some = er.folds(network, SQUARE, max_faces=most)
        if not some.is_complete:
            assert some.hyperplanes <= whole.hyperplanes
            assert {jump.facet.signs for jump in some.facets} <= {
                jump.facet.signs for jump in whole.facets
            }
    assert not er.folds(network, SQUARE, effort=Effort(seconds=0)).is_complete
