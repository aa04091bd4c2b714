"""Cancellation-free networks (theory 2.4): no jump is 0 without a dead layer as the reason.

A facet is *cancelled* if the Jacobian does not jump across it although every layer
after the first one that bends on it has a neuron that is strictly active on the facet.

Why these layers: on a facet in one bent hyperplane only, that of (l, j), the jump is
u nᵀ with u = W_L I_{L−1} … I_{l+1} W_{l+1} e_j and nᵀ = e_jᵀ W_l I_{l−1} … W_1 (theory
2.3).  If a layer before l had no active neuron there, n would be 0 and there would be
no facet; layer l itself takes part by neuron j alone, active or not.  So u = 0 is
excused by a later layer without active neurons, and by nothing else; with masked ranks
(theory 2.2b) it then is the only way to 0.  Where several layers bend on one facet,
which only happens without supertransversality, l is the first of them.
"""

from __future__ import annotations

from collections.abc import Callable

from exactrelu.certificates.certificate import Named, claim
from exactrelu.certificates.evidence import point_record
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import DomainLike
from exactrelu.questions.polyhedral_complex import PolyhedralComplex, polyhedral_complex
from exactrelu.verdict import Verdict


def is_cancellation_free(
    network: Network,
    domain: DomainLike = None,
    *,
    max_faces: int | None = None,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Verdict:
    """Whether there is no cancelled facet; ``witness`` of a no: all that were found.

    >>> net = Network.from_arrays([[[1], [-1]], [[1, -1]]], [[0, 0], [0]])
    >>> is_cancellation_free(net).reason
    'no jump across a facet in the bent hyperplanes of (1,1), (1,2)'
    """
    found = polyhedral_complex(
        network, domain, max_faces=max_faces, timeout=timeout, progress=progress
    )
    return cancellation_free_verdict(found)


def cancellation_free_verdict(found: PolyhedralComplex) -> Verdict:
    """The verdict from the faces."""
    subjects: Named = {"network": found.network, "domain": found.domain}
    cancelled = found.cancelled_facets
    if cancelled:
        neurons = ", ".join(f"({l},{i})" for l, i in cancelled[0].bent_neurons())
        reason = f"no jump across a facet in the bent hyperplanes of {neurons}"
        records = [point_record(cancelled[0].facet.point)]
        certificate = claim("not-cancellation-free", records, **subjects)
        return found.said(Verdict(False, reason, found.lifted_jumps(cancelled), certificate))
    if found.tree is None or not found.is_complete:
        return Verdict(None, f"stopped at a limit after {len(found.faces)} faces")
    certificate = claim("cancellation-free", found.tree, **subjects)
    reason = f"none of {len(found.facet_jumps)} facets is cancelled"
    return found.said(Verdict(True, reason, certificate=certificate))
