"""What is known of the signs of neurons on a domain, and the network without what they settle.

Let z be the preactivation of a hidden neuron of a network N, and D a domain.  Where z ≤ 0 on the
closure of D the neuron is *off* there, and passes 0 on; where z ≥ 0, and not always 0, it is *on*,
and a linear unit.  A :class:`Knowledge` is signs that were proved, each with what proves it: a
value that can be handed on.  Who finds it is :mod:`.portfolio`.

*The reduced network* has no unit that is off, and a linear unit for each neuron that is on.  It is
N at every point of D: so it has its values, its derivatives, the cells on which it is affine.  It
has as many layers; one without units left has a linear unit with the row 0.

*Back again.*  A region of the reduced network on D is one of N: the neurons that were settled cut
nothing.  Their signs in its pattern are those that are known, but for a neuron that is 0 on all of
the region, which has the sign 0.  Where bounds away from 0 do not exclude that, the neuron is
*weak*: it is evaluated at the point inside the region.  If ±z ≥ 0 on an open cell on which z is
affine, and z is 0 at a point of it, it is 0 throughout.

Symbols: ``signs[l][i]`` of unit i of hidden layer l + 1, None for what is not known and for linear
units; ``units[l]`` the units of N that are those of the reduced network, in their order, from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, islice
from typing import NamedTuple, TypeVar

from exactrelu.cells.faces import Face
from exactrelu.cells.region_list import RegionList
from exactrelu.cells.tree import Region
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector
from exactrelu.network.network import CARRIED, Layer, Network, Pattern, trace, trace_batch
from exactrelu.polyhedra.domain import Domain

Sign = TypeVar("Sign")
#: A hidden layer and a unit of it, both from 0.
Unit = tuple[int, int]
#: So many regions are lifted at a time.
BATCH = 2**10


class ShownSigns(NamedTuple):
    """Signs by unit that one proof shows: bounds on the box of the domain, linear programs on all
    of it (sides), or the cells of what is left when the signs of the proofs before are known.
    """

    by: str
    signs: Mapping[Unit, int]


@dataclass(frozen=True, repr=False)
class Knowledge:
    """Signs of hidden neurons of a network on the closure of a domain, with their proofs.

    >>> net = Network.from_arrays([[[1], [1], [1]], [[1, 1, 1]]], [[2, -2, 0], [0]])
    >>> proofs = (ShownSigns("bounds", {(0, 0): 1, (0, 1): -1}),)
    >>> found = Knowledge(net, Domain.of("box:-1..1", 1), proofs)
    >>> found.signs, found.n_settled, found.reduced.network
    (((1, -1, None),), 2, Network: 1-1+1-1, 7 parameters, 2 bits)
    """

    network: Network
    domain: Domain
    #: In the order in which they rest on each other.
    proofs: tuple[ShownSigns, ...] = ()
    #: Settled neurons that may be 0 on an open cell.
    weak: frozenset[Unit] = frozenset()
    #: Neurons of which both signs were seen, and points of the relative interior that show them.
    bent: frozenset[Unit] = frozenset()
    points: tuple[Vector, ...] = ()

    @cached_property
    def settled(self) -> dict[Unit, int]:
        """The signs by unit."""
        return {unit: sign for shown in self.proofs for unit, sign in shown.signs.items()}

    @property
    def n_settled(self) -> int:
        """How many neurons have a sign."""
        return len(self.settled)

    @property
    def n_left(self) -> int:
        """How many neurons have none."""
        return self.network.n_hidden_neurons - self.n_settled

    def __bool__(self) -> bool:
        """Whether anything is known."""
        return bool(self.proofs)

    @cached_property
    def signs(self) -> tuple[tuple[int | None, ...], ...]:
        """The signs layer by layer, as walks take them."""
        return tuple(
            tuple(self.settled.get((l, i)) for i in range(width))
            for l, width in enumerate(self.network.hidden_widths)
        )

    def numbered(self, first: int = 0) -> dict[int, int]:
        """The signs by the number of the unit through all hidden layers, beginning with one."""
        starts = list(accumulate(self.network.hidden_widths, initial=first))
        return {starts[l] + i: sign for (l, i), sign in sorted(self.settled.items())}

    def before(self, k: int) -> Knowledge:
        """What the first proofs show."""
        return Knowledge(self.network, self.domain, self.proofs[:k], self.weak)

    @cached_property
    def reduced(self) -> Reduced:
        """The network without what is settled."""
        return Reduced.of(self)

    @cached_property
    def strict(self) -> Knowledge:
        """The signs of neurons that bounds show to be 0 nowhere on the closure of the domain.

        They are those on all faces; cells say nothing of faces between them.
        """
        signs = {
            unit: sign
            for shown in self.proofs
            if shown.by == "bounds"
            for unit, sign in shown.signs.items()
            if unit not in self.weak
        }
        proofs = (ShownSigns("bounds", signs),) if signs else ()
        return Knowledge(self.network, self.domain, proofs)


@dataclass(frozen=True, repr=False)
class Reduced:
    """A network that is the given one on a domain, without units that are off there."""

    knowledge: Knowledge
    network: Network
    #: For each hidden layer the units of the given network that are its units.
    units: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, knowledge: Knowledge) -> Reduced:
        """Drop what is off, and make linear units of what is on."""
        network, settled = knowledge.network, knowledge.settled
        units = tuple(
            tuple(i for i in range(width) if settled.get((l, i)) != -1) or (0,)
            for l, width in enumerate(network.hidden_widths)
        )
        if not settled:
            return cls(knowledge, network, units)
        inputs = (tuple(range(network.n_inputs)), *units)
        kept = zip(network.layers, inputs, (*units, None), strict=True)
        layers = tuple(_taken(l, *found, settled) for l, found in enumerate(kept))
        names = network.neuron_names
        if names is not None:
            pairs = zip(names, units, strict=True)
            names = tuple(tuple(layer[i] for i in some) for layer, some in pairs)
        return cls(knowledge, Network(layers, network.name, names), units)

    @cached_property
    def restricted(self) -> Network:
        """The same in the coordinates t of the hull of the domain."""
        return self.knowledge.domain.restricted(self.network)

    def taken(self, signs: Sequence[Sequence[Sign]]) -> tuple[tuple[Sign | int, ...], ...]:
        """Of what is said of the units of the given network, layer by layer, that of these."""
        pairs = zip(signs, self.units, self.network.layers, strict=False)
        return tuple(
            tuple(CARRIED if c else of[i] for i, c in zip(units, layer.passes, strict=True))
            for of, units, layer in pairs
        )

    def strictly(self, pattern: Pattern) -> Pattern:
        """The signs of the given network anywhere, from those of this one.

        For what is left by :attr:`Knowledge.strict`.
        """
        return self._lifted(pattern, None) if self.knowledge else pattern

    def face(self, found: Face) -> Face:
        """A face of this network as one of the given one, likewise."""
        return replace(found, signs=self.strictly(found.signs)) if self.knowledge else found

    def pattern(self, pattern: Pattern, x: Vector) -> Pattern:
        """The signs of the given network on a region, from those of this one and a point inside."""
        exact = trace(self.knowledge.network, x).pattern if self.knowledge.weak else None
        return self._lifted(pattern, exact)

    def listed(self, found: Sequence[Region]) -> Sequence[Region]:
        """A list of regions in the coordinates t as one of the given network, over x."""
        place = self.knowledge.domain
        if isinstance(found, RegionList) and not place.is_flat:
            if not self.knowledge:
                return found
            if not self.knowledge.weak:
                network, signs = self.knowledge.network, self.knowledge.numbered()
                return found.among(network, self.units, signs)
        return tuple(self.lifted(found))

    def lifted(self, found: Iterable[Region]) -> Iterator[Region]:
        """Regions in the coordinates t as those of the given network, over x."""
        place = self.knowledge.domain
        if place.is_flat:
            found = (Region(r.pattern, place.flint_lift(r.flint_point)) for r in found)
        return self.regions(found) if self.knowledge else iter(found)

    def regions(self, found: Iterable[Region]) -> Iterator[Region]:
        """Regions of this network on the domain, with points x, as those of the given one."""
        left = iter(found)
        while some := list(islice(left, BATCH)):
            exact: Sequence[Pattern | None] = (None,) * len(some)
            if self.knowledge.weak:
                traced = trace_batch(self.knowledge.network, [r.flint_point for r in some])
                exact = [evaluation.pattern for evaluation in traced]
            for region, signs in zip(some, exact, strict=True):
                yield Region(self._lifted(region.pattern, signs), region.flint_point)

    @cached_property
    def _known_signs(self) -> tuple[tuple[int, ...], ...]:
        """The signs of settled and of linear units; others have 0."""
        settled = self.knowledge.settled
        return tuple(
            tuple(
                CARRIED if is_linear else settled.get((l, i), 0)
                for i, is_linear in enumerate(layer.passes)
            )
            for l, layer in enumerate(self.knowledge.network.layers[:-1])
        )

    def _lifted(self, pattern: Pattern, exact: Pattern | None) -> Pattern:
        found = [list(signs) for signs in self._known_signs]
        settled = self.knowledge.settled
        for l, (signs, units) in enumerate(zip(pattern, self.units, strict=True)):
            for sign, i in zip(signs, units, strict=True):
                if (l, i) not in settled:
                    found[l][i] = sign
        if exact is not None:
            for l, i in self.knowledge.weak:
                found[l][i] = exact[l][i]
        return tuple(map(tuple, found))


def _taken(
    l: int,
    layer: Layer,
    columns: Sequence[int],
    rows: Sequence[int] | None,
    settled: Mapping[Unit, int],
) -> Layer:
    """Some rows and columns of a layer; None are all rows, as those of the outputs."""
    affine = layer.affine.take(rows, [*columns, layer.n_inputs])
    if rows is None:
        return Layer(affine)
    if settled.get((l, rows[0])) == -1:
        # Nothing is left: 0 is passed on.
        return Layer(Matrix.zero(1, affine.n_columns), (1,))
    linear = (k for k, i in enumerate(rows, 1) if layer.passes[i] or (l, i) in settled)
    return Layer(affine, tuple(linear))
