"""What is decided on the faces of the canonical complex of a network.

**Honest** networks (theory 2.4): where several layers meet, the breakpoint complex bends.  A ridge
of the breakpoint complex is *dishonest* if every visible facet at it goes on straight with the
same jump although neurons of more than one layer bend on the facets of the canonical complex
around it.

**Cancellation-free** networks (theory 2.4): no jump is 0 without a dead layer as the reason.  A
facet is *cancelled* if the Jacobian does not jump across it although every layer after the first
one that bends on it has a neuron that is strictly active on the facet.

Why these layers: on a facet in one bent hyperplane only, that of (l, j), the jump is u nᵀ with
u = W_L I_{L−1} … I_{l+1} W_{l+1} e_j and nᵀ = e_jᵀ W_l I_{l−1} … W_1 (theory 2.3).  If a layer
before l had no active neuron there, n would be 0 and there would be no facet; layer l itself
takes part by neuron j alone, active or not.  So u = 0 is excused by a later layer without active
neurons, and by nothing else; with masked ranks (theory 2.2b) it then is the only way to 0.  Where
several layers bend on one facet, which only happens without supertransversality, l is the first
of them.

**Supertransversality** (theory 2.2a): a face of codimension k lies in exactly k bent hyperplanes.
A preactivation that is 0 on a full-dimensional cell is a violation: 1 > 0.  So a network is
supertransversal iff on every face the number of neurons that are 0 is its codimension.  Two
algorithms: all faces, with proof; and on all of space the vertices, which decide it alone
(:mod:`exactrelu.cells.overfull`) in the time of listing the regions.  A violation is proved by
one point and one dependency.

**Zero is no local optimum value** of a preactivation: part of *general* networks (theory 4).  Let
z be a preactivation that is 0 on a face F.  Near a point of F the signs that z takes are those on
the faces whose closures contain F, and where z is positive or negative on one of these it is so
on a full-dimensional cell beside it.  So 0 is a local minimum or maximum (strict or not) on F iff
z is negative, or positive, on none of the cells around F.  A preactivation that is 0 on a cell
counts as an optimum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from exactrelu.answer import Part
from exactrelu.cells.facets import neighbourhood, zero_optima
from exactrelu.cells.overfull import overfull_face, overfull_vertices
from exactrelu.certificates.certificate import Certificate, Verdict, claim
from exactrelu.certificates.face_trees import overfull_records, part_records
from exactrelu.digits import say
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.exact.scalar import Vector
from exactrelu.network.network import Network, PlainNetwork
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.complex import PolyhedralComplex, polyhedral_complex
from exactrelu.questions.question import Answer, Call, as_it_is, question

#: The seconds for a last look at the faces that were found when the time was over.
GRACE = 0.5


def undecided_after(reason: str, n: int, thing: str = "face") -> Verdict:
    """Nothing is decided by so many things."""
    return Verdict(None, f"{reason}: {n:,} {thing}{'' if n == 1 else 's'} so far")


def too_few(found: PolyhedralComplex) -> Verdict:
    """The verdict where too few faces were found."""
    return Verdict(None, found.so_far)


def by_all_faces(
    found: PolyhedralComplex, kind: str, reason: str, *, holds: bool = True
) -> Verdict:
    """A yes, as no face fails; undecided if it is not proved that these are all faces."""
    if found.tree is None:
        return too_few(found)
    certificate = found.claim(kind, "faces", found.listed, holds=holds)
    return Verdict(True, f"{reason}{found.words}", certificate=certificate)


def fails_around(found: PolyhedralComplex, kind: str, point: Vector, *, holds: bool) -> Certificate:
    """A claim that is proved by the faces near a point."""
    box = neighbourhood(found.network, point)
    rows = [found.place.lift_row(tuple(map(int, row.flint_integers()))) for row in box.rows]
    records = part_records(found.asked, found.place, rows, found.effort)
    return found.claim(kind, "part", records, holds=holds)


def on_faces(
    call: Call[Answer],
    told: Callable[[Verdict], Answer],
    condition: Callable[[PolyhedralComplex], Verdict],
    network: PlainNetwork,
) -> Answer:
    """A condition on the faces of a network in the relative interior of a domain.

    One of the faces that were found by then may decide it against the network.
    """
    effort, part = call.effort, call.effort.part()
    call.knows(lambda stop: told(undecided_after(str(stop), part.counts["faces"])))
    found = polyhedral_complex(network, call.place, effort=part)
    try:
        effort.spend()
    except Stopped:
        effort = Effort(seconds=GRACE)
    n_faces = len(found.faces)
    call.knows(lambda stop: told(undecided_after(found.reason or str(stop), n_faces)))
    return told(condition(replace(found, effort=effort)))


@dataclass(frozen=True, eq=False, repr=False)
class Failing(Verdict):
    """Whether nothing fails on the faces; the ``witness`` of a no is what does."""

    @property
    def failures(self) -> tuple[Any, ...]:
        """What fails; nothing if the answer is not no."""
        return self.witness or ()


class Honesty(Failing):
    """Whether a network is honest."""

    PARTS = (
        Part(
            "failures",
            "ridges that do not bend, with `pattern`, `dimension`, a `point` and the `layers` "
            "that meet",
            unproved="which ridge it is",
        ),
    )


class Cancellation(Failing):
    """Whether a network is free of cancellation."""

    PARTS = (
        Part(
            "failures",
            "facets at which nothing jumps, with `pattern`, `dimension`, a `point`, the `neurons` "
            "that bend there and the `jump`",
            unproved="which neurons bend there",
        ),
    )


@question(plain="honesty")
def is_honest(
    call: Call[Honesty], network: Network, domain: DomainLike = None, **limits: Unpack[Limits]
) -> Honesty:
    """Whether the breakpoint complex bends wherever bent hyperplanes of several layers meet.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Honesty
        The ``witness`` of a no: the ridges of several layers that do not bend.

    Notes
    -----
    All faces are listed: see :func:`polyhedral_complex`.

    References
    ----------
    *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), Lemma 16: generic networks
    are.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.is_honest(er.load("example:xor")).answer
    True
    >>> net = er.Network.from_arrays(
    ...     [[[1, 0], [0, 1], [0, -1]], [[1, 0, 0], [0, 1, -1]], [[1, 1]]],
    ...     [[0, 0, 0], [0, 0], [0]])
    >>> er.is_honest(net).reason
    'a ridge at (0, 0) of layers 1, 2 does not bend'
    """
    return on_faces(call, Honesty.of, honest_verdict, call.plain(network))


def honest_verdict(found: PolyhedralComplex) -> Verdict:
    """The verdict from all faces."""
    if found.tree is None:
        return too_few(found)
    dishonest = found.dishonest_ridges
    if not dishonest:
        reason = f"none of {len(found.ridges)} ridges of the breakpoint complex is dishonest"
        return by_all_faces(found, "honest", reason)
    ridge = dishonest[0]
    place = say(found.place.flint_lift(ridge.face.flint_point))
    layers = ", ".join(map(str, sorted(ridge.layers)))
    reason = f"a ridge at {place} of layers {layers} does not bend{found.words}"
    certificate = fails_around(found, "honest", ridge.face.flint_point, holds=False)
    return Verdict(False, reason, found.lifted_ridges(dishonest), certificate)


@question(plain="freedom from cancellation")
def is_cancellation_free(
    call: Call[Cancellation], network: Network, domain: DomainLike = None, **limits: Unpack[Limits]
) -> Cancellation:
    """Whether the function bends at every facet after which every layer has an active neuron.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Cancellation
        The ``witness`` of a no: the facets at which jumps cancel.

    Notes
    -----
    All faces are listed: see :func:`polyhedral_complex`.

    References
    ----------
    *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), Lemma 16: generic networks
    are.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1], [-1]], [[1, -1]]], [[0, 0], [0]])
    >>> er.is_cancellation_free(net).reason
    'no jump across a facet in the bent hyperplanes of (1,1), (1,2)'
    """
    return on_faces(call, Cancellation.of, cancellation_free_verdict, call.plain(network))


def cancellation_free_verdict(found: PolyhedralComplex) -> Verdict:
    """The verdict from the faces; they need not be all for a no."""
    cancelled = found.cancelled_facets
    if not cancelled:
        reason = f"none of {len(found.facet_jumps)} facets is cancelled"
        return by_all_faces(found, "cancellation-free", reason)
    first = cancelled[0]
    neurons = ", ".join(f"({l},{i})" for l, i in first.bent_neurons())
    reason = f"no jump across a facet in the bent hyperplanes of {neurons}{found.words}"
    certificate = fails_around(found, "cancellation-free", first.facet.flint_point, holds=False)
    return Verdict(False, reason, found.lifted_jumps(cancelled), certificate)


@question(plain="supertransversality")
def is_supertransversal(
    call: Call[Verdict],
    network: Network,
    domain: DomainLike = None,
    *,
    all_failures: bool = False,
    certify: bool = True,
    **limits: Unpack[Limits],
) -> Verdict:
    """Whether every face of codimension k lies in exactly k bent hyperplanes.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    all_failures : bool, optional
        On all of space a no has one face by default, with this all of them.
    certify : bool, optional
        Without it the vertices decide on all of space, and a yes has no certificate.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Verdict
        The ``witness`` of a no: faces on which too many neurons are 0.

    Notes
    -----
    All faces are listed: see :func:`polyhedral_complex`.

    References
    ----------
    *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), Lemma 9: it holds on a dense
    set.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]], [[0, 0, 0], [0]])
    >>> er.identifiability.is_supertransversal(net).reason
    'neurons (1,1), (1,2), (1,3) are 0 on a face of dimension 0, at (0, 0)'
    """
    effort = call.effort
    network = call.plain(network)
    place = call.place
    if place.is_everywhere and not all_failures:
        # A region is a face, so that there are no more of them than faces.
        part = effort.part(regions=effort.left("faces"))
        call.knows(lambda stop: undecided_after(str(stop), part.counts["regions"], "region"))
        points = overfull_vertices(network, part)
        if points:
            return not_supertransversal(network, place, points[:1])
        if not certify:
            return Verdict(True, "at every vertex as many neurons are 0 as there are dimensions")
    return on_faces(call, as_it_is, supertransversal_verdict, network)


def supertransversal_verdict(found: PolyhedralComplex) -> Verdict:
    """The verdict from the faces; they need not be all for a no."""
    n = found.network.n_inputs
    overfull = [f.flint_point for f in found.faces if len(f.zeros) > n - f.dimension]
    if not overfull:
        n_faces = len(found.faces)
        reason = f"each of {n_faces} faces lies in as many bent hyperplanes as its codimension"
        return by_all_faces(found, "supertransversal", reason)
    return not_supertransversal(found.asked, found.place, overfull)


def not_supertransversal(network: Network, place: Domain, points: Sequence[Vector]) -> Verdict:
    """The no, by points in the coordinates of the hull on faces with too many zeros."""
    on_hull = place.restricted(network)
    found = (face for p in points if (face := overfull_face(on_hull, p)) is not None)
    failures = tuple(replace(face, point=place.lift(face.point)) for face in found)
    certificate = claim(
        "supertransversal",
        "overfull",
        overfull_records(failures[0]),
        holds=False,
        network=network,
        domain=place,
    )
    words = f"; {place.words}" if place.is_flat else ""
    return Verdict(False, f"{failures[0].text()}{words}", failures, certificate)


@question(plain="having no zero optimum")
def has_no_zero_optimum(
    call: Call[Verdict], network: Network, domain: DomainLike = None, **limits: Unpack[Limits]
) -> Verdict:
    """Whether 0 is no local minimum or maximum of a preactivation.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Verdict
        The ``witness`` of a no: all such neurons and faces.

    Notes
    -----
    All faces are listed: see :func:`polyhedral_complex`.

    References
    ----------
    Phuong & Lampert, *Functional vs. parametric equivalence of ReLU networks*, Section 3, condition
    3 in its repaired form.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1], [-1]], [[1, 1]], [[1]]], [[0, 0], [0], [0]])
    >>> er.identifiability.has_no_zero_optimum(net).reason
    'neuron (2,1) has the local minimum 0 at (0)'
    """
    return on_faces(call, as_it_is, zero_optimum_verdict, call.plain(network))


def zero_optimum_verdict(found: PolyhedralComplex) -> Verdict:
    """The verdict from all faces."""
    if found.tree is None:
        return too_few(found)
    optima = tuple(zero_optima(found.faces, found.network.n_inputs, found.effort))
    if not optima:
        reason = f"on none of {len(found.faces)} faces a preactivation has a local optimum 0"
        return by_all_faces(found, "zero-optimum", reason, holds=False)
    certificate = fails_around(found, "zero-optimum", optima[0].face.flint_point, holds=True)
    optima = tuple(replace(optimum, face=found.lifted(optimum.face)) for optimum in optima)
    return Verdict(False, f"{optima[0].text()}{found.words}", optima, certificate)
