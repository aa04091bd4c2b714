"""The domain of a claim about a network: an open polyhedron in the space of its inputs."""

from .budget import Budget
from .network import Network
from .system import System, read_system
from .verdicts import Reason, Refused


def read_domain(value: object, network: Network, budget: Budget) -> System:
    """Return a system of strict rows, with as many variables as the network has inputs."""
    domain = read_system(value, budget)
    inputs = network.widths()[0]
    if domain.dim != inputs:
        raise Refused(
            Reason.DIMENSIONS_DIFFER, f"a domain in R^{domain.dim}, the network has {inputs} inputs"
        )
    if any(sense != "gt" for sense in domain.senses):
        raise Refused(Reason.DOMAIN_NOT_OPEN, "a row of a domain is strict (gt)")
    return domain


def domain_text(domain: System) -> str:
    """Describe the domain in a few words."""
    return f"the open polyhedron D of {len(domain.rows)} rows in R^{domain.dim}"
