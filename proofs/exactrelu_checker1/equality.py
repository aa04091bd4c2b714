"""Proofs that two networks have the same values on a domain, of any kind that says so.

A record with the name of the kind comes first, then the records that its page asks for. Networks
that are isomorphic have the same values everywhere.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from .budget import Budget
from .network import Network
from .reader import Certificate
from .rules.equal_by_cells import check_cells
from .rules.equal_by_rewriting import check_equal_by_rewriting
from .rules.equal_shallow import check_equal_shallow
from .rules.isomorphic import check_isomorphic
from .system import System


def _check_isomorphic(
    a: Network, b: Network, _: System, certificate: Certificate, budget: Budget
) -> None:
    check_isomorphic(a, b, certificate, budget)


_CHECKS: Mapping[str, Callable[[Network, Network, System, Certificate, Budget], None]] = (
    MappingProxyType(
        {
            "equal-by-cells": check_cells,
            "equal-by-rewriting": check_equal_by_rewriting,
            "equal-shallow": check_equal_shallow,
            "isomorphic": _check_isomorphic,
        }
    )
)
EQUALITIES: Mapping[str, frozenset[str]] = MappingProxyType(
    {kind: frozenset[str]() for kind in _CHECKS}
)


def check_equal(
    a: Network, b: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    """Check that A and B have the same values on a domain."""
    kind, _ = certificate.one_of(EQUALITIES)
    check_equal_by(kind, a, b, domain, certificate, budget)


def check_equal_by(
    kind: str, a: Network, b: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    """Check the records of a kind whose name was read."""
    _CHECKS[kind](a, b, domain, certificate, budget)
