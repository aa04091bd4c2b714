"""Instances for statements about one layer s(Wx + b): a network with one hidden layer.

The output layer is one row of zeros; no statement about the hidden layer depends on it.  A
matrix W is the layer with b = 0.

For convolutions in one dimension the rows of a layer s(Cx) are the kernels c_1, …, c_q.
Definition 2 has (Cx)_J = Σ_{I=1}^{O} c_{O−I+1} x_{J+I} for J = 1, …, N.  **Under-specified**:
x_1 is read only over the edge of a periodic signal.  With zeros beyond the edges it is never
read, so that nothing is injective; with x_{J+I−1} all shifts of the kernel are rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

from flint import fmpq

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.lemmas.families import UNITS, altered, entries_text, random_rows, small_matrices
from exactrelu.lemmas.statement import Fact, Family, Instance, Level
from exactrelu.network.network import Layer, Network
from exactrelu.questions.injectivity.network import is_injective
from exactrelu.questions.regions import regions

#: Seconds for one question about a layer; small layers need milliseconds.
TIMEOUT = 5.0


def layer_network(affine: Matrix) -> Network:
    """The network whose hidden layer has the rows [w|b]."""
    return Network((Layer(affine), Layer(Matrix.zero(1, affine.n_rows + 1))))


def linear_network(W: Matrix) -> Network:
    """The network whose hidden layer is s(Wx)."""
    return layer_network(W.beside(Matrix.zero(W.n_rows, 1)))


def weights(instance: Instance) -> Matrix:
    """The matrix W of the hidden layer."""
    return instance.network().layers[0].weights


def is_one_layer(network: Network) -> bool:
    """Whether there is one hidden layer, as in every instance of these families."""
    return len(network.layers) == 2


def is_linear(network: Network) -> bool:
    """Whether the network stands for a matrix W: one hidden layer, and b = 0."""
    return is_one_layer(network) and not any(network.layers[0].bias)


def unbiased(instance: Instance) -> Fact:
    """That the hidden layer is s(Wx)."""
    return Fact.plain("b = 0", is_linear(instance.network()))


def hidden_layer_injective(
    text: str, network: Network | None, domain: LinearSystem | None = None
) -> Fact:
    """Whether the hidden layer is injective on a domain, R^n by default; an empty layer is not."""
    if network is None:
        return Fact.plain(text, False)
    return Fact(text, is_injective(network, layer=1, domain=domain, timeout=TIMEOUT))


def directed_spanning(instance: Instance) -> Fact:
    """That W is a directed spanning set with respect to every x: its layer is injective."""
    return hidden_layer_injective("W is a DSS w.r.t. every x", instance.network())


def active_rows(W: Matrix, x: Vector) -> Matrix:
    """The rows with w·x ≥ 0."""
    rows = [row for row, value in zip(W, W.flint_apply(x), strict=True) if value >= 0]
    return Matrix(rows, W.n_columns)


def wedges(W: Matrix, domain: LinearSystem | None = None) -> Iterator[Matrix]:
    """The rows that are positive on a wedge, or that are 0, for every wedge that meets int D."""
    found = regions(linear_network(W), domain, certify=False)
    return (active_rows(W, region.point) for region in found.regions)


def spans_on_wedges(W: Matrix, domain: LinearSystem | None = None) -> bool:
    """Whether the rows w·x ≥ 0 span R^n at every x, from the list of wedges."""
    return all(rank(active) == W.n_columns for active in wedges(W, domain))


def layer_level(n: int, m: int, entries: Sequence[int] = UNITS) -> Level:
    """All layers of m neurons on R^n with the entries, modulo the order of neurons."""
    return Level(
        f"m = {m}, n = {n}, {entries_text(entries)}",
        lambda: (
            Instance.of(N=layer_network(affine)) for affine in small_matrices(m, n + 1, entries)
        ),
    )


def linear_level(
    n: int,
    m: int,
    entries: Sequence[int] = UNITS,
    more: Callable[[Matrix], Iterable[Instance]] | None = None,
    words: str = "",
) -> Level:
    """All m × n matrices W with the entries, modulo the order of rows; ``more`` adds objects."""
    expand = more or (lambda W: (Instance.of(N=linear_network(W)),))
    return Level(
        f"m = {m}, n = {n}, {entries_text(entries)}{words}",
        lambda: (instance for W in small_matrices(m, n, entries) for instance in expand(W)),
    )


def random_layer(rng: Random) -> Instance:
    """A layer on R^1 to R^3 with up to 2n + 2 neurons, some parallel, opposite or 0."""
    n = rng.randint(1, 3)
    return Instance.of(N=layer_network(random_rows(rng, rng.randint(1, 2 * n + 2), n + 1)))


def random_matrix(rng: Random) -> Matrix:
    """A matrix of up to 3 columns, often with opposite rows, so that it often spans."""
    n = rng.randint(1, 3)
    W = random_rows(rng, rng.randint(1, 2 * n + 2), n)
    if rng.random() < 0.5:
        half = random_rows(rng, n, n)
        W = half.above(-half).above(random_rows(rng, rng.randint(1, 2), n))
    return W


def random_linear(rng: Random) -> Instance:
    """A layer s(Wx) with such a matrix."""
    return Instance.of(N=linear_network(random_matrix(rng)))


def altered_linear(rng: Random, instance: Instance) -> Instance:
    """The instance with a small change that keeps b = 0."""
    changed = altered(rng, instance)
    return changed.replaced("N", linear_network(weights(changed)))


def without_coordinate(*names: str) -> Callable[[Instance], Iterator[Instance]]:
    """Reductions: one input less of the layer N and of the points."""

    def reductions(instance: Instance) -> Iterator[Instance]:
        affine = instance.network().layers[0].affine
        for j in range(affine.n_columns - 1 if affine.n_columns > 2 else 0):
            kept = [k for k in range(affine.n_columns) if k != j]
            points = {
                name: tuple(v for k, v in enumerate(instance.vector(name)) if k != j)
                for name in names
            }
            smaller = instance.replaced("N", layer_network(affine.take(columns=kept)))
            yield Instance({**smaller.values, **points})

    return reductions


def has_points(instance: Instance, *names: str) -> Fact:
    """That the points are points of the space of inputs, and b = 0."""
    n = instance.network().n_inputs
    fits = all(len(instance.vector(name)) == n for name in names)
    return Fact.plain("points of R^n, b = 0", fits and is_linear(instance.network()))


def unit(n: int, j: int) -> Vector:
    """The unit vector e_j, j from 0."""
    return tuple(fmpq(int(k == j)) for k in range(n))


def zeros(n: int) -> Vector:
    """The zero vector."""
    return (ZERO,) * n


#: n = 1 up to four neurons, n = 2 up to four, as an injective layer needs m >= 2n.
LAYERS = Family(
    (
        *(layer_level(1, m) for m in (1, 2, 3, 4)),
        *(layer_level(2, m) for m in (2, 3)),
        layer_level(1, 3, (-2, -1, 0, 1, 2)),
        layer_level(2, 4),
    ),
    random_layer,
)

#: Matrices: n = 1 up to six rows, n = 2 up to six, n = 3 with six of a few directions.
MATRICES = Family(
    (
        *(linear_level(1, m) for m in (1, 2, 3, 4, 5, 6)),
        *(linear_level(2, m) for m in (1, 2, 3, 4)),
        linear_level(1, 4, (-2, -1, 0, 1, 2)),
        *(linear_level(2, m) for m in (5, 6)),
        linear_level(2, 4, (-2, -1, 0, 1, 2)),
        linear_level(3, 3),
    ),
    random_linear,
    altered_linear,
)


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


def kernels(instance: Instance) -> Matrix:
    """The kernels as rows."""
    return weights(instance)


def kernels_fit(instance: Instance, *, box: bool = True) -> Fact:
    """O ≤ P, and b = 0: the layer stands for kernels."""
    network = instance.network()
    fits = is_linear(network) and (not box or network.n_inputs <= instance.integer("P"))
    return Fact.plain("O ≤ P", fits)


def kernel_level(q: int, O: int, sizes: Iterable[tuple[int, ...]]) -> Level:
    """All sets of q kernels of width O with entries of the units; P and perhaps the length n."""
    chosen = tuple(sizes)

    def instances() -> Iterator[Instance]:
        for kernels in small_matrices(q, O):
            for size in chosen:
                yield Instance.of(N=linear_network(kernels), **dict(zip("Pn", size, strict=False)))

    words = ", ".join(
        f"{name} = {size}" for pair in chosen for name, size in zip("PN", pair, strict=False)
    )
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


def random_boxed_kernels(rng: Random) -> Instance:
    """A few kernels in a box of width P, whatever the length is."""
    values = random_kernels(rng).values
    return Instance({name: value for name, value in values.items() if name != "n"})


def smaller_sizes(instance: Instance) -> Iterator[Instance]:
    """P or n one less."""
    for name in ("P", "n"):
        if name in instance.values and instance.integer(name) > 1:
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
#: The same in a box, for statements that say nothing of the length.
BOXED_KERNELS = Family(
    (
        kernel_level(2, 1, ((1,), (2,))),
        kernel_level(3, 1, ((1,), (2,))),
        kernel_level(4, 2, ((2,), (3,))),
        kernel_level(5, 2, ((2,), (3,))),
        kernel_level(4, 3, ((4,),)),
    ),
    random_boxed_kernels,
    altered_linear,
    smaller_sizes,
)
