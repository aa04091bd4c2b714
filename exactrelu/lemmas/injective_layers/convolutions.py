"""Injective convolutions (Lemma 2, Theorem 3, E.2), and what injective networks approximate.

Lemma 2: if R^n is the sum of subspaces Ω_k and rows W_k in Ω_k are a DSS of Ω_k for every x in Ω_k,
all rows together are a DSS of R^n for every x.  Right.  Here Ω_k is the span of W_k, for two
blocks.  With rows U that are a basis of Ω and x = Uᵀy, the rows w with w·x ≥ 0 span Ω iff those of
WUᵀ with (WUᵀ)y ≥ 0 span R^k: a layer on R^k.

Theorem 3: if the padded kernels Z_P are a DSS of R^P for some P, the convolution is injective.
"We do not specify the boundary condition, as our results hold generally."  **Misprint**: with zeros
beyond the edges and the index of Definition 2 as printed the kernels 1 and −1 give (Cx)_J =
±x_{J+1}, and nothing reads x_1.  Lemma 3, which says that all shifts of a kernel are rows of C,
fails there too.  For periodic signals, or with x_{J+I−1}, both are right (theory 6.4).  E.2
concludes from a basis of kernels of width P and their opposites that the layer is injective.

Section 4 and C.2, what injective networks approximate: Theorem 5, Corollary 3 and Lemma 7 are about
all continuous functions, or almost all projections.  The network H(x) = (αx, F(x)) that their
proofs start from is injective for α > 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from flint import fmpq

from exactrelu.certificates.certificate import Verdict
from exactrelu.certificates.evidence import value_claim
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector
from exactrelu.lemmas.families import (
    bound,
    random_network,
    random_rows,
    random_vector,
    small_matrices,
    small_networks,
)
from exactrelu.lemmas.injective_layers.corollaries import network_injective
from exactrelu.lemmas.injective_layers.layers import (
    KERNELS,
    altered_linear,
    hidden_layer_injective,
    is_one_layer,
    kernels,
    kernels_fit,
    linear_network,
    padded,
    padded_kernels,
    periodic_operator,
    printed_operator,
    repaired_operator,
    smaller_sizes,
    unit,
    zeros,
)
from exactrelu.lemmas.statement import (
    AnyStatement,
    Fact,
    Family,
    Instance,
    Judgement,
    Level,
    Statement,
    Untestable,
)
from exactrelu.network.network import Layer, Network, trace


def _basis(W: Matrix) -> Matrix:
    """Rows of W that are a basis of their span."""
    chosen: list[int] = []
    for i in range(W.n_rows):
        if rank(W.take(rows=[*chosen, i])) > len(chosen):
            chosen.append(i)
    return W.take(rows=chosen)


def _spans_its_span(name: str, W: Matrix) -> Fact:
    text = f"{name} is a DSS of its span"
    U = _basis(W)
    if U.n_rows == 0:
        return Fact.plain(text, True)
    return hidden_layer_injective(text, linear_network(W @ U.T))


def _blocks(instance: Instance) -> Iterator[Fact]:
    A, B = instance.matrix("A"), instance.matrix("B")
    yield Fact.plain("rows of one space", A.n_columns == B.n_columns)
    yield Fact.plain("the spans add up to R^n", rank(A.above(B)) == A.n_columns)
    yield _spans_its_span("A", A)
    yield _spans_its_span("B", B)


def _together(instance: Instance) -> Fact:
    W = instance.matrix("A").above(instance.matrix("B"))
    return hidden_layer_injective("all rows are a DSS of R^n", linear_network(W))


def _blocks_level(n: int, a: int, b: int) -> Level:
    def instances() -> Iterator[Instance]:
        for A in small_matrices(a, n):
            for B in small_matrices(b, n):
                yield Instance.of(A=A, B=B)

    return Level(f"{a} and {b} rows in R^{n}, entries -1..1", instances)


def _random_blocks(rng: Random) -> Instance:
    n = rng.randint(1, 3)
    half, other = (random_rows(rng, rng.randint(1, n), n) for _ in range(2))
    return Instance.of(A=half.above(-half), B=other.above(-other).above(random_rows(rng, 1, n)))


LEMMA_2_STATEMENTS = (
    Statement(
        "S003-lemma-2",
        "Puthawala et al., Lemma 2",
        "If rows W_k are a DSS of their span Ω_k for every x in it, and the Ω_k add up to R^n, "
        "all rows together are a DSS of R^n for every x.",
        _blocks,
        _together,
        Family(
            (
                _blocks_level(1, 1, 2),
                _blocks_level(1, 2, 2),
                _blocks_level(2, 2, 2),
                _blocks_level(2, 2, 3),
            ),
            _random_blocks,
        ),
    ),
)


_THEOREM_3 = "Puthawala et al., Theorem 3"
Operator = Callable[[Matrix, int], Matrix]


def _spanning_kernels(instance: Instance) -> Iterator[Fact]:
    yield kernels_fit(instance)
    P, n = instance.integer("P"), instance.integer("n")
    yield Fact.plain("N ≥ P", n >= P)
    shifts = linear_network(padded_kernels(kernels(instance), P))
    yield hidden_layer_injective("Z_P is a DSS of R^P", shifts)


def _injective(build: Operator) -> Callable[[Instance], Fact]:
    def conclusion(instance: Instance) -> Fact:
        C = build(kernels(instance), instance.integer("n"))
        return hidden_layer_injective("the convolution is injective", linear_network(C))

    return conclusion


def _place(instance: Instance) -> Iterator[Fact]:
    yield kernels_fit(instance, box=False)
    O = kernels(instance).n_columns
    one = kernels(instance).n_rows == 1
    fits = instance.integer("V") + O <= instance.integer("n")
    yield Fact.plain("one kernel, V + O ≤ N", one and fits)


def _is_row(build: Operator) -> Callable[[Instance], Fact]:
    """If a is a row of C, (Ca)_J = |a|² for some J: a value of C can tell that it is not."""

    def conclusion(instance: Instance) -> Fact:
        n = instance.integer("n")
        C = build(kernels(instance), n)
        a = padded(kernels(instance).row(0), n, instance.integer("V"))
        text = "the kernel, shifted by V, is a row of C"
        if a in C.rows():
            return Fact.plain(text, True)
        network = Network((Layer.of(C, zeros(n)),))
        certificate = value_claim(network, trace(network, a))
        return Fact(text, Verdict(False, "Ca has no entry |a|²", a, certificate))

    return conclusion


def _shift_level(O: int, n: int) -> Level:
    def instances() -> Iterator[Instance]:
        for c in small_matrices(1, O):
            for V in range(n - O + 1):
                yield Instance.of(N=linear_network(c), V=V, n=n)

    return Level(f"O = {O}, N = {n}, entries -1..1", instances)


def _random_shift(rng: Random) -> Instance:
    O = rng.randint(1, 4)
    V = rng.randint(0, 3)
    c = Matrix([random_vector(rng, O)])
    return Instance.of(N=linear_network(c), V=V, n=V + O + rng.randint(0, 3))


def _smaller_shift(instance: Instance) -> Iterator[Instance]:
    for name in ("V", "n"):
        if instance.integer(name) > (name == "n"):
            yield instance.replaced(name, instance.integer(name) - 1)


_SHIFTS = Family(
    tuple(_shift_level(O, n) for O in (1, 2, 3) for n in range(O, O + 3)),
    _random_shift,
    altered_linear,
    _smaller_shift,
)


def _basis_and_opposites(instance: Instance) -> Iterator[Fact]:
    yield kernels_fit(instance)
    K, P = kernels(instance), instance.integer("P")
    yield Fact.plain("O = P ≤ N", K.n_columns == P <= instance.integer("n"))
    yield Fact.plain("the kernels span R^P", rank(K) == P)
    closed = all(tuple(-w for w in row) in K.rows() for row in K)
    yield Fact.plain("with c also −c is a kernel", closed)


def _opposite_level(O: int) -> Level:
    def instances() -> Iterator[Instance]:
        for half in small_matrices(O, O):
            for n in (O, O + 1):
                yield Instance.of(N=linear_network(half.above(-half)), P=O, n=n)

    return Level(f"B and -B, O = P = {O}, entries -1..1, N = {O}, {O + 1}", instances)


def _random_opposites(rng: Random) -> Instance:
    O = rng.randint(1, 3)
    half = random_rows(rng, O, O)
    return Instance.of(N=linear_network(half.above(-half)), P=O, n=O + rng.randint(0, 3))


_OPPOSITES = Family(
    tuple(map(_opposite_level, (1, 2, 3))), _random_opposites, altered_linear, smaller_sizes
)

THEOREM_3_STATEMENTS = (
    Statement(
        "S003-theorem-3",
        f"{_THEOREM_3}, zeros beyond the edges",
        "If Z_P is a DSS of R^P, O ≤ P ≤ N, the convolution (Cx)_J = Σ c_{O−I+1} x_{J+I} with "
        "zeros beyond the edges is injective.",
        _spanning_kernels,
        _injective(printed_operator),
        KERNELS,
        judgement=Judgement(
            "misprint",
            "(6) has x_{J+I} for J from 1, so that with zeros beyond the edges nothing reads x_1; "
            "with rows from J = 0, as Lemma 3 counts them, or with x_{J+I−1} it is right.",
        ),
    ),
    Statement(
        "S003-theorem-3-repaired",
        f"{_THEOREM_3}, zeros beyond the edges",
        "If Z_P is a DSS of R^P, O ≤ P ≤ N, the convolution (Cx)_J = Σ c_{O−I+1} x_{J+I−1} with "
        "zeros beyond the edges is injective.",
        _spanning_kernels,
        _injective(repaired_operator),
        KERNELS,
        repairs="S003-theorem-3",
    ),
    Statement(
        "S003-theorem-3-periodic",
        f"{_THEOREM_3}, periodic signals",
        "If Z_P is a DSS of R^P, O ≤ P ≤ N, the convolution of periodic signals is injective.",
        _spanning_kernels,
        _injective(periodic_operator),
        KERNELS,
        repairs="S003-theorem-3",
    ),
    Statement(
        "S003-lemma-3",
        "Puthawala et al., Lemma 3, zeros beyond the edges",
        "If V + O ≤ N, the kernel shifted by V is a row of the convolution with x_{J+I}.",
        _place,
        _is_row(printed_operator),
        _SHIFTS,
        judgement=Judgement(
            "misprint",
            "(6) has x_{J+I} for J from 1, so that the shift V = 0 of Lemma 3 is no row; with "
            "rows from J = 0 or with x_{J+I−1} it is right.",
        ),
    ),
    Statement(
        "S003-lemma-3-repaired",
        "Puthawala et al., Lemma 3, zeros beyond the edges",
        "If V + O ≤ N, the kernel shifted by V is a row of the convolution with x_{J+I−1}.",
        _place,
        _is_row(repaired_operator),
        _SHIFTS,
        repairs="S003-lemma-3",
    ),
    Statement(
        "S003-lemma-3-periodic",
        "Puthawala et al., Lemma 3, periodic signals",
        "If V + O ≤ N, the kernel shifted by V is a row of the convolution of periodic signals.",
        _place,
        _is_row(periodic_operator),
        _SHIFTS,
        repairs="S003-lemma-3",
    ),
    Statement(
        "S003-opposite-kernels",
        "Puthawala et al., section E.2",
        "If kernels of width P span R^P and come with their opposites, the layer is injective.",
        _basis_and_opposites,
        _injective(repaired_operator),
        _OPPOSITES,
    ),
)


def graph(F: Network, alpha: fmpq) -> Network:
    """(αx, F(x)) for F with one hidden layer: x_j = s(x_j) − s(−x_j)."""
    hidden, last = (layer.affine for layer in F.layers)
    n, k = F.n_inputs, hidden.n_rows
    identity = Matrix.identity(n).beside(Matrix.zero(n, 1))
    first = hidden.above(identity).above(-identity)
    rows: list[Vector] = [
        (*zeros(k), *(alpha * u for u in unit(n, j)), *(-alpha * u for u in unit(n, j)), fmpq(0))
        for j in range(n)
    ]
    rows += [(*row[:-1], *zeros(2 * n), row[-1]) for row in last]
    return Network((Layer(first), Layer(Matrix(rows))))


def _positive(instance: Instance) -> Iterator[Fact]:
    yield Fact.plain("one hidden layer", is_one_layer(instance.network()))
    yield Fact.plain("α > 0", instance.rational("alpha") > 0)


def _graph_injective(instance: Instance) -> Fact:
    H = graph(instance.network(), instance.rational("alpha"))
    return network_injective("(αx, F(x)) is injective", H)


def _graph_level(*widths: int) -> Level:
    def instances() -> Iterator[Instance]:
        return (Instance.of(N=F, alpha=fmpq(1)) for F in small_networks(widths))

    return Level(f"{bound(widths, (-1, 0, 1))}, α = 1", instances)


def _random_graph(rng: Random) -> Instance:
    F = random_network(rng, rng.choice(((1, 2, 1), (1, 3, 3), (2, 2, 2))))
    return Instance.of(N=F, alpha=fmpq(1, rng.randint(1, 9)))


APPROXIMATION_STATEMENTS: tuple[AnyStatement, ...] = (
    Untestable(
        "S003-theorem-5",
        "Puthawala et al., Theorem 5",
        "Injective networks of every depth approximate every continuous f: R^n → R^m, m ≥ 2n + 1, "
        "on compact sets.",
        "speaks of all continuous functions and of every ε",
    ),
    Untestable(
        "S003-lemma-7",
        "Puthawala et al., Lemma 7",
        "If H: R^n → R^D is injective and D > d ≥ 2n + 1, almost every projection to d dimensions "
        "keeps it injective.",
        "speaks of almost all projections: a single one that fails refutes nothing",
    ),
    Untestable(
        "S003-corollary-3",
        "Puthawala et al., Corollary 3",
        "Injective networks with random matrices to at least 2n + 1 dimensions in between are "
        "injective almost surely.",
        "almost surely: a single choice of matrices that fails refutes nothing",
    ),
    Untestable(
        "S003-homeomorphic-image",
        "Puthawala et al., section 4",
        "An injective network takes a compact set to a homeomorphic image.",
        "topology: true of every continuous one-to-one map, and not a finite computation",
    ),
    Statement(
        "S003-graph",
        "Puthawala et al., section C.2, (92)",
        "H(x) = (αx, F(x)) with α > 0 is injective.",
        _positive,
        _graph_injective,
        Family(
            (
                _graph_level(1, 1, 1),
                _graph_level(1, 2, 1),
                _graph_level(2, 1, 1),
            ),
            _random_graph,
        ),
    ),
)
