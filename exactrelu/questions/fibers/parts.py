"""Which members of a fiber are joined by paths: the parts of the fiber of one hidden layer.

The *sides* σ of a member say, for each bend of the function, whether it has neurons on the side +,
on the side −, or on both.  Members with the sides σ are F_σ; the fiber, a closed set of parameters,
is the union of finitely many of them.  σ is *slack* if there is a network with one hidden neuron
less, the same values, and these sides.

**Theorem.**  *If F_σ has a limit point in F_τ, σ ≠ τ, then no bend has + in the one and − in the
other, and σ or τ is slack.*  Its proof is on the page of the rule (``fiber-parts``).  So the
fiber falls into closed sets, hence into unions of connected components: one for each connected
component of the graph of the sides that have members, in which two are beside each other if they
have no opposite signs and one of them is slack.  If the network is minimal, none is.

The other way round paths are made (:mod:`~exactrelu.questions.fibers.paths`).  Where all members
that were built in a part are joined, the parts are told apart completely; else the answer
says what is joined and what is open.

Symbols: σ ``sides``, the bends with both sides Q, k and t as in ``minimal``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any

import networkx as nx
from flint import fmpq

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Certificate, Found, Verdict, claim
from exactrelu.certificates.moves import SideRecords, network_records
from exactrelu.effort import Effort
from exactrelu.network.network import Layer, Network
from exactrelu.questions.fibers.answers import first
from exactrelu.questions.fibers.deep_components import HalfLine
from exactrelu.questions.fibers.members import fill, member, no_member_records
from exactrelu.questions.fibers.minimal import idle, oriented_bends
from exactrelu.questions.fibers.paths import path
from exactrelu.questions.fibers.strata import Stratum, Target, bends_name, stratum_of
from exactrelu.words import PEOPLE, Words

#: Fibers with more strata than this are not listed.
MAX_COMPONENTS = 1 << 16
#: The side of each bend: "+", "-" or "+-".
Sides = tuple[str, ...]


@dataclass(frozen=True)
class SidesOfMembers:
    """Sides that have a member; ``is_slack`` if one has a neuron to spare."""

    sides: Sides
    sample: Network
    is_slack: bool

    @property
    def name(self) -> str:
        """The sides of the bends, as in "+,-" or "+,+-"."""
        return bends_name(self.sides)

    def behind(self, first: Layer) -> SidesOfMembers:
        """The same, of networks with a layer before."""
        return replace(self, sample=Network((first, *self.sample.layers)))


def _sides(item: Any) -> list[Any]:
    """The sides of neurons, or the flips of a half-line."""
    return list(item.flipped if isinstance(item, HalfLine) else item.sides)


def _lines(found: Parts, _: Words) -> Iterator[str]:
    """A line for each part, with what is not known to be joined in it."""
    told = (
        "; perhaps not joined to ".join(
            ", ".join(item.name for item in group) for group in found.joined if group[0] in part
        )
        for part in found.parts
    )
    yield from first(told, len(found.parts))


@dataclass(frozen=True, repr=False)
class Parts(Found):
    """A fiber in parts between which there is no path of members.

    Attributes
    ----------
    parts : tuple of tuples
        Sides of neurons that members have, or half-lines of members, each with a ``name`` and a
        ``sample``; no path leads from one part to another.
    joined : tuple of tuples
        The same; samples of one tuple are joined by paths.
    among : str
        Of which networks paths are meant.
    is_exact : bool
        Whether these are the same.
    certificate : Certificate or None
        That members have no other sides, and that parts are apart.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1], [-1]], [[1, 1]]], [["-1/2", "1/2"], [0]])
    >>> found = er.fiber(net, "box:0..1").parts()
    >>> [[sides.name for sides in part] for part in found.parts], found.is_exact
    ([['+'], ['-'], ['+-']], True)
    """

    PARTS = (
        Part(
            "parts",
            "with `--parts`: the sides of neurons, or the flips, in each part",
            of=lambda found: [list(map(_sides, part)) for part in found.parts],
            proved=True,
            said=_lines,
        ),
        Part(
            "joined",
            "the same in groups whose samples are joined by paths",
            of=lambda found: [list(map(_sides, group)) for group in found.joined],
            unproved="which are joined",
        ),
        Part(
            "samples",
            "with `--parts` a member for each",
            of=lambda found: [item.sample for part in found.parts for item in part],
        ),
    )

    parts: tuple[tuple[Any, ...], ...]
    joined: tuple[tuple[Any, ...], ...]
    among: str
    certificate: Certificate | None

    def sentence(self, _words: Words = PEOPLE) -> str:
        """How many parts there are."""
        reason = f"1 part, of {self.among} with this function"
        if len(self.parts) > 1:
            no_path = f"no path of {self.among} with this function leads from one to another"
            reason = f"{len(self.parts)} parts: {no_path}"
        return (
            reason if self.is_exact else f"{reason}; in some of them not all are known to be joined"
        )

    def told(self, question: str, words: Words) -> list[str]:
        """The parts, and how many they are."""
        opening, *said = super().told(question, words)
        return [*said, opening]

    @property
    def is_exact(self) -> bool:
        """Whether the samples of each part are joined by paths."""
        return len(self.parts) == len(self.joined)


def _certificate(
    target: Target, network: Network, parts: Sequence[Sequence[SidesOfMembers]]
) -> Certificate:
    """Claim ``fiber-parts`` by ``cases``."""
    part = {s.sides: i for i, listed in enumerate(parts) for s in listed}
    records = [*SideRecords(target.sides).of(network)]
    for sides in _all_sides(target):
        own = part.get(sides)
        beside = {part[other] for other in part if are_beside(sides, other)}
        left = target.n_spare - sides.count("+-") - (own is not None)
        if left >= 0 and (own is None or beside != {own}):
            records += _no_member(target, sides, left)
    about: dict[str, Any] = {"network": network, "domain": target.place}
    listed = [[list(s.sides) for s in found] for found in parts]
    return claim("fiber-parts", "cases", records, **about, parts=listed)


def find_parts(target: Target, network: Network, effort: Effort) -> Parts:
    """The parts of a fiber, as far as they are known."""
    effort = effort.unless_given(components=MAX_COMPONENTS)
    spare, m = target.n_spare, len(target.bends)
    effort.expect("components", sum(comb(m, q) << (m - q) for q in range(min(spare, m) + 1)))
    members = {sides: [*_members(target, sides, effort)] for sides in _all_sides(target)}
    known = {sides: listed for sides, listed in members.items() if listed}
    found = [SidesOfMembers(sides, *listed[0]) for sides, listed in known.items()]
    touching = _touching(found)
    paths = nx.Graph()
    paths.add_nodes_from(range(len(found)))
    for component in nx.connected_components(touching):
        _join_samples(target, found, touching, component, paths, effort)
        _join_others(target, found, [*known.values()], component, paths, effort)
    parts = _grouped(touching, found)
    certificate = _certificate(target, network, parts)
    return Parts(parts, _grouped(paths, found), "networks", certificate)


def _touching(found: Sequence[SidesOfMembers]) -> nx.Graph:
    """The graph of the theorem: sides that are beside each other, one of them slack."""
    graph = nx.Graph()
    graph.add_nodes_from(range(len(found)))
    for i, a in enumerate(found):
        for j, b in enumerate(found[:i]):
            if (a.is_slack or b.is_slack) and are_beside(a.sides, b.sides):
                graph.add_edge(i, j)
    return graph


def _join_samples(
    target: Target,
    found: Sequence[SidesOfMembers],
    touching: nx.Graph,
    component: Collection[int],
    paths: nx.Graph,
    effort: Effort,
) -> None:
    """Join the samples of a component by paths, those that touch first."""
    near = [edge for edge in touching.edges if edge[0] in component]
    far = [(i, j) for i in component for j in component if i < j]
    for i, j in (*near, *far):
        if not nx.has_path(paths, i, j):
            effort.spend()
            if path(target, found[i].sample, found[j].sample, effort) is not None:
                paths.add_edge(i, j)


def _join_others(
    target: Target,
    found: list[SidesOfMembers],
    members: Sequence[Sequence[tuple[Network, bool]]],
    component: Collection[int],
    paths: nx.Graph,
    effort: Effort,
) -> None:
    """Take another sample where one is joined and the first one is not."""
    for i in component:
        others = [j for j in component if j != i] if not paths[i] else []
        for sample, _ in members[i][1:]:
            joined = [j for j in others if path(target, sample, found[j].sample, effort)]
            if joined:
                found[i] = replace(found[i], sample=sample)
                paths.add_edges_from((i, j) for j in joined)
                break


def _grouped(
    graph: nx.Graph, found: Sequence[SidesOfMembers]
) -> tuple[tuple[SidesOfMembers, ...], ...]:
    groups = sorted(sorted(group) for group in nx.connected_components(graph))
    return tuple(tuple(found[i] for i in group) for group in groups)


def sides_of(target: Target, network: Network) -> Sides:
    """The sides of a member."""
    return tuple("".join(sorted(set(signs))) for signs in stratum_of(target, network).bends)


def are_beside(a: Sides, b: Sides) -> bool:
    """Whether no bend has + in the one and − in the other."""
    return all({x, y} != {"+", "-"} for x, y in zip(a, b, strict=True))


def _all_sides(target: Target) -> Iterator[Sides]:
    """All sides that a network of these widths can have, in the order of the checker."""
    for n_mixed in range(target.n_spare + 1):
        yield from oriented_bends(len(target.bends), n_mixed)


def _members(target: Target, sides: Sides, effort: Effort) -> Iterator[tuple[Network, bool]]:
    """Members with some sides, of different kinds, and whether one has a neuron to spare.

    Those come first.
    """
    left = target.n_spare - sides.count("+-")
    for n_dead in sorted(range(left + 1), key=lambda n: (n == 0, n)):
        for t in range((left - n_dead) // 2 + 1):
            k = left - n_dead - 2 * t
            if k and target.is_everywhere:
                continue
            effort.spend()
            stratum = Stratum(sides, k, n_dead, ("+-",) * t)
            filling = fill(target, stratum, None, effort)
            if filling is not None:
                yield member(target, stratum, filling, [fmpq(1)] * k), n_dead > 0


def _no_member(target: Target, sides: Sides, left: int) -> list[str]:
    records = []
    for k, t in idle(target, left):
        proof = no_member_records(target, sides, k, t)
        if proof is None:
            raise ArithmeticError("sides without member and without proof: a bug")
        records += proof
    return records


def joined_by_path(target: Target, x: Network, y: Network, found: Parts, effort: Effort) -> Verdict:
    """Whether a path of members leads from x to y, both members; its corners are the witness."""
    for line in (path(target, x, y, effort), _through_samples(target, x, y, found, effort)):
        if line is not None:
            n = len(line)
            reason = f"{n} networks with a segment of such networks from one to the next"
            return Verdict(True, reason, tuple(line), _corners(target, x, line))
    names = [
        next((i, s.name) for i, part in enumerate(found.parts) for s in part if s.sides == sides)
        for sides in (sides_of(target, x), sides_of(target, y))
    ]
    (i, ours), (j, theirs) = names
    if i != j:
        reason = f"no path of such networks leads from the sides {ours} to {theirs}"
        return Verdict(False, reason, None, found.certificate)
    return Verdict(None, "no path was found, and nothing that forbids one")


def _through_samples(
    target: Target, x: Network, y: Network, found: Parts, effort: Effort
) -> list[Network] | None:
    """A path from x to a sample and from there to y."""
    for s in (s for part in found.parts for s in part):
        effort.spend()
        first = path(target, x, s.sample, effort)
        second = path(target, first[-1], y, effort) if first else None
        if first and second:
            return [*first, *second[1:]]
    return None


def _corners(target: Target, network: Network, corners: Sequence[Network]) -> Certificate:
    """Claim ``fiber-strata``: all corners are members."""
    sides = SideRecords(target.sides)
    records = [*sides.of(network)]
    for corner in corners:
        records += [*network_records(corner), *sides.of(corner)]
    strata = [stratum_of(target, corner).subject for corner in corners]
    about: dict[str, Any] = {"network": network, "domain": target.place}
    return claim("fiber-strata", "members", records, **about, nonempty=strata, empty=[])
