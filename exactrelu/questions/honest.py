"""Honest networks (theory 2.4): where several layers meet, the breakpoint complex bends.

A ridge of the breakpoint complex is *dishonest* if every visible facet at it goes on
straight with the same jump although neurons of more than one layer bend on the facets
of the canonical complex around it.
"""

from __future__ import annotations

from collections.abc import Callable

from exactrelu.certificates.certificate import claim, record
from exactrelu.certificates.evidence import part_rows
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import DomainLike
from exactrelu.questions.polyhedral_complex import PolyhedralComplex, polyhedral_complex
from exactrelu.verdict import Verdict


def is_honest(
    network: Network,
    domain: DomainLike = None,
    *,
    max_faces: int | None = None,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Verdict:
    """Whether there is no dishonest ridge; ``witness`` of a no: all of them.

    >>> net = Network.from_arrays(
    ...     [[[1, 0], [0, 1], [0, -1]], [[1, 0, 0], [0, 1, -1]], [[1, 1]]],
    ...     [[0, 0, 0], [0, 0], [0]])
    >>> is_honest(net).reason
    'a ridge at (0, 0) of layers 1, 2 does not bend'
    """
    found = polyhedral_complex(
        network, domain, max_faces=max_faces, timeout=timeout, progress=progress
    )
    return honest_verdict(found)


def honest_verdict(found: PolyhedralComplex) -> Verdict:
    """The verdict from the faces."""
    network = found.network
    if found.tree is None or not found.is_complete:
        return Verdict(None, f"stopped at a limit after {len(found.faces)} faces")
    dishonest = found.dishonest_ridges
    if not dishonest:
        reason = f"none of {len(found.ridges)} ridges of the breakpoint complex is dishonest"
        certificate = claim("honest", found.tree, network=network, domain=found.domain)
        return found.said(Verdict(True, reason, certificate=certificate))
    ridge = dishonest[0]
    part, tree = found.tree_around(ridge.face.point)
    records = [record("part", rows=part_rows(part)), *tree]
    certificate = claim("not-honest", records, network=network, domain=found.domain)
    place = ", ".join(map(str, found.place.lift(ridge.face.point)))
    layers = ", ".join(map(str, sorted(ridge.layers)))
    reason = f"a ridge at ({place}) of layers {layers} does not bend"
    return found.said(Verdict(False, reason, found.lifted_ridges(dishonest), certificate))
