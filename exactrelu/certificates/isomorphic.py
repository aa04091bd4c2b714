"""Claims ``isomorphic`` and ``not-isomorphic``: equality up to permutation and positive scaling."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.exact.encode import encode_rational
from exactrelu.network.network import Network
from exactrelu.network.symmetry import Symmetry


def isomorphic_certificate(a: Network, b: Network, symmetry: Symmetry) -> Certificate:
    """The permutation and the scalings of each hidden layer that take a to b."""
    return Certificate("isomorphic", pair_fields(a, b), tuple(symmetry_records(symmetry)))


def symmetry_records(symmetry: Symmetry) -> Iterator[dict[str, Any]]:
    """A record for each hidden layer."""
    for permutation, scalings in zip(symmetry.permutations, symmetry.scalings, strict=True):
        yield {
            "permutation": list(permutation),
            "record": "symmetry",
            "scalings": [encode_rational(s) for s in scalings],
        }


def individualise_record(network: int, layer: int, neuron: int) -> dict[str, Any]:
    """A neuron of a (0) or b (1), by hidden layer and number from 0."""
    return {"layer": layer, "network": network, "neuron": neuron, "record": "individualise"}


def not_isomorphic_certificate(
    a: Network, b: Network, records: Iterable[dict[str, Any]]
) -> Certificate:
    """The tree of neurons that are told apart, in preorder; empty where colours differ at once."""
    return Certificate("not-isomorphic", pair_fields(a, b), tuple(records))


def pair_fields(a: Network, b: Network) -> dict[str, Any]:
    """The fields of a claim about two networks."""
    return {"a": a.canonical_form(), "b": b.canonical_form()}
