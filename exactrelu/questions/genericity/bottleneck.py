"""Genericity of three-layer bottlenecks, n_1 ≤ n_0, by small tests (theory 2.2).

*Masked ranks.*  All are maximal iff rank W_1 = n_1, every square submatrix of W_2 is
nonsingular, rank(W_3[I, J]·W_2[J, A]) = min(|I|, |J|, |A|) for all I, J, A, **and** the rows
of every W_3[I, :] have rank min(|I|, n_2).  (The last part is missing in theory 2.2; it
says more only if n_1 < min(n_2, n_3): :func:`small_test_of_the_notes` passes for
W_1 = (1), W_2 = (1; 1), W_3 = (1 2; 2 4), where rank W_3 is 1.)  :mod:`.masked_products` finds
the same minors by itself, so that :func:`.masked_rank.masked_rank` needs no special case.

*Supertransversality, given the masked ranks.*  W_1 is onto, so cells are those of y in
R^{n_1}: A where y > 0, the rest 0 or negative.  A face on which y_A > 0 and z_J = 0 has
its right codimension unless |J| > |A|, as W_2[J, A] has full rank.  So the network is
supertransversal iff for no A and |J| = |A| + 1 there is y > 0 with W_2[J, A]·y = −b_J.
W_2[J, A] has independent columns: there is at most one y, and none at all if
det[W_2[J, A] | b_J] ≠ 0, which is decided modulo a prime.  No LP is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations, islice
from math import comb
from typing import Unpack

import numpy as np

from exactrelu.certificates.certificate import Certificate, Verdict, claim, joined, record
from exactrelu.certificates.evidence import minor_record
from exactrelu.effort import UNLIMITED, Effort, Limits
from exactrelu.errors import InputError
from exactrelu.exact.linear import modular_minor, rank, solve
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.modular import all_minors, residues, subsets, word_primes
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.faces import not_supertransversal
from exactrelu.questions.genericity.masked_products import N_ARRAYS
from exactrelu.questions.genericity.masked_rank import masked_rank
from exactrelu.questions.question import Call, question
from exactrelu.words import figure


@dataclass(frozen=True)
class CommonZero(Outward):
    """First-layer neurons A that are active, |A| + 1 second-layer neurons J that vanish.

    ``point`` is an x where just A is active in the first layer, the others 0, and z_J = 0.
    Neurons from 0.
    """

    active: tuple[int, ...]
    vanishing: tuple[int, ...]
    point: Vector


def is_bottleneck(network: Network) -> bool:
    """Three layers with n_1 ≤ n_0."""
    return len(network.layers) == 3 and network.widths[1] <= network.widths[0]


def common_zeros(network: Network, effort: Effort = UNLIMITED) -> Iterator[CommonZero]:
    """All A, J, |J| = |A| + 1, with a common zero; none iff the network is supertransversal.

    The network must be a bottleneck all of whose masked ranks are maximal.

    >>> net = Network.from_arrays(
    ...     [[[1, 0], [0, 1]], [[1, 1], [2, 1]], [[1, 1]]], [[0, 0], [-1, -1], [0]])
    >>> list(common_zeros(net))
    [CommonZero(active=(1,), vanishing=(0, 1), point=(0, 1))]
    """
    if not is_bottleneck(network):
        raise InputError(f"widths {network.widths}: expected three layers with n1 <= n0")
    for (*active, last), vanishing in _zero_minors(network, next(word_primes()), effort):
        effort.spend()
        if last == network.widths[1]:
            zero = _common_zero(network, tuple(active), vanishing)
            if zero is not None:
                yield zero


@question
def generic_bottleneck(
    call: Call[Verdict | None],
    network: Network,
    **limits: Unpack[Limits],
) -> Verdict | None:
    """Whether a bottleneck is generic on R^n, by the small tests; None if they do not decide.

    They do not for other networks, and where some det[W_2[J, A] | b_J] is 0 although its y is
    not positive: the certificate has no place for these.

    >>> net = Network.from_arrays(
    ...     [[[1, 0], [0, 1]], [[1, 1], [2, 1]], [[1, 1]]], [[0, 0], [-1, -3], [0]])
    >>> generic_bottleneck(net).answer
    True
    """
    effort = call.effort
    if not is_bottleneck(network):
        return None
    ranks = masked_rank(network, effort=effort)
    if not isinstance(ranks.certificate, Certificate) or not ranks.answer:
        return ranks
    call.knows(lambda stopped: Verdict.undecided(stopped, ranks.reason))
    zero = next(common_zeros(network, effort), None)
    if zero is not None:
        return not_supertransversal(network, call.place, [zero.point])
    minors = supertransversal_bottleneck(network, effort)
    if minors is None:
        return None
    reason = f"{ranks.reason}; no n + 1 neurons of layer 2 vanish where n of layer 1 are active"
    return Verdict(True, reason, certificate=joined("facts", [ranks.certificate, minors]))


def supertransversal_bottleneck(network: Network, effort: Effort = UNLIMITED) -> Certificate | None:
    """The proof by minors that a bottleneck is supertransversal on R^n, if there is one.

    The rows of W_1 are independent, and no minor of [W_2 | b_2] is 0.
    """
    first = network.layers[0].weights
    if not is_bottleneck(network) or rank(first) < first.n_rows:
        return None
    for prime in islice(word_primes(), 3):
        if not any(_zero_minors(network, prime, effort)):
            return claim(
                "supertransversal",
                "bottleneck",
                [minor_record(modular_minor(first, first.n_rows)), record("modulus", prime)],
                holds=True,
                network=network,
                domain=Domain.of(None, network.n_inputs),
            )
    return None


def _zero_minors(
    network: Network, prime: int, effort: Effort
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Columns and rows of all minors of [W_2 | b_2] that are 0 modulo the prime."""
    second = network.layers[1]
    n_1, n_2 = second.n_inputs, second.n_outputs
    sizes = range(1, min(n_1 + 1, n_2) + 1)
    n_minors = max(comb(n_1 + 1, r) * comb(n_2, r) for r in sizes)
    effort.need(
        8 * N_ARRAYS * n_minors,
        f"a table of {figure(n_minors)} minors of a {n_2} × {n_1 + 1} matrix",
    )
    augmented = residues(second.affine, prime)[None]
    for r, minors in enumerate(all_minors(augmented, sizes[-1], prime, effort), 1):
        for i, j in np.argwhere(minors[0] == 0).tolist():
            yield subsets(n_1 + 1, r)[j], subsets(n_2, r)[i]


