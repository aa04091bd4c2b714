"""Neurons that a row of the domain settles: their zero set is part of its boundary.

Let a row p of an open domain D, p > 0 there, and a neuron with the preactivation z on D be
proportional: s·z = ρ·p, s = ±1, ρ > 0.  Then s·z > 0 on D, and z is 0 on the boundary.  Boxes have
such neurons (x ≥ 0 and a neuron with the row x), and so has every piece of a domain that is cut out
by neurons (:mod:`exactrelu.cells.pieces`).

A vertex on such a facet lies on two hyperplanes that are one: the complex would not be simple
(:mod:`exactrelu.cells.simple`).  But on D the neuron *is* a linear unit, if s = +, and passes on 0
if s = −.  So the network with such units in its place has the same regions, with the same points,
and its complex is simple if nothing else is in the way.  That the neuron has this sign is proved by
the one row: s·z − ρ·p = 0.

Bounds know such neurons too, and broken ties would do (:mod:`exactrelu.cells.ties`).  But a neuron
that is parallel to a row of the domain is none of the first cuts, and so not cut in its order, as a
proof from vertices asks for: without this the 191 regions of a 3-8-8-1 on one side of a neuron are
proved by linear programs, in 62 ms instead of 4, and the shards of a 3-16-16-1 of 5,750 regions in
5.7 s instead of 1.4.

A neuron of a later layer is affine on D where all neurons of the layers before have a sign there;
whoever knows such signs says so.

Symbols: s ``sign``, p ``row`` (its number), ρ ``ratio``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from math import prod
from typing import Any, NamedTuple

from flint import fmpq, fmpz

from exactrelu.cells.tree import LayerSides, NeuronSide, Region
from exactrelu.cells.walk import KnownSigns
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, primitive
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Layer, Network, Pattern, preactivation_maps


class SettledByRow(NamedTuple):
    """A neuron, from 0, whose preactivation is ``sign``·``ratio`` times a row of the domain."""

    layer: int
    neuron: int
    sign: int
    row: int
    ratio: fmpq


def settled_by(
    network: Network, domain: LinearSystem, known: KnownSigns = ()
) -> tuple[SettledByRow, ...]:
    """The neurons that rows of an open domain settle, layer by layer.

    Those of a later layer are looked at if the signs of all units before it are ``known``.

    >>> net = Network.from_arrays([[[2, 0], [0, -1]], [[1, 1]]], [[0, 0], [0]])
    >>> settled_by(net, LinearSystem.orthant(2).interior())
    (SettledByRow(layer=0, neuron=0, sign=1, row=0, ratio=2), \
SettledByRow(layer=0, neuron=1, sign=-1, row=1, ratio=1))
    """
    rows: dict[tuple[fmpz, ...], tuple[int, Vector]] = {}
    for k, row in enumerate(domain.rows):
        if any(row.flint_normal):
            rows.setdefault(_ray(row.flint_normal, row.flint_offset), (k, row.flint_normal))
    found = []
    for l, maps in enumerate(_affine_layers(network, known) if rows else ()):
        for i, (z, is_linear) in enumerate(zip(maps, network.layers[l].passes, strict=True)):
            *normal, offset = z
            if is_linear or not any(normal):
                continue
            for sign in (1, -1):
                place = rows.get(_ray([sign * a for a in normal], sign * offset))
                if place is not None:
                    k, p = place
                    j = next(j for j, a in enumerate(normal) if a)
                    found.append(SettledByRow(l, i, sign, k, sign * normal[j] / p[j]))
                    break
    return tuple(found)


def _ray(normal: Sequence[fmpq], offset: fmpq) -> tuple[fmpz, ...]:
    """One vector for all positive multiples of a row."""
    return primitive([*normal, offset])


def _affine_layers(network: Network, known: KnownSigns) -> Iterator[tuple[Vector, ...]]:
    """The preactivations of the first hidden layer, and of those after layers that are known."""
    if not network.hidden_widths:
        return
    pattern: Pattern = ()
    for signs in known[: len(network.hidden_widths) - 1]:
        decided = tuple(s for s in signs if s is not None)
        if len(decided) < len(signs):
            break
        pattern = (*pattern, decided)
    maps = preactivation_maps(network.truncate(1, len(pattern) + 1), pattern)
    yield from (affine.flint_rows() for affine in maps)


def without(network: Network, settled: Iterable[SettledByRow]) -> Network:
    """The network with a linear unit in the place of each settled neuron, 0 if it is negative."""
    by_layer: dict[int, dict[int, int]] = {}
    for found in settled:
        by_layer.setdefault(found.layer, {})[found.neuron] = found.sign
    if not by_layer:
        return network
    layers = list(network.layers)
    for l, signs in by_layer.items():
        layers[l] = _linear_at(layers[l], signs)
    return Network(tuple(layers), network.name, network.neuron_names)


def _linear_at(layer: Layer, signs: dict[int, int]) -> Layer:
    nothing = (fmpq(0),) * layer.affine.n_columns
    rows = [
        nothing if signs.get(i) == -1 else row for i, row in enumerate(layer.affine.flint_rows())
    ]
    affine = Matrix.from_entries(*layer.affine.shape, (x for row in rows for x in row))
    return Layer(affine, tuple(sorted({*layer.linear, *(i + 1 for i in signs)})))


def with_signs(region: Region, settled: Sequence[SettledByRow]) -> Region:
    """A region of the network without them, with the signs of the settled neurons."""
    pattern = [list(signs) for signs in region.pattern]
    for found in settled:
        pattern[found.layer][found.neuron] = found.sign
    return Region(tuple(map(tuple, pattern)), region.flint_point)


def unit_signs(network: Network, settled: Iterable[SettledByRow]) -> dict[int, int]:
    """The signs of settled neurons by their numbers through the layers, from 0."""
    starts = (0, *accumulate(network.hidden_widths))
    return {starts[found.layer] + found.neuron: found.sign for found in settled}


def with_sides(
    nodes: Iterable[Any], network: Network, settled: Sequence[SettledByRow]
) -> Iterator[Any]:
    """The nodes of the tree of the network without them, with the signs of the settled neurons.

    They are proved on the whole domain, before anything else is said of their layer.  ``network``
    is the one without them, in whose integers rows are.
    """
    waiting = [*zip(settled, sides_of(network, settled), strict=True)][::-1]
    for node in nodes:
        here = len(network.layers) if isinstance(node, Region) else node.layer
        while waiting and waiting[-1][0].layer <= here:
            yield waiting.pop()[1]
        yield with_signs(node, settled) if isinstance(node, Region) else node


def sides_of(network: Network, settled: Iterable[SettledByRow]) -> list[LayerSides]:
    """The signs of the settled neurons, as nodes of a tree of the network without them."""
    return [_side(network, found) for found in settled]


def _side(network: Network, found: SettledByRow) -> LayerSides:
    """λ·(−s·z) + μ·p = 0 for the integer row z of the neuron."""
    scale = prod(int(layer.affine.denominator) for layer in network.layers[: found.layer + 1])
    ratio = found.ratio * scale
    multipliers = ((found.row, int(ratio.p)), (-1, int(ratio.q)))
    return LayerSides(found.layer, (NeuronSide(found.neuron, found.sign, multipliers, ()),))
