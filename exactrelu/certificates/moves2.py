"""Moves among networks: rewriting steps, symmetries, members of fibers, and why there is none.

A function has many networks.  Permutations and positive scalings of hidden neurons take one to an
isomorphic one; rewriting steps drop, merge, compose or move neurons and keep the function on a
domain; what is left of the fiber is listed by members, one for each of its strata, and by reasons
why a stratum has none: the rank of the map that linear neurons must make is larger than their
number, or equal to it while the cone of its columns contains a line.

*Flat domains.*  Steps, and what follows them, are about the networks in the coordinates t of the
affine hull, ``domain.restricted(network)``, on the domain there, ``domain.inner``.  So what is
proved there about two networks is a proof of the same about the networks of which they are the
restrictions: a rewriting without steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from exactrelu.certificates.evidence2 import (
    Multipliers,
    dependency_record2,
    kernel_record2,
    matrix_record2,
    minor_record2,
)
from exactrelu.certificates.format2 import Certificate2, claim2, record2
from exactrelu.exact.linear import Minor, RankProof
from exactrelu.exact.matrix import Matrix
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
    Tree,
)
from exactrelu.network.symmetry import Symmetry
from exactrelu.polyhedra.domain import Domain


def rewriting_claim2(
    a: Network,
    b: Network,
    domain: Domain,
    steps: Iterable[Step],
    other_steps: Sequence[Step] = (),
    then: Certificate2 | None = None,
    symmetry: Symmetry | None = None,
) -> Certificate2:
    """Claim ``equal`` by ``rewriting``: the steps that take a to b.

    Or other steps for b, and how what the two became is compared: by the proof of another claim
    ``equal``, or by the symmetry that takes the one to the other.  On a flat domain all this is
    about the restrictions of a and b to its affine hull.

    >>> a = Network.from_arrays([[[1], [2]], [[3, 1]]], [[1, 2], [0]])
    >>> b = Network.from_arrays([[[1]], [[5]]], [[1], [0]])
    >>> rewriting_claim2(a, b, Domain.of("box:0,1", 1), [Merge(0, 1, 0)]).proof
    ['by rewriting', 'inside 1 2', 'merge 0 1 0', 'result']
    """
    records = [entry for step in steps for entry in _step_records(step)]
    if other_steps:
        records.append(record2("other"))
        records += [entry for step in other_steps for entry in _step_records(step)]
    if symmetry is not None:
        records += ["then", "by isomorphic", *symmetry_records2(symmetry)]
    else:
        records += ["result"] if then is None else ["then", *then.evidence]
    return claim2("equal", "rewriting", records, holds=True, a=a, b=b, domain=domain)


def isomorphic_equality2(
    a: Network, b: Network, domain: Domain, symmetry: Symmetry
) -> Certificate2:
    """Claim ``equal`` by ``isomorphic``, on a domain that may be flat."""
    records = symmetry_records2(symmetry)
    return claim2("equal", "isomorphic", records, holds=True, a=a, b=b, domain=domain)


def lifted_equality2(
    a: Network, b: Network, domain: Domain, equality: Certificate2
) -> Certificate2:
    """Claim ``equal``, from the proof for the restrictions to the affine hull of the domain."""
    if domain.is_flat and equality.method != "rewriting":
        return rewriting_claim2(a, b, domain, (), then=equality)
    method, records = equality.method, equality.records
    return claim2("equal", method, records, holds=True, a=a, b=b, domain=domain)


def _step_records(step: Step) -> Iterator[str]:
    """The record of a step, and those of its tree if it has one."""
    match step:
        case Drop(layer, neuron):
            yield record2("drop", layer, neuron)
        case Merge(layer, neuron, into):
            yield record2("merge", layer, neuron, into)
        case Flip(layer, hidden, neurons):
            yield record2("move", layer, hidden, 0, 1, *sorted(neurons))
        case Translate(layer, hidden, shift):
            yield record2("move", layer, hidden, shift.p, shift.q)
        case Compose(layer):
            yield record2("compose", layer)
        case Refactor(layer, neurons, left, right):
            (p, outgoing), (q, incoming) = _integers(left), _integers(right)
            rank, m = right.n_rows, len(neurons)
            rows = (x for row in incoming for x in (*row, 0))
            columns = (x for row in outgoing for x in row)
            yield record2("refactor", layer, rank, p, q, m, *neurons, *columns, *rows)
        case NeverActive(layer, neuron, tree):
            yield record2("never-active", layer, neuron)
            yield from _tree_records(tree)


def _integers(matrix: Matrix) -> tuple[int, list[list[int]]]:
    """The denominator of a matrix, and its rows times it."""
    numerators, denominator = matrix.integer_form
    return int(denominator), [[int(x) for x in row] for row in numerators.tolist()]


def _tree_records(tree: Tree) -> Iterator[str]:
    """The tree which shows that a neuron is never active; neurons before it count from 0."""
    widths = next(map(len, node.slopes) for node in tree if isinstance(node, Bound))
    starts = [0, *accumulate(widths)]
    for node in tree:
        match node:
            case Branch(layer, neuron):
                yield record2("branch", starts[layer] + neuron)
            case Bound(factor, slopes, rows, values):
                pairs = (x for pair in zip(rows, values, strict=True) for x in pair)
                flat = (x for layer in slopes for x in layer)
                yield record2("bound", factor, *flat, len(rows), *pairs)


def symmetry_records2(symmetry: Symmetry) -> Iterator[str]:
    """The permutation and the scalings of each hidden layer."""
    for permutation, scalings in zip(symmetry.permutations, symmetry.scalings, strict=True):
        yield record2("symmetry", *permutation, *(x for s in scalings for x in (s.p, s.q)))


def network_records2(network: Network) -> Iterator[str]:
    """A network in a proof: the units of each layer, and its matrix."""
    yield record2("widths", *network.widths[1:])
    for layer in network.layers:
        yield matrix_record2("layer", layer.affine)


def rank_too_large_records2(known: RankProof | None, minor: Minor) -> list[str]:
    """A minor of the matrix, after the rank of the rows that are there twice, if any are."""
    return [record2("rank-too-large", _rank(known)), *_kernel(known), minor_record2(minor)]


def not_pointed_records2(
    known: RankProof | None,
    minor: Minor,
    dependency: Multipliers,
    inside: tuple[RankProof | None, Minor] | None,
) -> list[str]:
    """The same with a smaller minor, a dependency of columns, and what is on these alone."""
    ranks = _rank(known), _rank(inside[0] if inside else None)
    records = [record2("not-pointed", *ranks), *_kernel(known), minor_record2(minor)]
    records.append(dependency_record2(dependency))
    if inside is not None:
        records += [*_kernel(inside[0]), minor_record2(inside[1])]
    return records


def _rank(known: RankProof | None) -> int:
    return 0 if known is None else known.rank


def _kernel(known: RankProof | None) -> list[str]:
    return [] if known is None else [kernel_record2(known.kernel)]
