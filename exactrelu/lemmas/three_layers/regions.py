"""The regions and facets of bottlenecks, n0 ≥ n1 (Appendix E), and Lemma 9.

Lemma 32: every pattern of signs −, 0, + of the first layer occurs.  Lemma of E.1: (1) a facet of
layer 2 is parallel to a hyperplane of layer 1 iff one neuron is active there, and then it is
that one's; (2) two different facets of layer 2 are parallel iff they lie in one region with one
active neuron.  **Reading**: (2) fails if two parts of one bent hyperplane that another neuron of
layer 2 cuts apart are two facets; it holds for facets of different neurons or regions.

Lemma 34: if neuron j hides H_i, then it vanishes somewhere on a face of layer 1 iff i is active
there.

Lemma 9: the generic parameters are open and dense.  **Edge case**: openness fails for n1 > n0, on a
null set (theory 2.2).  Witness: θ generic, changes Δ of W2, and a ray p + t·d such that for all
t ≥ t0 the network with W2 + Δ/t has more than n0 neurons that vanish at p + t·d; then a face lies
in too many bent hyperplanes, and these networks converge to θ.  Along the ray every y_i is
α_i t + β_i, of one sign for t ≥ t0, and every z_j is A_j t + B_j + C_j/t.  For n1 ≤ n0 there is no
such family: all minors of W2 are not 0, so that solutions stay bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from random import Random

from flint import fmpq

from exactrelu.cells.facets import FacetJump
from exactrelu.certificates.certificate import Verdict
from exactrelu.digits import say
from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector, dot, vector
from exactrelu.lemmas.families import network_levels, random_networks
from exactrelu.lemmas.statement import Fact, Family, Instance, Judgement, Level, Statement
from exactrelu.lemmas.three_layers.common import (
    TIMEOUT,
    about_complex,
    bottleneck,
    complex_of,
    generic,
    hidden,
    is_multiple,
    network_of,
    random_bottleneck,
    rows,
)
from exactrelu.lemmas.three_layers.theorems import SINGLE
from exactrelu.network.network import Layer, Network, trace
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.genericity.senses import make_generic


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
REGIONS_STATEMENTS = (
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


def vanishing(network: Network, change: Matrix, p: Vector, d: Vector, t0: fmpq) -> int | None:
    """How many neurons vanish at p + t·d for all t ≥ t0, with W2 + Δ/t; None if a sign changes."""
    first, second = rows(network, 1), rows(network, 2)
    slopes = [dot(row[:-1], d) for row in first]
    starts = [dot(row[:-1], p) + row[-1] for row in first]
    count = 0
    for j, (a, b) in enumerate(zip(slopes, starts, strict=True)):
        at = a * t0 + b
        if a == b == 0:
            count += 1
        elif at == 0 or a * at < 0:
            return None
        if at <= 0:
            slopes[j] = starts[j] = ZERO
    for row, more in zip(second, change.rows(), strict=True):
        leading = dot(row[:-1], slopes)
        middle = dot(row[:-1], starts) + row[-1] + dot(more, slopes)
        count += leading == middle == dot(more, starts) == 0
    return count


def _parts(instance: Instance) -> tuple[Network, Matrix, Vector, Vector, fmpq]:
    return (
        instance.network(),
        instance.matrix("D"),
        instance.vector("p"),
        instance.vector("d"),
        instance.rational("t0"),
    )


def _shapes(instance: Instance) -> Fact:
    N, D, p, d, t0 = _parts(instance)
    n = N.widths
    fits = len(n) == 4 and D.shape == (n[2], n[1]) and len(p) == len(d) == n[0] and t0 > 0
    return Fact.plain("three layers, a change of W2, a ray in the space of inputs", fits)


def _wide(instance: Instance) -> Iterator[Fact]:
    yield _shapes(instance)
    yield generic("N", instance.network())


def _narrow(instance: Instance) -> Iterator[Fact]:
    yield _shapes(instance)
    n0, n1, *_ = instance.network().widths
    yield Fact.plain("n1 ≤ n0", n1 <= n0)
    yield generic("N", instance.network())


def _no_family(instance: Instance) -> Fact:
    N = instance.network()
    found = vanishing(*_parts(instance))
    text = "for some t ≥ t0 at most n0 neurons vanish at p + t·d"
    return Fact.plain(text, found is None or found <= N.n_inputs)


def _along_a_ray(widths: tuple[int, int, int, int]) -> Callable[[Random], Instance]:
    """n0 − 1 neurons of layer 1 vanish on the ray t·e_n0; layer 2 is constant along it.

    The others have slope 1 along the ray; the last one vanishes at 0, so that a change of its
    weights by Δ/t moves z_j on the ray by the constant Δ.
    """
    n0, n1, n2, n3 = widths

    def draw(rng: Random) -> Instance:
        first = [[ZERO] * (n0 + 1) for _ in range(n1)]
        for i in range(n1):
            if i < n0 - 1:
                first[i][i] = ONE
            else:
                entries = [fmpq(rng.randint(-5, 5)) for _ in range(n0 - 1)]
                start = ZERO if i == n1 - 1 else fmpq(rng.randint(-2, 2))
                first[i] = [*entries, ONE, start]
        active = n1 - n0 + 1
        second = []
        for _ in range(n2):
            free = [fmpq(rng.randint(-4, 4)) for _ in range(n1 - 1)]
            balance = -sum(free[n0 - 1 :], ZERO) if active > 1 else fmpq(rng.randint(-4, 4))
            second.append([*free, balance, fmpq(rng.randint(-5, 5))])
        last = [[fmpq(rng.randint(1, 3)) for _ in range(n2)] + [ZERO] for _ in range(n3)]
        N = Network(tuple(Layer(Matrix(part)) for part in (first, second, last)))
        change = [[ZERO] * n1 for _ in range(n2)]
        for j, row in enumerate(second):
            starts = [r[-1] for r in first]
            change[j][-1] = -(dot(row[:-1], starts) + row[-1])
        ray = vector([0] * (n0 - 1) + [1])
        return Instance.of(
            N=N, D=Matrix(change), p=vector([0] * n0), d=ray, t0=fmpq(rng.randint(3, 9))
        )

    return draw


def _dense(instance: Instance) -> Iterator[Fact]:
    yield Fact.plain("N is a network", len(instance.network().layers) > 1)


def _near(instance: Instance) -> Fact:
    """A generic network in which no parameter differs by more than 2⁻⁸."""
    text = "a generic network is within 1/256 of N"
    try:
        found = make_generic(instance.network(), senses=["generic"], timeout=TIMEOUT)
    except InputError as error:
        return Fact(text, Verdict(None, str(error)))
    if found.distance > fmpq(1, 256):
        return Fact(text, Verdict(None, f"found one at the distance {say(found.distance)} only"))
    return Fact(text, found.verdicts["generic"])


_RAYS = Family((), _along_a_ray((3, 5, 2, 1)))
_BOTTLENECKS = Family(
    (), lambda rng: _along_a_ray(rng.choice(((2, 2, 2, 1), (3, 3, 2, 1), (3, 3, 3, 1))))(rng)
)
_NETWORKS = Family(
    network_levels(((1, 1, 1), (1, 1, 1, 1), (2, 1, 1))),
    random_networks(((2, 2, 1), (2, 2, 1, 1), (2, 3, 2, 1), (1, 2, 2, 1))),
)

LEMMA_9_STATEMENTS = (
    Statement(
        "S002-lemma-9-open",
        "S002, Lemma 9, open",
        "If N is generic, with three layers, then for no change D of W2 and no ray p + t·d do more "
        "than n0 neurons of the network with W2 + D/t vanish at p + t·d for all t ≥ t0.",
        _wide,
        _no_family,
        _RAYS,
        known=("S002-E09-generic-not-open",),
        judgement=Judgement(
            "edge case",
            "The generic parameters that are limits of others lie on the boundary of a "
            "semialgebraic set, a null set, and were found for n1 > n0 only; that the generic ones "
            "are dense and of full measure, which is what the paper uses, is not touched.",
            mended_by="n1 ≤ n0, the bottleneck of the main results (S002-lemma-9-open-repaired)",
        ),
    ),
    Statement(
        "S002-lemma-9-open-repaired",
        "S002, Lemma 9, open, for n1 ≤ n0",
        "If N is generic, with three layers and n1 ≤ n0, then for no change D of W2 and no ray "
        "p + t·d do more than n0 neurons of the network with W2 + D/t vanish at p + t·d for all "
        "t ≥ t0.",
        _narrow,
        _no_family,
        _BOTTLENECKS,
        repairs="S002-lemma-9-open",
    ),
    Statement(
        "S002-lemma-9-dense",
        "S002, Lemma 9, dense",
        "Near every network there is a generic one.",
        _dense,
        _near,
        _NETWORKS,
    ),
)
