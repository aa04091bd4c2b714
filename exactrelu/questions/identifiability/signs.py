"""The sign theorem for three-layer bottlenecks, n_0 ≥ n_1, among all networks (theory 3.5).

Theorem.  The function of N determines N among all networks of its widths, up to permutation and
positive scaling of hidden neurons, if

1. rank W_1 = n_1;
2. no entry and no 2 × 2 minor of W_2 is 0;
3. a face of codimension k ≤ 2 lies in the zero sets of exactly k hidden neurons;
4. no sum of some of the vectors W_2[j, i]·W_3[:, j], j in a nonempty set, is 0, for each i;
5. no row of [W_2|b_2] has one sign only; and not all rows are positive at one weight and negative
   elsewhere, nor, for n_1 = 1, all (−|+).

A generic network satisfies 1–4, so that 5 decides; the published theorem is about generic networks
only.  3 holds if no minor of [W_2|b_2] of size ≤ 3 with b_2 is 0; where one is, the faces decide.
The proof is in ``proofs/rules/identifiable.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

from exactrelu.certificates.certificate import Certificate, claim
from exactrelu.certificates.evidence import minor_record
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.linear import modular_minor, rank
from exactrelu.exact.matrix import Matrix
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.faces import is_supertransversal
from exactrelu.questions.identifiability.second import obstructions
from exactrelu.questions.identifiability.shallow import zero_subset

#: With more sums the neurons of layer 2 are not tried: n_1 times 2^(n_2/2).
MAX_SUMS = 1 << 20

_Rows = Sequence[Sequence[int]]


def sign_proof(network: Network, effort: Effort = UNLIMITED) -> Certificate | None:
    """The proof that a bottleneck is identifiable; None if a condition fails, or is too large.

    >>> net = Network.from_arrays(
    ...     [[[1, 0], [0, 1]], [[1, 1]], [[1]]], [[0, 0], [-1], [0]])
    >>> sign_proof(net).records[1]
    'minors'
    >>> flipped = Network.from_arrays(
    ...     [[[1, 0], [0, 1]], [[1, -1]], [[1]]], [[0, 0], [-1], [0]])
    >>> sign_proof(flipped) is None
    True
    """
    first, second, last = network.layers
    rows, outputs = _integers(second), _integers(last)
    if obstructions(network) or not all(map(all, rows)) or not _is_simple(rows, effort):
        return None
    weights = Matrix.wrap(first.affine.integer_form[0]).take(columns=range(first.n_inputs))
    if rank(weights, effort=effort) < first.n_outputs or not _moves_nothing(rows, outputs, effort):
        return None
    transversal = ["minors"] if _is_transversal(rows, effort) else _by_faces(network, effort)
    if not transversal:
        return None
    minor = modular_minor(weights, first.n_outputs)
    return claim(
        "identifiable",
        "signs",
        [minor_record(minor), *transversal],
        holds=True,
        network=network,
        among="all",
        domain=Domain.of(None, network.n_inputs),
    )


def _integers(layer: Layer) -> list[list[int]]:
    """[W|b] times its denominator."""
    return [[int(x) for x in row] for row in layer.affine.integer_form[0].tolist()]


def _is_simple(rows: _Rows, effort: Effort) -> bool:
    """Whether no 2 × 2 minor of the weights is 0."""
    effort.expect("masks", comb(len(rows), 2) * comb(len(rows[0]) - 1, 2))
    return _has_minors([row[:-1] for row in rows], effort)


def _has_minors(rows: _Rows, effort: Effort) -> bool:
    """Whether no entry and no 2 × 2 minor is 0."""
    if not all(map(all, rows)):
        return False
    for row, other in combinations(rows, 2):
        effort.spend("masks", comb(len(row), 2))
        pairs = list(zip(row, other, strict=True))
        if any(x * v == y * u for (x, y), (u, v) in combinations(pairs, 2)):
            return False
    return True


def _is_transversal(rows: _Rows, effort: Effort) -> bool:
    """Whether no minor with the biases of size ≤ 3 is 0: those of b_i·w_j − b_j·w_i are."""
    for i, (*weights, bias) in enumerate(rows):
        mixed = [
            [bias * x - offset * w for w, x in zip(weights, others, strict=True)]
            for *others, offset in rows[i + 1 :]
        ]
        if not _has_minors(mixed, effort):
            return False
    return True


def _moves_nothing(rows: _Rows, outputs: _Rows, effort: Effort) -> bool:
    """Whether no neurons of layer 2 can be turned around: no sum of some w_ji·V_j is 0."""
    n_1, n_2 = len(rows[0]) - 1, len(rows)
    if n_1 << (n_2 // 2) > MAX_SUMS:
        return False
    columns = [[out[j] for out in outputs] for j in range(n_2)]
    for i in range(n_1):
        effort.spend("masks", 1 << (n_2 - n_2 // 2))
        vectors = [
            tuple(row[i] * x for x in column) for row, column in zip(rows, columns, strict=True)
        ]
        if zero_subset(vectors, effort) is not None:
            return False
    return True


def _by_faces(network: Network, effort: Effort) -> list[str]:
    """The proof that the network is supertransversal; none if it is not, or not in time."""
    found = is_supertransversal(network, effort=effort)
    if found.answer and isinstance(found.certificate, Certificate):
        return ["faces", *found.certificate.evidence]
    return []
