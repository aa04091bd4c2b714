"""Networks that are isomorphic once both are simplified by signs.

What linear neurons pass on has many forms: their biases may be anywhere, several may do the work
of one.  In networks without dead, doubled and needless linear neurons little else is left.
"""

from __future__ import annotations

from exactrelu.certificates.moves import rewriting_claim
from exactrelu.complex.search import Limit
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.questions.equivalence.dropping import MAX_REFINEMENTS
from exactrelu.questions.isomorphism import isomorphic
from exactrelu.questions.simplify import without_linear_biases
from exactrelu.verdict import Verdict


def equal_simplified(a: Network, b: Network, domain: LinearSystem, limit: Limit) -> Verdict | None:
    """A yes if the networks are isomorphic after such steps, or None."""
    if limit.is_exceeded(0):
        return None
    (left, steps), (right, other_steps) = (without_linear_biases(n, domain) for n in (a, b))
    if left.widths != right.widths or not (steps or other_steps):
        return None
    found = isomorphic(left, right, MAX_REFINEMENTS, limit.remaining())
    if not found.answer:
        return None
    certificate = rewriting_claim(a, b, domain, steps, other_steps, symmetry=found.witness)
    return Verdict(True, "isomorphic after simplification by signs", None, certificate)
