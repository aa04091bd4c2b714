"""Networks in the class of the repaired theorem of Phuong & Lampert (theory 4).

Let d_0 ≥ d_1 ≥ … ≥ d_{L−1}, d_L = 1, and let h be general and transparent on an open Z, such that
a chain of bends (:mod:`.chains`) starts at every hidden unit, and Z^{L−1} has interior points.
Then every network of the same widths that is general on Z and has the function of h on Z equals h
up to permutation and positive scaling of hidden units.  The proof is on the page of the claim
``determined``.

The paper asks, for each l, for d_l dependency paths of length L−1−l with distinct starting
vertices. This does not suffice on a set that is not convex [S001-E1], and not with starting
vertices in distinct hyperplanes on a cube either [S001-E3]: paths have to be paths of bends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from exactrelu.certificates.certificate import claim, record
from exactrelu.certificates.evidence import point_record
from exactrelu.complex.search import Limit
from exactrelu.network.network import Network
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.folds.cells import Cells, RegionLike, cells
from exactrelu.questions.folds.chains import Chains, NoChain, find_chains
from exactrelu.questions.genericity.masked_rank import masked_rank
from exactrelu.questions.genericity.proportional import non_proportional
from exactrelu.questions.genericity.zero_optimum import (
    ZeroOptimum,
    has_no_zero_optimum,
    zero_optima,
    zero_optimum_verdict,
)
from exactrelu.questions.transparency import is_transparent
from exactrelu.verdict import NO_CERTIFICATE, Verdict

THEOREM = "the theorem of Phuong and Lampert, with chains of bends for dependency paths"


def has_widths_of_class(widths: tuple[int, ...]) -> bool:
    """Whether the theorem is about networks of these widths."""
    hidden = widths[:-1]
    return len(widths) > 2 and widths[-1] == 1 and list(hidden) == sorted(hidden, reverse=True)


def is_in_theorem_class(
    network: Network,
    domain: RegionLike = None,
    *,
    max_masks: int | None = None,
    max_faces: int | None = None,
    timeout: float | None = None,
    progress: Callable[..., object] = lambda *_: None,
) -> Verdict:
    """Whether a network satisfies the hypotheses of the theorem in the interior of a domain.

    A yes says that the network is determined by its function on the domain, up to permutation and
    scaling, among the networks of its widths that are general there; the witness is
    :class:`Chains`.  On a union of boxes one box that does is enough.  A no says that a
    hypothesis fails; the theorem is silent then.

    >>> net = Network.from_arrays(
    ...     [[[1, 0], [-1, "1/3"]], [[1, "11/10"], [-1, "-9/10"]], [[1, "3/2"]]],
    ...     [["1/2", "1/4"], ["-4/5", 1], ["1/7"]])
    >>> is_in_theorem_class(net, "box:-1,1").answer
    True
    """
    if not has_widths_of_class(network.widths):
        widths = "-".join(map(str, network.widths))
        reason = f"widths {widths}: the theorem wants n0 >= n1 >= …, a hidden layer and one output"
        return Verdict(False, reason, certificate=claim("not-in-class", network=network))
    limit = Limit(None, timeout)
    parts: list[Domain] = []
    if isinstance(domain, BoxUnion):
        parts = [Domain.of(box, domain.dimension) for box in domain.parts]
    else:
        domain = Domain.of(domain, network.n_inputs)
        if domain.is_flat:
            reason = "the domain has no interior points, and the theorem is about open sets"
            return Verdict(False, f"{reason}; {NO_CERTIFICATE}")
    verdict = _hypotheses(network, domain, parts, max_masks, max_faces, limit, progress)
    for part in parts:
        # Networks that are general on the union are general on the part.
        if not verdict.answer:
            on_part = _hypotheses(network, part, [], max_masks, max_faces, limit, progress)
            verdict = on_part if on_part.answer else verdict
    return verdict


def _hypotheses(
    network: Network,
    domain: Domain | BoxUnion,
    parts: Sequence[Domain],
    max_masks: int | None,
    max_faces: int | None,
    limit: Limit,
    progress: Callable[..., object],
) -> Verdict:
    """The verdict about one domain; ``parts`` are open sets, dense in it if it is not convex."""
    for part in [domain] if isinstance(domain, Domain) else parts:
        transparent = is_transparent(
            network, part, max_regions=max_faces, timeout=limit.remaining()
        )
        if not transparent.answer:
            return transparent
    ranks = masked_rank(network, max_masks=max_masks, timeout=limit.remaining(), progress=progress)
    if not ranks.answer:
        return ranks
    functions = non_proportional(
        network, max_masks=max_masks, timeout=limit.remaining(), progress=progress
    )
    if not functions.answer:
        return functions
    found = cells(
        network,
        domain,
        max_faces=max_faces,
        timeout=limit.remaining(),
        certify=True,
        progress=progress,
    )
    if not found.is_complete:
        return Verdict(None, f"stopped at a limit after {len(found.found.faces)} faces")
    optimum = next(zero_optima(found.faces, network.n_inputs), None)
    if optimum is not None:
        return _optimum(found, optimum)
    points = ((found.own_signs(face), face.point) for face in found.faces)
    chains = find_chains(points, network.widths)
    if isinstance(chains, NoChain):
        return _no_chain(found, chains)
    proofs = [verdict.certificate for verdict in (ranks, functions)]
    records = [record for proof in proofs if proof is not None for record in proof.records]
    return _in_class(found, chains, records)


def _in_class(found: Cells, chains: Chains, records: Sequence[Mapping[str, Any]]) -> Verdict:
    """The yes: chains, the records about masked ranks and affine functions, and the face tree."""
    proofs = [
        *records,
        *(found.found.tree or ()),
        *(record("chain", points=list(chain)) for layer in chains.points for chain in layer),
        point_record(chains.image),
    ]
    certificate = claim("determined", proofs, network=found.network, domain=found.place)
    n_points = sum(len(chain) for layer in chains.points for chain in layer)
    reason = (
        "general, transparent, and a chain of bends starts at each of "
        f"{found.network.n_hidden_neurons} units ({n_points} points): determined by its function "
        f"among general networks, by {THEOREM}"
    )
    return Verdict(True, reason, chains, certificate)


def _no_chain(found: Cells, missing: NoChain) -> Verdict:
    certificate = claim(
        "no-chain",
        found.found.tree or (),
        network=found.network,
        domain=found.place,
        layer=missing.layer - 1,
        neuron=max(missing.index - 1, 0),
    )
    return Verdict(False, missing.text(), missing, certificate)


def _optimum(found: Cells, optimum: ZeroOptimum) -> Verdict:
    """The no, proved on a convex domain, or on a box of the union around the point."""
    if found.union is None:
        return zero_optimum_verdict(found.found)
    return has_no_zero_optimum(found.network, found.union.box_around(optimum.face.point))
