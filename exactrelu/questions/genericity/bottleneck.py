"""Genericity of three-layer bottlenecks, n_1 ≤ n_0, by small tests (theory 2.2).

*Masked ranks.*  All are maximal iff rank W_1 = n_1, every square submatrix of W_2 is
nonsingular, rank(W_3[I, J]·W_2[J, A]) = min(|I|, |J|, |A|) for all I, J, A, **and** the rows
of every W_3[I, :] have rank min(|I|, n_2).  (The last part is missing in theory 2.2; it
says more only if n_1 < min(n_2, n_3): :func:`small_test_of_the_notes` passes for
W_1 = (1), W_2 = (1; 1), W_3 = (1 2; 2 4), where rank W_3 is 1.)  :mod:`.reduction` finds the
same minors by itself, so that :func:`.masked_rank.masked_rank` needs no special case.

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
from itertools import chain, combinations
from typing import Any

import numpy as np

from exactrelu.errors import InputError
from exactrelu.exact.linear import rank, solve
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.modular import all_minors, residues, subsets, word_primes
from exactrelu.exact.scalar import Vector, to_texts
from exactrelu.network.network import Network


@dataclass(frozen=True)
class OverfullFace:
    """First-layer neurons A that are active, second-layer neurons J that vanish together.

    At y_A = ``values`` > 0, y = 0 elsewhere, |J| = |A| + 1 bent hyperplanes of the second layer
    meet on a face on which only |A| can.  Neurons from 0; ``point`` is an x with this y.
    """

    active: tuple[int, ...]
    vanishing: tuple[int, ...]
    values: Vector
    point: Vector

    def text(self) -> str:
        """The neurons and the point."""
        n_planes = "{" + ",".join(f"(2,{j + 1})" for j in self.vanishing) + "}"
        active = "{" + ",".join(f"(1,{i + 1})" for i in self.active) + "}"
        return f"{n_planes} vanish where just {active} are active, at ({self.point_text})"

    @property
    def point_text(self) -> str:
        return ", ".join(to_texts(self.point))

    def fields(self) -> dict[str, Any]:
        """The failure as ``--json`` writes it, from 1."""
        return {
            "condition": "supertransversal",
            "active": [[1, i + 1] for i in self.active],
            "vanishing": [[2, j + 1] for j in self.vanishing],
            "point": to_texts(self.point),
        }


def is_bottleneck(network: Network) -> bool:
    """Three layers with n_1 ≤ n_0."""
    return len(network.layers) == 3 and network.widths[1] <= network.widths[0]


def overfull_faces(network: Network) -> Iterator[OverfullFace]:
    """All A, J, |J| = |A| + 1, with a common zero; none iff the network is supertransversal.

    The network must be a bottleneck all of whose masked ranks are maximal.

    >>> net = Network.from_arrays(
    ...     [[[1, 0], [0, 1]], [[1, 1], [2, 1]], [[1, 1]]], [[0, 0], [-1, -1], [0]])
    >>> [(face.active, face.vanishing, face.point) for face in overfull_faces(net)]
    [((1,), (0, 1), (0, 1))]
    """
    if not is_bottleneck(network):
        raise InputError(f"widths {network.widths}: expected three layers with n1 <= n0")
    second = network.layers[1]
    n_1, n_2 = second.n_inputs, second.n_outputs
    prime = next(word_primes())
    augmented = residues(second.affine, prime)[None]
    sizes = min(n_1 + 1, n_2)
    for r, minors in enumerate(all_minors(augmented, sizes, prime), 1):
        for i, j in np.argwhere(minors[0] == 0).tolist():
            columns = subsets(n_1 + 1, r)[j]
            if columns[-1] != n_1:
                continue  # a minor without the bias
            face = _face(network, columns[:-1], subsets(n_2, r)[i])
            if face is not None:
                yield face


def _face(
    network: Network, active: tuple[int, ...], vanishing: tuple[int, ...]
) -> OverfullFace | None:
    first, second = network.layers[:2]
    target = tuple(-second.bias[j] for j in vanishing)
    if active:
        y = solve(second.weights.take(vanishing, active), target)
    else:
        y = () if not any(target) else None
    if y is None or any(value <= 0 for value in y):
        return None
    values = dict(zip(active, y, strict=True))
    at = tuple(values.get(i, 0) - b for i, b in enumerate(first.bias))
    point = solve(first.weights, at)
    if point is None:
        raise InputError("the rows of W1 are dependent: expected masked ranks to be maximal")
    return OverfullFace(active, vanishing, y, point)


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
