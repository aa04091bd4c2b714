"""Claims ``equal-by-cells``, ``equal-within``, ``not-equal-within``, and of the difference itself.

These are ``largest-difference`` and ``unbounded-difference``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from flint import fmpq

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.comparison import pair_on_domain_fields
from exactrelu.certificates.evidence import Multipliers, point_record, primitive_scale
from exactrelu.exact.encode import encode_integers, encode_rational, encode_vector
from exactrelu.exact.scalar import Vector, primitive
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network

#: (network, hidden layer, number), all from 0.
Neuron = tuple[int, int, int]

#: Multipliers of the rows of a cell and, last, of one more; and for some neurons with
#: preactivation z multipliers of s(z) ≥ 0 and of s(z) − z ≥ 0.
Refuted = tuple[Multipliers, Sequence[tuple[Neuron, fmpq, fmpq]]]

#: A cell on which the networks are the same form.
SAME_RECORD: dict[str, Any] = {"record": "same"}


def pair_split_record(neuron: Neuron) -> dict[str, Any]:
    """A cut by a neuron."""
    return {"neuron": list(neuron), "record": "split"}


def pair_bounds_record(neurons: Iterable[Neuron]) -> dict[str, Any]:
    """Neurons whose bounds on a cell have one sign."""
    return {"neurons": [list(neuron) for neuron in neurons], "record": "bounds"}


def pair_empty_record(domain: LinearSystem, refuted: Refuted) -> dict[str, Any]:
    """A cell that is empty."""
    (rows,), (values,), (facts,) = _encoded(domain, [refuted])
    return {"facts": facts, "record": "empty", "rows": rows, "values": values}


def pair_sides_record(
    domain: LinearSystem, sides: Iterable[tuple[Neuron, int, Refuted]]
) -> dict[str, Any]:
    """Neurons with their sign on a cell, and why the other side is empty."""
    neurons, signs, refuted = zip(*sides, strict=True)
    rows, values, facts = _encoded(domain, refuted)
    return {
        "facts": facts,
        "neurons": [list(neuron) for neuron in neurons],
        "record": "sides",
        "rows": rows,
        "signs": ["+" if s > 0 else "-" for s in signs],
        "values": values,
    }


def within_record(domain: LinearSystem, refuted: Sequence[Refuted]) -> dict[str, Any]:
    """For each output, why it is not more, and not less, than the bound allows."""
    rows, values, facts = _encoded(domain, refuted)
    return {"facts": facts, "record": "within", "rows": rows, "values": values}


def _encoded(
    domain: LinearSystem, refuted: Iterable[Refuted]
) -> tuple[list[list[int]], list[list[str]], list[list[Any]]]:
    """Rows, values and facts for the rows of the file, which scales those of the domain."""
    scales = [primitive_scale((*row.normal, row.offset)) for row in domain.rows]
    rows, values, facts = [], [], []
    for multipliers, shares in refuted:
        numbers = [
            fmpq(value) / scales[i] if i < len(scales) else fmpq(value) for i, value in multipliers
        ]
        encoded = encode_integers(primitive([*numbers, *(x for _, u, v in shares for x in (u, v))]))
        n = len(multipliers)
        rows.append([i for i, _ in multipliers])
        values.append(encoded[:n])
        pairs = zip(encoded[n::2], encoded[n + 1 :: 2], strict=True)
        facts.append(
            [[list(neuron), u, v] for (neuron, _, _), (u, v) in zip(shares, pairs, strict=True)]
        )
    return rows, values, facts


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


def largest_difference_certificate(
    a: Network,
    b: Network,
    domain: LinearSystem,
    value: fmpq,
    points: tuple[Vector, Vector],
    records: Iterable[dict[str, Any]],
) -> Certificate:
    """A point of the open domain, one of its closure with this difference, and the tree."""
    fields = {**pair_on_domain_fields(a, b, domain), "bound": encode_rational(value)}
    inside, point = map(encode_vector, points)
    limit = {"inside": inside, "point": point, "record": "limit"}
    return Certificate("largest-difference", fields, (limit, *records))


def unbounded_difference_certificate(
    a: Network, b: Network, domain: LinearSystem, point: Vector, direction: Vector
) -> Certificate:
    """A ray in the open domain along which some output differs more and more."""
    ray = encode_integers(primitive(direction))
    record = {"direction": ray, "point": encode_vector(point), "record": "ray"}
    return Certificate("unbounded-difference", pair_on_domain_fields(a, b, domain), (record,))
