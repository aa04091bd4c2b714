"""Moves among networks: rewriting steps, symmetries, and members of fibers.

A function has many networks.  Permutations and positive scalings of hidden neurons take one to an
isomorphic one; rewriting steps drop, merge, compose or move neurons and keep the function on a
domain; what is left of the fiber is listed by members, one for each of its components, and by
reasons why an orientation of the bends has none: the rank of the map that linear neurons must make
is larger than their number, or equal to it while the cone of its columns contains a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from flint import fmpz

from exactrelu.certificates.certificate import Certificate, Record, claim, record
from exactrelu.certificates.evidence import (
    Multipliers,
    dependency_record,
    kernel_record,
    minor_record,
)
from exactrelu.exact.linear import Kernel, Minor
from exactrelu.exact.system import LinearSystem
from exactrelu.exact.text import encode_integers
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


def rewriting_claim(
    a: Network,
    b: Network,
    domain: LinearSystem,
    steps: Iterable[Step],
    other_steps: Sequence[Step] = (),
    cells: Sequence[Record] = (),
    symmetry: Symmetry | None = None,
) -> Certificate:
    """Claim ``equal-by-rewriting``: the steps that take a to b.

    Or other steps for b, and how what the two became is compared: by a tree, ``cells``, or by the
    symmetry that takes the one to the other.
    """
    records = [entry for step in steps for entry in _step_records(step)]
    if other_steps:
        records.append(record("other"))
        records += [entry for step in other_steps for entry in _step_records(step)]
    if symmetry is not None:
        records += [record("isomorphic"), *symmetry_records(symmetry)]
    else:
        records += [record("cells"), *cells] if cells else [record("result")]
    return claim("equal-by-rewriting", records, a=a, b=b, domain=domain)


def _step_records(step: Step) -> Iterator[Record]:
    """The record of a step, and those of its tree if it has one."""
    match step:
        case Drop(layer, neuron):
            yield record("drop", layer=layer, neuron=neuron)
        case Merge(layer, neuron, into):
            yield record("merge", layer=layer, neuron=neuron, into=into)
        case Flip(layer, hidden, neurons):
            yield record("flip", layer=layer, neuron=hidden, neurons=list(neurons))
        case Translate(layer, hidden, shift):
            yield record("translate", layer=layer, neuron=hidden, shift=shift)
        case Compose(layer):
            yield record("compose", layer=layer)
        case Refactor(layer, neurons, left, right):
            yield record(
                "refactor",
                layer=layer,
                neurons=list(neurons),
                rank=left.n_columns,
                left=left,
                right=right,
            )
        case NeverActive(layer, neuron, tree):
            yield record("never-active", layer=layer, neuron=neuron)
            yield from map(_bound_record, tree)


def _bound_record(node: Branch | Bound) -> Record:
    """The record of a node of the tree which shows that a neuron is never active."""
    match node:
        case Branch(layer, neuron):
            return record("branch", layer=layer, neuron=neuron)
        case Bound(factor, slopes, rows, values):
            return record(
                "bound",
                factor=fmpz(factor),
                slopes=[encode_integers(layer) for layer in slopes],
                rows=list(rows),
                values=encode_integers(values),
            )


def symmetry_records(symmetry: Symmetry) -> Iterator[Record]:
    """The permutation and the scalings of each hidden layer."""
    for permutation, scalings in zip(symmetry.permutations, symmetry.scalings, strict=True):
        yield record("symmetry", permutation=list(permutation), scalings=list(scalings))


def generic_records(generic: Certificate | None) -> list[Mapping[str, Any]]:
    """The evidence that a bottleneck is generic, as part of another claim; perhaps none."""
    if generic is None:
        return []
    by = "minors" if generic.kind == "generic-bottleneck" else "faces"
    return [record(by), *generic.records]


def member_record(network: Network) -> Record:
    """A member of a fiber."""
    return record("member", network=network)


class NoMember(Protocol):
    """Why an orientation has no member: a minor, or a smaller one and a dependency."""

    @property
    def minor(self) -> Minor | None: ...

    @property
    def dependency(self) -> Multipliers | None: ...


def orientation_records(
    found: Iterable[tuple[str, Network | NoMember]],
) -> tuple[list[str], list[str], list[Record]]:
    """Orientations with members, those without, and the records that prove both, in this order."""
    nonempty: list[str] = []
    empty: list[str] = []
    members: list[Record] = []
    proofs: list[Record] = []
    for signs, evidence in found:
        if isinstance(evidence, Network):
            nonempty.append(signs)
            members.append(member_record(evidence))
        else:
            empty.append(signs)
            proofs += _proof(evidence)
    return nonempty, empty, [*members, *proofs]


def _proof(evidence: NoMember) -> list[Record]:
    if evidence.minor is None:
        raise ArithmeticError("an orientation without member and without proof: a bug")
    if evidence.dependency is None:
        return rank_too_large_records(None, evidence.minor)
    return not_pointed_records(None, evidence.minor, evidence.dependency, None)


def rank_too_large_records(known: Kernel | None, minor: Minor) -> list[Record]:
    """A minor of the matrix, after the kernel of the rows that are there twice, if any are."""
    return [record("rank-too-large"), *_kernel(known), minor_record(minor)]


def not_pointed_records(
    known: Kernel | None,
    minor: Minor,
    dependency: Multipliers,
    inside: tuple[Kernel | None, Minor] | None,
) -> list[Record]:
    """The same with a smaller minor, a dependency of columns, and what is on these alone."""
    records = [record("not-pointed"), *_kernel(known), minor_record(minor)]
    records.append(dependency_record(dependency))
    if inside is not None:
        records += [*_kernel(inside[0]), minor_record(inside[1])]
    return records


def _kernel(known: Kernel | None) -> list[Record]:
    return [] if known is None else [kernel_record(known)]
