"""Claims ``stability-at-least`` and ``stability-at-most``: |F(x) − F(y)| against |x − y|."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

from flint import fmpq

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.injectivity import layer_fields
from exactrelu.exact.encode import (
    encode_integers,
    encode_matrix,
    encode_rational,
    encode_system,
    encode_vector,
)
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network


def equations_record(
    factor: int, dependency: Sequence[tuple[int, int]], always: Sequence[int]
) -> dict[str, Any]:
    """A factor for the normals of the equations, which rows of the domain are 0 on it, and
    which rows of the layer are active on all of it.
    """
    return {
        "always": list(always),
        "factor": format(factor, "x"),
        "record": "equations",
        "rows": [i for i, _ in dependency],
        "values": encode_integers(value for _, value in dependency),
    }


def split_record(neuron: int) -> dict[str, Any]:
    """A cell is cut by a row of the layer: its negative side follows, then the other."""
    return {"neuron": neuron, "record": "split"}


def empty_record(multipliers: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """A cell is empty, by multipliers of the rows of the domain and of the cuts."""
    return {
        "record": "empty",
        "rows": [i for i, _ in multipliers],
        "values": encode_integers(value for _, value in multipliers),
    }


def bound_record(factor: Matrix) -> dict[str, Any]:
    """The rows that are active on a cell are large enough, by a rounded Cholesky factor."""
    return {"factor": encode_matrix(factor), "record": "bound"}


def stability_at_least_certificate(
    network: Network,
    layer: int,
    domain: LinearSystem,
    bound: fmpq,
    records: Iterable[dict[str, Any]],
) -> Certificate:
    """|F(x) − F(y)| ≥ r|x − y| for all x, y in the domain."""
    fields = {**layer_fields(network, layer, domain), "bound": encode_rational(bound)}
    return Certificate("stability-at-least", fields, tuple(records))


def network_stability_certificate(
    network: Network,
    domain: LinearSystem,
    bounds: Sequence[fmpq],
    layers: Iterable[Certificate],
) -> Certificate:
    """|N(x) − N(y)| ≥ Πr·|x − y|, by the certificates of the layers."""
    fields = {
        "bound": encode_rational(prod(bounds, start=fmpq(1))),
        "domain": encode_system(domain),
        "network": network.canonical_form(),
    }
    factors = {"bounds": [encode_rational(r) for r in bounds], "record": "factors"}
    records = (record for layer in layers for record in layer.records)
    return Certificate("network-stability-at-least", fields, (factors, *records))


def stability_at_most_certificate(
    network: Network, layer: int, domain: LinearSystem, bound: fmpq, points: tuple[Vector, Vector]
) -> Certificate:
    """|F(x) − F(y)| ≤ r|x − y| for two points of the domain."""
    fields = {**layer_fields(network, layer, domain), "bound": encode_rational(bound)}
    record = {"points": [encode_vector(x) for x in points], "record": "points"}
    return Certificate("stability-at-most", fields, (record,))
