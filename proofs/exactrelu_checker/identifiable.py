"""Networks that their function determines.

*identifiable* among a class of networks: those of the class that have the widths of N and its
values on the closure of D are equal to N up to permutation and positive scaling of hidden neurons.
The class *all* has every network; the class *general* is that of ``chains``, and N is in it. The
negation says that the class has another network with the widths of N and its values on the closure
of D, to which no permutation and scaling takes N: ``twins``. Three layers: ``signs``; one
hidden layer: ``signs`` and ``shallow``.
"""

from . import claims
from .file import need
from .objects import System

identifiable = claims.kind(
    "{network} is identifiable among {among} networks on {domain}: those with its widths and its "
    "values on the closure of this set are equal to it up to permutation and positive scaling of "
    "hidden neurons",
    "{network} is not identifiable among {among} networks on {domain}: one with its widths and its "
    "values on the closure of this set is not equal to it up to permutation and positive scaling "
    "of hidden neurons",
).of(network=claims.plain_network, among=claims.word("all", "general"), domain=claims.domain)


def require_all(among: str, domain: System | None = None) -> None:
    """Refuse another class than that of all networks, and a domain that is not all of space."""
    need(among == "all", "wrong-method", "the method is about all networks")
    need(not (domain and domain.rows), "domain-not-simple", "the domain is not all of space")
