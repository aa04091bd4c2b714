"""Section 3: general networks; Lemmas A.7, A.16, A.19; transparency of networks with one function.

**False**: condition 3 as printed, even for two different units: where a whole layer is inactive,
the units after it are constants, and multiples of each other.  Only indicators with active units
in every layer are meant (Lemma A.11).  **Reading**: general networks have zero weights (the
first layer is free), though the intuition that the paper gives of them has none.  **Edge case**:
Lemma A.16, as a unit's folds cross those of earlier layers, at points that are in no part of the
partition; they are a union of pieces up to these points.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from flint import fmpq

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, dot, vector
from exactrelu.lemmas.families import random_network, random_vector, small_networks
from exactrelu.lemmas.phuong_lampert.folds import (
    NETWORKS,
    bent_networks,
    general,
    is_scalar,
    square,
)
from exactrelu.lemmas.statement import (
    Fact,
    Family,
    Instance,
    Judgement,
    Level,
    Statement,
    value_fact,
)
from exactrelu.network.network import Network, preactivation_maps, trace

_SOURCE = "Phuong & Lampert"


def _form(network: Network, x: Vector, layer: int, unit: int) -> Vector:
    """The affine function [w, b] of a unit (from 0) on the region of x."""
    return preactivation_maps(network, trace(network, x).pattern)[layer].row(unit)


def _is_inside(network: Network, x: Vector) -> bool:
    return all(all(signs) for signs in trace(network, x).pattern)


def _two_units(instance: Instance) -> Iterator[Fact]:
    network, Z = instance.network(), instance.system("Z")
    units = [(instance.integer(l), instance.integer(i)) for l, i in (("k", "i"), ("l", "j"))]
    exist = all(l < len(network.layers) and i < network.widths[l + 1] for l, i in units)
    yield is_scalar(network)
    yield Fact.plain("two different units", exist and units[0] != units[1])
    for name in "pq":
        x = instance.vector(name)
        holds = Z.contains(x) and _is_inside(network, x)
        yield value_fact("a region in Z", network, x, holds)
    yield general(network, Z)


def _not_multiples(instance: Instance) -> Fact:
    network = instance.network()
    forms = [
        _form(network, instance.vector(x), instance.integer(l), instance.integer(i))
        for x, l, i in (("p", "k", "i"), ("q", "l", "j"))
    ]
    independent = rank(Matrix(forms)) == 2
    return Fact.plain("their linear functions are not multiples of each other", independent)


def _seen_units(instance: Instance) -> Iterator[Fact]:
    """Every layer before has an active unit."""
    network = instance.network()
    active = all(
        1 in signs
        for x, l in (("p", "k"), ("q", "l"))
        for signs in trace(network, instance.vector(x)).pattern[: instance.integer(l)]
    )
    yield Fact.plain("some unit of every earlier layer is active", active)
    yield from _two_units(instance)


def _pairs_of_units(widths: tuple[int, ...]) -> Level:
    def instances() -> Iterator[Instance]:
        n = widths[0]
        points = [vector([s * fmpq(3, 2)] * n) for s in (-1, 1)]
        units = [(l, i) for l, m in enumerate(widths[1:]) for i in range(m)]
        for network in small_networks(widths):
            for (k, i), (l, j) in product(units, repeat=2):
                if (k, i) < (l, j):
                    for p in points:
                        yield Instance.of(N=network, Z=square(n), p=p, q=p, k=k, i=i, l=l, j=j)

    return Level(f"widths {'-'.join(map(str, widths))}, entries -1..1, |x| < 2, p = q", instances)


def _random_units(rng: Random) -> Instance:
    widths = rng.choice(((2, 1, 1), (2, 1, 1, 1), (2, 2, 1)))
    l = rng.randrange(1, len(widths) - 1)
    p, q = (tuple(a / 4 for a in random_vector(rng, 2)) for _ in "pq")
    return Instance.of(N=random_network(rng, widths), Z=square(2), p=p, q=q, k=0, i=0, l=l, j=0)


UNITS_OF = Family((_pairs_of_units((2, 1, 1, 1)),), _random_units)


def _general(instance: Instance) -> Iterator[Fact]:
    yield is_scalar(instance.network())
    yield general(instance.network(), instance.system("Z"))


def _no_zero(instance: Instance) -> Fact:
    layers = instance.network().layers
    holds = all(all(layer.weights.entries()) for layer in layers)
    return Fact.plain("no weight is 0", holds)


def _no_later_zero(instance: Instance) -> Fact:
    layers = instance.network().layers[1:]
    holds = all(all(layer.weights.entries()) for layer in layers)
    return Fact.plain("no weight after the first layer is 0", holds)


def _crossing(instance: Instance) -> Iterator[Fact]:
    """p is in F_h^1 and in F_i^2: z_i is 0 there, and positive in the direction d."""
    network, Z = instance.network(), instance.system("Z")
    p, d = instance.vector("p"), instance.vector("d")
    i = instance.integer("i")
    yield is_scalar(network, 2)
    fits = network.widths[2] > i and Z.contains(p)
    yield Fact.plain("unit i is one of layer 2, p is in Z", fits)
    if fits:
        rises = _slope(network, p, d, i) > 0
        yield Fact.plain("z_i rises along d", rises)
        at = trace(network, p).preactivations[1][i]
        yield value_fact("z_i(p) = 0", network, p, at == 0)
        yield general(network, Z)


def _slope(network: Network, p: Vector, d: Vector, i: int) -> fmpq:
    """The derivative of z_i at p in the direction d."""
    first, second = network.layers[:2]
    rises = []
    for y, w in zip(trace(network, p).preactivations[0], first.weights.rows(), strict=True):
        slope = dot(w, d)
        rises.append(slope if y > 0 else (max(slope, ZERO) if y == 0 else ZERO))
    return dot(second.weights.row(i), rises)


def _in_a_part(instance: Instance) -> Fact:
    network, p = instance.network(), instance.vector("p")
    rows = network.layers[0].affine.rows()
    values = trace(network, p).preactivations[0]
    on = any(y == 0 and any(row[:-1]) for y, row in zip(values, rows, strict=True))
    return Fact.plain("p is in a part of the partition, on no fold of layer 1", not on)


def _folds_of_layer_2() -> Iterator[Instance]:
    """Points where a unit of a bent network is 0: on the fold x_1 = 0, and beside it."""
    for network in bent_networks((-1, 1, 2), (-4, -2, 2, 4)):
        _, b, c = network.layers[1].affine.row(0)
        for x in (fmpq(0), fmpq(-1)):
            p = (x, -c / b - 2)
            yield Instance.of(N=network, Z=square(2), p=p, d=(ZERO, b), i=0)


def _random_fold(rng: Random) -> Instance:
    found = rng.choice(list(_folds_of_layer_2()))
    return found.replaced("d", random_vector(rng, 2))


def _any_point(_: Instance) -> Iterator[Fact]:
    return iter(())


def _linear_pieces(instance: Instance) -> Fact:
    network, x = instance.network(), instance.vector("x")
    found = trace(network, x)
    maps = preactivation_maps(network, found.pattern)
    values = [tuple(dot(row, (*x, fmpq(1))) for row in A.rows()) for A in maps]
    return Fact.plain("h_i^{1:l}(x) = w(I(x))·x + b(I(x))", values == list(found.preactivations))


def _points_level(widths: tuple[int, ...]) -> Level:
    points = [vector(p) for p in product((-1, 0, 1), repeat=widths[0])]
    return Level(
        f"widths {'-'.join(map(str, widths))}, entries -1..1, x in -1..1",
        lambda: (Instance.of(N=network, x=x) for network in small_networks(widths) for x in points),
    )


def _random_point(rng: Random) -> Instance:
    widths = rng.choice(((2, 2, 1), (2, 2, 2, 1), (3, 2, 1)))
    return Instance.of(N=random_network(rng, widths), x=random_vector(rng, widths[0]))


def _vanish(instance: Instance) -> Iterator[Fact]:
    F = instance.matrix("F")
    d = F.n_columns
    one = Matrix([(*row, fmpq(1)) for row in F.rows()])
    yield Fact.plain("F spans a hyperplane", rank(one) == d)
    for name in ("v", "w"):
        row = instance.vector(name)
        zero = len(row) == d + 1 and not any(one.flint_apply(row))
        yield Fact.plain("both functions vanish on F", zero)


def _proportional(instance: Instance) -> Fact:
    forms = Matrix([instance.vector("v"), instance.vector("w")])
    return Fact.plain("one is 0, or a multiple of the other", rank(forms) < 2)


def _planes() -> Iterator[Instance]:
    forms = [vector(row) for row in product((-1, 0, 1, 2), repeat=3)]
    points = [vector(p) for p in product((-1, 0, 1), repeat=2)]
    for v, w in product(forms, repeat=2):
        zeros = [p for p in points if dot(v, (*p, fmpq(1))) == 0 == dot(w, (*p, fmpq(1)))]
        if len(zeros) > 1:
            yield Instance.of(v=v, w=w, F=Matrix(zeros))


def _random_planes(rng: Random) -> Instance:
    v = random_vector(rng, 3)
    F = Matrix([random_vector(rng, 2) for _ in range(2)])
    return Instance.of(v=v, w=tuple(2 * a for a in v), F=F)


STATEMENTS = (
    Statement(
        "S001-condition-3",
        f"{_SOURCE}, Section 3, condition 3",
        "If h is general (Lemmas A.10 to A.12), the linear functions of two different units on "
        "any two linear regions are not multiples of each other.",
        _two_units,
        _not_multiples,
        UNITS_OF,
        known=("S001-E2-general-cond3",),
        judgement=Judgement(
            "false",
            "Section 3 asks this for all linear regions and says that almost all networks satisfy "
            "it; where a layer is inactive the units after it are constants, multiples of each "
            "other, on an open set of weights. The proofs use Lemma A.11, which leaves such "
            "regions out.",
        ),
    ),
    Statement(
        "S001-condition-3-repaired",
        f"{_SOURCE}, Section 3, condition 3",
        "If h is general, the linear functions of two different units are not multiples of each "
        "other on regions where every earlier layer has an active unit.",
        _seen_units,
        _not_multiples,
        UNITS_OF,
        repairs="S001-condition-3",
    ),
    Statement(
        "S001-nonzero-entries",
        f"{_SOURCE}, Section 3",
        "The weight matrices of a general network have non-zero entries.",
        _general,
        _no_zero,
        NETWORKS,
        judgement=Judgement(
            "reading",
            "Section 3 says it as an intuition, before it defines general networks by three "
            "conditions, none of which asks for it.",
        ),
    ),
    Statement(
        "S001-nonzero-entries-repaired",
        f"{_SOURCE}, Section 3",
        "The weight matrices of a general network after the first have non-zero entries.",
        _general,
        _no_later_zero,
        NETWORKS,
        repairs="S001-nonzero-entries",
    ),
    Statement(
        "S001-lemma-A7",
        f"{_SOURCE}, Lemma A.7",
        "h_i^{1:l}(x) = w(I(x))·x + b(I(x)), with the activation indicators I(x) of x.",
        _any_point,
        _linear_pieces,
        Family((_points_level((2, 1, 1)), _points_level((1, 1, 1, 1))), _random_point),
    ),
    Statement(
        "S001-lemma-A16",
        f"{_SOURCE}, Lemma A.16",
        "The fold-set of a unit of layer l + 1 is a union of piece-wise hyperplanes with respect "
        "to the partition by the fold-sets of the units of layers 1 to l: each of its points is "
        "in a part of it.",
        _crossing,
        _in_a_part,
        Family((Level("units of bent networks", _folds_of_layer_2),), _random_fold),
        remark="right up to the points on the earlier fold-sets, which is what Corollary A.1 needs",
        judgement=Judgement(
            "edge case",
            "The parts of the partition are open (Definition A.1), so that the points where a "
            "fold crosses earlier ones are in none of them: a null set of the fold, which "
            "Corollary A.1 does not need.",
            mended_by="the points on fold-sets of earlier layers are left out",
        ),
    ),
    Statement(
        "S001-lemma-A19",
        f"{_SOURCE}, Lemma A.19",
        "If two affine functions vanish on a set of dimension d − 1, one of them is 0 or they are "
        "multiples of each other.",
        _vanish,
        _proportional,
        Family((Level("d = 2, coefficients -1..2, points -1..1", _planes),), _random_planes),
    ),
)
