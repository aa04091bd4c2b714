"""Canonical pieces and dependency graphs, beside the definition on an arrangement; layers."""

import random
from itertools import pairwise
from pathlib import Path

import networkx as nx
import pytest

import exactrelu as er
from exactrelu.errors import InputError
from exactrelu.exact.scalar import rational
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network, trace
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.questions.folds.folds import folds
from exactrelu.questions.folds.pieces import dot_text, graph_json, graphml_text
from tests.checking import assert_accepted
from tests.questions.folds.brute_force import Arrangement
from tests.seeds import seeds

CASES = Path(__file__).parents[3] / "cases"
SQUARE = er.LinearSystem.box([(-1, 1), (-1, 1)])


# --- canonical representations

WIDTHS_2D = [(2, 2, 1), (2, 3, 1), (2, 2, 2, 1), (2, 3, 2, 1), (2, 2, 3, 1), (2, 2, 2, 2, 1)]
WIDTHS_3D = [(3, 2, 1), (3, 2, 2, 1), (3, 3, 1, 1)]


def random_network(rng, widths, height):
    """Small integers: many zeros, parallel and coincident folds, cancellations, dead layers.

    Most networks have a unit in each layer that is active nearly everywhere, and others that are
    about 0 at the origin, so that folds of the first layers are seen and later ones bend.
    """
    lively = rng.random() < 0.7
    weights, biases, at_origin = [], [], [0] * widths[0]
    for n, m in pairwise(widths):
        rows = [[rng.randint(-height, height) for _ in range(n)] for _ in range(m)]
        bias = [rng.randint(-height, height) for _ in range(m)]
        values = [sum(w * x for w, x in zip(row, at_origin, strict=True)) for row in rows]
        if lively:
            bias = [b - v for b, v in zip(bias, values, strict=True)]
            bias[0] += 9 * (m > 1)
        at_origin = [max(v + b, 0) for v, b in zip(values, bias, strict=True)]
        weights.append(rows)
        biases.append(bias)
    return Network.from_arrays(weights, biases)


def random_boxes(rng, n):
    """Two or three boxes with small integer sides; some touch, some are flat."""
    boxes = []
    for _ in range(rng.randint(2, 3)):
        ends = [sorted((rng.randint(-2, 2), rng.randint(-2, 2))) for _ in range(n)]
        boxes.append(tuple((rational(a), rational(b)) for a, b in ends))
    return tuple(boxes)


def compare(network, domain, *, with_edges):
    """Both ways of computing levels, pieces and edges agree; return what the checker gets."""
    found = folds(network, domain)
    brute = Arrangement(network, domain)
    levels, left = brute.canonical()
    pieces = found.representation.pieces
    of_facet = {jump.facet.signs: k for k, p in enumerate(pieces) for jump in p.facets}
    visible = {jump.facet.signs for jump in found.facets}

    def signs_at(facet):
        point = [rational(x) for x in brute.facets[facet][0]]
        return trace(found.cells.found.network, point).pattern

    # The fold-set itself.
    for facet in brute.facets:
        assert (signs_at(facet) in visible) == (facet in brute.folds)
    assert bool(left) == (found.order is None)
    for facet in left:
        assert signs_at(facet) not in of_facet
    # The pieces, as a partition of the facets, with their levels.
    names = {}
    for level, groups in enumerate(levels):
        for i, group in enumerate(groups):
            (piece,) = {of_facet[signs_at(facet)] for facet in group}
            assert pieces[piece].level == level + 1
            names[level, i] = piece
    assert sorted(names.values()) == list(range(len(pieces)))
    if with_edges:
        expected = {(names[a], names[b]) for a, b in brute.edges(levels)}
        assert set(found.graph.edges) == expected
    for tail, head, witness in found.graph.edges(data="witness"):
        check_witness(found, pieces, tail, head, witness)
    return found.certificate, brute, levels


def check_witness(found, pieces, tail, head, witness):
    """The witness is in Z, on the hyperplane of H, off lower levels, and in the closure of H'."""
    assert pieces[tail].level < pieces[head].level
    *normal, offset = pieces[tail].hyperplane
    assert sum((a * x for a, x in zip(normal, witness, strict=True)), rational(offset)) == 0
    signs = trace(found.cells.found.network, witness).pattern
    around = [jump.facet.signs for jump in found.cells.visible_around.around(signs)]
    touching = {
        k for k, piece in enumerate(pieces) if any(j.facet.signs in around for j in piece.facets)
    }
    assert {tail, head} <= touching
    assert min(pieces[k].level for k in touching) == pieces[tail].level


@pytest.mark.parametrize("block", seeds(2, 8))
def test_random_networks_in_the_plane(block, tmp_path):
    rng = random.Random(seed := 900 + block)
    print(f"seed {seed}")
    certificates = []
    for k in range(28):
        network = random_network(rng, WIDTHS_2D[k % len(WIDTHS_2D)], 1 + k % 3)
        domain = LinearSystem.box([(-3, 3), (-2, 4)])
        certificates.append(compare(network, domain, with_edges=k % 4 == 0)[0])
    assert_accepted(certificates, tmp_path)


@pytest.mark.parametrize("block", seeds(2, 6))
def test_random_networks_in_space(block, tmp_path):
    rng = random.Random(seed := 950 + block)
    print(f"seed {seed}")
    certificates = []
    for k in range(15):
        network = random_network(rng, WIDTHS_3D[k % len(WIDTHS_3D)], 1 + k % 2)
        domain = LinearSystem.box([(-3, 3)] * 3)
        certificates.append(compare(network, domain, with_edges=k % 5 == 0)[0])
    assert_accepted(certificates, tmp_path)


