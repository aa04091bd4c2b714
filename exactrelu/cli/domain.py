"""A network on a domain, or on a slice of it, as the command line names them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exactrelu.exact.system import LinearSystem
    from exactrelu.network.network import Network
    from exactrelu.polyhedra.boxes import BoxUnion


def network_on_domain(args: argparse.Namespace) -> tuple[Network, LinearSystem, str]:
    """The network, the domain, and the words for it, of ``NET --domain D --slice S``."""
    from exactrelu.exact.scalar import vector
    from exactrelu.network.formats import load
    from exactrelu.polyhedra.domain import parse_domain

    network = load(args.network)
    domain = parse_domain(args.domain, network.n_inputs)
    where = "" if args.domain == "R" else f" on {args.domain}"
    if args.slice is not None:
        base, *directions = (vector(v.split(","), "--slice") for v in args.slice.split(";"))
        network, domain = network.slice(base, directions), domain.slice(base, directions)
        where += f" in the slice {args.slice}"
    return network, domain, where


def network_on_domain_or_union(
    args: argparse.Namespace,
) -> tuple[Network, LinearSystem | BoxUnion, str]:
    """The network, the domain, and the words for it, where unions of boxes are welcome."""
    from exactrelu.network.formats import load
    from exactrelu.polyhedra.boxes import parse_domain_or_union

    network = load(args.network)
    domain = parse_domain_or_union(args.domain, network.n_inputs)
    return network, domain, "" if args.domain == "R" else f" on {args.domain}"
