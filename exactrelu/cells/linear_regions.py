"""The linear regions of a network: regions with one affine map, joined where they have a facet.

**Linear regions** are the maximal connected unions of activation regions on which the network is
one affine map: regions with the same map, joined where they have a facet in common.  Affine maps
that differ modulo a prime differ.  So the maps of all regions are computed modulo a few small
primes, as products of float matrices whose entries are integers below 2⁵³ and therefore exact; only
regions that agree there are compared exactly.  Nearly all of the joints are between patterns that
differ in one sign, each settled by a point on the way between them or by one LP; the facets of a
region are listed only if its component is not all of the class yet.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

import networkx as nx
import numpy as np
from flint import fmpz

from exactrelu.cells.facets import facets, pattern_towards
from exactrelu.cells.tables import Array
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.balls import Floats
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Sense
from exactrelu.network.evaluation import region_system
from exactrelu.network.network import AffineMap, Network, Pattern, local_affine_map
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.lp import feasible

#: Sums of 2¹⁰ products of numbers below them, and one more, are less than 2⁵³.
PRIMES = (2097143, 2097133, 2097131)
MAX_WIDTH = 2**10
#: So many patterns at a time, to bound the memory.
BATCH = 2**12


def classes(network: Network, patterns: Sequence[Pattern]) -> list[list[Pattern]]:
    """The patterns by their affine maps, in the order of their first ones."""
    groups: dict[bytes, list[Pattern]] = {}
    for key, pattern in zip(_residues(network, patterns), patterns, strict=True):
        groups.setdefault(key, []).append(pattern)
    return [part for group in groups.values() for part in _by_map(network, group)]


def _by_map(network: Network, patterns: list[Pattern]) -> Iterable[list[Pattern]]:
    if len(patterns) == 1:
        return [patterns]
    exact: dict[AffineMap, list[Pattern]] = {}
    for pattern in patterns:
        exact.setdefault(local_affine_map(network, pattern), []).append(pattern)
    return exact.values()


def _residues(network: Network, patterns: Sequence[Pattern]) -> Iterator[bytes]:
    """A key for each pattern; equal maps have equal keys."""
    if max(network.widths) > MAX_WIDTH:
        yield from itertools.repeat(b"", len(patterns))
        return
    layers = [_layers_modulo(network, p) for p in PRIMES]
    for start in range(0, len(patterns), BATCH):
        batch = patterns[start : start + BATCH]
        is_active = [np.array(signs)[:, :, None] > 0 for signs in zip(*batch, strict=True)]
        pairs = zip(layers, PRIMES, strict=True)
        parts = [_maps_modulo(mod, len(batch), is_active, p) for mod, p in pairs]
        yield from (row.tobytes() for row in np.hstack(parts))


def _layers_modulo(network: Network, prime: int) -> list[Floats]:
    """[W|b] of each layer as integers: its bias times the denominators of the layers before.

    Then the affine maps are multiplied by all denominators, the same factor everywhere.
    """
    layers, scale = [], fmpz(1)
    for layer in network.layers:
        matrix, denominator = layer.affine.integer_form
        rows = [[*row[:-1], row[-1] * scale] for row in matrix.tolist()]
        layers.append(np.array([[int(x % prime) for x in row] for row in rows], dtype=float))
        scale *= denominator
    return layers


def _maps_modulo(
    layers: Sequence[Floats], n_maps: int, is_active: Sequence[Array], prime: int
) -> Floats:
    """The affine maps modulo a prime, a row each."""
    n = layers[0].shape[1] - 1
    maps: Floats = np.broadcast_to(np.eye(n, n + 1), (n_maps, n, n + 1))
    for l, layer in enumerate(layers):
        maps = np.matmul(layer[:, :-1], maps)
        maps[:, :, -1] += layer[:, -1]
        maps %= prime
        if l < len(is_active):
            maps *= is_active[l]
    return maps.reshape(n_maps, -1)


def components(
    network: Network,
    domain: LinearSystem,
    points: Mapping[Pattern, Vector],
    effort: Effort = UNLIMITED,
) -> list[frozenset[Pattern]]:
    """The regions of these patterns and interior points, joined where they share a facet."""
    joined = nx.utils.UnionFind(points)
    for pattern, point in points.items():
        effort.spend()
        for neuron, other in _flipped(pattern, points.keys()):
            if joined[pattern] != joined[other]:
                region = domain & region_system(network, pattern)
                x = _on_facet(region, len(domain.rows) + neuron, point, points[other], effort)
                if x is not None and pattern_towards(network, *x) == other:
                    joined.union(pattern, other)
    parts = sorted(joined.to_sets(), key=len)
    # Whoever is not in the largest part may have a facet of another kind.
    for pattern in [p for part in parts[:-1] for p in part]:
        for facet in facets(network, domain, pattern, effort):
            if facet.across in points:
                joined.union(pattern, facet.across)
    return [frozenset(part) for part in joined.to_sets()]


def _flipped(pattern: Pattern, known: Container[Pattern]) -> Iterator[tuple[int, Pattern]]:
    """The known patterns with one active neuron made inactive, and the number of the neuron."""
    number = 0
    for l, signs in enumerate(pattern):
        for i, s in enumerate(signs):
            if s > 0:
                other = (*pattern[:l], (*signs[:i], -1, *signs[i + 1 :]), *pattern[l + 1 :])
                if other in known:
                    yield number, other
            number += 1


def _on_facet(
    region: LinearSystem, number: int, inside: Vector, beyond: Vector, effort: Effort
) -> tuple[Vector, Vector] | None:
    """A point inside the facet that a row makes, if it makes one, and the direction outward.

    The way from a point inside to one beyond the row often leads through the facet.
    """
    # Neurons that are 0 on the region have no row; then the numbers are others.
    if number >= len(region.rows) or region.rows[number].flint_value(beyond) >= 0:
        return None
    row = region.rows[number]
    start, end = row.flint_value(inside), row.flint_value(beyond)
    t = start / (start - end)
    x = tuple(p + t * (q - p) for p, q in zip(inside, beyond, strict=True))
    others = [r for i, r in enumerate(region.rows) if i != number]
    if not all(r.flint_value(x) > 0 for r in others):
        facet = LinearSystem(region.dimension, (row.of_sense(Sense.EQUAL), *others))
        answer = feasible(facet, effort=effort)
        if not isinstance(answer, Solution):
            return None
        x = answer.flint_point
    return x, tuple(-a for a in row.flint_normal)
