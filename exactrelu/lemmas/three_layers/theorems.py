"""Which generic three-layer bottlenecks their function determines, and how to compare two of them.

Proposition 4, Corollary 33 and the lemma of E.1, fibers of parameters that hide nothing: if A is a
generic bottleneck without dead neurons that hides nothing, every generic B with its function has
its first layer up to order and scaling, and layers 2 and 3 of B are in the fiber of those of A on
the orthant, "described by" the formula for generic minimal parameters: nonlinear neurons, one on
each bend, and linear ones.  The first part is refuted for n1 = 1 (as Theorem 5 is), which lost
formulas may exclude (**text damaged**), and right for n1 ≥ 2.  The second part is **false** unless
layers 2 and 3 of A are minimal (theory 3.4): B may have dead neurons where linear ones of A can be
merged.

Theorem 5: a generic θ with n0 ≥ n1 is non-identifiable iff [W2|b2] has an all-negative row, or an
all-positive row, or a column i ≤ n1 such that every row is + at i and − elsewhere.  **Text
damaged**: the "only if" is refuted for n1 = 1, which lost formulas may exclude, by
s(1 − s(x)) = 1 − s(1 − s(1 − x)).  The repair asks for n1 ≥ 2 (theory 3.5).  The "if" is right for
every n1.

The polynomial-time procedure of Section 6 (proof in Appendix E.3) for f_A = f_B.  As printed: look
at the signs of [W2|b2].  Case 1, not hiding: the rows of [W1|b1] must match up to order and
positive scaling.  Case 2, hiding with n2 ≥ 2: the rows of the other neurons must match, and B is a
translate.  Case 3, hiding with n2 = 1: flips too.  Dead neurons "can be removed".  **False** if all
neurons are dead: f is constant, and the first layers say nothing.  **Reading**: dead neurons are
removed first and the case is still chosen by n2; with one live neuron there are flips.  Repair
(theory 3.7): drop dead rows; if none is left compare b3; choose the case by what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, product
from random import Random

from exactrelu.exact.matrix import Matrix
from exactrelu.lemmas.statement import Fact, Family, Instance, Judgement, Level, Statement
from exactrelu.lemmas.three_layers.common import (
    PAIRS,
    RANDOM_WIDTHS,
    SIGNS,
    TIMEOUT,
    WIDE_PAIRS,
    another,
    bottleneck,
    bottlenecks,
    equal,
    generic,
    has_dead,
    hidden,
    is_positive_multiple,
    minimal,
    moved,
    network_of,
    on_orthant,
    pair_level,
    random_bottleneck,
    rows,
    same_first_layer,
    same_up_to_order_and_scale,
    shuffled,
    three_layers,
)
from exactrelu.lemmas.three_layers.hiding import LOST_IN_SECTION_6, is_translate
from exactrelu.network.hiding import hides, is_dead_row
from exactrelu.network.network import Layer, Network
from exactrelu.questions.identifiability.identifiable import identifiable

_PROPOSITION_4 = "S002, Proposition 4"


def _not_hiding(least: int, needs_minimal: bool = False) -> Callable[[Instance], Iterator[Fact]]:
    def hypotheses(instance: Instance) -> Iterator[Fact]:
        A, B = instance.network("A"), instance.network("B")
        yield from three_layers(A, B, least)
        yield Fact.plain("no neuron of layer 2 of A is dead", not has_dead(A, 2))
        yield Fact.plain("A hides nothing", hidden(A) is None)
        yield generic("A", A)
        yield generic("B", B)
        yield equal(A, B)
        if needs_minimal:
            yield minimal("what follows layer 1 of A", A.truncate(2, 3))

    return hypotheses


def _first_layer(instance: Instance) -> Fact:
    same = same_first_layer(instance.network("A"), instance.network("B"))
    return Fact.plain("the first layers are the same up to order and scaling", same)


def _no_dead(instance: Instance) -> Fact:
    dead = has_dead(instance.network("B"), 2)
    return Fact.plain("no neuron of layer 2 of B is dead", not dead)


def _on_quadrant() -> Iterator[Network]:
    """First layer the identity: what follows is a network on the quadrant."""
    second = [(-1, -2, -1), *product((1, 2, 3), (1, 2, 3), (1,))]
    for pair in combinations_with_replacement(second, 2):
        for v in product(SIGNS, SIGNS, (-1, 0, 1, 2)):
            yield network_of([(1, 0, 0), (0, 1, 0)], pair, [v])


def _random_in_fiber(rng: Random) -> Instance:
    """Another member of the fiber of what follows layer 1."""
    A = random_bottleneck(rng, rng.choice(((2, 2, 2, 1), (2, 2, 3, 1), (3, 2, 3, 2))))
    members = on_orthant(A.truncate(2, 3)).samples(1, rng.randrange(1 << 30))
    B = Network((A.layers[0], *members[0].layers))
    return Instance.of(A=A, B=shuffled(rng, B))


_QUADRANT = pair_level(
    "widths 2-2-2-1, W1 = 1, b1 = 0, rows of layer 2 with weights 1..3 and b = 1, or one dead "
    "row, W3 of ±1, b3 of -1..2",
    2,
    _on_quadrant,
)
_FIBER = Family((_QUADRANT, *WIDE_PAIRS.levels), _random_in_fiber, another)
_NOT_HIDING = (
    "If A and B are generic, of one architecture with {}, compute one function, and layer 2 of A "
    "has no dead neuron and hides nothing{}, then {}."
)
_ROWS = "the rows of [W1|b1] are the same up to order and positive scaling"
_ROLES = "layer 2 of B has no dead neuron"

PROPOSITION_4_STATEMENTS = (
    Statement(
        "S002-first-layer",
        f"{_PROPOSITION_4} and Appendix E.1, the first layer is fixed",
        _NOT_HIDING.format("n0 ≥ n1", "", _ROWS),
        _not_hiding(1),
        _first_layer,
        PAIRS,
        known=("S002-E02-n1eq1-mirror",),
        judgement=LOST_IN_SECTION_6,
    ),
    Statement(
        "S002-first-layer-repaired",
        f"{_PROPOSITION_4} and Appendix E.1, the first layer is fixed, for n1 ≥ 2",
        _NOT_HIDING.format("n0 ≥ n1 ≥ 2", "", _ROWS),
        _not_hiding(2),
        _first_layer,
        WIDE_PAIRS,
        repairs="S002-first-layer",
    ),
    Statement(
        "S002-proposition-4",
        f"{_PROPOSITION_4} and Corollary 33, the formula for the fiber",
        _NOT_HIDING.format("n0 ≥ n1 ≥ 2", "", _ROLES),
        _not_hiding(2),
        _no_dead,
        _FIBER,
        known=("S002-E06-prop4-needs-minimal",),
        judgement=Judgement(
            "false",
            "Proposition 4 and Corollary 33 take the fiber of layers 2 and 3 from the formula for "
            "minimal parameters; where linear neurons can be merged, on an open set of weights, "
            "there are members with dead neurons, which the formula lacks. The reduction to these "
            "layers is right.",
        ),
    ),
    Statement(
        "S002-proposition-4-repaired",
        f"{_PROPOSITION_4} and Corollary 33, for minimal layers 2 and 3",
        _NOT_HIDING.format(
            "n0 ≥ n1 ≥ 2", ", and layers 2 and 3 of A are minimal on the orthant", _ROLES
        ),
        _not_hiding(2, needs_minimal=True),
        _no_dead,
        _FIBER,
        repairs="S002-proposition-4",
    ),
)


_THEOREM_5 = "S002, Theorem 5"


def sign_conditions(network: Network) -> bool:
    """Whether one of the three conditions on the signs of [W2|b2] holds."""
    second = rows(network, 2)
    one_signed = any(max(row) < 0 or min(row) > 0 for row in second)
    return one_signed or any(all(hides(row, i) for row in second) for i in range(network.widths[1]))


def _no_sign_condition(least: int, instance: Instance) -> Iterator[Fact]:
    A, B = instance.network("A"), instance.network("B")
    yield from three_layers(A, B, least)
    yield Fact.plain("no condition on the signs holds for A", not sign_conditions(A))
    yield generic("A", A)
    yield generic("B", B)
    yield equal(A, B)


def _isomorphic(instance: Instance) -> Fact:
    return same_up_to_order_and_scale(instance.network("A"), instance.network("B"))


def _signs(instance: Instance) -> Iterator[Fact]:
    N = instance.network()
    yield bottleneck(N)
    yield Fact.plain("a condition on the signs holds", sign_conditions(N))
    yield generic("N", N)


def _not_identifiable(instance: Instance) -> Fact:
    verdict = identifiable(instance.network(), timeout=TIMEOUT)
    return Fact.negation("another network has the function of N", verdict)


def _single(widths: tuple[int, int, int, int]) -> Level:
    name = "-".join(map(str, widths))
    return Level(
        f"widths {name}, W2 and b2 and W3 of ±1, others -1..1",
        lambda: (Instance.of(N=N) for N in bottlenecks(widths)),
    )


SINGLE = Family(
    tuple(map(_single, ((1, 1, 1, 1), (2, 1, 1, 1), (2, 1, 2, 1), (2, 2, 1, 1)))),
    lambda rng: Instance.of(
        N=random_bottleneck(rng, rng.choice(((2, 2, 2, 1), (3, 2, 3, 1), (3, 3, 2, 2))))
    ),
)

THEOREM_5_STATEMENTS = (
    Statement(
        "S002-theorem-5",
        f"{_THEOREM_5}, only if",
        "If A and B are generic, of one architecture with n0 ≥ n1, compute one function, and no "
        "row of [W2|b2] of A has one sign, nor do all rows hide one neuron, then A ~ B.",
        lambda instance: _no_sign_condition(1, instance),
        _isomorphic,
        PAIRS,
        known=("S002-E02-n1eq1-mirror",),
        judgement=Judgement(
            "text damaged",
            "Refuted for n1 = 1 only; the formulas are lost in the text that we have, those of "
            '"Let […] with […]", with which Theorem 5 begins, included.',
        ),
    ),
    Statement(
        "S002-theorem-5-repaired",
        f"{_THEOREM_5}, only if, for n1 ≥ 2",
        "If A and B are generic, of one architecture with n0 ≥ n1 ≥ 2, compute one function, and "
        "no row of [W2|b2] of A has one sign, nor do all rows hide one neuron, then A ~ B.",
        lambda instance: _no_sign_condition(2, instance),
        _isomorphic,
        WIDE_PAIRS,
        repairs="S002-theorem-5",
        known=("S002-P16-ident-ppm", "S002-P18-ident-pmp"),
    ),
    Statement(
        "S002-theorem-5-if",
        f"{_THEOREM_5}, if",
        "If N is generic with n0 ≥ n1, and a row of [W2|b2] has one sign, or all rows hide one "
        "neuron, then another network that is not N up to order and scaling has its function.",
        _signs,
        _not_identifiable,
        SINGLE,
        known=("S002-P19-dead", "S002-P13-hiding-translation"),
    ),
)


_PROCEDURE = "S002, Section 6, deciding equivalence in polynomial time"


def live(network: Network) -> Network | None:
    """The network without the dead rows of layer 2; None if all are dead."""
    first, second, last = (layer.affine for layer in network.layers)
    left = [j for j, row in enumerate(second) if not is_dead_row(row)]
    if not left:
        return None
    columns = [*left, second.n_rows]
    parts = (first, second.take(rows=left), last.take(columns=columns))
    return Network(tuple(map(Layer, parts)))


def _equal_pair(instance: Instance) -> Iterator[Fact]:
    A, B = instance.network("A"), instance.network("B")
    yield from three_layers(A, B, 2)
    yield generic("A", A)
    yield generic("B", B)
    yield equal(A, B)


def _case_1(instance: Instance) -> Iterator[Fact]:
    A = instance.network("A")
    not_hiding = len(A.layers) == 3 and hidden(A) is None
    yield Fact.plain("A hides nothing", not_hiding)
    yield from _equal_pair(instance)


def _same_rows(instance: Instance) -> Fact:
    same = same_first_layer(instance.network("A"), instance.network("B"))
    return Fact.plain("the rows of [W1|b1] match: the procedure goes on", same)


def _case_2(instance: Instance) -> Iterator[Fact]:
    A = instance.network("A")
    left = live(A) if len(A.layers) == 3 else None
    found = left is not None and hidden(left) is not None
    yield Fact.plain("the live neurons of A hide a hyperplane", found)
    yield Fact.plain("n2 ≥ 2", A.widths[2] >= 2)
    yield from _equal_pair(instance)


def _others_match(instance: Instance) -> Fact:
    A, B = instance.network("A"), instance.network("B")
    left = live(A)
    i = None if left is None else hidden(left)
    others = [row for k, row in enumerate(rows(A, 1)) if k != i]
    same = all(any(is_positive_multiple(row, other) for other in rows(B, 1)) for row in others)
    return Fact.plain("the other rows of [W1|b1] match: the procedure goes on", same)


def _repaired(instance: Instance) -> Fact:
    A, B = instance.network("A"), instance.network("B")
    return Fact.plain("the repaired procedure says equal", _says_equal(A, B))


def _says_equal(A: Network, B: Network) -> bool:
    left, right = live(A), live(B)
    if left is None or right is None:
        return left is right and A.layers[2].bias == B.layers[2].bias
    if (hidden(left) is None) != (hidden(right) is None):
        return False
    if hidden(left) is None:
        return same_first_layer(A, B)
    return is_translate(left, right)


def _all_dead() -> Iterator[Network]:
    return bottlenecks((2, 2, 1, 1), first=(0, 1), second=(-1,), last=(1,), last_bias=(0,))


def _one_dead() -> Iterator[Network]:
    """b1 = 0, one neuron that hides and one that is dead."""
    for N in bottlenecks((2, 2, 1, 1), last=(1,), last_bias=(0,)):
        if hidden(N) is not None and not any(N.layers[0].bias):
            yield network_of(rows(N, 1), [*rows(N, 2), (-1, -2, -1)], [(1, 1, 0)])


def _random_with_dead(rng: Random) -> Instance:
    A = random_bottleneck(rng, rng.choice(RANDOM_WIDTHS[:-1]))
    second = [tuple(-abs(x) for x in row) if rng.random() < 0.3 else row for row in rows(A, 2)]
    A = Network((A.layers[0], Layer(Matrix(second)), A.layers[2]))
    return Instance.of(A=A, B=shuffled(rng, moved(rng, A)))


_DEAD = (
    pair_level("widths 2-2-1-1, layer 2 dead, layer 1 of 0 and 1", 2, _all_dead),
    pair_level("widths 2-2-2-1, W1 of -1..1, b1 = 0, row 1 hides, row 2 is dead", 2, _one_dead),
)
_WITH_DEAD = Family((*_DEAD, *WIDE_PAIRS.levels), _random_with_dead, another)
_EQUAL = "If A and B are generic, of one architecture with n0 ≥ n1 ≥ 2, and compute one function"

PROCEDURE_STATEMENTS = (
    Statement(
        "S002-procedure",
        f"{_PROCEDURE}, Case 1",
        f"{_EQUAL}, and A hides nothing, then the rows of [W1|b1] of A and B are the same up to "
        "order and positive scaling.",
        _case_1,
        _same_rows,
        _WITH_DEAD,
        known=("S002-E04-all-dead",),
        judgement=Judgement(
            "false",
            "If all neurons of layer 2 are dead, on an open set of weights, the function is "
            "constant and Case 1 of Appendix E.3 compares first layers that need not agree. That "
            "there is a polynomial procedure is right: constants are to be treated apart.",
        ),
    ),
    Statement(
        "S002-procedure-case-2",
        f"{_PROCEDURE}, dead neurons removed first, Case 2",
        f"{_EQUAL}, n2 ≥ 2 and the live neurons of layer 2 of A hide H_i, then the other rows of "
        "[W1|b1] of A are rows of B up to positive scaling.",
        _case_2,
        _others_match,
        _WITH_DEAD,
        known=("S002-E05-dead-changes-case",),
        judgement=Judgement(
            "reading",
            "Appendix E.3 removes dead neurons and tells Cases 2 and 3 apart by the width of "
            "layer 2; it fails only if that width still counts the removed ones.",
        ),
    ),
    Statement(
        "S002-procedure-repaired",
        f"{_PROCEDURE}, repaired",
        f"{_EQUAL}, then the procedure says so that drops dead rows first, compares b3 if none is "
        "left, and chooses the case by the number of live neurons.",
        _equal_pair,
        _repaired,
        _WITH_DEAD,
        repairs="S002-procedure",
        known=("S002-E04-all-dead", "S002-E05-dead-changes-case"),
    ),
)
