"""Claims ``equal-by-cells``, ``equal-within`` and ``not-equal-within``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from flint import fmpq

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.comparison import pair_on_domain_fields
from exactrelu.certificates.evidence import Multipliers, point_record
from exactrelu.certificates.regions import encoded_multipliers
from exactrelu.exact.encode import encode_rational
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network

#: A cell on which the networks are the same form.
SAME_RECORD: dict[str, Any] = {"record": "same"}


def pair_split_record(neuron: tuple[int, int, int]) -> dict[str, Any]:
    """A cut by the neuron (network, hidden layer, number), all from 0."""
    return {"neuron": list(neuron), "record": "split"}


def within_record(domain: LinearSystem, proofs: Sequence[Multipliers]) -> dict[str, Any]:
    """For each output that it is not more, and not less, than the bound allows.

    A proof are multipliers of the rows of the cell and, last, of the side beyond the bound.
    """
    encoded = [encoded_multipliers(domain, proof) for proof in proofs]
    return {
        "record": "within",
        "rows": [rows for rows, _ in encoded],
        "values": [values for _, values in encoded],
    }


def equal_by_cells_certificate(
    a: Network, b: Network, domain: LinearSystem, records: Iterable[dict[str, Any]]
) -> Certificate:
    """The joint split tree in preorder."""
    return Certificate("equal-by-cells", pair_on_domain_fields(a, b, domain), tuple(records))


def equal_within_certificate(
    a: Network,
    b: Network,
    domain: LinearSystem,
    bound: fmpq,
    records: Iterable[dict[str, Any]],
) -> Certificate:
    """The joint split tree in preorder, with a bound on its leaves."""
    fields = {**pair_on_domain_fields(a, b, domain), "bound": encode_rational(bound)}
    return Certificate("equal-within", fields, tuple(records))


def not_equal_within_certificate(
    a: Network, b: Network, domain: LinearSystem, bound: fmpq, point: Vector
) -> Certificate:
    """A point of the open domain at which some output differs by more than the bound."""
    fields = {**pair_on_domain_fields(a, b, domain), "bound": encode_rational(bound)}
    return Certificate("not-equal-within", fields, (point_record(point),))
