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

from collections.abc import Callable
from typing import Any

from exactrelu.certificates.determined import determined_certificate, no_chain_certificate
from exactrelu.complex.search import Limit, open_domain
from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.questions.folds.cells import Domain
from exactrelu.questions.folds.chains import Chains, NoChain, find_chains
from exactrelu.questions.genericity.masked_rank import masked_rank
from exactrelu.questions.genericity.proportional import non_proportional
from exactrelu.questions.genericity.zero_optimum import zero_optimum_verdict
from exactrelu.questions.polyhedral_complex import polyhedral_complex
from exactrelu.questions.transparency import is_transparent
from exactrelu.verdict import Verdict

THEOREM = "the theorem of Phuong and Lampert, with chains of bends for dependency paths"


def has_widths_of_class(widths: tuple[int, ...]) -> bool:
    """Whether the theorem is about networks of these widths."""
    hidden = widths[:-1]
    return len(widths) > 2 and widths[-1] == 1 and list(hidden) == sorted(hidden, reverse=True)


def is_in_theorem_class(
    network: Network,
    domain: Domain | None = None,
    *,
    max_masks: int | None = None,
    max_faces: int | None = None,
    timeout: float | None = None,
    progress: Callable[..., object] = lambda *_: None,
) -> Verdict:
    """Whether a network satisfies the hypotheses of the theorem in the interior of a domain.

    A yes says that the network is determined by its function on the domain, up to permutation and
    scaling, among the networks of its widths that are general there; the witness is
    :class:`Chains`.  Of a union of boxes one box must do.  A no says that a hypothesis
    fails; the theorem is silent then.

    >>> net = Network.from_arrays(
    ...     [[[1, 0], [-1, "1/3"]], [[1, "11/10"], [-1, "-9/10"]], [[1, "3/2"]]],
    ...     [["1/2", "1/4"], ["-4/5", 1], ["1/7"]])
    >>> is_in_theorem_class(net, LinearSystem.box([(-1, 1), (-1, 1)])).answer
    True
    """
    if not has_widths_of_class(network.widths):
        widths = "-".join(map(str, network.widths))
        raise InputError(
            f"widths {widths}: the theorem wants n0 >= n1 >= …, a hidden layer and one output"
        )
    if isinstance(domain, BoxUnion):
        return _in_some_box(network, domain, max_masks, max_faces, timeout, progress)
    inside = open_domain(network, domain)
    limit = Limit(None, timeout)
    transparent = is_transparent(network, inside, max_regions=max_faces, timeout=timeout)
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
    found = polyhedral_complex(
        network, inside, max_faces=max_faces, timeout=limit.remaining(), progress=progress
    )
    optimum = zero_optimum_verdict(found)
    if not optimum.answer:
        return optimum
    chains = find_chains(found.faces, network.widths)
    if isinstance(chains, NoChain):
        return _no_chain(network, found.domain, chains, found.tree)
    return in_class(network, inside, chains, (ranks, functions, optimum, transparent))


def in_class(
    network: Network, inside: LinearSystem, chains: Chains, proofs: tuple[Verdict, ...]
) -> Verdict:
    """The yes: chains, and the verdicts of the conditions in the order of the certificate."""
    records = [
        record for proof in proofs if proof.certificate for record in proof.certificate.records
    ]
    certificate = determined_certificate(network, inside, records, chains.points, chains.image)
    n_points = sum(len(chain) for layer in chains.points for chain in layer)
    reason = (
        f"general, transparent, and a chain of bends starts at each of {network.n_hidden_neurons} "
        f"units ({n_points} points): determined by its function, by {THEOREM}"
    )
    return Verdict(True, reason, chains, certificate)


def _no_chain(
    network: Network,
    inside: LinearSystem,
    missing: NoChain,
    tree: tuple[dict[str, Any], ...] | None,
) -> Verdict:
    certificate = no_chain_certificate(
        network, inside, missing.layer - 1, max(missing.index - 1, 0), tree or ()
    )
    return Verdict(False, missing.text(), missing, certificate)


def _in_some_box(
    network: Network,
    union: BoxUnion,
    max_masks: int | None,
    max_faces: int | None,
    timeout: float | None,
    progress: Callable[..., object],
) -> Verdict:
    """A yes on one of the boxes: general networks on the union are general on the box."""
    limit = Limit(None, timeout)
    for box in union.boxes:
        verdict = is_in_theorem_class(
            network,
            LinearSystem.box(box),
            max_masks=max_masks,
            max_faces=max_faces,
            timeout=limit.remaining(),
            progress=progress,
        )
        if verdict.answer:
            return verdict
    return Verdict(None, f"in the class on none of {len(union.boxes)} boxes alone")
