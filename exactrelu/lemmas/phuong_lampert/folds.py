"""Lemmas 1–3 of Phuong & Lampert (A.15, Corollary A.1, A.18): fold-sets, and their pieces.

Instances are a network h, here N, and an open box Z.  The *bent* networks are general ones of
widths 2-2-2-1 on the square Z of radius 2 whose first layer has the unit x_1, which folds, and
x_2 + 2, which does not.  They are the smallest with units of two layers that fold across each
other.

Lemma 3 says that a piece from which a dependency path of length m starts comes from a layer
l ≤ λ − m.  **False**: a fold of the last layer that meets no other layer's folds is a whole
hyperplane, of level 1, and cuts the folds of its own layer into pieces of level 2 that "depend" on
it and do not bend there.  The same networks have two pieces in one hyperplane, which the proof
excludes.  With paths of bends for dependencies it is right, for general transparent networks
(theory 4).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from random import Random

import networkx as nx

from exactrelu.certificates.certificate import Verdict
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem
from exactrelu.lemmas.families import random_network, small_matrices, small_networks
from exactrelu.lemmas.statement import Fact, Family, Instance, Judgement, Level, Statement
from exactrelu.network.network import Layer, Network
from exactrelu.questions.activity import is_transparent
from exactrelu.questions.folds.folds import Folds, folds
from exactrelu.questions.genericity.senses import is_generic

#: Seconds for one question.
TIMEOUT = 5.0


def square(n: int, radius: int = 2) -> LinearSystem:
    """The open box |x_i| < radius."""
    return LinearSystem.box([(-radius, radius)] * n).open()


def general(network: Network, Z: LinearSystem) -> Fact:
    """Generality in the sense of Lemmas A.10, A.11 and A.12."""
    return Fact("h is general", is_generic(network, Z, sense="general", timeout=TIMEOUT))


def transparent(network: Network, Z: LinearSystem) -> Fact:
    """Transparency: in every layer some unit is active."""
    return Fact("h is transparent", is_transparent(network, Z, timeout=TIMEOUT))


def fold_fact(text: str, found: Folds, holds: bool) -> Fact:
    """Whether something holds for the fold-set, with its certificate."""
    return Fact(text, Verdict(holds, text, found, found.certificate))


def fold_set(network: Network, Z: LinearSystem) -> Folds:
    """The fold-set in Z; these networks are too small for a limit."""
    return folds(network, Z, timeout=60.0)


def is_scalar(network: Network, n_hidden_layers: int | None = None) -> Fact:
    """At least two inputs, one output, and so many hidden layers."""
    hidden = len(network.hidden_widths)
    fits = network.n_inputs >= 2 and network.n_outputs == 1 and hidden >= 1
    return Fact.plain(
        "h is a network on R^n, n ≥ 2, with one output",
        fits and n_hidden_layers in (None, hidden),
    )


def bent_networks(weights: tuple[int, ...], biases: tuple[int, ...]) -> Iterator[Network]:
    """The bent networks whose second layer has such weights and biases."""
    first = Layer(Matrix([[1, 0, 0], [0, 1, 2]]))
    last = Layer(Matrix([[1, 3, 1]]))
    rows = [(*w, b) for w in product(weights, repeat=2) for b in biases]
    for pair in combinations(rows, 2):
        yield Network((first, Layer(Matrix(pair)), last))


def _instances(networks: Iterator[Network]) -> Iterator[Instance]:
    return (Instance.of(N=network, Z=square(network.n_inputs)) for network in networks)


def _random(rng: Random) -> Instance:
    widths = rng.choice(((2, 1, 1), (2, 2, 1), (2, 1, 1, 1), (2, 2, 1, 1), (2, 2, 2, 1)))
    return Instance.of(N=random_network(rng, widths), Z=square(2))


SMALL_LEVELS = tuple(
    Level(
        f"widths {'-'.join(map(str, widths))}, entries -1..1, |x| < 2",
        lambda widths=widths: _instances(small_networks(widths)),  # type: ignore[misc]
    )
    for widths in ((2, 1, 1), (2, 1, 1, 1))
)
BENT_LEVEL = Level(
    "bent networks with weights -1, 1, 2 and biases -4, -2, 2, 4",
    lambda: _instances(bent_networks((-1, 1, 2), (-4, -2, 2, 4))),
)
NETWORKS = Family((*SMALL_LEVELS, BENT_LEVEL), _random)
BENT = Family((BENT_LEVEL,), _random)


def _one_layer() -> Iterator[Network]:
    for affine in small_matrices(2, 3):
        yield Network((Layer(affine), Layer(Matrix([[1, 2, 0]]))))


#: Two units that are never both negative, and bent networks, some of which are transparent.
TRANSPARENT = Family(
    (
        Level(
            "widths 2-2-1, first layer with entries -1..1, |x| < 2",
            lambda: _instances(_one_layer()),
        ),
        BENT_LEVEL,
    ),
    _random,
)


_SOURCE = "Phuong & Lampert"


def _general(instance: Instance) -> Iterator[Fact]:
    yield is_scalar(instance.network())
    yield general(instance.network(), instance.system("Z"))


def _transparent(instance: Instance) -> Iterator[Fact]:
    yield is_scalar(instance.network())
    yield transparent(instance.network(), instance.system("Z"))
    yield general(instance.network(), instance.system("Z"))


def _found(instance: Instance) -> Folds:
    return fold_set(instance.network(), instance.system("Z"))


def _visible(instance: Instance) -> Iterator[Fact]:
    """General, and S, the union of the zero sets, is the fold-set: for pieces to be certified."""
    yield from _general(instance)
    found = _found(instance)
    holds = found.is_union_of_zero_sets
    yield Fact.plain("the fold-set is the union of the zero sets", holds)


def _is_union(instance: Instance) -> Fact:
    found = _found(instance)
    text = "the fold-set is the union of the zero sets of all units"
    return fold_fact(text, found, found.is_union_of_zero_sets)


def _order(instance: Instance) -> Fact:
    found = _found(instance)
    depth = len(instance.network().hidden_widths)
    holds = found.order is not None and found.order <= depth
    return fold_fact("the fold-set is a piece-wise linear surface of order ≤ L − 1", found, holds)


def _of_units(instance: Instance) -> Fact:
    found = _found(instance)
    pieces = found.representation.pieces
    holds = all(any(layer >= piece.level for layer, _ in piece.units) for piece in pieces)
    return fold_fact("each piece lies in the zero set of a unit of layer ≥ its level", found, holds)


def _early(instance: Instance) -> Fact:
    found = _found(instance)
    depth = len(instance.network().hidden_widths)
    holds = all(
        any(layer <= depth - (len(path) - 1) for layer, _ in found.representation.pieces[k].units)
        for k, path in found.longest_paths.items()
    )
    text = "a piece from which a dependency path of length m starts is of layer ≤ λ − m"
    return fold_fact(text, found, holds)


def _early_by_bends(instance: Instance) -> Fact:
    found = _found(instance)
    depth = len(instance.network().hidden_widths)
    layer = {p.hyperplane: p.units[0][0] for p in found.representation.pieces}
    lengths: dict[object, int] = {}
    for plane in reversed(list(nx.topological_sort(found.bends))):
        after = [lengths[other] + 1 for other in found.bends.successors(plane)]
        lengths[plane] = max(after, default=0)
    holds = all(layer[plane] <= depth - lengths[plane] for plane in found.bends)
    text = "a hyperplane from which a path of m bends starts is of layer ≤ λ − m"
    return fold_fact(text, found, holds)


def _one_piece(instance: Instance) -> Fact:
    found = _found(instance)
    planes = [piece.hyperplane for piece in found.representation.pieces]
    text = "no two pieces lie in one hyperplane"
    return fold_fact(text, found, len(set(planes)) == len(planes))


FOLDS_STATEMENTS = (
    Statement(
        "S001-lemma-1",
        f"{_SOURCE}, Lemma 1 (A.15)",
        "If h is general and transparent, its fold-set is the union of the zero sets of all units.",
        _transparent,
        _is_union,
        TRANSPARENT,
        known=("S001-P1-transparent",),
    ),
    Statement(
        "S001-lemma-2",
        f"{_SOURCE}, Lemma 2 (Corollary A.1)",
        "If h is general and transparent, its fold-set is a piece-wise linear surface of order at "
        "most L − 1.",
        _transparent,
        _order,
        TRANSPARENT,
        known=("S001-P1-transparent",),
    ),
    Statement(
        "S001-lemma-3-units",
        f"{_SOURCE}, Lemma 3 (A.18), first part",
        "If h is general and S the union of the zero sets of its units, each piece of the "
        "canonical representation of S lies in the zero set of a unit of a layer that is at least "
        "its level.",
        _visible,
        _of_units,
        NETWORKS,
    ),
    Statement(
        "S001-lemma-3",
        f"{_SOURCE}, Lemma 3 (A.18)",
        "If h is general and S the union of the zero sets of its units in layers 1 to λ, a piece "
        "of S from which a dependency path of length m starts is of layer at most λ − m.",
        _visible,
        _early,
        BENT,
        known=("S001-E3-bends",),
        judgement=Judgement(
            "false",
            "A fold of the last layer that is a whole hyperplane has level 1 and cuts the folds "
            "of its own layer into pieces that depend on it, on an open set of weights; the proof "
            "of Theorem A.1 uses the lemma.",
        ),
    ),
    Statement(
        "S001-lemma-3-repaired",
        f"{_SOURCE}, Lemma 3 (A.18)",
        "If h is general and transparent, a hyperplane of its fold-set from which a path of m "
        "bends starts is of layer at most L − 1 − m.",
        _transparent,
        _early_by_bends,
        TRANSPARENT,
        repairs="S001-lemma-3",
    ),
    Statement(
        "S001-one-piece",
        f"{_SOURCE}, proof of Lemma A.18",
        "If h is general, no two pieces of the union of the zero sets of its units lie in one "
        "hyperplane.",
        _visible,
        _one_piece,
        BENT,
        judgement=Judgement(
            "false",
            'The proof of Lemma A.18 says so "by Lemma A.11"; a fold that is cut by another one '
            "of its layer has two pieces in one hyperplane, on an open set of weights.",
        ),
    ),
)
