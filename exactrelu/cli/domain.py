"""A network on a domain, or on a slice of it, as the command line names them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exactrelu.cli.command import Names
    from exactrelu.exact.scalar import Vector
    from exactrelu.exact.system import LinearSystem
    from exactrelu.network.network import Network
    from exactrelu.polyhedra.boxes import BoxUnion


def network_on_domain(args: argparse.Namespace) -> tuple[Network, LinearSystem, str]:
    """The network, the domain, and the words for it, of ``NET --domain D --slice S``."""
    from exactrelu.network.formats import load
    from exactrelu.polyhedra.domain import parse_domain

    network = load(args.network)
    return _sliced(args, network, parse_domain(args.domain, network.n_inputs))


def network_on_domain_or_union(
    args: argparse.Namespace,
) -> tuple[Network, LinearSystem | BoxUnion, str]:
    """The network, the domain, and the words for it, where unions of boxes are welcome."""
    from exactrelu.network.formats import load

    return on_domain_or_union(args, load(args.network))


def on_domain_or_union(
    args: argparse.Namespace, network: Network
) -> tuple[Network, LinearSystem | BoxUnion, str]:
    """The same for a network that is loaded already."""
    from exactrelu.errors import InputError
    from exactrelu.polyhedra.boxes import BoxUnion, parse_domain_or_union

    domain = parse_domain_or_union(args.domain, network.n_inputs)
    if not isinstance(domain, BoxUnion):
        return _sliced(args, network, domain)
    if getattr(args, "slice", None) is not None:
        raise InputError("--slice: slices of a union of boxes are not computed")
    return network, domain, f" on {args.domain}"


def _sliced(
    args: argparse.Namespace, network: Network, domain: LinearSystem
) -> tuple[Network, LinearSystem, str]:
    """What is left on ``--slice S``, if the command has it."""
    where = "" if args.domain == "R" else f" on {args.domain}"
    text = getattr(args, "slice", None)
    if text is not None:
        base, directions = parse_slice(text)
        network, domain = network.slice(base, directions), domain.slice(base, directions)
        where += f" in the slice {text}"
    return network, domain, where


def restriction(args: argparse.Namespace) -> Names:
    """What a certificate about a slice leaves to be believed: its network is the slice itself."""
    return () if args.slice is None else ("the restriction to the slice",)


def parse_slice(text: str) -> tuple[Vector, list[Vector]]:
    """The base point and the directions of ``--slice BASE;D1;D2;…``."""
    from exactrelu.exact.scalar import vector

    base, *directions = (vector(v.split(","), "--slice") for v in text.split(";"))
    return base, directions
