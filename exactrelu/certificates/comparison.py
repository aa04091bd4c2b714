"""Claims ``different``, ``equal-shallow`` and ``equal-by-rewriting``: two networks on a domain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import point_record
from exactrelu.certificates.isomorphic import pair_fields, symmetry_records
from exactrelu.exact.encode import encode_integers, encode_matrix, encode_rational, encode_system
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.network.rewriting import (
    Bound,
    Branch,
    Compose,
    Drop,
    Flip,
    Merge,
    NeverActive,
    Refactor,
    Step,
    Translate,
)
from exactrelu.network.symmetry import Symmetry


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
    symmetry: Symmetry | None = None,
) -> Certificate:
    """The steps that take a to b; or other steps for b, and how what the two became is compared.

    By a tree, ``cells``, or by the symmetry that takes the one to the other.
    """
    records = [record for step in steps for record in _step_records(step)]
    if other_steps:
        records.append({"record": "other"})
        records += [record for step in other_steps for record in _step_records(step)]
    if symmetry is not None:
        records += [{"record": "isomorphic"}, *symmetry_records(symmetry)]
    else:
        records += [{"record": "cells"}, *cells] if cells else [{"record": "result"}]
    return Certificate("equal-by-rewriting", pair_on_domain_fields(a, b, domain), tuple(records))


def pair_on_domain_fields(a: Network, b: Network, domain: LinearSystem) -> dict[str, Any]:
    """The fields of a claim about two networks on a domain."""
    return {**pair_fields(a, b), "domain": encode_system(domain)}


def _step_records(step: Step) -> Iterator[dict[str, Any]]:
    """The record of a step, and those of its tree if it has one."""
    if not isinstance(step, NeverActive):
        yield _step_record(step)
        return
    yield {"layer": step.layer, "neuron": step.neuron, "record": "never-active"}
    for node in step.tree:
        match node:
            case Branch(layer, neuron):
                yield {"layer": layer, "neuron": neuron, "record": "branch"}
            case Bound(factor, slopes, rows, values):
                yield {
                    "factor": format(factor, "x"),
                    "record": "bound",
                    "rows": list(rows),
                    "slopes": [encode_integers(layer) for layer in slopes],
                    "values": encode_integers(values),
                }


def _step_record(step: Drop | Merge | Compose | Refactor | Translate | Flip) -> dict[str, Any]:
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
