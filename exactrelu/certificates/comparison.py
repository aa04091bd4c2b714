"""Claims ``different``, ``equal-shallow`` and ``equal-by-rewriting``: two networks on a domain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import point_record
from exactrelu.certificates.isomorphic import pair_fields
from exactrelu.exact.encode import encode_matrix, encode_rational, encode_system
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.network.rewriting import Compose, Drop, Flip, Merge, Refactor, Step, Translate


def different_certificate(
    a: Network, b: Network, domain: LinearSystem, point: Vector
) -> Certificate:
    """A point of the open domain at which the networks differ."""
    return Certificate("different", pair_on_domain_fields(a, b, domain), (point_record(point),))


def equal_shallow_certificate(a: Network, b: Network, domain: LinearSystem) -> Certificate:
    """Nothing but the claim: the checker computes the shallow forms itself."""
    return Certificate("equal-shallow", pair_on_domain_fields(a, b, domain))


def equal_by_rewriting_certificate(
    a: Network,
    b: Network,
    domain: LinearSystem,
    steps: Iterable[Step],
    other_steps: Sequence[Step] = (),
    cells: Sequence[dict[str, Any]] = (),
) -> Certificate:
    """The steps that take a to b; or other steps for b, and a tree for what the two became."""
    records = [_step_record(step) for step in steps]
    if other_steps:
        records += [{"record": "other"}, *map(_step_record, other_steps)]
    records += [{"record": "cells"}, *cells] if cells else [{"record": "result"}]
    return Certificate("equal-by-rewriting", pair_on_domain_fields(a, b, domain), tuple(records))


def pair_on_domain_fields(a: Network, b: Network, domain: LinearSystem) -> dict[str, Any]:
    """The fields of a claim about two networks on a domain."""
    return {**pair_fields(a, b), "domain": encode_system(domain)}


def _step_record(step: Step) -> dict[str, Any]:
    match step:
        case Drop(layer, neuron):
            return {"layer": layer, "neuron": neuron, "record": "drop"}
        case Merge(layer, neuron, into):
            return {"into": into, "layer": layer, "neuron": neuron, "record": "merge"}
        case Flip(layer, hidden, neurons):
            numbers = list(neurons)
            return {"layer": layer, "neuron": hidden, "neurons": numbers, "record": "flip"}
        case Translate(layer, hidden, shift):
            t = encode_rational(shift)
            return {"layer": layer, "neuron": hidden, "record": "translate", "shift": t}
        case Compose(layer):
            return {"layer": layer, "record": "compose"}
        case Refactor(layer, neurons, left, right):
            return {
                "layer": layer,
                "left": encode_matrix(left),
                "neurons": list(neurons),
                "rank": left.n_columns,
                "record": "refactor",
                "right": encode_matrix(right),
            }
