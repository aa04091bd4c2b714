"""Regions and faces, counted piece by piece: numbers add up over open pieces.

The pieces are cells of the first cuts (:mod:`exactrelu.cells.pieces`).  Every region lies in one of
them, and is a region of the network there; where zero sets are kept so does every face.

What is known of signs of a large network is known on the whole, where the pieces are cut, and once
more on each piece, whose claim stands alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exactrelu.cells.faces import Elimination, Face
from exactrelu.cells.pieces import OpenPiece, n_cuts_for
from exactrelu.cells.portfolio import known_of_many
from exactrelu.cells.regions import prove_regions
from exactrelu.cells.tree import Inner, Region
from exactrelu.certificates.certificate import Certificate, claim
from exactrelu.certificates.face_trees import FaceWriter
from exactrelu.certificates.opening import opening, writer_of
from exactrelu.certificates.trees import TreeWriter
from exactrelu.certificates.walked import walked_records
from exactrelu.effort import Effort, Stopped
from exactrelu.exact.system import Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import integer_row
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.shards.answers import CountedFaces, CountedRegions
from exactrelu.questions.shards.kinds import (
    Answer,
    Nodes,
    PieceTooLarge,
    Proved,
    part_of,
    unanswered,
)


@dataclass(frozen=True)
class _NetworkPieces:
    """A network on a domain, cut into open pieces by its neurons."""

    network: Network
    place: Domain

    @property
    def subjects(self) -> dict[str, Any]:
        """The network and the domain."""
        return {"network": self.network, "domain": self.place}

    def whole(self, effort: Effort) -> tuple[OpenPiece, list[str]]:
        """All of the relative interior, and the signs that are known there."""
        found = known_of_many(self.network, self.place, effort)
        return OpenPiece(self.place.inside, found.signs if found else ()), opening([found], effort)

    def is_piece(self, node: Any) -> bool:
        """Whether a node is a piece."""
        return isinstance(node, OpenPiece)

    def domain(self, piece: OpenPiece) -> Domain:
        """The rows of the domain, and those of the cuts over x, solved for an equation."""
        n_base = len(self.place.inside.rows)
        cuts = [integer_row(r.flint_normal, r.flint_offset)[0] for r in piece.system.rows[n_base:]]
        equations = [] if piece.equation is None else [piece.equation]
        for equation in equations:
            solve = Elimination(equation)
            solved = ((x[: solve.pivot], x[solve.pivot :]) for x in map(solve.rewrite, cuts))
            cuts = [(*before, 0, *after) for before, after in solved]
        return part_of(self.place, equations, cuts, Sense.GREATER)


class RegionPieces(_NetworkPieces):
    """The number of activation regions."""

    kind, things, size = "regions", "regions", 20_000
    answers, nothing = CountedRegions, (0,)

    def ask(self, piece: OpenPiece, effort: Effort) -> Answer:
        """The regions of a piece, with the split tree."""
        domain = self.domain(piece)
        signs = known_of_many(self.network, domain, effort)
        restricted = signs.reduced.restricted
        before = signs.reduced.taken(piece.signs) if piece.signs else ()
        try:
            walked = prove_regions(restricted, domain.inside, effort, before)
            writer = writer_of(signs, walked.network)
            records = opening([signs], effort)
            for lines, _ in walked_records(writer, walked, effort):
                records += lines
        except Stopped:
            if effort.left("regions") != 0:
                raise
            return PieceTooLarge(n_cuts_for(restricted, effort))
        n = effort.counts["regions"]
        subjects: dict[str, Any] = {"network": self.network, "domain": domain, "count": n}
        return Proved((n,), claim("regions", "cells", records, **subjects, sense="exactly"))

    def parts(self, piece: OpenPiece, n_cuts: int, effort: Effort) -> Nodes:
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
        n = sum(numbers)
        return claim("regions", "shards", records, **self.subjects, count=n, sense="exactly")


class FacePieces(_NetworkPieces):
    """The numbers of faces of each dimension."""

    kind, things, size = "complex", "faces", 20_000
    answers = CountedFaces

    @property
    def nothing(self) -> tuple[int, ...]:
        """No faces of any dimension."""
        return (0,) * (self.place.dimension + 1)

    def ask(self, piece: OpenPiece, effort: Effort) -> Answer:
        """The faces of a piece, with their tree; a wall is never too large."""
        if piece.equation is not None:
            effort = effort.apart()
            effort.most.pop("faces", None)
        found = polyhedral_complex(self.network, self.domain(piece), effort=effort)
        if found.certificate is None:
            return unanswered(found.reason, effort, "faces")
        return Proved(tuple(found.certificate.fields["counts"]), found.certificate)

    def parts(self, piece: OpenPiece, n_cuts: int, effort: Effort) -> Nodes:
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
