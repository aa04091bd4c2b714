"""Supertransversality (theory 2.2a): a face of codimension k lies in exactly k bent hyperplanes.

A preactivation that is 0 on a full-dimensional cell is a violation: 1 > 0.  So a
network is supertransversal iff on every face the number of neurons that are 0 is its
codimension.  Two algorithms: all faces, with proof; and on all of space the vertices,
which decide it alone (:mod:`exactrelu.complex.vertex_signs`) in the time of listing
the regions.  A violation is proved by one point and one dependency.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from exactrelu.certificates.certificate import claim
from exactrelu.certificates.evidence import overfull_record
from exactrelu.complex.dependence import overfull_face
from exactrelu.complex.search import Limit, LimitReached
from exactrelu.complex.vertex_signs import overfull_vertices
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.polyhedral_complex import PolyhedralComplex, polyhedral_complex
from exactrelu.verdict import Verdict


def is_supertransversal(
    network: Network,
    domain: DomainLike = None,
    *,
    all_failures: bool = False,
    certify: bool = True,
    max_faces: int | None = None,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Verdict:
    """Whether the network is supertransversal in the relative interior of a domain (or R^n).

    ``witness`` of a no: overfull faces; on R^n only one unless ``all_failures``.  Without
    ``certify`` the vertices decide on R^n, and a yes has no certificate.

    >>> net = Network.from_arrays([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]], [[0, 0, 0], [0]])
    >>> is_supertransversal(net).reason
    'neurons (1,1), (1,2), (1,3) are 0 on a face of dimension 0, at (0, 0)'
    """
    place = Domain.of(domain, network.n_inputs)
    limit = Limit(max_faces, timeout)
    if place.is_everywhere and not all_failures:
        try:
            points = overfull_vertices(network, limit)
        except LimitReached as stopped:
            return Verdict(None, f"stopped at a limit after {stopped.n_cells} cells")
        if points:
            return _no(network, place.inside, points[:1])
        if not certify:
            return Verdict(True, "at every vertex as many neurons are 0 as there are dimensions")
    found = polyhedral_complex(
        network, place, max_faces=max_faces, timeout=timeout, progress=progress
    )
    return supertransversal_verdict(found)


def supertransversal_verdict(found: PolyhedralComplex) -> Verdict:
    """The verdict from the faces; they need not be all for a no."""
    network, domain = found.network, found.domain
    overfull = [f.point for f in found.faces if len(f.zeros) > network.n_inputs - f.dimension]
    if overfull:
        no = _no(network, domain, overfull)
        faces = [replace(f, point=found.place.lift(f.point)) for f in no.witness]
        return found.said(replace(no, reason=faces[0].text(), witness=tuple(faces)))
    n_faces = len(found.faces)
    if found.tree is None or not found.is_complete:
        return Verdict(None, f"stopped at a limit after {n_faces} faces")
    certificate = claim("supertransversal", found.tree, network=network, domain=domain)
    reason = f"each of {n_faces} faces lies in as many bent hyperplanes as its codimension"
    return found.said(Verdict(True, reason, certificate=certificate))


def _no(network: Network, domain: LinearSystem, points: Sequence[Vector]) -> Verdict:
    failures = [face for p in points if (face := overfull_face(network, p)) is not None]
    first = failures[0]
    records = [overfull_record(first.point, first.coefficients)]
    certificate = claim("not-supertransversal", records, network=network, domain=domain)
    return Verdict(False, first.text(), tuple(failures), certificate)
