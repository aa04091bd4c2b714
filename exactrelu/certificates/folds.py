"""Claim ``folds``: the fold-set of a network on a domain."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.on_domain import domain_certificate
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network


def folds_certificate(
    network: Network,
    domain: LinearSystem,
    *,
    n_facets: int,
    n_hyperplanes: int,
    n_hidden: int,
    tree: Iterable[dict[str, Any]],
) -> Certificate:
    """All faces; the checker computes the jumps across the facets.

    ``n_hidden`` faces lie in zero sets of units and not in the fold-set.
    """
    return domain_certificate(
        "folds",
        network,
        domain,
        tree,
        facets=n_facets,
        hidden=n_hidden,
        hyperplanes=n_hyperplanes,
    )
