"""The polynomial-time procedure of Section 6 (proof in Appendix E.3) for f_A = f_B.

As printed: look at the signs of [W2|b2].  Case 1, not hiding: the rows of [W1|b1] must match up to
order and positive scaling.  Case 2, hiding with n2 ≥ 2: the rows of the other neurons must match,
and B is a translate.  Case 3, hiding with n2 = 1: flips too.  Dead neurons "can be removed".

**False** if all neurons are dead: f is constant, and the first layers say nothing.  **Reading**:
dead neurons are removed first and the case is still chosen by n2; with one live neuron there are
flips.  Repair (theory 3.7): drop dead rows; if none is left compare b3; choose the case
by what is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from exactrelu.exact.matrix import Matrix
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.judgement import Judgement
from exactrelu.lemmas.s002.facts import equal, generic
from exactrelu.lemmas.s002.hiding import is_translate
from exactrelu.lemmas.s002.layers import (
    hidden,
    is_positive_multiple,
    network_of,
    rows,
    same_first_layer,
    three_layers,
)
from exactrelu.lemmas.s002.pairs import (
    RANDOM_WIDTHS,
    WIDE_PAIRS,
    another,
    bottlenecks,
    moved,
    pair_level,
    random_bottleneck,
    shuffled,
)
from exactrelu.lemmas.statement import Fact, Family, Statement
from exactrelu.network.hiding import is_dead_row
from exactrelu.network.network import Layer, Network

_SOURCE = "S002, Section 6, deciding equivalence in polynomial time"


def live(network: Network) -> Network | None:
    """The network without the dead rows of layer 2; None if all are dead."""
    first, second, last = (layer.affine for layer in network.layers)
    left = [j for j, row in enumerate(second) if not is_dead_row(row)]
    if not left:
        return None
    columns = [*left, second.n_rows]
    parts = (first, second.take(rows=left), last.take(columns=columns))
    return Network(tuple(map(Layer, parts)))


def _pair(instance: Instance) -> Iterator[Fact]:
    A, B = instance.network("A"), instance.network("B")
    yield from three_layers(A, B, 2)
    yield generic("A", A)
    yield generic("B", B)
    yield equal(A, B)


def _case_1(instance: Instance) -> Iterator[Fact]:
    A = instance.network("A")
    not_hiding = len(A.layers) == 3 and hidden(A) is None
    yield Fact.plain("A hides nothing", not_hiding)
    yield from _pair(instance)


def _same_rows(instance: Instance) -> Fact:
    same = same_first_layer(instance.network("A"), instance.network("B"))
    return Fact.plain("the rows of [W1|b1] match: the procedure goes on", same)


def _case_2(instance: Instance) -> Iterator[Fact]:
    A = instance.network("A")
    left = live(A) if len(A.layers) == 3 else None
    found = left is not None and hidden(left) is not None
    yield Fact.plain("the live neurons of A hide a hyperplane", found)
    yield Fact.plain("n2 ≥ 2", A.widths[2] >= 2)
    yield from _pair(instance)


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


def _random(rng: Random) -> Instance:
    A = random_bottleneck(rng, rng.choice(RANDOM_WIDTHS[:-1]))
    second = [tuple(-abs(x) for x in row) if rng.random() < 0.3 else row for row in rows(A, 2)]
    A = Network((A.layers[0], Layer(Matrix(second)), A.layers[2]))
    return Instance.of(A=A, B=shuffled(rng, moved(rng, A)))


_DEAD = (
    pair_level("widths 2-2-1-1, layer 2 dead, layer 1 of 0 and 1", 2, _all_dead),
    pair_level("widths 2-2-2-1, W1 of -1..1, b1 = 0, row 1 hides, row 2 is dead", 2, _one_dead),
)
_PAIRS = Family((*_DEAD, *WIDE_PAIRS.levels), _random, another)
_TEXT = "If A and B are generic, of one architecture with n0 ≥ n1 ≥ 2, and compute one function"

STATEMENTS = (
    Statement(
        "S002-procedure",
        f"{_SOURCE}, Case 1",
        f"{_TEXT}, and A hides nothing, then the rows of [W1|b1] of A and B are the same up to "
        "order and positive scaling.",
        _case_1,
        _same_rows,
        _PAIRS,
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
        f"{_SOURCE}, dead neurons removed first, Case 2",
        f"{_TEXT}, n2 ≥ 2 and the live neurons of layer 2 of A hide H_i, then the other rows of "
        "[W1|b1] of A are rows of B up to positive scaling.",
        _case_2,
        _others_match,
        _PAIRS,
        known=("S002-E05-dead-changes-case",),
        judgement=Judgement(
            "reading",
            "Appendix E.3 removes dead neurons and tells Cases 2 and 3 apart by the width of "
            "layer 2; it fails only if that width still counts the removed ones.",
        ),
    ),
    Statement(
        "S002-procedure-repaired",
        f"{_SOURCE}, repaired",
        f"{_TEXT}, then the procedure says so that drops dead rows first, compares b3 if none is "
        "left, and chooses the case by the number of live neurons.",
        _pair,
        _repaired,
        _PAIRS,
        repairs="S002-procedure",
        known=("S002-E04-all-dead", "S002-E05-dead-changes-case"),
    ),
)
