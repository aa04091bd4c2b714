"""How much s(W·) shrinks distances: Theorem 4 and its lemmas, and Proposition 1 of Bruna et al.

Theorem 4: |s(Wx) − s(Wy)| ≥ (1/√(2m)) min_z σ(W_z) |x − y|, W_z the rows with w·z ≥ 0.  Right, and
so is 1/√2 in place of 1/√(2m) (theory 6.6).  Its proof counts the wedges that a segment passes
through, at most m.  **False**: m different hyperplanes make m + 1 wedges, and five directions in
the plane that are a DSS are enough.  (The constant comes out all the same: n_t wedges have n_t − 1
steps.)  Lemma 5, for two wedges, is right, and its second condition, (60), is not needed: if all
rows that change do so at t', then with d = x − y

    |s(Wx) − s(Wy)|² = |W_∩ d|² + t'²|W_{0∖1} d|² + (1 − t')²|W_{1∖0} d|²
                     ≥ ½ min(|W_0 d|², |W_1 d|²).

Lemma 6 is right.  All of this is decided exactly: σ(A)² ≤ r iff AᵀA − rI is not positive definite.

Appendix E.1: Proposition 1 of Bruna et al., as the paper quotes it, and the paper on it.  Ω is
admissible if some x has w·x > 0 for the rows in Ω and < 0 for the others; A_0 is the least lower
frame bound of the rows Ω on their span.  The paper shows by examples that "injective iff A_0 > 0"
and A_0|x − y| ≤ |s(Wx) − s(Wy)| fail (**not the paper's**); here they are found.  The upper bound
is right.  Of rows that span their span A_0 > 0 says nothing: if no row is 0 and every x has an
active row, it holds.

"If W has a column that is the zero vector, there are no admissible Ω" is a **misprint**: a *row* is
meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise, product
from random import Random

from flint import fmpq

from exactrelu.certificates.certificate import Verdict
from exactrelu.certificates.evidence import value_claim
from exactrelu.exact.eigen import is_positive_definite
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, vector
from exactrelu.lemmas.families import UNITS, random_vector
from exactrelu.lemmas.injective_layers.layers import (
    MATRICES,
    TIMEOUT,
    active_rows,
    altered_linear,
    directed_spanning,
    has_points,
    hidden_layer_injective,
    linear_level,
    linear_network,
    random_matrix,
    unbiased,
    wedges,
    weights,
    without_coordinate,
)
from exactrelu.lemmas.injective_layers.scalars import image, squared
from exactrelu.lemmas.injective_layers.spanning import AT_POINTS
from exactrelu.lemmas.statement import Fact, Family, Instance, Judgement, Level, Statement
from exactrelu.network.network import trace
from exactrelu.questions.activity import is_transparent

_THEOREM_4 = "Puthawala et al., Theorem 4"


def _shifted(A: Matrix, r: fmpq) -> Matrix:
    """AᵀA − rI."""
    return A.T @ A - Matrix.identity(A.n_columns).scale(r)


def least_at_most(A: Matrix, r: fmpq) -> bool:
    """Whether the least singular value of A is at most √r."""
    return not is_positive_definite(_shifted(A, r))


def greatest_at_least(A: Matrix, r: fmpq) -> bool:
    """Whether the greatest singular value of A is at least √r."""
    return not is_positive_definite(-_shifted(A, r))


def quotient(instance: Instance) -> fmpq | None:
    """|s(Wx) − s(Wy)|²/|x − y|²; None if x = y."""
    x, y = instance.vector("x"), instance.vector("y")
    distance = squared(x, y)
    W = weights(instance)
    return None if distance == 0 else squared(image(W, x), image(W, y)) / distance


def _at_least(text: str, instance: Instance, factor: int, sets: Iterable[Matrix]) -> Fact:
    """Whether factor·|s(Wx) − s(Wy)|² ≥ min σ²·|x − y|², the minimum over the sets of rows."""
    r = quotient(instance)
    return Fact.plain(text, r is None or any(least_at_most(A, factor * r) for A in sets))


def _two_points(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x", "y")
    yield directed_spanning(instance)


def _printed(instance: Instance) -> Fact:
    W = weights(instance)
    return _at_least("the bound with 1/√(2m)", instance, 2 * W.n_rows, wedges(W))


def _sharp(instance: Instance) -> Fact:
    return _at_least("the bound with 1/√2", instance, 2, wedges(weights(instance)))


def _lipschitz(instance: Instance) -> Fact:
    r = quotient(instance)
    holds = r is None or greatest_at_least(weights(instance), r)
    return Fact.plain("|s(Wx) − s(Wy)| ≤ ‖W‖ |x − y|", holds)


def _points(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x", "y")


# Segments: the values of the rows at both ends.


def _ends(instance: Instance) -> list[tuple[fmpq, fmpq]]:
    W = weights(instance)
    return list(
        zip(W.flint_apply(instance.vector("x")), W.apply(instance.vector("y")), strict=True)
    )


def _crossings(instance: Instance) -> list[fmpq]:
    """The parameters t in (0, 1) where a row changes its sign, in order."""
    return sorted({a / (a - b) for a, b in _ends(instance) if a * b < 0})


def _in_wedges(instance: Instance) -> Fact:
    rows = zip(weights(instance), _ends(instance), strict=True)
    inside = all(a != 0 and b != 0 for row, (a, b) in rows if any(row))
    return Fact.plain("x and y lie in open wedges", inside)


def _segment(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x", "y")
    yield _in_wedges(instance)
    yield directed_spanning(instance)


def _few_wedges(instance: Instance) -> Fact:
    n_wedges = len(_crossings(instance)) + 1
    return Fact.plain("at most m wedges", n_wedges <= weights(instance).n_rows)


def _one_more_wedge(instance: Instance) -> Fact:
    n_wedges = len(_crossings(instance)) + 1
    return Fact.plain("at most m + 1 wedges", n_wedges <= weights(instance).n_rows + 1)


def _two_wedges(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x", "y")
    at_ends = all(min(a, b) >= 0 or a * b != 0 for a, b in _ends(instance))
    changes = len(_crossings(instance)) <= 1
    yield Fact.plain("the active rows change at one t' in (0, 1) only", at_ends and changes)
    yield directed_spanning(instance)


def _two_sets(instance: Instance) -> Fact:
    W = weights(instance)
    sets = [active_rows(W, instance.vector(name)) for name in ("x", "y")]
    return _at_least("(1/√2) min(σ(W_x), σ(W_y))", instance, 2, sets)


def _through_faces(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x", "y")
    yield _in_wedges(instance)
    W, ends = weights(instance), _ends(instance)
    at: dict[fmpq, list[int]] = {}
    for i, (a, b) in enumerate(ends):
        if a * b < 0:
            at.setdefault(a / (a - b), []).append(i)
    through = all(rank(W.take(rows=rows)) == 1 for rows in at.values())
    yield Fact.plain("the segment passes through faces only", through)
    yield directed_spanning(instance)


def _on_path(instance: Instance) -> Fact:
    x, y = instance.vector("x"), instance.vector("y")
    stops = [ZERO, *_crossings(instance), fmpq(1)]
    middles = [(before + after) / 2 for before, after in pairwise(stops)]
    sets = [active_rows(weights(instance), _between(x, y, t)) for t in middles]
    return _at_least("(1/√(2n_t)) min σ on the segment", instance, 2 * len(sets), sets)


def _between(x: Vector, y: Vector, t: fmpq) -> Vector:
    return tuple((1 - t) * a + t * b for a, b in zip(x, y, strict=True))


def _pairs(W: Matrix) -> Iterator[Instance]:
    points = [vector(p) for p in product(UNITS, repeat=W.n_columns)]
    for x, y in combinations(points, 2):
        yield Instance.of(N=linear_network(W), x=x, y=y)


def _far_apart(W: Matrix) -> Iterator[Instance]:
    """Ends of a segment beside the origin that crosses all lines with small coefficients."""
    ends = {1: ((-1,), (1,)), 2: ((-9, -1), (9, 3))}[W.n_columns]
    yield Instance.of(N=linear_network(W), x=vector(ends[0]), y=vector(ends[1]))


def _five_lines() -> Iterator[Instance]:
    lines = ((0, 1), (1, -2), (1, -1), (1, 0), (1, 1), (1, 2), (2, -1), (2, 1))
    for chosen in combinations(lines, 5):
        for signs in product((-1, 1), repeat=5):
            rows = [vector([s * w for w in row]) for s, row in zip(signs, chosen, strict=True)]
            yield from _far_apart(Matrix(rows))


def _random_pair(rng: Random) -> Instance:
    W = random_matrix(rng)
    x, y = (random_vector(rng, W.n_columns) for _ in range(2))
    return Instance.of(N=linear_network(W), x=x, y=y)


def _levels(sizes: Sequence[tuple[int, int]]) -> tuple[Level, ...]:
    words = ", x and y in -1..1"
    return tuple(linear_level(n, m, more=_pairs, words=words) for n, m in sizes)


_PAIRS = Family(
    _levels(((1, 2), (1, 3), (1, 4), (2, 4), (2, 5))),
    _random_pair,
    altered_linear,
    without_coordinate("x", "y"),
)
_SEGMENTS = Family(
    (
        *(linear_level(1, m, more=_far_apart, words=", x = -1, y = 1") for m in (2, 3, 4)),
        linear_level(2, 4, more=_far_apart, words=", x = (-9, -1), y = (9, 3)"),
        Level("five lines of R^2, entries -2..2, x = (-9, -1), y = (9, 3)", _five_lines),
    ),
    _random_pair,
    altered_linear,
    without_coordinate("x", "y"),
)

THEOREM_4_STATEMENTS = (
    Statement(
        "S003-theorem-4",
        _THEOREM_4,
        "If W is a DSS for every x, |s(Wx) − s(Wy)| ≥ (1/√(2m)) min σ(W_z) |x − y|.",
        _two_points,
        _printed,
        _PAIRS,
        known=("S003-T4-stability",),
    ),
    Statement(
        "S003-theorem-4-sharp",
        f"{_THEOREM_4}, sharpened (theory 6.6)",
        "If W is a DSS for every x, |s(Wx) − s(Wy)| ≥ (1/√2) min σ(W_z) |x − y|.",
        _two_points,
        _sharp,
        _PAIRS,
        known=("S003-E7-sharp-constant",),
    ),
    Statement(
        "S003-lipschitz",
        "Puthawala et al., section 4",
        "|s(Wx) − s(Wy)| ≤ ‖W‖ |x − y|.",
        _points,
        _lipschitz,
        _PAIRS,
    ),
    Statement(
        "S003-theorem-4-wedges",
        f"{_THEOREM_4}, its proof",
        "If W is a DSS for every x, a segment passes through at most m wedges.",
        _segment,
        _few_wedges,
        _SEGMENTS,
        judgement=Judgement(
            "false",
            "The proof counts at most m wedges on a segment that m hyperplanes can cut into m + "
            "1, on an open set. The constant of Theorem 4 comes out all the same: n_t wedges make "
            "n_t − 1 steps.",
        ),
    ),
    Statement(
        "S003-theorem-4-wedges-repaired",
        f"{_THEOREM_4}, its proof",
        "If W is a DSS for every x, a segment passes through at most m + 1 wedges.",
        _segment,
        _one_more_wedge,
        _SEGMENTS,
        repairs="S003-theorem-4-wedges",
    ),
    Statement(
        "S003-lemma-5",
        "Puthawala et al., Lemma 5, without its condition (60)",
        "If the active rows change at one point of the segment only, |s(Wx) − s(Wy)| ≥ "
        "(1/√2) min(σ(W_x), σ(W_y)) |x − y|.",
        _two_wedges,
        _two_sets,
        _PAIRS,
    ),
    Statement(
        "S003-lemma-6",
        "Puthawala et al., Lemma 6",
        "If the segment passes through n_t wedges and through their faces, |s(Wx) − s(Wy)| ≥ "
        "(1/√(2n_t)) min σ(W_z) |x − y|, z on the segment.",
        _through_faces,
        _on_path,
        _PAIRS,
    ),
)


_PROPOSITION_1 = "Bruna et al., Proposition 2.2, in Puthawala et al., Proposition 1"


def _no_zero_row(instance: Instance) -> Fact:
    return Fact.plain("no row is 0", all(any(row) for row in weights(instance)))


def _positive_frame_bound(instance: Instance) -> Iterator[Fact]:
    """A_0 > 0: there are admissible sets, and none is empty."""
    yield unbiased(instance)
    yield _no_zero_row(instance)
    verdict = is_transparent(instance.network(), timeout=TIMEOUT)
    yield Fact("every x has a row with w·x ≥ 0", verdict)


def _injective(instance: Instance) -> Fact:
    return hidden_layer_injective("s(Wx) is injective", instance.network())


def _on_line(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x", "y")
    yield Fact.plain("n = 1", instance.network().n_inputs == 1)
    yield _no_zero_row(instance)
    yield _injective(instance)


def _lower_bound(instance: Instance) -> Fact:
    """For n = 1 there are two admissible sets; both readings of a frame bound are tried."""
    entries = weights(instance).entries()
    least = min(
        sum((w * w for w in entries if w > 0), ZERO), sum((w * w for w in entries if w < 0), ZERO)
    )
    r = quotient(instance)
    holds = r is None or r >= min(least, least**2)
    return Fact.plain("A_0 |x − y| ≤ |s(Wx) − s(Wy)|", holds)


def _strict(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x", "y")
    yield _no_zero_row(instance)


def _upper_bound(instance: Instance) -> Fact:
    r = quotient(instance)
    sets = wedges(weights(instance))
    holds = r is None or r == 0 or any(A.n_rows and greatest_at_least(A, r) for A in sets)
    return Fact.plain("|s(Wx) − s(Wy)| ≤ B_0 |x − y|", holds)


def _zero_column(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x")
    W = weights(instance)
    zero = any(not any(W.column(j)) for j in range(W.n_columns))
    yield Fact.plain("a column is 0", zero)


def _zero_row(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x")
    yield Fact.plain("a row is 0", any(not any(row) for row in weights(instance)))


def _not_admissible(instance: Instance) -> Fact:
    text = "x makes no set admissible: w·x = 0 for some row"
    network, x = instance.network(), instance.vector("x")
    if not all(weights(instance).flint_apply(x)):
        return Fact.plain(text, True)
    certificate = value_claim(network, trace(network, x))
    return Fact(text, Verdict(False, "w·x ≠ 0 for every row", x, certificate))


def _random_frame_pair(rng: Random) -> Instance:
    W = random_matrix(rng)
    if rng.random() < 0.5:
        W = W.take(columns=[0])
    x, y = (random_vector(rng, W.n_columns) for _ in range(2))
    return Instance.of(N=linear_network(W), x=x, y=y)


_FRAME_PAIRS = Family(
    _levels(((1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (2, 3))),
    _random_frame_pair,
    altered_linear,
    without_coordinate("x", "y"),
)

_QUOTED = Judgement(
    "not the paper's",
    "Proposition 1 of Bruna et al., which Section E.1 quotes to show that it fails.",
)

PROPOSITION_1_STATEMENTS = (
    Statement(
        "S003-proposition-1-if",
        f"{_PROPOSITION_1}, if",
        "If A_0 > 0 (no row is 0 and every x has an active row), s(Wx) is injective.",
        _positive_frame_bound,
        _injective,
        MATRICES,
        judgement=_QUOTED,
    ),
    Statement(
        "S003-proposition-1-lower",
        f"{_PROPOSITION_1}, (108), n = 1",
        "If s(Wx) is injective, A_0 |x − y| ≤ |s(Wx) − s(Wy)|.",
        _on_line,
        _lower_bound,
        _FRAME_PAIRS,
        judgement=_QUOTED,
    ),
    Statement(
        "S003-proposition-1-upper",
        f"{_PROPOSITION_1}, (108)",
        "If no row is 0, |s(Wx) − s(Wy)| ≤ B_0 |x − y|, B_0 the greatest norm of admissible rows.",
        _strict,
        _upper_bound,
        _FRAME_PAIRS,
    ),
    Statement(
        "S003-zero-column",
        "Puthawala et al., section E.1",
        "If W has a column 0, there are no admissible sets.",
        _zero_column,
        _not_admissible,
        AT_POINTS,
        judgement=Judgement(
            "misprint",
            'Section E.1 prints "column" for "row": its example (110) has a zero row.',
        ),
    ),
    Statement(
        "S003-zero-column-repaired",
        "Puthawala et al., section E.1",
        "If W has a row 0, there are no admissible sets.",
        _zero_row,
        _not_admissible,
        AT_POINTS,
        repairs="S003-zero-column",
    ),
)
