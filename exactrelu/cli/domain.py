"""A network on a domain, or on a slice of it, as the command line names them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exactrelu.cli.command import Names
    from exactrelu.exact.scalar import Vector
    from exactrelu.network.network import Network
    from exactrelu.polyhedra.boxes import BoxUnion
    from exactrelu.polyhedra.domain import Domain


def network_on_domain(args: argparse.Namespace) -> tuple[Network, Domain, str]:
    """The network, the domain, and the words for it, of ``NET --domain D --slice S``."""
    from exactrelu.network.formats import load
    from exactrelu.polyhedra.domain import Domain

    network = load(args.network)
    return _sliced(args, network, Domain.of(args.domain, network.n_inputs))


def network_on_domain_or_union(
    args: argparse.Namespace,
) -> tuple[Network, Domain | BoxUnion, str]:
    """The network, the domain, and the words for it, where unions of boxes are welcome."""
    from exactrelu.network.formats import load

    return on_domain_or_union(args, load(args.network))


def on_domain_or_union(
    args: argparse.Namespace, network: Network
) -> tuple[Network, Domain | BoxUnion, str]:
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
    args: argparse.Namespace, network: Network, domain: Domain
) -> tuple[Network, Domain, str]:
    """What is left on ``--slice S``, if the command has it."""
    from exactrelu.errors import InputError
    from exactrelu.polyhedra.domain import Domain

    where = "" if args.domain == "R" else f" on {args.domain}"
    text = getattr(args, "slice", None)
    if text is not None:
        base, directions = parse_slice(text)
        if not directions:
            raise InputError(f"--slice {text}: expected a base point and at least one direction")
        network, rows = network.slice(base, directions), domain.system.slice(base, directions)
        domain = Domain.of(rows, len(directions))
        where += f" in the slice {text}"
    return network, domain, where


def flat_words(domain: Domain | BoxUnion, *, certified: bool = True) -> str:
    """What a sentence about cells and faces, or one with a certificate, says of a flat domain."""
    from exactrelu.polyhedra.boxes import BoxUnion
    from exactrelu.verdict import NO_CERTIFICATE

    if isinstance(domain, BoxUnion) or not domain.is_flat:
        return ""
    return f"; {domain.words}" + (f"; {NO_CERTIFICATE}" if certified else "")


def restriction(args: argparse.Namespace) -> Names:
    """What a certificate about a slice leaves to be believed: its network is the slice itself."""
    return () if args.slice is None else ("the restriction to the slice",)


def parse_slice(text: str) -> tuple[Vector, list[Vector]]:
    """The base point and the directions of ``--slice BASE;D1;D2;…``."""
    from exactrelu.exact.scalar import vector

    base, *directions = (vector(v.split(","), "--slice") for v in text.split(";"))
    return base, directions