@pytest.mark.parametrize("block", seeds(1, 3))
def test_random_networks_on_unions_of_boxes(block, tmp_path):
    rng = random.Random(seed := 970 + block)
    print(f"seed {seed}")
    certificates = []
    for k in range(12):
        network = random_network(rng, WIDTHS_2D[k % 4], 2)
        boxes = random_boxes(rng, 2)
        if all(any(a == b for a, b in box) for box in boxes):
            with pytest.raises(InputError, match="no interior points"):
                BoxUnion(boxes)
            continue
        certificates.append(compare(network, BoxUnion(boxes), with_edges=k % 3 == 0)[0])
    assert_accepted(certificates, tmp_path)


def test_boxes_are_the_unions_of_all_surfaces_of_small_order():
    """□_1 and □_2 as they are defined: one sub-surface after the other."""
    rng = random.Random(seed := 99)
    print(f"seed {seed}")
    for k in range(12):
        network = random_network(rng, [(2, 2, 2, 1), (2, 3, 2, 1), (2, 2, 1)][k % 3], 2)
        domain = LinearSystem.box([(-3, 3), (-3, 3)])
        _, brute, levels = compare(network, domain, with_edges=False)
        for order in (1, 2):
            greedy = {f for pieces in levels[:order] for piece in pieces for f in piece}
            assert brute.box_by_definition(order) == greedy


# --- graphs and layers


def test_exports_have_all_pieces_and_edges():
    found = er.folds(er.load(CASES / "phuong-lampert/S001-P1-transparent/N.json"), SQUARE)
    n_edges = found.graph.number_of_edges()
    assert n_edges > 0
    data = graph_json(found.graph)
    assert (len(data["pieces"]), len(data["edges"])) == (found.graph.number_of_nodes(), n_edges)
    assert dot_text(found.graph).count("->") == n_edges
    read = nx.parse_graphml(graphml_text(found.graph), node_type=int)
    assert {(a - 1, b - 1) for a, b in read.edges} == set(found.graph.edges)


def test_layers_of_general_transparent_networks_contain_the_true_ones():
    """The ranges hold the layer of the unit that folds; for built networks layer 1 is forced."""
    rng = random.Random(seed := 5)
    print(f"seed {seed}")
    for widths in ((2, 2, 2, 1), (3, 3, 2, 1), (2, 2, 2, 2, 1)):
        domain = er.LinearSystem.box([(-1, 1)] * widths[0])
        built = er.build_identifiable(widths, domain, seed=rng.randint(0, 99))
        found = er.folds(built.network, domain)
        assert found.is_union_of_zero_sets
        assert found.order is not None
        for piece in found.representation.pieces:
            ((layer, _),) = piece.units
            forced = found.layers[piece.hyperplane]
            assert piece.level <= layer
            assert forced.lowest <= layer <= forced.highest
            assert layer != 1 or (forced.lowest, forced.highest) == (1, 1)


def test_one_hyperplane_of_two_layers_has_none():
    """y = 1 is a piece of unit (2,1), of level 2, and one of unit (3,1), of level 3.

    In a general transparent network both would be of layer 3.  Units: s(x), s(−y − 5); p, which is
    y − 1 where x < 0, z, which is x − 1 where y > −5; q, which is y − 1 where z > 0.  The others
    pass on what is needed.
    """
    weights = [
        [[1, 0], [0, -1], [0, 1], [1, 0]],
        [[-100, 0, 1, 0], [0, 5, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
        [[0, 100, 0, 0, 1, -100], *([int(i == j) for j in range(6)] for i in range(4))],
        [[1, 2, 7, 3, 5]],
    ]
    biases = [[0, -5, 10, 10], [-11, -11, 1, 1, 0, 0], [1089, 1, 1, 0, 0], [0]]
    net = er.Network.from_arrays(weights, biases)
    found = er.folds(net, er.LinearSystem.box([(-3, 3), (-8, 8)]), certify=False)
    assert found.is_union_of_zero_sets
    pieces = [(p.level, p.units) for p in found.representation.pieces if p.hyperplane == (0, 1, -1)]
    assert pieces == [(2, ((2, 1),)), (3, ((3, 1),))]
    assert (found.layers, found.no_layers) == (None, "piece 3 could not be of layer 2")


@pytest.mark.parametrize("seed", seeds(3))
def test_layers_never_contradict_the_network(seed: int):
    """The unit of a piece is in a layer of its range, or no ranges are given.

    None are given only if the network is not general, or not transparent, by other means.
    """
    print(f"seed {seed}")
    rng = random.Random(seed)
    n_ranges = n_without = 0
    for _ in range(60):
        widths = [2, *(rng.randint(1, 3) for _ in range(rng.randint(1, 3))), 1]
        shapes = list(pairwise(widths))
        net = er.Network.from_arrays(
            [[[rng.randint(-3, 3) for _ in range(n)] for _ in range(m)] for n, m in shapes],
            [[rng.randint(-3, 3) for _ in range(m)] for _, m in shapes],
        )
        domain = rng.choice((None, SQUARE))
        found = er.folds(net, domain, certify=False)
        if found.layers is None:
            n_without += 1
            assert found.no_layers
            transparent = er.is_transparent(net, domain).answer
            assert not (transparent and er.is_generic(net, domain, sense="general").answer)
            continue
        assert found.no_layers is None
        for piece in found.representation.pieces:
            n_ranges += 1
            ((layer, _),) = piece.units
            assert piece.level <= layer
            assert layer in found.layers[piece.hyperplane]
    assert min(n_ranges, n_without) > 10
