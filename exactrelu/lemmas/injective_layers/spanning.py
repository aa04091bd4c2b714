"""When s(Wx) is injective: directed spanning sets (Definition 1), Theorem 1, and Lemma 1 on biases.

Definition 1: W is a DSS with respect to x if some rows Ŵ with w·x ≥ 0 span R^n.  The remark after
it says that W is one iff *the* rows with w·x ≥ 0 are a basis.  **Misprint**: they span, but they
may be dependent.  [1; −1] at x = 0 has two active rows in R^1 (theory 6.1).  The other remarks are
right: full rank is necessary; open wedges decide for all x, rows of 0 included; full spark and n
positive signs on every wedge suffice.

Theorem 1: s(Wx) is injective iff W is a DSS with respect to every x.  Printed for n > 1; right for
n = 1 too (theory 6.1).  Here the DSS is decided by the list of all wedges, and injectivity by pairs
of cells of the network x ↦ I·s(Wx), which are two ways.  Remark 1: the same on the orthant x ≥ 0.
Remark 2: s(Ix) is injective on x > 0, and not on R^n.

Lemma 1: s(Wx + b) is injective iff s(W'x) is, W' the rows of W with b ≥ 0.  **False** in its "only
if": s(x + 1), s(−x − 1) together are injective, s(x) is not.  The "if" is right, and for b ≤ 0 so
is the "only if" (theory 6.2, 6.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from random import Random

from flint import fmpq

from exactrelu.exact.linear import determinant, rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, vector
from exactrelu.exact.system import LinearSystem
from exactrelu.lemmas.families import random_vector
from exactrelu.lemmas.injective_layers.layers import (
    LAYERS,
    MATRICES,
    TIMEOUT,
    active_rows,
    altered_linear,
    directed_spanning,
    has_points,
    hidden_layer_injective,
    layer_network,
    linear_level,
    linear_network,
    random_matrix,
    spans_on_wedges,
    unbiased,
    unit,
    wedges,
    weights,
    without_coordinate,
    zeros,
)
from exactrelu.lemmas.statement import Fact, Family, Instance, Judgement, Level, Statement
from exactrelu.network.network import Layer, Network
from exactrelu.questions.injectivity.named_results import is_directed_spanning_set, spark
from exactrelu.questions.injectivity.network import LayerStage, injective_by_pairs

_DEFINITION_1 = "Puthawala et al., Definition 1"


def _at_points(W: Matrix) -> Iterable[Instance]:
    for x in product((-1, 0, 1), repeat=W.n_columns):
        yield Instance.of(N=linear_network(W), x=vector(x))


def _random_at_point(rng: Random) -> Instance:
    W = random_matrix(rng)
    return Instance.of(N=linear_network(W), x=random_vector(rng, W.n_columns))


#: Matrices, and a point x of {−1, 0, 1}^n.
AT_POINTS = Family(
    tuple(
        linear_level(n, m, more=_at_points, words=", x in -1..1")
        for n, m in ((1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (2, 3), (2, 4))
    ),
    _random_at_point,
    altered_linear,
    without_coordinate("x"),
)


def _spans_at_x(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x")
    verdict = is_directed_spanning_set(weights(instance), instance.vector("x"))
    yield Fact("W is a DSS w.r.t. x", verdict)


def _basis(instance: Instance) -> Fact:
    rows = active_rows(weights(instance), instance.vector("x"))
    distinct = len(set(rows))
    return Fact.plain("the rows with w·x ≥ 0 are a basis", distinct == rows.n_columns)


def _contains_basis(instance: Instance) -> Fact:
    rows = active_rows(weights(instance), instance.vector("x"))
    bases = (
        determinant(rows.take(rows=chosen)) != 0
        for chosen in combinations(range(rows.n_rows), rows.n_columns)
    )
    return Fact.plain("n of the rows with w·x ≥ 0 are a basis", any(bases))


def _full_rank(instance: Instance) -> Fact:
    W = weights(instance)
    return Fact.plain("W has rank n", rank(W) == W.n_columns)


def _everywhere(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    yield directed_spanning(instance)


def _on_wedges(instance: Instance) -> Fact:
    text = "on every wedge n rows are positive, and they span"
    positive = all(
        active.n_rows >= active.n_columns and rank(active) == active.n_columns
        for active in map(_without_zeros, wedges(weights(instance)))
    )
    return Fact.plain(text, positive)


def _without_zeros(W: Matrix) -> Matrix:
    return Matrix([row for row in W if any(row)], W.n_columns)


def _wedges_first(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    yield _on_wedges(instance)


def _full_spark(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    W = weights(instance)
    enough = all(_without_zeros(a).n_rows >= W.n_columns for a in wedges(W))
    yield Fact.plain("every wedge has n or more positive signs", enough)
    yield Fact.plain("the spark is n + 1", spark(W).value == W.n_columns + 1)


def _identities_at_x() -> Iterator[Instance]:
    for n in range(1, 7):
        yield Instance.of(N=linear_network(Matrix.identity(n)), x=tuple(-u for u in unit(n, 0)))


def _is_identity_at_x(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x")
    W, x = weights(instance), instance.vector("x")
    n = W.n_columns
    is_example = Matrix.identity(n) == W and x == tuple(-u for u in unit(n, 0))
    yield Fact.plain("W = I and x = (−1, 0, …, 0)", is_example)


def _not_at_x(instance: Instance) -> Fact:
    verdict = is_directed_spanning_set(weights(instance), instance.vector("x"))
    return Fact.negation("W is not a DSS w.r.t. x", verdict)


def _random_identity_at_x(rng: Random) -> Instance:
    n = rng.randint(1, 9)
    return Instance.of(N=linear_network(Matrix.identity(n)), x=(fmpq(-1), *unit(n, 0)[1:]))


DEFINITION_1_STATEMENTS = (
    Statement(
        "S003-definition-1-basis",
        f"{_DEFINITION_1}, the remark after it",
        "If W is a DSS with respect to x, the set of the rows with w·x ≥ 0 is a basis of R^n.",
        _spans_at_x,
        _basis,
        AT_POINTS,
        known=("S003-E10-basis-vs-span",),
        judgement=Judgement(
            "misprint",
            'The remark says "is a basis" where Definition 1, just before it, says that the rows '
            "span: there may be more of them than a basis has.",
        ),
    ),
    Statement(
        "S003-definition-1-basis-repaired",
        f"{_DEFINITION_1}, the remark after it",
        "If W is a DSS with respect to x, the rows with w·x ≥ 0 contain a basis of R^n.",
        _spans_at_x,
        _contains_basis,
        AT_POINTS,
        repairs="S003-definition-1-basis",
    ),
    Statement(
        "S003-definition-1-rank",
        f"{_DEFINITION_1}, the remark after it",
        "If W is a DSS with respect to some x, it has rank n.",
        _spans_at_x,
        _full_rank,
        AT_POINTS,
    ),
    Statement(
        "S003-definition-1-identity",
        f"{_DEFINITION_1}, the remark after it",
        "The identity is not a DSS with respect to x = (−1, 0, …, 0).",
        _is_identity_at_x,
        _not_at_x,
        Family((Level("n = 1..6", _identities_at_x),), _random_identity_at_x),
    ),
    Statement(
        "S003-wedges",
        "Puthawala et al., section 2.1",
        "If W is a DSS for every x, every open wedge has n positive rows, and they span R^n.",
        _everywhere,
        _on_wedges,
        MATRICES,
    ),
    Statement(
        "S003-wedges-if",
        "Puthawala et al., section 2.1",
        "If on every open wedge there are n positive rows that span R^n, W is a DSS for every x.",
        _wedges_first,
        directed_spanning,
        MATRICES,
    ),
    Statement(
        "S003-spark",
        "Puthawala et al., section 2.1",
        "If every wedge has n or more positive signs and the spark is n + 1, W is a DSS for all x.",
        _full_spark,
        directed_spanning,
        MATRICES,
        known=("S003-S1-spark",),
    ),
)


_THEOREM_1 = "Puthawala et al., Theorem 1"


def injective_by_cells(text: str, W: Matrix, domain: LinearSystem | None = None) -> Fact:
    """Whether x ↦ I·s(Wx) is one-to-one, by pairs of cells."""
    m = W.n_rows
    network = Network((Layer.of(W, zeros(m)), Layer.of(Matrix.identity(m), zeros(m))))
    return Fact(text, injective_by_pairs(LayerStage.of(network, domain), timeout=TIMEOUT))


def _orthant(instance: Instance) -> LinearSystem:
    return LinearSystem.orthant(instance.network().n_inputs)


def _spans(instance: Instance) -> Fact:
    return Fact.plain("W is a DSS w.r.t. every x", spans_on_wedges(weights(instance)))


def _is_dss(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    yield _spans(instance)


def _injective(instance: Instance) -> Fact:
    return injective_by_cells("s(Wx) is injective", weights(instance))


def _is_injective(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    yield _injective(instance)


def _spans_on_orthant(instance: Instance) -> Fact:
    spans = spans_on_wedges(weights(instance), _orthant(instance))
    return Fact.plain("W is a DSS w.r.t. every x ≥ 0", spans)


def _is_dss_on_orthant(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    yield _spans_on_orthant(instance)


def _injective_on_orthant(instance: Instance) -> Fact:
    text = "s(Wx) is injective on x ≥ 0"
    return injective_by_cells(text, weights(instance), _orthant(instance))


def _is_injective_on_orthant(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    yield _injective_on_orthant(instance)


def _identities() -> Iterator[Instance]:
    return (Instance.of(N=linear_network(Matrix.identity(n))) for n in range(1, 7))


def _random_identity(rng: Random) -> Instance:
    return Instance.of(N=linear_network(Matrix.identity(rng.randint(1, 9))))


def _is_identity(instance: Instance) -> Iterator[Fact]:
    W = weights(instance)
    yield unbiased(instance)
    yield Fact.plain("W = I", Matrix.identity(W.n_columns) == W)


def _only_on_open_orthant(instance: Instance) -> Fact:
    network = instance.network()
    inside = hidden_layer_injective("", network, _orthant(instance).open()).verdict
    outside = hidden_layer_injective("", network).verdict
    holds = inside.answer is True and outside.answer is False
    return Fact.plain("s(Ix) is injective on x > 0, not on R^n", holds)


_IDENTITIES = Family((Level("n = 1..6", _identities),), _random_identity)

THEOREM_1_STATEMENTS = (
    Statement(
        "S003-theorem-1-if",
        f"{_THEOREM_1}, if",
        "If W is a DSS with respect to every x, s(Wx) is injective; n = 1 included.",
        _is_dss,
        _injective,
        MATRICES,
        known=("S003-T1-dss",),
    ),
    Statement(
        "S003-theorem-1-only-if",
        f"{_THEOREM_1}, only if",
        "If s(Wx) is injective, W is a DSS with respect to every x; n = 1 included.",
        _is_injective,
        _spans,
        MATRICES,
        known=("S003-T1-dss",),
    ),
    Statement(
        "S003-remark-1-if",
        "Puthawala et al., Remark 1, if",
        "If W is a DSS with respect to every x ≥ 0, s(Wx) is injective on the orthant x ≥ 0.",
        _is_dss_on_orthant,
        _injective_on_orthant,
        MATRICES,
        known=("S003-R1-orthant",),
    ),
    Statement(
        "S003-remark-1-only-if",
        "Puthawala et al., Remark 1, only if",
        "If s(Wx) is injective on the orthant x ≥ 0, W is a DSS with respect to every x ≥ 0.",
        _is_injective_on_orthant,
        _spans_on_orthant,
        MATRICES,
        known=("S003-R1-orthant",),
    ),
    Statement(
        "S003-remark-2",
        "Puthawala et al., Remark 2",
        "s(Ix) is injective on the open orthant x > 0 and not on R^n.",
        _is_identity,
        _only_on_open_orthant,
        _IDENTITIES,
        known=("S003-C1-identity-layer",),
    ),
)


_LEMMA_1 = "Puthawala et al., Lemma 1"


def nonnegative_rows(network: Network) -> Network | None:
    """The layer s(W'x), or None if every bias is negative."""
    rows = [(*row[:-1], ZERO) for row in network.layers[0].affine if row[-1] >= 0]
    return layer_network(Matrix(rows)) if rows else None


def _layer_injective_first(instance: Instance) -> Iterator[Fact]:
    kept = nonnegative_rows(instance.network())
    yield Fact.plain("some bias is ≥ 0", kept is not None)
    yield hidden_layer_injective("s(Wx + b) is injective", instance.network())


def _rows_injective(instance: Instance) -> Fact:
    return hidden_layer_injective("s(W'x) is injective", nonnegative_rows(instance.network()))


def _nonpositive(instance: Instance) -> Iterator[Fact]:
    bias = instance.network().layers[0].bias
    yield Fact.plain("b ≤ 0", all(b <= 0 for b in bias))
    yield from _layer_injective_first(instance)


def _rows_injective_first(instance: Instance) -> Iterator[Fact]:
    kept = nonnegative_rows(instance.network())
    yield Fact.plain("some bias is ≥ 0", kept is not None)
    yield _rows_injective(instance)


def _layer_injective(instance: Instance) -> Fact:
    return hidden_layer_injective("s(Wx + b) is injective", instance.network())


LEMMA_1_STATEMENTS = (
    Statement(
        "S003-lemma-1",
        f"{_LEMMA_1}, only if",
        "If s(Wx + b) is injective, so is s(W'x), where W' are the rows of W with b ≥ 0.",
        _layer_injective_first,
        _rows_injective,
        LAYERS,
        known=("S003-E1-lemma1",),
        judgement=Judgement(
            "false",
            "Rows with b < 0 can take over far from the origin, as in s(x + 1), s(−x − 1/2), on "
            "an open set of W and b.",
        ),
    ),
    Statement(
        "S003-lemma-1-nonpositive",
        f"{_LEMMA_1}, only if, for b ≤ 0",
        "If b ≤ 0 and s(Wx + b) is injective, so is s(W'x), where W' are the rows with b = 0.",
        _nonpositive,
        _rows_injective,
        LAYERS,
        repairs="S003-lemma-1",
        known=("S003-P3-lemma1-nonpositive-bias",),
    ),
    Statement(
        "S003-lemma-1-if",
        f"{_LEMMA_1}, if",
        "If s(W'x) is injective, where W' are the rows of W with b ≥ 0, so is s(Wx + b).",
        _rows_injective_first,
        _layer_injective,
        LAYERS,
    ),
)
