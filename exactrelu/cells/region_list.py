"""Regions as arrays: signs as bits, points as dyadic integers; objects when they are asked for.

A region takes a byte for eight units and eight bytes for each coordinate of its point, in place of
the kilobytes of a tuple of tuples and of exact numbers.  ``numerators[r] / 2**exponents[r]`` is the
point of region r; the few points that do not fit into 64 bits, and those that an LP found, are
kept as exact vectors.

To those who read it, a :class:`RegionList` is the tuple of its regions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType
from typing import Any, overload

import numpy as np
import numpy.typing as npt
from flint import fmpq

from exactrelu.cells.tree import Region
from exactrelu.display import brief
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.network.network import CARRIED, Network, Pattern

Array = npt.NDArray[Any]

#: So many objects are made at a time where all are asked for.
BATCH = 2**10


class RegionList(Sequence[Region]):
    """Regions of a network in the order in which they were found.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> packed = np.array([[0], [128], [192]], np.uint8)
    >>> numerators, exponents = np.array([[-4, 0], [-1, 0], [2, 0]]), np.array([1, 1, 1])
    >>> found = RegionList(xor, packed, numerators, exponents, {})
    >>> found[1]
    Region(+-, point=(-1/2, 0))
    >>> found[1:] == tuple(found)[1:], found[-1] in found
    (True, True)
    """

    __slots__ = ("_exact", "_exponents", "_numerators", "_packed", "_passes", "_widths", "_zeros")

    def __init__(
        self,
        network: Network,
        packed: npt.NDArray[np.uint8],
        numerators: npt.NDArray[np.int64],
        exponents: npt.NDArray[np.integer[Any]],
        exact: Mapping[int, Vector],
        zeros: Mapping[int, Sequence[int]] = MappingProxyType({}),
    ) -> None:
        """``packed`` has a bit for each hidden unit, the first one highest: whether it is active.

        Points that are given as ``exact`` vectors have no meaning as integers.  In some regions
        there are units, by their numbers from 0, the sign of which is 0.
        """
        self._widths = network.hidden_widths
        self._passes = _linear_units(network)
        self._packed, self._numerators, self._exponents = packed, numerators, exponents
        self._exact, self._zeros = dict(exact), dict(zeros)

    def __len__(self) -> int:
        return len(self._packed)

    @overload
    def __getitem__(self, index: int) -> Region: ...

    @overload
    def __getitem__(self, index: slice) -> RegionList: ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._part(index)
        row = range(len(self))[index]
        (pattern,) = self._patterns(row, row + 1)
        return Region(pattern, self.flint_point(row))

    def _part(self, rows: slice) -> RegionList:
        part = object.__new__(RegionList)
        part._widths, part._passes = self._widths, self._passes
        for name in ("_packed", "_numerators", "_exponents"):
            # A copy: a few regions should not keep all of them.
            setattr(part, name, getattr(self, name)[rows].copy())
        places = range(len(self))[rows]
        part._exact = {places.index(r): x for r, x in self._exact.items() if r in places}
        part._zeros = {places.index(r): u for r, u in self._zeros.items() if r in places}
        return part

    def __iter__(self) -> Iterator[Region]:
        for start in range(0, len(self), BATCH):
            stop = min(start + BATCH, len(self))
            yield from map(
                Region, self._patterns(start, stop), map(self.flint_point, range(start, stop))
            )

    def patterns(self) -> Iterator[Pattern]:
        """The patterns of the regions."""
        for start in range(0, len(self), BATCH):
            yield from self._patterns(start, start + BATCH)

    def pattern(self, row: int) -> Pattern:
        """The pattern of one region."""
        return next(self._patterns(row, row + 1))

    def _patterns(self, start: int, stop: int) -> Iterator[Pattern]:
        signs = 2 * self.is_active(start, stop).astype(np.int8) - 1
        for row in range(start, start + len(signs)) if self._zeros else ():
            signs[row - start, list(self._zeros.get(row, ()))] = 0
        blocks = np.split(signs, list(accumulate(self._widths))[:-1], axis=1)
        layers = zip(self._passes, blocks, strict=True) if self._widths else ()
        return zip(*(_signs(passes, block) for passes, block in layers), strict=True)

    def is_active(self, start: int, stop: int) -> npt.NDArray[np.bool_]:
        """For some regions, which units are active; linear ones always are."""
        return unpacked(self._packed[start:stop], sum(self._widths))

    def flint_point(self, row: int) -> Vector:
        """The point of one region."""
        if row in self._exact:
            return self._exact[row]
        scale = 1 << int(self._exponents[row])
        return tuple(fmpq(x, scale) for x in self._numerators[row].tolist())

    def integers(self) -> tuple[Array, Array, Array]:
        """Numerators and exponents of the points, and which of these are not given so."""
        is_exact = np.zeros(len(self), bool)
        is_exact[list(self._exact)] = True
        return self._numerators, self._exponents, is_exact

    def embedded(self, axes: Sequence[int], n: int) -> RegionList:
        """The regions with these coordinates of the points, of n, the others being 0."""
        wider = self._part(slice(None))
        wider._numerators = np.zeros((len(self), n), np.int64)
        wider._numerators[:, list(axes)] = self._numerators
        for row, point in self._exact.items():
            values = dict(zip(axes, point, strict=True))
            wider._exact[row] = tuple(values.get(j, ZERO) for j in range(n))
        return wider

    def of(self, network: Network, signs: Mapping[int, int]) -> RegionList:
        """The same regions of a network with neurons of these signs in place of linear units.

        Units are counted through the layers, from 0.
        """
        found = self._part(slice(None))
        found._passes = _linear_units(network)
        for unit, sign in signs.items():
            bit = np.uint8(1 << (7 - unit % 8))
            if sign < 0:
                found._packed[:, unit // 8] &= ~bit
        return found

    def among(
        self, network: Network, units: Sequence[Sequence[int]], signs: Mapping[int, int]
    ) -> RegionList:
        """The same regions of a network of which this one has some units; the others have signs.

        ``units[l]`` are the units of layer l + 1 that it has, ``signs`` those of neurons counted
        through the layers, which come before what is known of them here.
        """
        found = self._part(slice(None))
        found._widths, found._passes = network.hidden_widths, _linear_units(network)
        starts = accumulate(network.hidden_widths, initial=0)
        columns = [start + i for start, some in zip(starts, units, strict=False) for i in some]
        n_units = sum(network.hidden_widths)
        found._packed = np.empty((len(self), (n_units + 7) // 8), np.uint8)
        fixed = np.zeros(n_units, bool)
        fixed[[unit for unit, sign in signs.items() if sign > 0]] = True
        for start in range(0, len(self), BATCH):
            stop = min(start + BATCH, len(self))
            active = np.empty((stop - start, n_units), bool)
            active[:, columns] = self.is_active(start, stop)
            active[:, list(signs)] = fixed[list(signs)]
            found._packed[start:stop] = np.packbits(active, axis=1)
        found._zeros = {r: [columns[u] for u in some] for r, some in self._zeros.items()}
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RegionList | tuple):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other))  # noqa: B905

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __add__(self, other: tuple[Region, ...] | RegionList) -> tuple[Region, ...]:
        return (*self, *other)

    def __contains__(self, value: object) -> bool:
        return isinstance(value, tuple) and any(value == region for region in self)

    def _plain(self) -> tuple[Region, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        return brief(tuple(self[:BATCH])) if len(self) else "()"


def _signs(
    passes: npt.NDArray[np.bool_] | None, block: npt.NDArray[np.int8]
) -> Iterator[tuple[int, ...]]:
    """The signs of a layer in some regions, as patterns have them."""
    if passes is None:
        return map(tuple, block.tolist())
    entries = block.astype(object)
    entries[:, passes] = CARRIED
    return map(tuple, entries.tolist())


def unpacked(packed: npt.NDArray[np.uint8], n_units: int) -> npt.NDArray[np.bool_]:
    """Rows of bits as truth values.

    >>> unpacked(np.array([[160]], np.uint8), 3)
    array([[ True, False,  True]])
    """
    return np.unpackbits(packed, axis=1, count=n_units).astype(bool)


def _linear_units(network: Network) -> tuple[npt.NDArray[np.bool_] | None, ...]:
    """For each layer which of its units are linear, or None if none is."""
    layers = network.layers[:-1]
    return tuple(None if layer.is_plain else np.array(layer.passes) for layer in layers)
