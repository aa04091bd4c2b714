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

from exactrelu.certificates.certificate import Certificate, claim, record
from exactrelu.certificates.evidence import (
    Multipliers,
    dependency_record,
    kernel_record,
    matrix_record,
    minor_record,
)
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


def rewriting_claim(
    a: Network,
    b: Network,
    domain: Domain,
    steps: Iterable[Step],
    other_steps: Sequence[Step] = (),
    then: Certificate | None = None,
    symmetry: Symmetry | None = None,
) -> Certificate:
    """Claim ``equal`` by ``rewriting``: the steps that take a to b.

    Or other steps for b, and how what the two became is compared: by the proof of another claim
    ``equal``, or by the symmetry that takes the one to the other.  On a flat domain all this is
    about the restrictions of a and b to its affine hull.

    >>> a = Network.from_arrays([[[1], [2]], [[3, 1]]], [[1, 2], [0]])
    >>> b = Network.from_arrays([[[1]], [[5]]], [[1], [0]])
    >>> rewriting_claim(a, b, Domain.of("box:0,1", 1), [Merge(0, 1, 0)]).proof
    ['by rewriting', 'inside 1 2', 'merge 0 1 0', 'result']
    """
    records = [entry for step in steps for entry in _step_records(step)]
    if other_steps:
        records.append(record("other"))
        records += [entry for step in other_steps for entry in _step_records(step)]
    if symmetry is not None:
        records += ["then", "by isomorphic", *symmetry_records(symmetry)]
    else:
        records += ["result"] if then is None else ["then", *then.evidence]
    return claim("equal", "rewriting", records, holds=True, a=a, b=b, domain=domain)


def isomorphic_equality(a: Network, b: Network, domain: Domain, symmetry: Symmetry) -> Certificate:
    """Claim ``equal`` by ``isomorphic``, on a domain that may be flat."""
    records = symmetry_records(symmetry)
    return claim("equal", "isomorphic", records, holds=True, a=a, b=b, domain=domain)


def lifted_equality(a: Network, b: Network, domain: Domain, equality: Certificate) -> Certificate:
    """Claim ``equal``, from the proof for the restrictions to the affine hull of the domain."""
    if domain.is_flat and equality.method != "rewriting":
        return rewriting_claim(a, b, domain, (), then=equality)
    method, records = equality.method, equality.records
    return claim("equal", method, records, holds=True, a=a, b=b, domain=domain)


def _step_records(step: Step) -> Iterator[str]:
    """The record of a step, and those of its tree if it has one."""
    match step:
        case Drop(layer, neuron):
            yield record("drop", layer, neuron)
        case Merge(layer, neuron, into):
            yield record("merge", layer, neuron, into)
        case Flip(layer, hidden, neurons):
            yield record("move", layer, hidden, 0, 1, *sorted(neurons))
        case Translate(layer, hidden, shift):
            yield record("move", layer, hidden, shift.p, shift.q)
        case Compose(layer):
            yield record("compose", layer)
        case Refactor(layer, neurons, left, right):
            (p, outgoing), (q, incoming) = _integers(left), _integers(right)
            rank, m = right.n_rows, len(neurons)
            rows = (x for row in incoming for x in (*row, 0))
            columns = (x for row in outgoing for x in row)
            yield record("refactor", layer, rank, p, q, m, *neurons, *columns, *rows)
        case NeverActive(layer, neuron, tree):
            yield record("never-active", layer, neuron)
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
                yield record("branch", starts[layer] + neuron)
            case Bound(factor, slopes, rows, values):
                pairs = (x for pair in zip(rows, values, strict=True) for x in pair)
                flat = (x for layer in slopes for x in layer)
                yield record("bound", factor, *flat, len(rows), *pairs)


def symmetry_records(symmetry: Symmetry) -> Iterator[str]:
    """The permutation and the scalings of each hidden layer."""
    for permutation, scalings in zip(symmetry.indices, symmetry.flint_scalings, strict=True):
        yield record("symmetry", *permutation, *(x for s in scalings for x in (s.p, s.q)))


def network_records(network: Network) -> Iterator[str]:
    """A network in a proof: the units of each layer, and its matrix."""
    yield record("widths", *network.widths[1:])
    for layer in network.layers:
        yield matrix_record("layer", layer.affine)


def rank_too_large_records(known: RankProof | None, minor: Minor) -> list[str]:
    """A minor of the matrix, after the rank of the rows that are there twice, if any are."""
    return [record("rank-too-large", _rank(known)), *_kernel(known), minor_record(minor)]


def not_pointed_records(
    known: RankProof | None,
    minor: Minor,
    dependency: Multipliers,
    inside: tuple[RankProof | None, Minor] | None,
) -> list[str]:
    """The same with a smaller minor, a dependency of columns, and what is on these alone."""
    ranks = _rank(known), _rank(inside[0] if inside else None)
    records = [record("not-pointed", *ranks), *_kernel(known), minor_record(minor)]
    records.append(dependency_record(dependency))
    if inside is not None:
        records += [*_kernel(inside[0]), minor_record(inside[1])]
    return records


def _rank(known: RankProof | None) -> int:
    return 0 if known is None else known.rank


def _kernel(known: RankProof | None) -> list[str]:
    return [] if known is None else [kernel_record(known.kernel)]
