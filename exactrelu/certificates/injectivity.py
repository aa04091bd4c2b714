"""Claims ``layer-injective`` and ``layer-not-injective``, and the records of their proofs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.exact.encode import encode_integers, encode_system, encode_vector
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network

if TYPE_CHECKING:
    from exactrelu.questions.injectivity.covers import Cover


def spanning_record(
    method: str, modulus: int, dependency: Sequence[tuple[int, int]]
) -> dict[str, Any]:
    """How a proof goes on (``flats`` or ``tree``), and which rows of the domain are 0 on it."""
    return {
        "modulus": format(modulus, "x"),
        "record": method,
        "rows": [i for i, _ in dependency],
        "values": encode_integers(value for _, value in dependency),
    }


def cover_record(cover: Cover, n_domain: int, n_path: int) -> dict[str, Any]:
    """Multipliers of the domain, then of the rows of a cell, then of the negative layer."""
    pairs = (
        *cover.domain,
        *((n_domain + i, value) for i, value in cover.path),
        *((n_domain + n_path + k, value) for k, value in cover.layer),
    )
    return {
        "record": "cover",
        "rows": [i for i, _ in pairs],
        "values": encode_integers(value for _, value in pairs),
    }


def layer_injective_certificate(
    network: Network, layer: int, domain: LinearSystem, records: Iterable[dict[str, Any]]
) -> Certificate:
    """Layer ``layer``, from 1, is injective on a domain."""
    return Certificate("layer-injective", layer_fields(network, layer, domain), tuple(records))


def layer_not_injective_certificate(
    network: Network, layer: int, domain: LinearSystem, points: tuple[Vector, Vector]
) -> Certificate:
    """Layer ``layer``, from 1, takes two points to one; the checker evaluates it."""
    fields = layer_fields(network, layer, domain)
    return Certificate(
        "layer-not-injective", {**fields, "points": [encode_vector(x) for x in points]}
    )


def layer_fields(network: Network, layer: int, domain: LinearSystem) -> dict[str, Any]:
    """The fields of a claim about a layer, from 1, on a domain."""
    return {
        "domain": encode_system(domain),
        "layer": layer - 1,
        "network": network.canonical_form(),
    }
