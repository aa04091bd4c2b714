"""The signs that a proof opens with: what is known on all of a domain, and why.

A tree of some networks on a domain may begin with records that show signs of neurons there
(*Known signs* in ``proofs/FORMAT.md``; the rule is ``proofs/rules/roles.md``):

    bounds s…                  bounds on the box of the domain, which the checker computes
    decided s…  tree  shown…   cells of one network, on each of which neurons have one sign; or one
                               cell, the domain, where linear programs show them

They are those of a :class:`~exactrelu.cells.knowledge.Knowledge`, whose proofs rest on each other:
the tree of a ``decided`` is that of the network without what was settled before, written about the
network itself.

The claim ``roles`` says them on their own, and of which neurons points show that they bend.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from exactrelu.cells.knowledge import Knowledge, ShownSigns, Unit
from exactrelu.cells.pairs import is_affine
from exactrelu.cells.portfolio import KnowledgeStage, has_many_neurons, known
from exactrelu.cells.regions import prove_regions, uncut_sides
from exactrelu.certificates.certificate import Certificate, claim, point_record, record
from exactrelu.certificates.trees import TreeWriter
from exactrelu.certificates.walked import walked_records
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


def opening(signs: Sequence[Knowledge], effort: Effort = UNLIMITED) -> list[str]:
    """The first records of a tree of some networks on a domain, of which signs are known.

    There is a knowledge for each network of the tree, in their order, all on its domain.

    >>> net = Network.from_arrays([[[1], [1], [1]], [[1, 1, 1]]], [[2, -2, 0], [0]])
    >>> found = known(net, Domain.of("box:-1..1", 1))
    >>> opening([found]), opening([found, found])
    (['bounds 1 2'], ['bounds 1 2 7 8'])
    """
    starts = accumulate((sum(one.network.hidden_widths) for one in signs), initial=0)
    pairs = list(zip(signs, starts, strict=False))
    by_bounds: list[int] = []
    trees: list[str] = []
    for one, first in pairs:
        for k, shown in enumerate(one.proofs):
            numbers = _numbers(one.network, shown, first)
            if shown.by == "bounds":
                by_bounds += numbers
            else:
                trees.append(record("decided", *numbers))
                trees += (_uncut if shown.by == "sides" else _decided)(one.before(k), effort)
    return ([record("bounds", *by_bounds)] if by_bounds else []) + trees


def _numbers(network: Network, shown: ShownSigns, first: int) -> list[int]:
    """2k + (1 if +) for the number k of each neuron, counted from a first one."""
    starts = list(accumulate(network.hidden_widths, initial=first))
    return [2 * (starts[l] + i) + (sign > 0) for (l, i), sign in sorted(shown.signs.items())]


def _decided(before: Knowledge, effort: Effort) -> Iterator[str]:
    """The tree of the cells of what is left by what was known before."""
    reduced, domain = before.reduced, before.domain
    walked = prove_regions(reduced.restricted, domain.inside, effort)
    writer = writer_of(before, walked.network)
    # These cells are none of those that a question counts.
    for lines, _ in walked_records(writer, walked, effort.apart(regions=None)):
        effort.spend()
        yield from ("shown" if line.startswith("cell") else line for line in lines)


def _uncut(before: Knowledge, effort: Effort) -> Iterator[str]:
    """A tree that is its root, where linear programs show signs."""
    writer = writer_of(before)
    for node in uncut_sides(before.reduced.restricted, before.domain.inside, effort):
        yield from writer.records(node)
    yield "shown"


def writer_of(found: Knowledge, walked: Network | None = None) -> TreeWriter:
    """The writer of a tree of the reduced network, in t, as one of the given network.

    ``walked`` is another network than the reduced one, with its units, in whose integers rows are.
    """
    restricted = found.reduced.restricted if walked is None else walked
    return TreeWriter(found.network, found.domain, walked=restricted, units=found.reduced.units)


@dataclass(frozen=True, repr=False)
class KnownPair:
    """What is known of the signs of two networks on one domain.

    >>> from exactrelu.polyhedra.domain import Domain
    >>> net = Network.from_arrays([[[1], [1]], [[1, 1]]], [[2, -2], [0]])
    >>> found = KnownPair.of(net, net, Domain.of("box:-1..1", 1))
    >>> found.numbered, found.opening(), found.is_affine()
    ({0: 1, 1: -1, 2: 1, 3: -1}, ['bounds 1 2 5 6'], True)
    """

    left: Knowledge
    right: Knowledge
    #: Whether the difference is affine, once that was asked.
    _affine: list[bool] = field(default_factory=list, compare=False)

    @classmethod
    def of(
        cls,
        a: Network,
        b: Network,
        place: Domain,
        effort: Effort = UNLIMITED,
        stage: KnowledgeStage = KnowledgeStage.BOUNDS,
    ) -> KnownPair:
        """Ask about both."""
        return cls(known(a, place, effort, stage), known(b, place, effort, stage))

    @classmethod
    def sought(cls, a: Network, b: Network, place: Domain, effort: Effort = UNLIMITED) -> KnownPair:
        """As much as pays: of large networks cells too, unless bounds leave nothing to cut."""
        found = cls.of(a, b, place, effort)
        if not (found and has_many_neurons(a, b)) or found.is_affine(effort):
            return found
        return cls.of(a, b, place, effort, KnowledgeStage.CELLS)

    def __bool__(self) -> bool:
        """Whether anything is known."""
        return bool(self.left or self.right)

    @property
    def numbered(self) -> dict[int, int]:
        """The signs by the number of the unit through both networks."""
        n = sum(self.left.network.hidden_widths)
        return {**self.left.numbered(), **self.right.numbered(n)}

    @property
    def is_mostly_settled(self) -> bool:
        """Whether more neurons have a sign than have none."""
        return sum(one.n_settled - one.n_left for one in (self.left, self.right)) > 0

    def opening(self, effort: Effort = UNLIMITED) -> list[str]:
        """The first records of a tree of both."""
        return opening([self.left, self.right], effort)

    def is_affine(self, effort: Effort = UNLIMITED) -> bool:
        """Whether the difference is affine on the domain, as far as is seen without a search."""
        if not self._affine:
            a, b, place = self.left.network, self.right.network, self.left.domain
            self._affine.append(is_affine(a, b, place, self.numbered, effort))
        return self._affine[0]


def roles_claim(found: Knowledge, effort: Effort = UNLIMITED) -> Certificate:
    """Claim ``roles``: the signs that are known, and the neurons that bend, by points."""
    records = [*opening([found], effort), "bent"]
    records += [point_record("point", x) for x in found.points]
    about: dict[str, Any] = {"network": found.network, "domain": found.domain}
    letters = [
        "".join(
            "=" if is_linear else _letter(found, (l, i)) for i, is_linear in enumerate(layer.passes)
        )
        for l, layer in enumerate(found.network.layers[:-1])
    ]
    return claim("roles", "signs", records, **about, roles=letters)


def _letter(found: Knowledge, unit: Unit) -> str:
    sign = found.settled.get(unit)
    if sign is None:
        return "*" if unit in found.bent else "?"
    return "+" if sign > 0 else "-"
