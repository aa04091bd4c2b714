"""Transparency (Phuong & Lampert; theory 4): on a domain every layer is active everywhere.

A network is transparent on a domain Z if for every z in Z and every hidden layer some unit has a
preactivation ≥ 0.  Points where a whole layer is negative form an open set, and Z lies in the
closure of its relative interior: so it is enough to look at the full-dimensional cells there, in
the affine hull of Z.

A neuron whose sign is known on Z (:mod:`exactrelu.cells.knowledge`) cuts nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Unpack

from exactrelu.answer import Part
from exactrelu.cells.tree import ActiveUnits, Inner, Negative, transparent, tree
from exactrelu.certificates.certificate import Verdict, claim, point_record
from exactrelu.certificates.opening import opening
from exactrelu.certificates.trees import TreeWriter
from exactrelu.effort import Limits, Stopped
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import Vector
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import DomainLike
from exactrelu.questions.question import Call, question
from exactrelu.words import Words


def _point(found: Transparency, words: Words) -> Iterator[str]:
    if found.witness is not None:
        yield words.equation("  x", found.witness.point)


@dataclass(frozen=True)
class NegativeLayer(Outward):
    """A point of the domain at which all units of a hidden layer (from 1) are negative."""

    layer: int
    point: Vector


@dataclass(frozen=True, eq=False, repr=False)
class Transparency(Verdict):
    """Whether every layer is active everywhere; the ``witness`` of a no is a negative layer."""

    PARTS = (
        Part(
            "witness",
            "of a no, a `point` and the `layer` (from 1) that is negative there; else null",
            proved=("point",),
            said=_point,
            unproved="which layer it is",
        ),
    )


@question(plain="transparency")
def is_transparent(
    call: Call[Transparency],
    network: Network,
    domain: DomainLike = None,
    **limits: Unpack[Limits],
) -> Transparency:
    """Whether at every point of the domain every hidden layer has a neuron with preactivation ≥ 0.

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
    Transparency
        The ``witness`` of a no has ``layer`` (from 1) and ``point``: the whole layer is negative
        there.

    Notes
    -----
    The cells of the domain are searched; ``max_regions`` bounds those on which every layer was
    found to have an active neuron.

    References
    ----------
    Phuong & Lampert, *Functional vs. parametric equivalence of ReLU networks*, transparent
    networks.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.is_transparent(er.load("example:transparent"), "box:-1..1").answer
    True
    >>> verdict = er.is_transparent(er.load("example:xor"))
    >>> verdict.answer, verdict.witness.layer, verdict.witness.point
    (False, 1, (-2, 0))
    """
    effort, place = call.effort, call.place
    network = call.plain(network)
    subjects: dict[str, Any] = {"network": network, "domain": place}
    writer = TreeWriter(network, place)
    n_cells = 0

    def so_far(stopped: Stopped) -> Transparency:
        return Transparency.undecided(stopped, f"{n_cells:,} cells so far, all of them active")

    call.knows(so_far)
    signs = call.signs
    records = opening([signs], effort)
    nodes: Iterator[Inner | ActiveUnits | Negative] = tree(
        place.restricted(network),
        place.inside,
        transparent,
        known=signs.signs if signs else (),
        effort=effort,
    )
    for node in nodes:
        if isinstance(node, Negative):
            at = NegativeLayer(node.layer, place.flint_lift(node.point))
            point = point_record("point", at.point)
            no = claim("transparent", "point", [point], holds=False, **subjects)
            reason = f"all units of layer {at.layer} are negative at a point"
            return Transparency(False, reason, at, no)
        if isinstance(node, ActiveUnits):
            effort.spend("regions")
            n_cells += 1
        records += writer.records(node)
    reason = f"every layer has an active unit on each of {n_cells:,} cells that cover the domain"
    yes = claim("transparent", "cells", records, holds=True, **subjects)
    return Transparency(True, reason, certificate=yes)
