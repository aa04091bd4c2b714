"""Layers that are said to be injective, or not: Gaussian ones, Example 1, and those of Appendix F.

Sections A.2 and A.3, Gaussian layers and the sets of rows that their proofs count.  Theorems 2 and
6, Lemmas A and B are about probabilities.  **Reading**: the step that A.3 takes for a Gaussian
matrix, read for all matrices: if |S(w̄, W)| > m − n for the mean w̄ of the rows, s(Wx) is said not to
be injective.  Rows with w·w̄ = 0 count on both sides: [1; −1] has w̄ = 0, |S(w̄, W)| = 2 > 1 and is
injective.  A.2 says the same of every half-space w·p ≥ 0, with the same ties.  With > in place of ≥
both are right, and for Gaussian matrices almost surely.

Example 1 and what follows it, kernels that are said to make a layer injective.  **False**: the four
kernels 4e_k − 1 of the example add up to 0, so they are no basis of R^{2×2}, and on periodic images
the layer takes all constant images to 0.

The example with kernels of width 3 is right, P = 4 included.  The count that the paper draws from
it, q ≥ 2 ∏ 1/(1 − O_j/P_j), or P_j ≥ O_j/(1 − (2/q)^{1/p}), is **false**, and this very example
refutes it: q = 4, O = 3, P = 4 and 2/(1 − 3/4) = 8.  There are P_j − O_j + 1 shifts, not
P_j − O_j; with O_j − 1 in place of O_j it is right.

Appendix F makes layers injective by filters w and −s²w.  **Reading**: it fails if s = 0 or if the
filters w do not span.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from flint import fmpq

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, vector
from exactrelu.lemmas.families import UNITS, random_number, random_vector
from exactrelu.lemmas.injective_layers.layers import (
    BOXED_KERNELS,
    MATRICES,
    active_rows,
    altered_linear,
    has_points,
    hidden_layer_injective,
    kernels,
    kernels_fit,
    linear_level,
    linear_network,
    padded_kernels,
    random_linear,
    random_matrix,
    repaired_operator,
    unbiased,
    wedges,
    weights,
    without_coordinate,
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
from exactrelu.questions.injectivity.named_results import spark


def _products_with_sum(instance: Instance) -> Vector:
    W = weights(instance)
    total = tuple(sum(W.column(j), ZERO) for j in range(W.n_columns))
    return W.flint_apply(total)


def _many_nonnegative(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    W = weights(instance)
    count = sum(value >= 0 for value in _products_with_sum(instance))
    yield Fact.plain("|S(w̄, W)| > m − n", count > W.n_rows - W.n_columns)


def _many_positive(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    W = weights(instance)
    count = sum(value > 0 for value in _products_with_sum(instance))
    yield Fact.plain("w·w̄ > 0 for more than m − n rows", count > W.n_rows - W.n_columns)


def _many_in_closed_half_space(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "p")
    yield Fact.plain("p ≠ 0", any(instance.vector("p")))
    W = weights(instance)
    count = active_rows(W, instance.vector("p")).n_rows
    yield Fact.plain("w·p ≥ 0 for more than m − n rows", count > W.n_rows - W.n_columns)


def _with_normal(level: Level) -> Level:
    def instances() -> Iterator[Instance]:
        for instance in level.instances():
            for p in product(UNITS, repeat=instance.network().n_inputs):
                yield instance.replaced("p", vector(p))

    return Level(f"{level.bound}, p in -1..1", instances)


def _random_normal(rng: Random) -> Instance:
    instance = random_linear(rng)
    return instance.replaced("p", random_vector(rng, instance.network().n_inputs))


_HALF_SPACES = Family(
    tuple(map(_with_normal, MATRICES.levels[:11])),
    _random_normal,
    altered_linear,
    without_coordinate("p"),
)


def _not_injective(instance: Instance) -> Fact:
    verdict = hidden_layer_injective("", instance.network()).verdict
    return Fact.negation("s(Wx) is not injective", verdict)


def _in_half_space(instance: Instance) -> bool:
    """Whether m − n + 1 rows are positive at one x: then they are on some wedge."""
    W = weights(instance)
    return any(sum(any(row) for row in active) > W.n_rows - W.n_columns for active in wedges(W))


def _half_space(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    text = "m − n + 1 rows lie in an open half-space"
    yield Fact.plain(text, _in_half_space(instance))


def _no_half_space(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    W = weights(instance)
    yield Fact.plain("W has rank n", rank(W) == W.n_columns)
    yield Fact.plain("n rows are always independent", spark(W).value == W.n_columns + 1)
    text = "no m − n + 1 rows lie in an open half-space"
    yield Fact.plain(text, not _in_half_space(instance))


def _injective(instance: Instance) -> Fact:
    return hidden_layer_injective("s(Wx) is injective", instance.network())


GAUSSIAN_STATEMENTS: tuple[AnyStatement, ...] = (
    Untestable(
        "S003-theorem-2",
        "Puthawala et al., Theorem 2",
        "s(Wx) with m ≥ 5.7n Gaussian rows is injective with probability 1 − exp(−Ω(n)).",
        "a probability as n grows; the printed union bound gives about 10.3, not 5.7 (theory 6.7)",
        known=("S003-E5-theorem2-constant",),
    ),
    Untestable(
        "S003-lemma-A",
        "Puthawala et al., Lemma A",
        "P(w_i·Σw_k ≥ 0) tends to erfc(−1/√(2c))/2 as m/n tends to c.",
        "a limit of probabilities",
    ),
    Untestable(
        "S003-lemma-B",
        "Puthawala et al., Lemma B",
        "The events of Lemma A are independent in the limit.",
        "a limit of probabilities",
    ),
    Untestable(
        "S003-theorem-6",
        "Puthawala et al., Theorem 6",
        "s(Wx) with m/n → c < c* ≈ 3.4 is not injective with a probability that tends to 1.",
        "a limit of probabilities",
    ),
    Statement(
        "S003-closed-half-space",
        "Puthawala et al., section A.2",
        "If w·p ≥ 0 for more than m − n rows, s(Wx) is not injective.",
        _many_in_closed_half_space,
        _not_injective,
        _HALF_SPACES,
        judgement=Judgement(
            "reading",
            "In A.2 the matrix is Gaussian, with rows in general position almost surely, and then "
            "it is right; for all matrices it is our reading: rows on the border count on both "
            "sides.",
        ),
    ),
    Statement(
        "S003-half-space",
        "Puthawala et al., section A.2, (26)",
        "If m − n + 1 rows of W lie in an open half-space, s(Wx) is not injective.",
        _half_space,
        _not_injective,
        MATRICES,
        repairs="S003-closed-half-space",
    ),
    Statement(
        "S003-half-space-converse",
        "Puthawala et al., section A.2, after (26)",
        "If any n rows are independent and no m − n + 1 lie in an open half-space, s(Wx) is "
        "injective.",
        _no_half_space,
        _injective,
        MATRICES,
    ),
    Statement(
        "S003-mean-row",
        "Puthawala et al., section A.3",
        "If w·w̄ ≥ 0 for more than m − n rows, w̄ the mean of the rows, s(Wx) is not injective.",
        _many_nonnegative,
        _not_injective,
        MATRICES,
        judgement=Judgement(
            "reading",
            "In A.3 the matrix is Gaussian, almost surely no row is orthogonal to the mean, and "
            "then it is right; for all matrices it is our reading.",
        ),
    ),
    Statement(
        "S003-mean-row-repaired",
        "Puthawala et al., section A.3",
        "If w·w̄ > 0 for more than m − n rows, w̄ the mean of the rows, s(Wx) is not injective.",
        _many_positive,
        _not_injective,
        MATRICES,
        repairs="S003-mean-row",
    ),
)


_EXAMPLE_1 = "Puthawala et al., Example 1"


def example_rows(height: int, width: int) -> Matrix:
    """The eight kernels ±(4e_k − 1) of Example 1 on periodic images of this size."""
    rows: list[Vector] = []
    for sign, peak, i, j in product((1, -1), range(4), range(height), range(width)):
        row = [ZERO] * (height * width)
        for k, (a, b) in enumerate(product(range(2), repeat=2)):
            place = (i + a) % height * width + (j + b) % width
            row[place] += sign * (3 if k == peak else -1)
        rows.append(tuple(row))
    return Matrix(rows)


def _size(instance: Instance) -> Iterator[Fact]:
    fits = min(instance.integer("height"), instance.integer("width")) >= 2
    yield Fact.plain("images of at least 2 × 2", fits)


def _example_injective(instance: Instance) -> Fact:
    W = example_rows(instance.integer("height"), instance.integer("width"))
    return hidden_layer_injective("the layer of Example 1 is injective", linear_network(W))


def _images() -> Iterator[Instance]:
    for height, width in ((2, 2), (2, 3), (3, 3)):
        yield Instance.of(height=height, width=width)


def _random_image(rng: Random) -> Instance:
    return Instance.of(height=rng.randint(2, 4), width=rng.randint(2, 4))


WIDTH_3 = Matrix([[1, 0, -1], [1, 0, 1], [-1, 0, 1], [-1, 0, -1]])


def _length(instance: Instance) -> Iterator[Fact]:
    yield Fact.plain("N ≥ 4", instance.integer("n") >= 4)


def _needs_4(instance: Instance) -> Fact:
    layers = (
        padded_kernels(WIDTH_3, 3),
        padded_kernels(WIDTH_3, 4),
        repaired_operator(WIDTH_3, instance.integer("n")),
    )
    answers = [hidden_layer_injective("", linear_network(W)).verdict.answer for W in layers]
    return Fact.plain("not Z_3, but Z_4 and the layer", answers == [False, True, True])


def _spanning(instance: Instance) -> Iterator[Fact]:
    yield kernels_fit(instance)
    P = instance.integer("P")
    yield Fact.plain("O < P", kernels(instance).n_columns < P)
    shifts = linear_network(padded_kernels(kernels(instance), P))
    yield hidden_layer_injective("Z_P is a DSS of R^P", shifts)


def _printed_count(instance: Instance) -> Fact:
    (q, O), P = kernels(instance).shape, instance.integer("P")
    return Fact.plain("q ≥ 2/(1 − O/P)", q * (P - O) >= 2 * P)


def _right_count(instance: Instance) -> Fact:
    (q, O), P = kernels(instance).shape, instance.integer("P")
    return Fact.plain("q ≥ 2/(1 − (O − 1)/P)", q * (P - O + 1) >= 2 * P)


# Appendix F.


def with_opposites(C: Matrix, s: fmpq) -> Matrix:
    """[C; −s²C]."""
    return C.above(C.scale(-s * s))


def _filters(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    nonzero = instance.rational("s") != 0 and not weights(instance).is_zero
    yield Fact.plain("C ≠ 0, s ≠ 0", nonzero)


def _spanning_filters(instance: Instance) -> Iterator[Fact]:
    yield from _filters(instance)
    C = weights(instance)
    yield Fact.plain("C has rank n", rank(C) == C.n_columns)


def _filters_injective(instance: Instance) -> Fact:
    layer = linear_network(with_opposites(weights(instance), instance.rational("s")))
    return hidden_layer_injective("s([C; −s²C]x) is injective", layer)


def _with_s(C: Matrix) -> Iterator[Instance]:
    for s in (fmpq(0), fmpq(1), fmpq(2)):
        yield Instance.of(N=linear_network(C), s=s)


def _random_filters(rng: Random) -> Instance:
    return Instance.of(N=linear_network(random_matrix(rng)), s=random_number(rng))


_FILTERS = Family(
    tuple(
        linear_level(n, m, more=_with_s, words=", s in 0..2")
        for n, m in ((1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 3))
    ),
    _random_filters,
    altered_linear,
)

EXAMPLE_1_STATEMENTS = (
    Statement(
        "S003-example-1",
        f"{_EXAMPLE_1}, periodic images",
        "The layer with the kernels 4e_k − 1 of R^{2×2} and their opposites is injective.",
        _size,
        _example_injective,
        Family((Level("2 x 2, 2 x 3, 3 x 3", _images),), _random_image),
        known=("convolution-example-1", "S003-X1-kernel-boxes"),
        judgement=Judgement(
            "false",
            "The four kernels of (10) add up to 0: they are no basis, and periodic images that "
            "are constant go to 0. With 4 in place of 3 the example is right.",
        ),
    ),
    Statement(
        "S003-example-width-3",
        f"{_EXAMPLE_1}, kernels of width 3",
        "The layer with the kernels ±(1, 0, −1) and ±(1, 0, 1) is injective for N ≥ 4; Z_4 is a "
        "DSS and Z_3 is not.",
        _length,
        _needs_4,
        Family(
            (Level("N = 4..7", lambda: (Instance.of(n=n) for n in range(4, 8))),),
            lambda rng: Instance.of(n=rng.randint(4, 7)),
        ),
        known=("convolution-width-3",),
    ),
    Statement(
        "S003-kernel-count",
        f"{_EXAMPLE_1}, the count after it, in one dimension",
        "If Z_P of q kernels of width O < P is a DSS of R^P, then q ≥ 2/(1 − O/P), which is "
        "P ≥ O/(1 − 2/q).",
        _spanning,
        _printed_count,
        BOXED_KERNELS,
        judgement=Judgement(
            "false",
            "A kernel of width O has P − O + 1 shifts in a box of width P, not P − O; the paper's "
            "own example, q = 4, O = 3, P = 4, violates the inequality. Nothing else rests on it.",
        ),
    ),
    Statement(
        "S003-kernel-count-repaired",
        f"{_EXAMPLE_1}, the count after it, in one dimension",
        "If Z_P of q kernels of width O < P is a DSS of R^P, then q ≥ 2/(1 − (O − 1)/P).",
        _spanning,
        _right_count,
        BOXED_KERNELS,
        repairs="S003-kernel-count",
    ),
    Statement(
        "S003-appendix-F",
        "Puthawala et al., section 5 and appendix F",
        "If C ≠ 0 and s ≠ 0, the layer s([C; −s²C]x) is injective.",
        _filters,
        _filters_injective,
        _FILTERS,
        judgement=Judgement(
            "reading",
            'It is said of filters that were built "following Corollary 2", which asks for a '
            "basis; for all C ≠ 0 it is our reading.",
        ),
    ),
    Statement(
        "S003-appendix-F-repaired",
        "Puthawala et al., section 5 and appendix F",
        "If C has rank n and s ≠ 0, the layer s([C; −s²C]x) is injective.",
        _spanning_filters,
        _filters_injective,
        _FILTERS,
        repairs="S003-appendix-F",
    ),
)
