"""Statements about every point of a domain, proved on each of some closed parts.

That a network is transparent, that two are equal, that a property holds.  A box is cut in the
middle of its longest side, any other domain by neurons of the first layers that have both signs
there, and if there is none, through a point inside.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from exactrelu.cells.pieces import halved
from exactrelu.certificates.certificate import Certificate, Verdict, claim, record
from exactrelu.effort import Effort
from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import IntegerRow, integer_row
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.relative_interior import ends_of_box
from exactrelu.questions.activity import is_transparent
from exactrelu.questions.equivalence.difference import require_comparable
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.properties.decide import decide
from exactrelu.questions.properties.property import Property
from exactrelu.questions.shards.answers import ProvedEverywhere
from exactrelu.questions.shards.kinds import (
    Answer,
    Fails,
    ManifestWriter,
    Nodes,
    Proved,
    part_of,
    unanswered,
)

#: After so many cuts a part may have twice as many cells: a point or a line in which too many of
#: them meet is not cut forever.
DOUBLING = 8


class _CutWriter:
    """Writes rows that cut, and parts."""

    def records(self, node: IntegerRow) -> Iterator[str]:
        """A cut; the parts follow."""
        yield record("cut", *node)

    def shard(self, numbers: Sequence[int]) -> str:
        """A part."""
        return record("shard")


@dataclass(frozen=True)
class _Everywhere:
    """A statement about every point of a domain."""

    place: Domain
    answers, nothing = ProvedEverywhere, ()
    size = 500
    things = "regions"

    def whole(self, effort: Effort) -> tuple[LinearSystem, list[str]]:
        """All of the domain, in the coordinates of its hull; its cuts need no signs."""
        return self.place.on_hull, []

    def is_piece(self, node: Any) -> bool:
        """Whether a node is a part, and no cut."""
        return isinstance(node, LinearSystem)

    def ask(self, piece: LinearSystem, effort: Effort) -> Answer:
        """Whether it is so on a part."""
        size = effort.left(self.things)
        if size is not None:
            effort = effort.apart(**{self.things: size << len(self._cuts(piece)) // DOUBLING})
        verdict = self._decided(self.domain(piece), effort)
        if verdict.answer is None:
            return unanswered(verdict.reason, effort, self.things)
        if verdict.certificate is None:
            raise ArithmeticError("an answer without a certificate: a bug")
        return Proved((), verdict.certificate) if verdict.answer else Fails(verdict)

    def _decided(self, part: Domain, effort: Effort) -> Verdict:
        """The answer on a part."""
        raise NotImplementedError

    def _cuts(self, piece: LinearSystem) -> Sequence[Row]:
        """The rows of the cuts."""
        return piece.rows[len(self.place.on_hull.rows) :]

    def domain(self, piece: LinearSystem) -> Domain:
        """The rows of the domain, and those of the cuts over x."""
        own = self._cuts(piece)
        cuts = [integer_row(row.flint_normal, row.flint_offset)[0] for row in own]
        return part_of(self.place, [], cuts, Sense.AT_LEAST)

    def _networks(self) -> Sequence[Network]:
        raise NotImplementedError

    def parts(self, piece: LinearSystem, n_cuts: int, effort: Effort) -> Nodes:
        """Cuts in the middle of a box, or by neurons, or through a point inside."""
        ends = ends_of_box(piece)
        if ends is not None and all(len(found) == piece.dimension for found in ends):
            lower, upper = ends
            axis = max(range(piece.dimension), key=lambda j: upper[j] - lower[j])
            rows = [_across(piece.dimension, axis, (lower[axis] + upper[axis]) / 2)]
            return halved(piece, rows, 1, effort)
        nodes = list(halved(piece, [*self._rows()], n_cuts, effort))
        if len(nodes) > 1:
            return iter(nodes)
        inside = Domain.of(piece, piece.dimension, effort).flint_point
        rows = [_across(piece.dimension, axis, x) for axis, x in enumerate(inside)]
        return halved(piece, rows, 1, effort)

    def _rows(self) -> Iterator[IntegerRow]:
        """The neurons of the first layers over t."""
        for network in self._networks():
            layer = self.place.restricted(network).layers[0]
            for row, is_linear in zip(layer.affine.flint_rows(), layer.passes, strict=True):
                if not is_linear and network.hidden_widths:
                    yield integer_row(row[:-1], row[-1])[0]

    def writer(self) -> ManifestWriter:
        """The writer of cuts."""
        return _CutWriter()

    def numbers(self, node: Any) -> tuple[int, ...]:
        """Nothing is counted."""
        return ()

    @property
    def subjects(self) -> dict[str, Any]:
        """What it is about."""
        raise NotImplementedError


def _across(dimension: int, axis: int, value: fmpq) -> IntegerRow:
    """x_axis − value as an integer row."""
    normal = tuple(fmpq(int(j == axis)) for j in range(dimension))
    return integer_row(normal, -value)[0]


@dataclass(frozen=True)
class TransparentPieces(_Everywhere):
    """Every hidden layer has an active neuron at every point."""

    network: Network
    kind = "transparent"

    @property
    def subjects(self) -> dict[str, Any]:
        """The network and the domain."""
        return {"network": self.network, "domain": self.place}

    def _networks(self) -> Sequence[Network]:
        return [self.network]

    def _decided(self, part: Domain, effort: Effort) -> Verdict:
        return is_transparent(self.network, part, effort=effort)

    def manifest(self, records: Sequence[str], numbers: tuple[int, ...]) -> Certificate:
        """It is so on the whole."""
        return claim("transparent", "shards", records, holds=True, **self.subjects)


@dataclass(frozen=True)
class EqualPieces(_Everywhere):
    """Two networks have the same value at every point."""

    a: Network
    b: Network
    kind = "equal"

    @classmethod
    def of(cls, a: Network, b: Network, place: Domain) -> EqualPieces:
        """Networks with the same inputs and outputs."""
        require_comparable(a, b)
        return cls(place, a, b)

    @property
    def subjects(self) -> dict[str, Any]:
        """The networks and the domain."""
        return {"a": self.a, "b": self.b, "domain": self.place}

    def _networks(self) -> Sequence[Network]:
        return [self.a, self.b]

    def _decided(self, part: Domain, effort: Effort) -> Verdict:
        return equivalent(self.a, self.b, part, effort=effort)

    def manifest(self, records: Sequence[str], numbers: tuple[int, ...]) -> Certificate:
        """They are equal on the whole."""
        return claim("equal", "shards", records, holds=True, **self.subjects)


@dataclass(frozen=True)
class PropertyPieces(_Everywhere):
    """A property holds."""

    asked: Property
    kind, things = "property", "boxes"

    @classmethod
    def of(cls, asked: Property) -> PropertyPieces:
        """The pieces of the domain of a property."""
        if asked.clauses:
            n = len(asked.clauses)
            raise InputError(f"a query of {n:,} clauses, whose cases are too many, is not cut")
        return cls(asked.domain, asked)

    @property
    def subjects(self) -> dict[str, Any]:
        """What the property is about."""
        return self.asked.statement[1]

    def _networks(self) -> Sequence[Network]:
        return [self.asked.joined]

    def _decided(self, part: Domain, effort: Effort) -> Verdict:
        return decide(Property(self.asked.networks, part, self.asked.cases), effort=effort)

    def manifest(self, records: Sequence[str], numbers: tuple[int, ...]) -> Certificate:
        """It holds on the whole."""
        return claim("property", "shards", records, holds=True, **self.subjects)