def _common_zero(
    network: Network, active: tuple[int, ...], vanishing: tuple[int, ...]
) -> CommonZero | None:
    first, second = network.layers[:2]
    target = tuple(-second.flint_bias[j] for j in vanishing)
    if active:
        y = solve(second.weights.take(vanishing, active), target)
    else:
        y = () if not any(target) else None
    if y is None or any(value <= 0 for value in y):
        return None
    values = dict(zip(active, y, strict=True))
    point = solve(
        first.weights, tuple(values.get(i, ZERO) - b for i, b in enumerate(first.flint_bias))
    )
    if point is None:
        raise InputError("the rows of W1 are dependent: expected masked ranks to be maximal")
    return CommonZero(active, vanishing, point)


def small_test(network: Network) -> bool:
    """Masked ranks of a bottleneck by the statement above, each rank by itself; for tests."""
    W_3 = network.layers[2].weights
    return small_test_of_the_notes(network) and all(
        rank(W_3.take(rows)) == min(len(rows), W_3.n_columns) for rows in _subsets(W_3.n_rows)
    )


def small_test_of_the_notes(network: Network) -> bool:
    """The test as theory 2.2 prints it: necessary, not sufficient."""
    W_1, W_2, W_3 = (layer.weights for layer in network.layers)
    n_1, n_2 = W_2.n_columns, W_2.n_rows
    return (
        rank(W_1) == n_1
        and all(
            rank(W_2.take(J, A)) == len(J)
            for r in range(1, min(n_1, n_2) + 1)
            for J in combinations(range(n_2), r)
            for A in combinations(range(n_1), r)
        )
        and all(
            rank(_product(W_3, W_2, I, J, A)) == min(len(I), len(J), len(A))
            for I in _subsets(W_3.n_rows)
            for J in _subsets(n_2)
            for A in _subsets(n_1)
        )
    )


def _product(
    W_3: Matrix, W_2: Matrix, I: tuple[int, ...], J: tuple[int, ...], A: tuple[int, ...]
) -> Matrix:
    return W_3.take(I, J) @ W_2.take(J, A)


def _subsets(n: int) -> Iterator[tuple[int, ...]]:
    """The nonempty subsets."""
    return chain.from_iterable(combinations(range(n), r) for r in range(1, n + 1))
