"""Generality of a network on a domain, in the sense of Phuong and Lampert.

Statement. Every masked rank of the network N is maximal, no two units with nontrivial indicators
have proportional affine functions, and on the open polyhedron D no hidden preactivation has a local
optimum 0.

Evidence. That of ``masked-rank``, of ``non-proportional``, and of ``no-zero-optimum``.
"""

from ..budget import Budget
from ..domain import domain_rule
from ..network import Network
from ..reader import Certificate
from ..system import System
from .masked_rank import check_masked_ranks
from .no_zero_optimum import check_no_zero_optimum
from .non_proportional import check_non_proportional


def check_general(
    network: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    """Check that the network is general."""
    check_masked_ranks(network, certificate, budget)
    check_non_proportional(network, certificate, budget)
    check_no_zero_optimum(network, domain, certificate, budget)


RULE = domain_rule("is general in the sense of Phuong and Lampert", check_general)
