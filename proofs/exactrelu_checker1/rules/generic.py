"""Genericity of a network on a domain.

Statement. Every masked rank of the network N is maximal, and N is supertransversal on the open
polyhedron D.

Evidence. That of ``masked-rank``, then that of ``supertransversal``.
"""

from ..budget import Budget
from ..domain import domain_rule
from ..network import Network
from ..reader import Certificate
from ..system import System
from .masked_rank import check_masked_ranks
from .supertransversal import check_supertransversal


def check_generic(
    network: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    """Check the masked ranks, then the faces."""
    check_masked_ranks(network, certificate, budget)
    check_supertransversal(network, domain, certificate, budget)


RULE = domain_rule("has maximal masked ranks and is supertransversal", check_generic)
