"""Kernels of convolutions in one dimension: the rows of a layer s(Cx) are the kernels c_1, …, c_q.

Definition 2 has (Cx)_J = Σ_{I=1}^{O} c_{O−I+1} x_{J+I} for J = 1, …, N.  **Under-specified**:
x_1 is read only over the edge of a periodic signal.  With zeros beyond the edges it is never
read, so that nothing is injective; with x_{J+I−1} all shifts of the kernel are rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.lemmas.families import UNITS, random_rows, small_matrices
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.s003.layers import altered_linear, is_linear, linear_network, weights
from exactrelu.lemmas.statement import Fact, Family, Level

Sizes = Iterable[tuple[int, int]]


def padded(c: Vector, size: int, shift: int) -> Vector:
    """The zero-padded kernel of Definition 4: ĉ_T = c_{Q−T+O+1}, Q the shift."""
    row = [ZERO] * size
    row[shift : shift + len(c)] = reversed(c)
    return tuple(row)


def padded_kernels(kernels: Matrix, P: int) -> Matrix:
    """Z_P: all shifts of the kernels within P; none if they do not fit."""
    shifts = range(P - kernels.n_columns + 1)
    return Matrix([padded(c, P, shift) for c in kernels for shift in shifts], P)


def operator(kernels: Matrix, n: int, offset: int, *, is_periodic: bool) -> Matrix:
    """The rows (Cx)_J = Σ c_{O−I+1} x_{J+I+offset}, J = 1, …, n; 0 or the period beyond 1..n."""
    rows = []
    for c in kernels:
        for J in range(1, n + 1):
            row = [ZERO] * n
            for I, weight in enumerate(reversed(c), 1):
                place = J + I + offset - 1
                if is_periodic or 0 <= place < n:
                    row[place % n] += weight
            rows.append(tuple(row))
    return Matrix(rows, n)


def printed_operator(kernels: Matrix, n: int) -> Matrix:
    """Definition 2 with zeros beyond the edges."""
    return operator(kernels, n, 0, is_periodic=False)


def periodic_operator(kernels: Matrix, n: int) -> Matrix:
    """Definition 2 on a periodic signal."""
    return operator(kernels, n, 0, is_periodic=True)


def repaired_operator(kernels: Matrix, n: int) -> Matrix:
    """x_{J+I−1} in place of x_{J+I}, zeros beyond the edges."""
    return operator(kernels, n, -1, is_periodic=False)


def kernels_fit(instance: Instance, *, box: bool = True) -> Fact:
    """O ≤ P, and b = 0: the layer stands for kernels."""
    network = instance.network()
    fits = is_linear(network) and (not box or network.n_inputs <= instance.integer("P"))
    return Fact.plain("O ≤ P", fits)


def kernel_level(q: int, O: int, sizes: Sizes) -> Level:
    """All sets of q kernels of width O with entries of the units; P and the length n."""
    chosen = tuple(sizes)

    def instances() -> Iterator[Instance]:
        for kernels in small_matrices(q, O):
            for P, n in chosen:
                yield Instance.of(N=linear_network(kernels), P=P, n=n)

    words = ", ".join(f"P = {P}, N = {n}" for P, n in chosen)
    return Level(f"q = {q}, O = {O}, entries {UNITS[0]}..{UNITS[-1]}; {words}", instances)


def random_kernels(rng: Random) -> Instance:
    """A few kernels, and their opposites; sometimes more."""
    O = rng.randint(1, 3)
    half = random_rows(rng, rng.randint(1, O), O)
    kernels = half.above(half.scale(fmpq(-rng.randint(1, 2))))
    if rng.random() < 0.3:
        kernels = kernels.above(random_rows(rng, 1, O))
    P = O + rng.randint(0, 2)
    return Instance.of(N=linear_network(kernels), P=P, n=P + rng.randint(0, 2))


def smaller_sizes(instance: Instance) -> Iterator[Instance]:
    """P or n one less."""
    for name in ("P", "n"):
        if instance.integer(name) > 1:
            yield instance.replaced(name, instance.integer(name) - 1)


#: Kernels of width 1, 2 and 3; four kernels of width 3 are as many as P = 4 needs.
KERNELS = Family(
    (
        kernel_level(2, 1, ((1, 1), (1, 2), (2, 2), (2, 3))),
        kernel_level(3, 1, ((1, 1), (1, 2), (2, 2), (2, 3))),
        kernel_level(4, 2, ((2, 2), (2, 3), (3, 3), (3, 4))),
        kernel_level(5, 2, ((2, 2), (2, 3), (3, 3))),
        kernel_level(4, 3, ((4, 4),)),
    ),
    random_kernels,
    altered_linear,
    smaller_sizes,
)


def kernels(instance: Instance) -> Matrix:
    """The kernels as rows."""
    return weights(instance)
