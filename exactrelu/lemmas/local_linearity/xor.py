"""Section 2.2: the network (2) for XOR on {−1, 1}², its regions and its dual points.

f(x, y) = 2 s(x + y + 1) − 4 s(x + y) − 1.  The three affine maps of (3) and the empty fourth
pattern are right.  The outputs have the signs of XOR, but f(1, 1) = −3: that f takes the rescaled
values −1 and 1 of XOR is a **reading**.  **Misprint**: (−1, −1, 0) of (4) is no dual point of its
regions, which are (−2, −2, 1), (2, 2, 1) and (0, 0, −1).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from flint import fmpq

from exactrelu.certificates.certificate import Verdict
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, vector
from exactrelu.lemmas.families import grid, random_vector
from exactrelu.lemmas.statement import (
    Fact,
    Family,
    Instance,
    Judgement,
    Level,
    Statement,
    value_fact,
)
from exactrelu.network.network import Network, evaluate, local_affine_map, pattern_polyhedron, trace
from exactrelu.questions.linear import is_nonempty
from exactrelu.questions.regions import regions

_SOURCE = "Sattelberg et al., Section 2.2"
XOR = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])


def _is_xor(instance: Instance) -> Iterator[Fact]:
    yield Fact.plain("N is the network (2)", instance.network() == XOR)


def _at_corner(instance: Instance) -> Iterator[Fact]:
    yield from _is_xor(instance)
    yield Fact.plain("x is in {−1, 1}²", all(abs(a) == 1 for a in instance.vector("x")))


def _xor(x: Vector) -> int:
    return 1 if x[0] != x[1] else -1


def _has_value(instance: Instance) -> Fact:
    network, x = instance.network(), instance.vector("x")
    return value_fact("f(x) = XOR(x)", network, x, evaluate(network, x) == (fmpq(_xor(x)),))


def _has_sign(instance: Instance) -> Fact:
    network, x = instance.network(), instance.vector("x")
    holds = evaluate(network, x)[0] * _xor(x) > 0
    return value_fact("f(x) has the sign of XOR(x)", network, x, holds)


def _has_piece(instance: Instance) -> Fact:
    network, x = instance.network(), instance.vector("x")
    t = x[0] + x[1]
    value = 1 - 2 * t if t >= 0 else (1 + 2 * t if t >= -1 else fmpq(-1))
    return value_fact("f(x) is as in (3)", network, x, evaluate(network, x) == (value,))


def _three_regions(instance: Instance) -> Fact:
    found = regions(instance.network())
    text = "there are three regions"
    return Fact(text, Verdict(found.n_regions == 3, text, None, found.certificate))


def _fourth_is_empty(instance: Instance) -> Fact:
    """Lower node active, upper not."""
    system = pattern_polyhedron(instance.network(), ((-1, 1),))
    return Fact.negation("the fourth pattern is empty", is_nonempty(system))


def _three_points(instance: Instance) -> Iterator[Fact]:
    yield from _is_xor(instance)
    network, P = instance.network(), instance.matrix("P")
    found = [trace(network, p) for p in P.rows()]
    inside = all(all(signs) for x in found for signs in x.pattern)
    patterns = {x.pattern for x in found}
    yield Fact.plain("the points are in three regions", inside and len(patterns) == P.n_rows == 3)
    yield _three_regions(instance)
    for x in found:
        yield value_fact("a region", network, x.point, True)


def _dual_point(instance: Instance) -> Fact:
    network = instance.network()
    maps = [local_affine_map(network, trace(network, p).pattern) for p in instance.matrix("P")]
    duals = {(*m.matrix.row(0), *m.offset) for m in maps}
    return Fact.plain("(−1, −1, 0) is a dual point", vector((-1, -1, 0)) in duals)


def _drawn(rng: Random) -> Instance:
    return Instance.of(N=XOR, x=random_vector(rng, 2))


def _drawn_corner(rng: Random) -> Instance:
    return Instance.of(N=XOR, x=vector(rng.choice((-1, 1)) for _ in range(2)))


CORNERS = Family(
    (
        Level(
            "the four inputs",
            lambda: (Instance.of(N=XOR, x=vector(x)) for x in product((-1, 1), repeat=2)),
        ),
    ),
    _drawn_corner,
)
PLANE = Family(
    (Level("x in -3..3", lambda: (Instance.of(N=XOR, x=x) for x in grid(2, 3))),), _drawn
)
ALONE = Family(
    (Level("the network", lambda: iter([Instance.of(N=XOR)])),), lambda _: Instance.of(N=XOR)
)


def _triples() -> Iterator[Instance]:
    points = [(fmpq(k, 2), ZERO) for k in range(-4, 5)]
    for triple in product(points, repeat=3):
        yield Instance.of(N=XOR, P=Matrix(triple))


TRIPLES = Family(
    (Level("three points (x, 0), 2x in -4..4", _triples),),
    lambda rng: Instance.of(N=XOR, P=Matrix([random_vector(rng, 2) for _ in range(3)])),
)

STATEMENTS = (
    Statement(
        "S004-xor-values",
        f"{_SOURCE}, equation (2), Figure 2",
        "The network (2) has the value of XOR, −1 or 1, at the four inputs in {−1, 1}².",
        _at_corner,
        _has_value,
        CORNERS,
        known=("xor",),
        judgement=Judgement(
            "reading",
            "Section 2.2 says that the network solves the XOR problem, for which the sign is "
            "enough; that it takes the values −1 and 1 is our reading of Figure 2.",
        ),
    ),
    Statement(
        "S004-xor-values-repaired",
        f"{_SOURCE}, equation (2), Figure 2",
        "The network (2) has the sign of XOR at the four inputs in {−1, 1}².",
        _at_corner,
        _has_sign,
        CORNERS,
        repairs="S004-xor-values",
        known=("xor",),
    ),
    Statement(
        "S004-xor-pieces",
        f"{_SOURCE}, equation (3)",
        "f is −2x − 2y + 1 where 0 ≤ x + y, 2x + 2y + 1 where −1 ≤ x + y ≤ 0, and −1 elsewhere.",
        _is_xor,
        _has_piece,
        PLANE,
    ),
    Statement(
        "S004-xor-regions",
        f"{_SOURCE}, equation (3)",
        "The network (2) divides the plane into three linear regions.",
        _is_xor,
        _three_regions,
        ALONE,
    ),
    Statement(
        "S004-xor-fourth",
        _SOURCE,
        "The pattern with the lower node active and the upper one not has an empty polytope.",
        _is_xor,
        _fourth_is_empty,
        ALONE,
    ),
    Statement(
        "S004-xor-dual",
        f"{_SOURCE}, equation (4)",
        "(−1, −1, 0) is the dual point of one of the regions of the network (2).",
        _three_points,
        _dual_point,
        TRIPLES,
        judgement=Judgement(
            "misprint",
            "(4) has −x − y and (−1, −1, 0) where (3) has −2x − 2y + 1, which makes (−2, −2, 1).",
        ),
    ),
)
