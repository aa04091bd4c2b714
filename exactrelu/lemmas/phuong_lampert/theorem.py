"""Theorem A.1: the function determines a general network that satisfies Lemma A.17.

Lemma A.17 asks for each l for d_l dependency paths of length L−1−l, with distinct starting
vertices, in the graph of F(h^{l:L}) on int Z^{l−1}, and for dim Z^l = d_l.  **False** where Z is
connected and not convex: int Z^1 may fall apart, and then one unit of layer 2 has two pieces of
level 1 there, while another one never folds.  Repair: chains of bends from every unit (claim
``determined``).

Instances have two hidden layers, the first one s(x) itself, so that int Z^1 is the part of Z in the
open orthant; the boxes B of Z (rows a_1, b_1, a_2, b_2, …); and a point x of int Z^1 at which all
units of layer 2 are active, so that dim Z^2 = d_2.  General and equal are meant on the frame of Z,
which is more than on Z; a layer that is negative somewhere in Z is so in one of the boxes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, pairwise, product
from random import Random

from flint import fmpq

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.lemmas.families import equal_pairs, small_networks
from exactrelu.lemmas.phuong_lampert.folds import TIMEOUT, fold_fact, general, square, transparent
from exactrelu.lemmas.statement import Fact, Family, Instance, Judgement, Level, Statement
from exactrelu.network.network import Layer, Network, trace
from exactrelu.network.symmetry import Symmetry
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.folds.folds import folds
from exactrelu.questions.folds.theorem_class import is_in_theorem_class
from exactrelu.questions.identifiability.construction import build_identifiable

_SOURCE = "Phuong & Lampert, Theorem A.1"


def union_of(B: Matrix) -> BoxUnion:
    """The union of boxes, given as rows."""
    return BoxUnion(tuple(map(_ends, B.rows())))


def _ends(row: Vector) -> tuple[tuple[fmpq, fmpq], ...]:
    """The intervals of a box, given as a row."""
    return tuple(zip(row[::2], row[1::2], strict=True))


def positive_part(union: BoxUnion) -> BoxUnion | None:
    """The part in the orthant; None if it is empty."""
    boxes = [tuple((max(a, ZERO), b) for a, b in box) for box in union.boxes]
    kept = [box for box in boxes if all(a < b for a, b in box)]
    return BoxUnion(tuple(kept)) if kept else None


def overlap_connected(union: BoxUnion) -> bool:
    """Whether the boxes, as open sets, hang together by overlapping."""
    left = set(range(1, len(union.boxes)))
    reached = [0]
    for k in reached:
        near = [j for j in left if _overlap(union.boxes[k], union.boxes[j])]
        reached += near
        left -= set(near)
    return not left


def _overlap(one: tuple[tuple[fmpq, fmpq], ...], other: tuple[tuple[fmpq, fmpq], ...]) -> bool:
    pairs = zip(one, other, strict=True)
    return all(max(a, c) < min(b, d) for (a, b), (c, d) in pairs)


def frame(union: BoxUnion) -> LinearSystem:
    """The open box around the union."""
    return union.frame.open()


def _shapes(instance: Instance) -> Iterator[Fact]:
    theta, B, x = instance.network("theta"), instance.matrix("B"), instance.vector("x")
    n = theta.n_inputs
    widths = theta.widths
    fits = len(widths) == 4 and widths[1] == n >= widths[2] >= 2 and widths[3] == 1
    yield Fact.plain("d_0 = d_1 ≥ d_2 ≥ 2, d_3 = 1", fits and B.n_columns == 2 * n)
    unit = Matrix.identity(n).beside(Matrix.zero(n, 1))
    yield Fact.plain("the first layer is s(x)", theta.layers[0].affine == unit)
    open_boxes = B.n_rows > 0 and all(a < b for row in B for a, b in _ends(row))
    yield Fact.plain("Z is connected", open_boxes and overlap_connected(union_of(B)))
    union = union_of(B)
    inside = any(
        all(max(a, ZERO) < c < b for c, (a, b) in zip(x, box, strict=True)) for box in union.boxes
    )
    active = inside and all(z > 0 for z in trace(theta, x).preactivations[1])
    yield Fact.plain("x is in int Z^1 and all units of layer 2 are active there", active)


def _same_general(instance: Instance) -> Iterator[Fact]:
    theta, eta = instance.network("theta"), instance.network("eta")
    yield Fact.plain("θ and η have the same widths", theta.widths == eta.widths)
    union = union_of(instance.matrix("B"))
    Z = frame(union)
    yield Fact("θ = η on Z", equivalent(theta, eta, Z, timeout=TIMEOUT))
    for box in union.boxes:
        yield transparent(theta, LinearSystem.box(box).open())
    yield general(theta, Z)
    yield general(eta, Z)


def _paths(instance: Instance) -> Iterator[Fact]:
    yield from _shapes(instance)
    yield from _same_general(instance)
    theta = instance.network("theta")
    union = union_of(instance.matrix("B"))
    found = folds(theta, union, timeout=TIMEOUT)
    starts = sum(len(path) > 1 for path in found.longest_paths.values())
    yield fold_fact("d_1 paths of length 1 start in F(h)", found, starts >= theta.widths[1])
    inner = positive_part(union)
    if inner is not None:
        after = folds(theta.truncate(2, 3), inner, timeout=TIMEOUT)
        enough = len(after.representation.pieces) >= theta.widths[2]
        yield fold_fact("F(h^{2:3}) has d_2 pieces on int Z^1", after, enough)


def _do_not_increase(widths: tuple[int, ...]) -> bool:
    return all(n >= m for n, m in pairwise(widths))


def _in_class(instance: Instance) -> Iterator[Fact]:
    theta, eta, Z = instance.network("theta"), instance.network("eta"), instance.system("Z")
    fits = theta.widths == eta.widths and _do_not_increase(theta.widths)
    yield Fact.plain("θ and η have the same widths, which do not increase", fits)
    yield Fact("θ = η on Z", equivalent(theta, eta, Z, timeout=TIMEOUT))
    verdict = is_in_theorem_class(theta, Z, timeout=TIMEOUT)
    yield Fact("θ is general, transparent, and chains of bends start at its units", verdict)
    yield general(eta, Z)


def _isomorphic(instance: Instance) -> Fact:
    found = isomorphic(instance.network("theta"), instance.network("eta"))
    return Fact("η is θ up to permutation and scaling", found)


def shifted(network: Network, j: int) -> Network:
    """The network with 1 more in the bias of unit j of layer 2, taken off the output again."""
    second, last = (list(layer.affine.rows()) for layer in network.layers[1:])
    second[j] = (*second[j][:-1], second[j][-1] + 1)
    row = last[0]
    last[0] = (*row[:-1], row[-1] - row[j])
    return Network((network.layers[0], Layer(Matrix(second)), Layer(Matrix(last))))


def _unions() -> Iterator[Matrix]:
    """Without the corner where x and y are negative, and with a slit from the right.

    What is left are two arms and what joins them, on the side where x is negative.
    """
    yield Matrix([(-2, 2, 1, 5), (0, 2, -1, 5)])
    for a, b in combinations((2, 3, 4), 2):
        yield Matrix([(-2, 2, 1, a), (0, 2, -1, a), (-2, -1, 1, 5), (-2, 2, b, 5)])


def _networks() -> Iterator[Network]:
    first = Layer(Matrix([[1, 0, 0], [0, 1, 0]]))
    last = Layer(Matrix([[1, 2, 3]]))
    weights = list(product((1, 2, 4), repeat=2))
    for folding, steady in product(weights, repeat=2):
        rows = Matrix([(*folding, -4), (*steady, 1)])
        yield Network((first, Layer(rows), last))


def _active_point(network: Network, union: BoxUnion) -> Vector:
    """A point of int Z^1 with all units of layer 2 active, or (1, 1)."""
    for p in product(range(1, 10), repeat=2):
        x = tuple(fmpq(a, 2) for a in p)
        if union.contains_inside(x) and all(z > 0 for z in trace(network, x).preactivations[1]):
            return x
    return (fmpq(1), fmpq(1))


def _instance(network: Network, B: Matrix, j: int) -> Instance:
    x = _active_point(network, union_of(B))
    return Instance.of(theta=network, eta=shifted(network, j), B=B, x=x)


def _slit() -> Iterator[Instance]:
    for B in _unions():
        for network in _networks():
            yield _instance(network, B, 1)


def _random(rng: Random) -> Instance:
    B = rng.choice(list(_unions()))
    network = rng.choice(list(_networks()))
    rows = [(*row[:-1], fmpq(rng.randint(-4, 2))) for row in network.layers[1].affine.rows()]
    drawn = Network((network.layers[0], Layer(Matrix(rows)), network.layers[2]))
    return _instance(drawn, B, rng.randrange(2))


SLIT = Family(
    (
        Level(
            "slit unions of boxes, layer 2 with weights 1, 2, 4 and biases -4, 1, a bias moved",
            _slit,
        ),
    ),
    _random,
)


def _built(seed: int) -> Instance:
    """A network in the class, and the same one with its units permuted and scaled."""
    Z = square(2)
    theta = build_identifiable((2, 2, 1), Z, seed=seed).network
    eta = theta.transformed(Symmetry.random(theta, Random(seed)))
    return Instance.of(theta=theta, eta=eta, Z=Z)


def _folding_networks() -> Iterator[Network]:
    """2-2-1 with entries −1..1, independent units and output weights ±1: no others are general."""
    for network in small_networks((2, 2, 1)):
        first, last = (layer.weights for layer in network.layers)
        if rank(first) == 2 and all(last.entries()):
            yield network


def _one_function() -> Iterator[Instance]:
    """Different networks that agree at points of Z: a counterexample would be among them."""
    Z = square(2, radius=1)
    points = [tuple(fmpq(a, 4) for a in p) for p in product(range(-3, 4), repeat=2)]
    for theta, eta in equal_pairs(_folding_networks, points):
        yield Instance.of(theta=theta, eta=eta, Z=Z)


BUILT = Family(
    (
        Level(
            "pairs of networks 2-2-1 with one function on a square, entries -1..1, and networks of "
            "the construction, seeds 0..9, units permuted and scaled",
            lambda: chain(_one_function(), map(_built, range(10))),
        ),
    ),
    lambda rng: _built(rng.randrange(1_000)),
)

STATEMENTS = (
    Statement(
        "S001-theorem-A1",
        _SOURCE,
        "If h_θ is general and satisfies Lemma A.17 on a bounded domain Z, and h_η is general with "
        "the same function on Z, then η is θ up to permutation and scaling.",
        _paths,
        _isomorphic,
        SLIT,
        known=("S001-E1-thmA1-nonconvex",),
        judgement=Judgement(
            "false",
            "It is printed for every bounded domain; on a connected one that is not convex int "
            "Z^1 can fall apart, and two pieces of one unit pass for two units, on an open set of "
            "weights. Theorem 1, that some network is determined, is not refuted.",
        ),
    ),
    Statement(
        "S001-theorem-A1-repaired",
        _SOURCE,
        "If h_θ is general and transparent on Z and a chain of bends starts at each of its units, "
        "and h_η is general with the same function on Z, then η is θ up to permutation and "
        "scaling.",
        _in_class,
        _isomorphic,
        BUILT,
        repairs="S001-theorem-A1",
        known=("S001-P1-transparent",),
    ),
)
