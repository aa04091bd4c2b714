"""Definition 22 and its theorem (Appendix C.2): all fibers of one hidden layer; Remark 23.

Every η with the function of θ on the orthant lies, up to order and positive scaling, in a set
M_{α,σ} whose rows have |w_i| = 1.  **Edge case**: η with a row w_i = 0 (theory 1.3), which no
scaling makes a unit vector.  The repair lists constant neurons as a class of their own.

Remark 23: on R^n there are no inequalities, and each component is an algebraic variety.  A set
that is a finite union of varieties contains a line as soon as it contains a half-line of it.
**Reading**: neurons w_i = 0, which the components leave out, break that; with b_i ≤ 0 such a neuron
is dead, for all b_i from −∞ to 0, and not beyond.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO
from exactrelu.exact.system import LinearSystem
from exactrelu.lemmas.families import equal_pairs, grid, random_network, small_networks
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.judgement import Judgement
from exactrelu.lemmas.s002.facts import TIMEOUT, equal_on_orthant, on_orthant
from exactrelu.lemmas.s002.layers import (
    is_nonlinear_row,
    one_hidden_layer,
    output,
    rows,
)
from exactrelu.lemmas.s002.pairs import shuffled
from exactrelu.lemmas.statement import Fact, Family, Level, Statement
from exactrelu.network.network import Layer, Network
from exactrelu.network.shallow import oriented, shallow_form
from exactrelu.questions.equivalence.equivalent import equivalent

_SOURCE = "S002, Definition 22 and the theorem on general fibers"


def _equal(instance: Instance) -> Iterator[Fact]:
    A, B = instance.network("A"), instance.network("B")
    yield one_hidden_layer(A, B)
    yield equal_on_orthant(A, B)


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


def _pair_level(widths: tuple[int, int, int]) -> Level:
    points = [tuple(map(abs, x)) for x in grid(widths[0])]
    return Level(
        f"pairs of widths {'-'.join(map(str, widths))}, entries -1..1",
        lambda: (
            Instance.of(A=A, B=B)
            for A, B in equal_pairs(lambda: small_networks(widths), sorted(set(points)))
        ),
    )


def _ray_level(widths: tuple[int, int, int]) -> Level:
    return Level(
        f"widths {'-'.join(map(str, widths))}, entries -1..1, every neuron",
        lambda: (Instance.of(N=N, i=i) for N in small_networks(widths) for i in range(widths[1])),
    )


def _random_pair(rng: Random) -> Instance:
    A = random_network(rng, rng.choice(((1, 2, 1), (2, 2, 1), (1, 3, 1), (2, 3, 2))))
    found = on_orthant(A)
    B = found.samples(1, rng.randrange(1 << 30))[0] if found.nonempty else A
    return Instance.of(A=A, B=shuffled(rng, B))


_PAIRS = Family(tuple(map(_pair_level, ((1, 1, 1), (1, 2, 1)))), _random_pair)
_RAYS = Family(
    tuple(map(_ray_level, ((1, 1, 1), (1, 2, 1), (2, 1, 1)))),
    lambda rng: Instance.of(N=random_network(rng, rng.choice(((1, 2, 1), (2, 2, 2)))), i=0),
)
_TEXT = "If A and B have one hidden layer of one width and are equal on the orthant"

STATEMENTS = (
    Statement(
        "S002-definition-22",
        _SOURCE,
        f"{_TEXT}, then every row of W of B can be scaled to norm 1.",
        _equal,
        _unit_rows,
        _PAIRS,
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
        f"{_SOURCE}, with constant neurons",
        f"{_TEXT}, then the neurons of B are constant (w = 0), dead, linear, on bends of A, where "
        "their output columns add up to the jump, or in groups whose columns cancel.",
        _equal,
        _classes,
        _PAIRS,
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
