"""Questions that can be asked piece by piece: what a piece answers, and what a kind has to know.

*Counted* (:mod:`.counted`): numbers of regions, or of faces of each dimension, add up over open
pieces.  *Everywhere* (:mod:`.everywhere`): what is true at every point of a domain is true if it is
so on closed parts.

The claim about a piece is that about the whole with another domain, D_i, written as the checker
writes it (``proofs/FORMAT.md``): the rows of D, and those of the cuts.  A piece with more things to
count than its size is cut further.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

from flint import fmpq

from exactrelu.cells.pieces import SOME_CUTS
from exactrelu.certificates.certificate import Certificate, Verdict, encoded
from exactrelu.effort import Effort, Stopped
from exactrelu.exact.system import LinearSystem, Row, Sense, row_of_integers
from exactrelu.polyhedra.answers import IntegerRow
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.shards.answers import Sharded


class Proved(NamedTuple):
    """A piece: what was counted on it, and the proof."""

    numbers: tuple[int, ...]
    certificate: Certificate


class PieceTooLarge(NamedTuple):
    """A piece that should be cut so often."""

    n_cuts: int


class Fails(NamedTuple):
    """What is asked is not true on a piece, and so not on the whole: the answer there."""

    verdict: Verdict


Answer = Proved | PieceTooLarge | Fails
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
    def answers(self) -> type[Sharded]:
        """The class of its answers."""

    @property
    def nothing(self) -> tuple[int, ...]:
        """The numbers before any piece is counted."""

    @property
    def subjects(self) -> dict[str, Any]:
        """What the claim is about, without numbers."""

    def whole(self, effort: Effort) -> tuple[Any, list[str]]:
        """The piece that is all of the domain, and the first records of its manifest."""

    def domain(self, piece: Any) -> Domain:
        """The domain that a piece is."""

    def ask(self, piece: Any, effort: Effort) -> Answer:
        """The answer on a piece; raises :class:`Stopped` over a bound of time or memory."""

    def parts(self, piece: Any, n_cuts: int, effort: Effort) -> Nodes:
        """The nodes below a piece: those of the tree, and pieces, in preorder."""

    def is_piece(self, node: Any) -> bool:
        """Whether a node is a piece."""

    def writer(self) -> ManifestWriter:
        """Who writes the manifest."""

    def numbers(self, node: Any) -> tuple[int, ...]:
        """What a leaf of the tree counts that is no piece."""

    def manifest(self, records: Sequence[str], numbers: tuple[int, ...]) -> Certificate:
        """The claim about the whole."""


class ManifestWriter(Protocol):
    """Writes the records of a manifest, node by node."""

    def records(self, node: Any) -> Iterable[str]:
        """The records of a node that is no piece."""

    def shard(self, numbers: Sequence[int]) -> str:
        """The record of a piece."""


def part_of(
    place: Domain, equations: Sequence[IntegerRow], cuts: Sequence[IntegerRow], sense: Sense
) -> Domain:
    """The part of a domain where rows over its coordinates t are 0, and others have a sense.

    Its rows are those that the checker writes: the equations of its hull, each solved for a
    coordinate of x, the other rows of the domain, and the cuts that are not constant.
    """
    n = place.dimension
    own = [row_of_integers(r, Sense(s)) for s, r in place.rows]
    rows = [_over_x(place, row, sense) for row in cuts if any(row[:-1])]
    given = (*own, *(_over_x(place, row, Sense.EQUAL) for row in equations), *rows)
    found = Domain.of(LinearSystem(n, given), n)
    hull = [Row(tuple(e[:-1]), e[-1], Sense.EQUAL) for e in found.flint_equations]
    others = (row for row in own if row.sense is not Sense.EQUAL)
    system = LinearSystem(n, (*hull, *others, *rows))
    return Domain(system, found.flint_point, tuple(range(len(hull))))


def _over_x(place: Domain, row: IntegerRow, sense: Sense) -> Row:
    """A row over t as one over x, which looks at free coordinates only."""
    *normal, offset = place.lift_row(tuple(map(fmpq, row)))
    return Row(tuple(normal), offset, sense)


def unanswered(reason: str, effort: Effort, things: str) -> PieceTooLarge:
    """A piece that is too large; any other bound is over."""
    if effort.left(things) != 0:
        effort.spend()
        raise Stopped(reason)
    return PieceTooLarge(SOME_CUTS)


def asked_of(question: Shardable, size: int) -> Any:
    """What the pieces in a folder are about, as JSON."""
    subjects = {name: encoded(value) for name, value in question.subjects.items()}
    return {"kind": question.kind, "size": size, "subjects": subjects}
