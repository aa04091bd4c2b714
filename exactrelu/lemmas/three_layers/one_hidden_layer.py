"""Fibers of networks with one hidden layer on the orthant, and the nonnegative column rank.

Lemma of 4.1 (hyperplane representation, Definition 2): f_A = f_B on the orthant iff the hyperplanes
with their jumps and the affine map on one region agree.  Proposition (1) of 4.2: a generic B with
the function of a generic minimal A has one neuron on each bend of A, and the others are linear.

Definition 22 and its theorem (Appendix C.2), all fibers: every η with the function of θ on the
orthant lies, up to order and positive scaling, in a set M_{α,σ} whose rows have |w_i| = 1.  **Edge
case**: η with a row w_i = 0 (theory 1.3), which no scaling makes a unit vector.  The repair lists
constant neurons as a class of their own.

Remark 23: on R^n there are no inequalities, and each component is an algebraic variety.  A set
that is a finite union of varieties contains a line as soon as it contains a half-line of it.
**Reading**: neurons w_i = 0, which the components leave out, break that; with b_i ≤ 0 such a neuron
is dead, for all b_i from −∞ to 0, and not beyond.

Propositions 28 and 29, Corollary 30 (theory 1.5): rank₊(A) is the least k with A = UB, B ≥ 0.
(28) rank₊ ≤ rank + 1.  (29) rank₊ = rank iff the columns lie in a simplicial cone: iff the cone of
the nonzero columns is pointed.  (30) Independent columns have rank₊ = rank.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from random import Random

from exactrelu.certificates.certificate import Verdict
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO
from exactrelu.exact.system import LinearSystem
from exactrelu.lemmas.families import (
    TWOS,
    UNITS,
    equal_pairs,
    grid,
    random_network,
    random_rows,
    small_matrices,
    small_networks,
)
from exactrelu.lemmas.statement import Fact, Family, Instance, Judgement, Level, Statement
from exactrelu.lemmas.three_layers.common import (
    TIMEOUT,
    equal_on_orthant,
    generic,
    has_dead,
    is_nonlinear_row,
    minimal,
    network_of,
    nonzero,
    on_orthant,
    one_hidden_layer,
    output,
    rows,
    shuffled,
)
from exactrelu.lemmas.three_layers.layerwise import random_shallow
from exactrelu.network.network import Layer, Network
from exactrelu.network.shallow import ShallowForm, oriented, shallow_form
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.linear import is_pointed, nonnegative_column_rank


def _form(network: Network) -> ShallowForm:
    return shallow_form(network, LinearSystem.orthant(network.n_inputs))


def _same_form(instance: Instance) -> Iterator[Fact]:
    A, B = instance.network("A"), instance.network("B")
    yield one_hidden_layer(A, B)
    left, right = _form(A), _form(B)
    yield Fact.plain("the same hyperplanes with the same jumps", left.jumps == right.jumps)
    yield Fact.plain("the same affine map on one region", left.affine == right.affine)


def _equal_pair(instance: Instance) -> Iterator[Fact]:
    A, B = instance.network("A"), instance.network("B")
    yield one_hidden_layer(A, B)
    yield equal_on_orthant(A, B)


def _is_equal(instance: Instance) -> Fact:
    """By the values at points of every region, not by the forms that were compared."""
    A, B = instance.network("A"), instance.network("B")
    return equal_on_orthant(A, B)


def _agrees(instance: Instance) -> Fact:
    same = _form(instance.network("A")) == _form(instance.network("B"))
    return Fact.plain("the same representation", same)


def _generic_minimal(instance: Instance) -> Iterator[Fact]:
    A, B = instance.network("A"), instance.network("B")
    yield one_hidden_layer(A, B)
    yield Fact.plain("no neuron of A is dead", not has_dead(A, 1))
    yield generic("A", A)
    yield generic("B", B)
    yield minimal("A", A)
    yield equal_on_orthant(A, B)


def _one_on_each(instance: Instance) -> Fact:
    A, B = instance.network("A"), instance.network("B")
    bent = sorted(oriented(row)[0] for row in rows(B, 1) if is_nonlinear_row(row))
    linear = not has_dead(B, 1)
    text = "B has one neuron on each bend of A, and the others are linear"
    return Fact.plain(text, bent == sorted(_form(A).jumps) and linear)


def _pair_level(widths: tuple[int, int, int]) -> Level:
    points = sorted({tuple(map(abs, x)) for x in grid(widths[0])})
    return Level(
        f"pairs of widths {'-'.join(map(str, widths))}, entries -1..1",
        lambda: (
            Instance.of(A=A, B=B) for A, B in equal_pairs(lambda: small_networks(widths), points)
        ),
    )


def _bent_pairs() -> Iterator[Instance]:
    """Networks of widths 1-2-1 with two bends, or a bend and a linear neuron."""
    neurons = [*product((-1, 1), (-2, -1, 1, 2)), (2, 1)]

    def networks() -> Iterator[Network]:
        for chosen in combinations_with_replacement(neurons, 2):
            for v in product((-1, 1, 2), (-1, 1, 2), (-2, -1, 0, 1, 2)):
                yield network_of(chosen, [v])

    points = sorted({tuple(map(abs, x)) for x in grid(1, 4)})
    return (Instance.of(A=A, B=B) for A, B in equal_pairs(networks, points))


def _partner(rng: Random, A: Network) -> Instance:
    found = on_orthant(A)
    B = found.samples(1, rng.randrange(1 << 30))[0] if found.nonempty else A
    return Instance.of(A=A, B=shuffled(rng, B))


def _random_shallow_pair(rng: Random) -> Instance:
    return _partner(rng, random_shallow(rng))


def _random_live(rng: Random) -> Instance:
    """No entry is 0, and rows that would be dead are turned around."""
    n0, n1, n2 = rng.choice(((1, 2, 1), (2, 2, 1), (1, 2, 2), (2, 3, 2)))
    first = [[nonzero(rng) for _ in range(n0 + 1)] for _ in range(n1)]
    first = [row if max(row) > 0 else [-x for x in row] for row in first]
    last = [[nonzero(rng) for _ in range(n1 + 1)] for _ in range(n2)]
    return _partner(rng, network_of(first, last))


_LEVELS = tuple(map(_pair_level, ((1, 1, 1), (1, 2, 1))))
_PAIRS = Family(_LEVELS, _random_shallow_pair)
_BENT = Family(
    (Level("widths 1-2-1, w of ±1 or 2, b of ±1, ±2, V of -1, 1, 2", _bent_pairs),), _random_live
)
_ONE_LAYER = "If A and B have one hidden layer of one width"

REPRESENTATION_STATEMENTS = (
    Statement(
        "S002-representation",
        "S002, Section 4.1, hyperplane representations, if",
        f"{_ONE_LAYER} and the same hyperplanes with jumps and the same affine map on one region "
        "of the orthant, then they are equal there.",
        _same_form,
        _is_equal,
        _PAIRS,
    ),
    Statement(
        "S002-representation-only-if",
        "S002, Section 4.1, hyperplane representations, only if",
        f"{_ONE_LAYER} and are equal on the orthant, then they have the same hyperplanes with "
        "jumps and the same affine map on one region.",
        _equal_pair,
        _agrees,
        _PAIRS,
    ),
    Statement(
        "S002-generic-fiber",
        "S002, Section 4.2, generic fibers of one hidden layer",
        f"{_ONE_LAYER}, are generic and equal on the orthant, and A is minimal without dead "
        "neurons, then B has one neuron on each bend of A, and its other neurons are linear.",
        _generic_minimal,
        _one_on_each,
        _BENT,
    ),
)


_DEFINITION_22 = "S002, Definition 22 and the theorem on general fibers"


def _unit_rows(instance: Instance) -> Fact:
    no_zero = all(any(row[:-1]) for row in rows(instance.network("B"), 1))
    return Fact.plain("the rows of W of B can be scaled to norm 1", no_zero)


def _classes(instance: Instance) -> Fact:
    """On each hyperplane of A that bends the columns of B add up to the jump, elsewhere to 0."""
    A, B = instance.network("A"), instance.network("B")
    jumps = {h: list(jump) for h, jump in shallow_form(A, LinearSystem.orthant(A.n_inputs)).bends}
    columns = output(B).T
    for i, row in enumerate(rows(B, 1)):
        if any(row[:-1]) and is_nonlinear_row(row):
            h, factor = oriented(row)
            left = jumps.setdefault(h, [ZERO] * B.n_outputs)
            for k, v in enumerate(columns.row(i)):
                left[k] -= abs(factor) * v
    fits = not any(x for left in jumps.values() for x in left)
    return Fact.plain(
        "every neuron of B is constant, dead, linear, on a bend of A or in a canceling group", fits
    )


def _ray(instance: Instance) -> Iterator[Fact]:
    N, i = instance.network(), instance.integer("i")
    yield one_hidden_layer(N)
    *w, b = rows(N, 1)[i] if i < N.widths[1] else (ONE, ONE)
    yield Fact.plain("w_i = 0 and b_i ≤ 0: all smaller b_i give the same", not any(w) and b <= 0)


def _line(instance: Instance) -> Fact:
    N, i = instance.network(), instance.integer("i")
    raised = list(rows(N, 1))
    raised[i] = (*raised[i][:-1], ONE)
    other = Network((Layer(Matrix(raised)), N.layers[1]))
    return Fact("b_i = 1 gives the same function", equivalent(N, other, timeout=TIMEOUT))


def _ray_level(widths: tuple[int, int, int]) -> Level:
    return Level(
        f"widths {'-'.join(map(str, widths))}, entries -1..1, every neuron",
        lambda: (Instance.of(N=N, i=i) for N in small_networks(widths) for i in range(widths[1])),
    )


def _random_pair(rng: Random) -> Instance:
    widths = rng.choice(((1, 2, 1), (2, 2, 1), (1, 3, 1), (2, 3, 2)))
    return _partner(rng, random_network(rng, widths))


_ANY_PAIRS = Family(_LEVELS, _random_pair)
_RAYS = Family(
    tuple(map(_ray_level, ((1, 1, 1), (1, 2, 1), (2, 1, 1)))),
    lambda rng: Instance.of(N=random_network(rng, rng.choice(((1, 2, 1), (2, 2, 2)))), i=0),
)
_EQUAL_ON_ORTHANT = "If A and B have one hidden layer of one width and are equal on the orthant"

GENERAL_FIBER_STATEMENTS = (
    Statement(
        "S002-definition-22",
        _DEFINITION_22,
        f"{_EQUAL_ON_ORTHANT}, then every row of W of B can be scaled to norm 1.",
        _equal_pair,
        _unit_rows,
        _ANY_PAIRS,
        known=("S002-E08-zero-row",),
        judgement=Judgement(
            "edge case",
            "Neurons with w_i = 0, a null set of parameters, cannot be scaled to norm 1.",
            mended_by="w_i ≠ 0, or constant neurons as a class of their own "
            "(S002-definition-22-repaired)",
        ),
    ),
    Statement(
        "S002-definition-22-repaired",
        f"{_DEFINITION_22}, with constant neurons",
        f"{_EQUAL_ON_ORTHANT}, then the neurons of B are constant (w = 0), dead, linear, on "
        "bends of A, where their output columns add up to the jump, or in groups whose columns "
        "cancel.",
        _equal_pair,
        _classes,
        _ANY_PAIRS,
        repairs="S002-definition-22",
        known=("S002-E08-zero-row",),
    ),
    Statement(
        "S002-remark-23",
        "S002, Remark 23",
        "On R^n the fiber is a finite union of algebraic varieties: if w_i = 0 and all b_i ≤ 0 "
        "give one function, so does b_i = 1.",
        _ray,
        _line,
        _RAYS,
        judgement=Judgement(
            "reading",
            "In the components of Definition 22 all rows have norm 1, and for these the remark is "
            "right; it fails only if neurons with w_i = 0 are to be in the fiber.",
        ),
    ),
)


def _rank_is(text: str, A: Matrix, most: int) -> Fact:
    found = nonnegative_column_rank(A)
    return Fact(
        text, Verdict(found.value <= most, f"rank₊ = {found.value}", None, found.certificate)
    )


def _any(instance: Instance) -> Iterator[Fact]:
    yield Fact.plain("A is a matrix", instance.matrix("A").n_rows > 0)


def _at_most_one_more(instance: Instance) -> Fact:
    A = instance.matrix("A")
    return _rank_is("rank₊ A ≤ rank A + 1", A, rank(A) + 1)


def _pointed(instance: Instance) -> Iterator[Fact]:
    A = instance.matrix("A")
    columns = [A.column(j) for j in range(A.n_columns)]
    yield Fact("the cone of the columns is pointed", is_pointed(columns, dimension=A.n_rows))


def _is_rank(instance: Instance) -> Fact:
    A = instance.matrix("A")
    return _rank_is("rank₊ A = rank A", A, rank(A))


def _not_pointed(instance: Instance) -> Iterator[Fact]:
    for fact in _pointed(instance):
        yield Fact.negation("the cone of the columns contains a line", fact.verdict)


def _is_more(instance: Instance) -> Fact:
    return Fact.negation("rank₊ A = rank A + 1", _is_rank(instance).verdict)


def _independent(instance: Instance) -> Iterator[Fact]:
    A = instance.matrix("A")
    yield Fact.plain("the columns are independent", rank(A) == A.n_columns)


def _matrix_level(m: int, n: int, entries: tuple[int, ...] = UNITS) -> Level:
    return Level(
        f"{m} × {n} matrices, entries {entries[0]}..{entries[-1]}, modulo the order of rows",
        lambda: (Instance.of(A=A) for A in small_matrices(m, n, entries)),
    )


def _random_matrix(rng: Random) -> Instance:
    return Instance.of(A=random_rows(rng, rng.randint(1, 4), rng.randint(1, 5)))


_MATRICES = Family(
    (
        _matrix_level(1, 1, TWOS),
        _matrix_level(1, 2, TWOS),
        _matrix_level(2, 2),
        _matrix_level(2, 3),
        _matrix_level(3, 3),
    ),
    _random_matrix,
)
# fmt: off
NONNEGATIVE_RANK_STATEMENTS = (
    Statement(
        "S002-proposition-28", "S002, Proposition 28",
        "Every matrix A has rank₊(A) ≤ rank(A) + 1.",
        _any, _at_most_one_more, _MATRICES, known=("S002-P10-nonneg-column-rank",),
    ),
    Statement(
        "S002-proposition-29", "S002, Proposition 29, if",
        "If the columns of A lie in a simplicial cone (the cone of the nonzero ones is pointed), "
        "then rank₊(A) = rank(A).",
        _pointed, _is_rank, _MATRICES, known=("S002-P10-nonneg-column-rank",),
    ),
    Statement(
        "S002-proposition-29-only-if", "S002, Proposition 29, only if",
        "If the columns of A lie in no simplicial cone, then rank₊(A) = rank(A) + 1.",
        _not_pointed, _is_more, _MATRICES,
    ),
    Statement(
        "S002-corollary-30", "S002, Corollary 30",
        "If the columns of A are independent, then rank₊(A) = rank(A).",
        _independent, _is_rank, _MATRICES,
    ),
)
# fmt: on
