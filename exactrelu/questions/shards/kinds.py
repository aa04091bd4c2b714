"""Questions that can be asked piece by piece, and how their answers fit together.

*Cells*: numbers of regions, or of faces of each dimension, add up over open pieces
(:mod:`exactrelu.cells.pieces`).  *Everywhere*: what is true at every point of a domain, that a
network is transparent, that two are equal, that a property holds, is true if it is so on closed
parts.  These are cut by neurons of the first layers that have both signs there, boxes in the middle
of their longest side.

The claim about a piece is that about the whole with another domain, D_i, written as the checker
writes it (``proofs/FORMAT.md``): the rows of D, and those of the cuts.  A piece with more things to
count than its size is cut further.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Any, NamedTuple, Protocol

from flint import fmpq

from exactrelu.cells.faces import Elimination, Face
from exactrelu.cells.pieces import Piece, halved
from exactrelu.cells.regions import prove_regions
from exactrelu.cells.tree import Inner, Region
from exactrelu.certificates.certificate import Certificate, Verdict, claim, encoded, record
from exactrelu.certificates.face_trees import FaceWriter
from exactrelu.certificates.trees import TreeWriter
from exactrelu.effort import Effort, Stopped
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import IntegerRow, integer_row
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.relative_interior import ends_of_box
from exactrelu.questions.activity import is_transparent
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.properties.decide import decide
from exactrelu.questions.properties.property import Property

#: A piece is cut so often at a time if nothing is known of its size, and at most.
SOME_CUTS, MOST_CUTS = 2, 7


class Proved(NamedTuple):
    """A piece: what was counted on it, and the proof."""

    numbers: tuple[int, ...]
    certificate: Certificate


class TooLarge(NamedTuple):
    """A piece that should be cut so often."""

    n_cuts: int


class Fails(NamedTuple):
    """What is asked is not true on a piece, and so not on the whole: the answer there."""

    verdict: Verdict


Answer = Proved | TooLarge | Fails
#: A node of the tree of pieces: what the manifest says of it, or a piece.
Nodes = Iterator[Any]


class Shardable(Protocol):
    """A question that can be asked piece by piece."""

    @property
    def kind(self) -> str:
        """The kind of the claim."""

    @property
    def things(self) -> str:
        """What is counted to know how large a piece is."""

    @property
    def size(self) -> int:
        """How many of these a piece has at most, if nothing is said."""

    @property
    def subjects(self) -> dict[str, Any]:
        """What the claim is about, without numbers."""

    def whole(self) -> Any:
        """The piece that is all of the domain."""

    def domain(self, piece: Any) -> Domain:
        """The domain that a piece is."""

    def ask(self, piece: Any, effort: Effort) -> Answer:
        """The answer on a piece; raises :class:`Stopped` over a bound of time or memory."""

    def parts(self, piece: Any, n_cuts: int, effort: Effort) -> Nodes:
        """The nodes below a piece: those of the tree, and pieces, in preorder."""

    def is_piece(self, node: Any) -> bool:
        """Whether a node is a piece."""

    def writer(self) -> Writer:
        """Who writes the manifest."""

    def numbers(self, node: Any) -> tuple[int, ...]:
        """What a leaf of the tree counts that is no piece."""

    def manifest(self, records: Sequence[str], numbers: tuple[int, ...]) -> Certificate:
        """The claim about the whole."""


class Writer(Protocol):
    """Writes the records of a manifest, node by node."""

    def records(self, node: Any) -> Iterator[str]:
        """The records of a node that is no piece."""

    def shard(self, numbers: Sequence[int]) -> str:
        """The record of a piece."""


# --- Cells: numbers add up


@dataclass(frozen=True)
class _Cells:
    """A network on a domain, cut into open pieces by its neurons."""

    network: Network
    place: Domain

    @property
    def subjects(self) -> dict[str, Any]:
        """The network and the domain."""
        return {"network": self.network, "domain": self.place}

    def whole(self) -> Piece:
        """All of the relative interior."""
        return Piece(self.place.inside)

    def is_piece(self, node: Any) -> bool:
        """Whether a node is a piece."""
        return isinstance(node, Piece)

    def domain(self, piece: Piece) -> Domain:
        """The rows of the domain, and those of the cuts over x, solved for an equation."""
        n, n_base = self.place.dimension, len(self.place.inside.rows)
        cuts = [integer_row(r.flint_normal, r.flint_offset)[0] for r in piece.system.rows[n_base:]]
        rows = list(self.place.system.rows)
        if piece.equation is not None:
            solve = Elimination(piece.equation)
            rows.append(self._row(piece.equation, Sense.EQUAL))
            solved = ((x[: solve.pivot], x[solve.pivot :]) for x in map(solve.rewrite, cuts))
            cuts = [(*before, 0, *after) for before, after in solved]
        rows += (self._row(cut, Sense.GREATER) for cut in cuts if any(cut[:-1]))
        return Domain.of(LinearSystem(n, tuple(rows)), n)

    def _row(self, row: IntegerRow, sense: Sense) -> Row:
        *normal, offset = self.place.lift_row(tuple(map(fmpq, row)))
        return Row(tuple(normal), offset, sense)


class RegionPieces(_Cells):
    """The number of activation regions."""

    kind, things, size = "regions", "regions", 20_000

    def ask(self, piece: Piece, effort: Effort) -> Answer:
        """The regions of a piece, with the split tree."""
        domain = self.domain(piece)
        restricted = domain.restricted(self.network)
        try:
            walked = prove_regions(restricted, domain.inside, effort, piece.signs)
            writer = TreeWriter(self.network, domain, walked=walked.network)
            records: list[str] = []
            for node in walked.nodes:
                if isinstance(node, Region):
                    effort.spend("regions")
                records += writer.records(node)
        except Stopped:
            if effort.left("regions") != 0:
                raise
            return TooLarge(_cuts_for(restricted, effort))
        n = effort.counts["regions"]
        subjects: dict[str, Any] = {"network": self.network, "domain": domain, "count": n}
        return Proved((n,), claim("regions", "cells", records, **subjects, sense="exactly"))

    def parts(self, piece: Piece, n_cuts: int, effort: Effort) -> Nodes:
        """The tree of the piece, down to so many cuts."""
        return piece.parts(self.place.restricted(self.network), n_cuts, effort)

    def writer(self) -> TreeWriter:
        """The writer of split trees."""
        return TreeWriter(self.network, self.place)

    def numbers(self, node: Inner | Region) -> tuple[int, ...]:
        """One for a region."""
        return (int(isinstance(node, Region)),)

    def manifest(self, records: Sequence[str], numbers: tuple[int, ...]) -> Certificate:
        """The number of regions on the whole."""
        (n,) = numbers
        return claim("regions", "shards", records, **self.subjects, count=n, sense="exactly")


class FacePieces(_Cells):
    """The numbers of faces of each dimension."""

    kind, things, size = "complex", "faces", 20_000

    def ask(self, piece: Piece, effort: Effort) -> Answer:
        """The faces of a piece, with their tree; a wall is never too large."""
        if piece.equation is not None:
            effort = effort.apart()
            effort.most.pop("faces", None)
        found = polyhedral_complex(self.network, self.domain(piece), effort=effort)
        if found.certificate is None:
            return _unanswered(found.reason, effort, "faces")
        return Proved(tuple(found.certificate.fields["counts"]), found.certificate)

    def parts(self, piece: Piece, n_cuts: int, effort: Effort) -> Nodes:
        """The tree of the piece, with walls, down to so many cuts."""
        return piece.parts(self.place.restricted(self.network), n_cuts, effort, zero_sets=True)

    def writer(self) -> FaceWriter:
        """The writer of trees of faces."""
        return FaceWriter(self.network, self.place)

    def numbers(self, node: Inner | Face) -> tuple[int, ...]:
        """One, at its dimension, for a face."""
        dimension = node.dimension if isinstance(node, Face) else None
        return tuple(int(k == dimension) for k in range(self.place.dimension + 1))

    def manifest(self, records: Sequence[str], numbers: tuple[int, ...]) -> Certificate:
        """The numbers of faces on the whole."""
        return claim("complex", "shards", records, **self.subjects, counts=list(numbers))


def _cuts_for(network: Network, effort: Effort) -> int:
    """How often a piece is cut whose regions were too many after some of its cuts.

    Regions grow like the number of cuts to the power of the number of inputs.
    """
    n_done, n_all = effort.counts["cuts"], network.n_hidden_neurons
    if not 0 < n_done < n_all:
        return SOME_CUTS
    return min(MOST_CUTS, 1 + ceil(network.n_inputs * log2(n_all / n_done)))


def _unanswered(reason: str, effort: Effort, things: str) -> TooLarge:
    """A piece that is too large; any other bound is over."""
    if effort.left(things) != 0:
        effort.spend()
        raise Stopped(reason)
    return TooLarge(SOME_CUTS)


# --- Everywhere: true on each of some closed parts


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
    size = 500

    def whole(self) -> LinearSystem:
        """All of the domain, in the coordinates of its hull."""
        return self.place.on_hull

    def is_piece(self, node: Any) -> bool:
        """Whether a node is a part, and no cut."""
        return isinstance(node, LinearSystem)

    def domain(self, piece: LinearSystem) -> Domain:
        """The rows of the domain, and those of the cuts over x."""
        n, rows = self.place.dimension, list(self.place.system.rows)
        for row in piece.rows[len(self.place.on_hull.rows) :]:
            *normal, offset = self.place.lift_row((*row.flint_normal, row.flint_offset))
            rows.append(Row(tuple(normal), offset))
        return Domain.of(LinearSystem(n, tuple(rows)), n)

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

    def writer(self) -> Writer:
        """The writer of cuts."""
        return _CutWriter()

    def numbers(self, node: Any) -> tuple[int, ...]:
        """Nothing is counted."""
        return ()

    @property
    def subjects(self) -> dict[str, Any]:
        """What it is about."""
        raise NotImplementedError

    def _found(self, verdict: Verdict, effort: Effort, things: str) -> Answer:
        if verdict.answer is None:
            return _unanswered(verdict.reason, effort, things)
        if verdict.certificate is None:
            raise ArithmeticError("an answer without a certificate: a bug")
        return Proved((), verdict.certificate) if verdict.answer else Fails(verdict)


def _across(dimension: int, axis: int, value: fmpq) -> IntegerRow:
    """x_axis − value as an integer row."""
    normal = tuple(fmpq(int(j == axis)) for j in range(dimension))
    return integer_row(normal, -value)[0]


@dataclass(frozen=True)
class TransparentPieces(_Everywhere):
    """Every hidden layer has an active neuron at every point."""

    network: Network
    kind, things = "transparent", "regions"

    @property
    def subjects(self) -> dict[str, Any]:
        """The network and the domain."""
        return {"network": self.network, "domain": self.place}

    def _networks(self) -> Sequence[Network]:
        return [self.network]

    def ask(self, piece: LinearSystem, effort: Effort) -> Answer:
        """Whether it is so on a part."""
        return self._found(
            is_transparent(self.network, self.domain(piece), effort=effort), effort, "regions"
        )

    def manifest(self, records: Sequence[str], numbers: tuple[int, ...]) -> Certificate:
        """It is so on the whole."""
        return claim("transparent", "shards", records, holds=True, **self.subjects)


@dataclass(frozen=True)
class EqualPieces(_Everywhere):
    """Two networks have the same value at every point."""

    a: Network
    b: Network
    kind, things = "equal", "regions"

    @property
    def subjects(self) -> dict[str, Any]:
        """The networks and the domain."""
        return {"a": self.a, "b": self.b, "domain": self.place}

    def _networks(self) -> Sequence[Network]:
        return [self.a, self.b]

    def ask(self, piece: LinearSystem, effort: Effort) -> Answer:
        """Whether they are equal on a part."""
        return self._found(
            equivalent(self.a, self.b, self.domain(piece), effort=effort), effort, "regions"
        )

    def manifest(self, records: Sequence[str], numbers: tuple[int, ...]) -> Certificate:
        """They are equal on the whole."""
        return claim("equal", "shards", records, holds=True, **self.subjects)


@dataclass(frozen=True)
class PropertyPieces(_Everywhere):
    """A property holds."""

    asked: Property
    kind, things = "property", "boxes"

    @property
    def subjects(self) -> dict[str, Any]:
        """What the property is about."""
        return self.asked.statement[1]

    def _networks(self) -> Sequence[Network]:
        return [self.asked.joined]

    def ask(self, piece: LinearSystem, effort: Effort) -> Answer:
        """Whether it holds on a part."""
        part = Property(self.asked.networks, self.domain(piece), self.asked.cases)
        return self._found(decide(part, effort=effort), effort, "boxes")

    def manifest(self, records: Sequence[str], numbers: tuple[int, ...]) -> Certificate:
        """It holds on the whole."""
        return claim("property", "shards", records, holds=True, **self.subjects)


def asked_of(question: Shardable, size: int) -> Any:
    """What the pieces in a folder are about, as JSON."""
    subjects = {name: encoded(value) for name, value in question.subjects.items()}
    return {"kind": question.kind, "size": size, "subjects": subjects}
