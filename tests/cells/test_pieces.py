import random

import pytest

from exactrelu.cells.pieces import OpenPiece, halved
from exactrelu.cells.regions import prove_regions
from exactrelu.cells.tree import LayerSides, NeuronSplit, Region, regions, tree
from exactrelu.exact.scalar import rational, vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import trace
from tests.cells.planted import planted
from tests.cells.simple_networks import KINDS, random_domain, random_network
from tests.network.naive import random_point
from tests.seeds import seeds


def leaves(network, piece: OpenPiece, n_cuts: int) -> list[Region | OpenPiece]:
    return [p for p in piece.parts(network, n_cuts) if isinstance(p, Region | OpenPiece)]


def compare(network, domain: LinearSystem, n_cuts: int) -> None:
    """The regions of all pieces are the regions, each once, and signs that are known are theirs."""
    whole = [r.pattern for r in tree(network, domain, regions) if isinstance(r, Region)]
    found = []
    for part in leaves(network, OpenPiece(domain), n_cuts):
        if isinstance(part, Region):
            found.append(part.pattern)
            continue
        inside = prove_regions(network, part.system, known=part.signs).nodes
        own = [r for r in inside if isinstance(r, Region)]
        assert own, "a piece has points"
        for region in own:
            assert trace(network, region.point).pattern == region.pattern
            assert part.system.contains(region.point)
            pairs = zip(part.signs, region.pattern, strict=True)
            assert all(s in (None, t) for a, b in pairs for s, t in zip(a, b, strict=True))
        found += [region.pattern for region in own]
    assert sorted(found) == sorted(whole)


@pytest.mark.parametrize("seed", seeds(4, 40))
@pytest.mark.parametrize("kind", KINDS)
def test_regions_of_pieces_are_all_regions(seed: int, kind: str) -> None:
    rng = random.Random(seed)
    n = rng.randint(1, 3)
    network = random_network(rng, kind, [n, rng.randint(1, 5), rng.randint(4, 5), 1])
    compare(network, random_domain(rng, n), rng.randint(0, 5))


@pytest.mark.parametrize("seed", seeds(20, 300))
def test_pieces_of_networks_with_ties(seed: int) -> None:
    network = planted(seed)
    compare(network, LinearSystem(network.n_inputs), seed % 4)


@pytest.mark.parametrize("seed", seeds(4, 40))
def test_a_piece_is_cut_further_as_if_it_had_never_been_one(seed: int) -> None:
    """The nodes below a piece go on where those above it ended: the same tree in the end."""
    rng = random.Random(seed)
    network = random_network(rng, "dyadic", [2, 4, 4, 1])

    def regions_below(piece: OpenPiece, depth: int) -> list:
        found = []
        for node in piece.parts(network, 1 + depth % 2):
            if isinstance(node, OpenPiece):
                assert len(node.system.rows) > len(piece.system.rows)
                found += regions_below(node, depth + 1)
            elif isinstance(node, Region):
                found.append(node.pattern)
            else:
                assert isinstance(node, NeuronSplit | LayerSides)
        return found

    whole = [r.pattern for r in tree(network, LinearSystem(2), regions) if isinstance(r, Region)]
    assert regions_below(OpenPiece(LinearSystem(2)), 0) == whole


@pytest.mark.parametrize("seed", seeds(10, 100))
def test_closed_parts_cover_and_meet_only_where_they_were_cut(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randint(1, 3)
    system = rng.choice([LinearSystem(n), LinearSystem.orthant(n), LinearSystem.box([(-1, 2)] * n)])
    rows = [tuple(rng.randint(-2, 2) for _ in range(n + 1)) for _ in range(5)]
    n_cuts = rng.randint(0, 4)
    nodes = list(halved(system, rows, n_cuts))
    parts = [node for node in nodes if isinstance(node, LinearSystem)]
    assert len(nodes) == 2 * len(parts) - 1
    for part in parts:
        cuts = part.rows[len(system.rows) :]
        assert len(cuts) <= n_cuts
    for _ in range(200):
        x = vector(random_point(rng, n))
        holding = [part for part in parts if part.contains(x)]
        assert bool(holding) == system.contains(x)
        inside = [part for part in parts if part.interior().contains(x)]
        assert len(inside) <= 1


def test_a_row_that_has_one_sign_cuts_nothing() -> None:
    square = LinearSystem.box([(0, 1), (0, 1)])
    touching, constant, crossing = (1, 0, 0), (0, 0, 1), (2, 0, -1)
    nodes = list(halved(square, [touching, constant, crossing], 3))
    assert nodes[0] == crossing
    assert [len(part.rows) for part in nodes[1:]] == [5, 5]
    assert nodes[1].contains((rational("1/2"), rational(0)))
    assert not nodes[1].contains((rational("3/4"), rational(0)))
