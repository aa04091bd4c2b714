"""Appendix E: the regions and facets of bottlenecks, n0 ≥ n1.

Lemma 32: every pattern of signs −, 0, + of the first layer occurs.  Lemma of E.1: (1) a facet of
layer 2 is parallel to a hyperplane of layer 1 iff one neuron is active there, and then it is
that one's; (2) two different facets of layer 2 are parallel iff they lie in one region with one
active neuron.  **Reading**: (2) fails if two parts of one bent hyperplane that another neuron of
layer 2 cuts apart are two facets; it holds for facets of different neurons or regions.

Lemma 34: if neuron j hides H_i, then it vanishes somewhere on a face of layer 1 iff i is active
there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from random import Random

from exactrelu.complex.jumps import FacetJump
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.judgement import Judgement
from exactrelu.lemmas.s002.facts import TIMEOUT, about_complex, complex_of, generic
from exactrelu.lemmas.s002.layers import bottleneck, hidden, is_multiple, network_of, rows
from exactrelu.lemmas.s002.pairs import random_bottleneck
from exactrelu.lemmas.s002.theorem_5 import SINGLE
from exactrelu.lemmas.statement import Fact, Family, Level, Statement
from exactrelu.network.evaluate import trace
from exactrelu.network.network import Layer, Network
from exactrelu.questions.polyhedral_complex import polyhedral_complex
from exactrelu.verdict import Verdict


def _generic(instance: Instance) -> Iterator[Fact]:
    N = instance.network()
    yield bottleneck(N)
    yield generic("N", N)


def _all_patterns(instance: Instance) -> Fact:
    """As many faces of the first layer as patterns: 3^n1, with the proof of the number."""
    N = instance.network()
    n1 = N.widths[1]
    first = Network((N.layers[0], Layer(Matrix([[ZERO] * (n1 + 1)]))))
    found = polyhedral_complex(first, timeout=TIMEOUT)
    text = "all patterns of signs of layer 1 occur"
    if not found.is_complete:
        return Fact(text, Verdict(None, "the time is over"))
    n = len(found.faces)
    return Fact(text, Verdict(n == 3**n1, f"{n} faces", None, found.certificate))


def _second(network: Network) -> list[tuple[FacetJump, tuple[int, ...]]]:
    """The facets of neurons of layer 2, and the neurons of layer 1 that are active there."""
    found = []
    for facet in complex_of(network).facet_jumps:
        if all(l == 2 for l, _ in facet.bent_neurons()):
            signs = facet.facet.signs[0]
            found.append((facet, tuple(i for i, s in enumerate(signs) if s > 0)))
    return found


def _parallel_to_first(instance: Instance) -> Fact:
    N = instance.network()
    normals = [row[:-1] for row in rows(N, 1)]
    fits = all(
        is_multiple(w, facet.normal) is (active == (i,))
        for facet, active in _second(N)
        for i, w in enumerate(normals)
    )
    return about_complex("facets parallel to H_i are those where i alone is active", N, fits)


def _zero(network: Network, x: Vector) -> tuple[tuple[int, ...], tuple[int, ...], int] | None:
    """The signs of both layers at a point of a facet of layer 2, and the neuron that is 0."""
    first, second = (
        tuple((y > 0) - (y < 0) for y in layer) for layer in trace(network, x).preactivations[:2]
    )
    if 0 in first or second.count(0) != 1:
        return None
    return first, second, second.index(0)


def _normal(network: Network, first: tuple[int, ...], j: int) -> Vector:
    """The gradient of z_j where layer 1 has these signs."""
    weights = network.layers[1].weights.row(j)
    chosen = tuple(w if s > 0 else ZERO for w, s in zip(weights, first, strict=True))
    return (Matrix([chosen]) @ network.layers[0].weights).row(0)


def _two_facets(distinct: bool) -> Callable[[Instance], Iterator[Fact]]:
    def hypotheses(instance: Instance) -> Iterator[Fact]:
        N = instance.network()
        x, y = instance.vector("x"), instance.vector("y")
        yield bottleneck(N)
        yield Fact.plain("x and y are inputs", len(x) == len(y) == N.n_inputs)
        one, two = _zero(N, x), _zero(N, y)
        yield Fact.plain("x and y lie in facets of layer 2", one is not None and two is not None)
        if one is not None and two is not None:
            yield Fact.plain("the facets are different", one != two)
            if distinct:
                other = (one[0], one[2]) != (two[0], two[2])
                yield Fact.plain("they are of different neurons or regions of layer 1", other)
            normals = _normal(N, one[0], one[2]), _normal(N, two[0], two[2])
            yield Fact.plain("they are parallel", is_multiple(*normals))
        yield generic("N", N)

    return hypotheses


def _one_active(instance: Instance) -> Fact:
    N = instance.network()
    one, two = (_zero(N, instance.vector(name)) for name in "xy")
    fits = one is not None and two is not None and one[0] == two[0] and one[0].count(1) == 1
    return Fact.plain("they lie in one region of layer 1, with one active neuron", fits)


def _facet_pairs(network: Network) -> Iterator[Instance]:
    points = [facet.facet.point for facet, _ in _second(network)]
    for x, y in combinations(points, 2):
        yield Instance.of(N=network, x=x, y=y)


def _random_facets(rng: Random) -> Instance:
    while True:
        N = random_bottleneck(rng, rng.choice(((2, 2, 2, 1), (2, 2, 3, 1), (3, 2, 2, 1))))
        found = list(_facet_pairs(N))
        if found:
            return rng.choice(found)


def _crossing_networks() -> Iterator[Network]:
    """Layer 1 the identity, two neurons in layer 2."""
    second = list(product((-1, 1, 2), (-1, 1, 2), (-1, 1)))
    for pair in combinations(second, 2):
        yield network_of([(1, 0, 0), (0, 1, 0)], pair, [(1, 1, 0)])


_FACETS = Family(
    (
        Level(
            "widths 2-2-2-1, W1 = 1, b1 = 0, W2 of -1, 1, 2, b2 of ±1, every pair of facets",
            lambda: (found for N in _crossing_networks() for found in _facet_pairs(N)),
        ),
    ),
    _random_facets,
)


def _hiding(instance: Instance) -> Iterator[Fact]:
    N = instance.network()
    yield bottleneck(N)
    yield Fact.plain("every neuron of layer 2 hides H_i", hidden(N) is not None)
    yield generic("N", N)


def _vanishes(instance: Instance) -> Fact:
    N = instance.network()
    i = hidden(N)
    faces: dict[tuple[int, ...], set[int]] = {}
    for face in complex_of(N).faces:
        here = faces.setdefault(face.signs[0], set())
        here.update(j for j, s in enumerate(face.signs[1]) if s == 0)
    every = set(range(N.widths[2]))
    fits = all(
        zeros == (every if i is not None and signs[i] > 0 else set())
        for signs, zeros in faces.items()
    )
    return about_complex("layer 2 vanishes just on the faces where i is active", N, fits)


def _random_hiding(rng: Random) -> Instance:
    while True:
        N = random_bottleneck(rng, rng.choice(((2, 2, 1, 1), (2, 2, 2, 1), (3, 3, 1, 1))))
        if hidden(N) is not None:
            return Instance.of(N=N)


# fmt: off
STATEMENTS = (
    Statement(
        "S002-lemma-32", "S002, Lemma 32",
        "If N is generic with n0 ≥ n1, every pattern of signs −, 0, + of layer 1 occurs.",
        _generic, _all_patterns, SINGLE,
    ),
    Statement(
        "S002-parallel-facets", "S002, Appendix E.1, lemma on parallel facets, 1",
        "If N is generic with n0 ≥ n1, a facet of layer 2 is parallel to H_i iff neuron i alone "
        "is active there.",
        _generic, _parallel_to_first, SINGLE,
    ),
    Statement(
        "S002-parallel-pairs", "S002, Appendix E.1, lemma on parallel facets, 2",
        "If N is generic with n0 ≥ n1, two different facets of layer 2 are parallel only if they "
        "lie in one region of layer 1 with one active neuron.",
        _two_facets(distinct=False), _one_active, _FACETS,
        remark="A neuron of layer 2 cuts the bent hyperplane of another one into two facets.",
        judgement=Judgement(
            "reading",
            "The proof in Appendix E.1 takes the part of a bent hyperplane in one region of layer "
            "1 for a facet; it fails only if another neuron of layer 2 that cuts this part makes "
            "two facets of it.",
        ),
    ),
    Statement(
        "S002-parallel-pairs-repaired", "S002, Appendix E.1, lemma on parallel facets, 2",
        "If N is generic with n0 ≥ n1, two facets of layer 2, of different neurons or in different "
        "regions of layer 1, are parallel only if they lie in one region of layer 1 with one "
        "active neuron.",
        _two_facets(distinct=True), _one_active, _FACETS, repairs="S002-parallel-pairs",
    ),
    Statement(
        "S002-lemma-34", "S002, Lemma 34",
        "If N is generic with n0 ≥ n1 and all neurons of layer 2 hide H_i, they vanish somewhere "
        "on a face of layer 1 iff i is active there.",
        _hiding, _vanishes, Family(SINGLE.levels, _random_hiding),
    ),
)
# fmt: on
