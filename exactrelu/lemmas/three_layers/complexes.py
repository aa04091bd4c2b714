"""Appendix B: the canonical complex of a network, and where sums and networks have breakpoints.

Of generic, supertransversal and other networks (theory 2.3, 2.4).  Lemma 13: a ridge on bent
hyperplanes of one layer does not bend.  Lemma 16: generic networks are honest and
cancellation-free.  Proposition 10: the breakpoint complex of generic networks is that of the
function.  Proposition 17: across a facet of neuron (l, j) the gradient jumps by u nᵀ,
u = W_L I_{L−1} … W_{l+1} e_j, nᵀ = e_jᵀ W_l I_{l−1} … W_1.  Lemma 18: which facets at a bending
ridge belong to the earlier layer.

Breakpoints.  Theorem 1, Proposition 11 and Lemma 19: networks with one hidden layer and the same
jumps differ by an affine map; a jump is the sum of V e_i |w_i| over the neurons on the facet, times
the unit normal; breakpoints of F alone are breakpoints of F + G.  Lemma 20: the bent hyperplanes of
the last hidden layer of a supertransversal network consist of breakpoints.  **Edge case**: if a
column of W_L is 0, which supertransversality does not exclude, the neuron has no part in f.  With
no such column it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from flint import fmpq

from exactrelu.cells.facets import FacetJump, Ridge
from exactrelu.certificates.certificate import Verdict
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO
from exactrelu.lemmas.families import (
    equal_pairs,
    grid,
    network_levels,
    random_network,
    random_networks,
    small_networks,
)
from exactrelu.lemmas.statement import Fact, Family, Instance, Judgement, Level, Statement
from exactrelu.lemmas.three_layers.common import (
    TIMEOUT,
    WIDE_PAIRS,
    about_complex,
    complex_of,
    equal,
    generic,
    one_hidden_layer,
    output,
    random_bottleneck,
    rows,
    three_layers,
)
from exactrelu.network.network import Layer, Network, local_affine_map, trace
from exactrelu.network.shallow import oriented, shallow_form
from exactrelu.questions.faces import is_cancellation_free, is_honest


def _hidden(instance: Instance) -> Iterator[Fact]:
    yield Fact.plain("N has a hidden layer", len(instance.network().layers) > 1)


def _generic(instance: Instance) -> Iterator[Fact]:
    yield from _hidden(instance)
    yield generic("N", instance.network())


def _supertransversal(instance: Instance) -> Iterator[Fact]:
    yield from _hidden(instance)
    yield generic("N", instance.network(), "supertransversal")


def _free(instance: Instance) -> Iterator[Fact]:
    yield from _supertransversal(instance)
    yield _cancellation_free(instance)


def _cancellation_free(instance: Instance) -> Fact:
    verdict = is_cancellation_free(instance.network(), timeout=TIMEOUT)
    return Fact("N is cancellation-free", verdict)


def _honest(instance: Instance) -> Fact:
    return Fact("N is honest", is_honest(instance.network(), timeout=TIMEOUT))


def _single_layer(instance: Instance) -> Fact:
    N = instance.network()
    straight = not any(len(r.layers) == 1 and r.is_bending for r in complex_of(N).ridges)
    return about_complex("no ridge of one layer bends", N, straight)


def masked_jump(network: Network, facet: FacetJump) -> Matrix:
    """u nᵀ of Proposition 17, towards the side where neuron (l, j) is positive."""
    ((l, j),) = facet.bent_neurons()
    weights = [layer.weights for layer in network.layers]
    masks = [Matrix.diagonal([fmpq(int(s > 0)) for s in signs]) for signs in facet.facet.signs]
    n = weights[l - 1].take(rows=[j - 1])
    for k in range(l - 2, -1, -1):
        n = n @ masks[k] @ weights[k]
    u = weights[l].take(columns=[j - 1])
    for k in range(l + 1, len(weights)):
        u = weights[k] @ masks[k - 1] @ u
    return u @ n


def _formula(instance: Instance) -> Fact:
    N = instance.network()
    fits = True
    for facet in complex_of(N).facet_jumps:
        neurons = list(facet.bent_neurons())
        if len(neurons) != 1:
            fits = False
            break
        ((l, j),) = neurons
        sign = 1 if facet.above[l - 1][j - 1] > 0 else -1
        fits = fits and facet.jump == masked_jump(N, facet).scale(sign)
    return about_complex("every jump is that of the formula", N, fits)


def _layer(facet: FacetJump) -> int:
    return next(facet.bent_neurons())[0]


def _earlier(network: Network, ridge: Ridge) -> bool:
    """Whether Lemma 18 finds the facets of the earlier layer at a bending ridge of two layers."""
    early, late = sorted(ridge.layers)
    # Neurons that are positive on the ridge are positive around it.
    others = any(s > 0 for s in ridge.face.signs[late - 1])
    truth = {f.facet.signs for f in ridge.visible if _layer(f) == early}
    if others:
        straight = [{f.facet.signs for f in pair} for pair in ridge.straight_pairs()]
        return straight == [truth]
    apart = {
        f.facet.signs
        for f in ridge.visible
        if not any(local_affine_map(network, side).matrix.is_zero for side in (f.below, f.above))
    }
    return len(apart) == 1 and apart == truth


def _lemma_18(instance: Instance) -> Fact:
    N = instance.network()
    bending = [r for r in complex_of(N).ridges if r.is_bending]
    fits = all(len(r.layers) == 2 and _earlier(N, r) for r in bending)
    return about_complex("the lemma finds the earlier facets at every bending ridge", N, fits)


def _equal_pair(instance: Instance) -> Iterator[Fact]:
    A, B = instance.network("A"), instance.network("B")
    yield from three_layers(A, B)
    yield generic("A", A)
    yield generic("B", B)
    yield equal(A, B)


def _same_breakpoints(instance: Instance) -> Fact:
    """As many visible facets, and each has a point that lies in a visible facet of the other."""
    A, B = instance.network("A"), instance.network("B")
    ours, theirs = complex_of(A), complex_of(B)
    counts = len(ours.breakpoint_facets) == len(theirs.breakpoint_facets)
    covered = all(
        any(_on(facet, other, B) for other in theirs.breakpoint_facets)
        for facet in ours.breakpoint_facets
    )
    return about_complex("the breakpoint complexes have the same facets", A, counts and covered)


def _on(facet: FacetJump, other: FacetJump, network: Network) -> bool:
    """Whether the point of a facet lies in another network's facet."""
    signs = tuple(
        tuple((y > 0) - (y < 0) for y in layer)
        for layer in trace(network, facet.facet.point).preactivations[:-1]
    )
    return signs == other.facet.signs


def _networks(rng: Random) -> Instance:
    if rng.random() < 0.6:
        widths = rng.choice(((2, 2, 1, 1), (2, 2, 2, 1), (3, 2, 2, 1), (2, 2, 3, 2)))
        return Instance.of(N=random_bottleneck(rng, widths))
    return _any(rng)


_any: Callable[[Random], Instance] = random_networks(
    ((1, 2, 1, 1), (2, 3, 1), (2, 3, 2, 1), (2, 2, 2, 2, 1))
)
_NETWORKS = Family(network_levels(((1, 1, 1), (2, 1, 1), (1, 1, 1, 1), (2, 1, 1, 1))), _networks)
# fmt: off
COMPLEXES_STATEMENTS = (
    Statement(
        "S002-proposition-10", "S002, Proposition 10",
        "If A and B are generic bottlenecks and compute one function, their breakpoint complexes "
        "have the same facets.",
        _equal_pair, _same_breakpoints, WIDE_PAIRS,
    ),
    Statement(
        "S002-lemma-13", "S002, Lemma 13",
        "A ridge that lies on bent hyperplanes of one layer only does not bend.",
        _hidden, _single_layer, _NETWORKS,
    ),
    Statement(
        "S002-lemma-16-honest", "S002, Lemma 16",
        "If N is generic, then N is honest.",
        _generic, _honest, _NETWORKS,
    ),
    Statement(
        "S002-lemma-16-cancellation-free", "S002, Lemma 16",
        "If N is generic, then N is cancellation-free.",
        _generic, _cancellation_free, _NETWORKS,
    ),
    Statement(
        "S002-proposition-17", "S002, Proposition 17",
        "If N is supertransversal, the gradient jumps by u nᵀ across every facet, with the masks "
        "of the neurons that are positive on it.",
        _supertransversal, _formula, _NETWORKS, known=("S002-P11-weights",),
    ),
    Statement(
        "S002-lemma-18", "S002, Lemma 18",
        "If N is supertransversal and cancellation-free, then at a bending ridge of layers l1 < l2 "
        "the facets of l1 are the one straight pair if a neuron of l2 is positive there, else the "
        "one facet that is not adjacent to a region on which N is constant.",
        _free, _lemma_18, _NETWORKS,
    ),
)
# fmt: on


def _bent(instance: Instance) -> Iterator[Fact]:
    """x lies in the bent hyperplane of neuron j of the last hidden layer, and in no other."""
    N, j, x = instance.network(), instance.integer("j"), instance.vector("x")
    fits = len(N.layers) > 1 and j < N.widths[-2] and len(x) == N.n_inputs
    yield Fact.plain("j is a neuron of the last hidden layer", fits)
    faces = [f for f in complex_of(N).facet_jumps if f.facet.point == x]
    bends = bool(faces) and (len(N.layers) - 1, j + 1) in faces[0].bent_neurons()
    yield Fact.plain("x lies in a facet of its bent hyperplane", bends)
    yield generic("N", N, "supertransversal")


def _used(instance: Instance) -> Iterator[Fact]:
    yield from _bent(instance)
    column = output(instance.network()).column(instance.integer("j"))
    yield Fact.plain("its column of W_L is not 0", any(column))


def _breakpoint(instance: Instance) -> Fact:
    """The facet through x is visible: decided by the jump of the gradient."""
    N, x = instance.network(), instance.vector("x")
    jump = next(f for f in complex_of(N).facet_jumps if f.facet.point == x)
    return Fact.plain("x is a breakpoint", jump.is_visible)


def _facets(network: Network) -> Iterator[Instance]:
    last = len(network.layers) - 1
    for facet in complex_of(network).facet_jumps:
        for l, j in facet.bent_neurons():
            if l == last:
                yield Instance.of(N=network, j=j - 1, x=facet.facet.point)


def _facet_level(widths: tuple[int, ...]) -> Level:
    return Level(
        f"widths {'-'.join(map(str, widths))}, entries -1..1, every facet",
        lambda: (instance for N in small_networks(widths) for instance in _facets(N)),
    )


def _random_facet(rng: Random) -> Instance:
    while True:
        N = random_network(rng, rng.choice(((2, 2, 1), (1, 2, 2, 1), (2, 2, 2, 1), (2, 3, 2, 1))))
        found = list(_facets(N))
        if found:
            return rng.choice(found)


_FACETS = Family(
    tuple(map(_facet_level, ((1, 1, 1), (1, 1, 1, 1), (2, 1, 1), (1, 2, 1)))), _random_facet
)


def _sum(F: Network, G: Network) -> Network:
    """F + G, side by side."""
    first = F.layers[0].affine.above(G.layers[0].affine)
    last = [(*f[:-1], *g[:-1], f[-1] + g[-1]) for f, g in zip(rows(F, 2), rows(G, 2), strict=True)]
    return Network((Layer(first), Layer(Matrix(last))))


def _two(instance: Instance) -> Iterator[Fact]:
    yield one_hidden_layer(instance.network("F"), instance.network("G"))


def _bends_stay(instance: Instance) -> Fact:
    F, G = instance.network("F"), instance.network("G")
    total, left, right = (set(shallow_form(N).jumps) for N in (_sum(F, G), F, G))
    text = "every bend of F that is none of G is a bend of F + G"
    return Fact.plain(text, left - right <= total)


def _one(instance: Instance) -> Iterator[Fact]:
    yield one_hidden_layer(instance.network())


def _weights(instance: Instance) -> Fact:
    """Proposition 11, times the length of the normal: Σ V e_i ⊗ |w_i| on each hyperplane."""
    N = instance.network()
    columns = output(N).T
    sums: dict[object, list[fmpq]] = {}
    for i, row in enumerate(rows(N, 1)):
        if any(row[:-1]):
            h, factor = oriented(row)
            here = sums.setdefault(h, [ZERO] * N.n_outputs)
            for k, v in enumerate(columns.row(i)):
                here[k] += abs(factor) * v
    fits = True
    for facet in complex_of(N).facet_jumps:
        neurons = list(facet.bent_neurons())
        h, _ = oriented(rows(N, 1)[neurons[0][1] - 1])
        normal = facet.normal
        place = next(k for k, x in enumerate(normal) if x)
        along = abs(fmpq(h[place]) / normal[place])
        sign = ONE if fmpq(h[place]) * normal[place] > 0 else -ONE
        expected = Matrix.column_vector(sums[h]) @ Matrix([[fmpq(x) for x in h[:-1]]])
        fits = fits and facet.jump == expected.scale(sign) and along > 0
    return Fact.plain("the jump across each facet is Σ V e_i |w_i| times the unit normal", fits)


def _same_jumps(instance: Instance) -> Iterator[Fact]:
    A, B = instance.network("F"), instance.network("G")
    yield one_hidden_layer(A, B)
    same = shallow_form(A).jumps == shallow_form(B).jumps
    yield Fact.plain("the jumps of F and G are the same", same)


def _affine_difference(instance: Instance) -> Fact:
    """F = G + (affine map), where the map is read off one region."""
    F, G = instance.network("F"), instance.network("G")
    difference = shallow_form(F).affine - shallow_form(G).affine
    n, m = F.n_inputs, F.n_outputs
    both = [[ONE if j == i else ZERO for j in range(n + 1)] for i in range(n)]
    both += [[-x for x in row] for row in both]
    first = G.layers[0].affine.above(Matrix(both))
    last = []
    for g, d in zip(rows(G, 2), difference.rows(), strict=True):
        last.append((*g[:-1], *d[:-1], *(-x for x in d[:-1]), g[-1] + d[-1]))
    moved = Network((Layer(first), Layer(Matrix(last))))
    fact = equal(F, moved) if m else Fact("", Verdict(None, ""))
    return Fact("F − G is affine", fact.verdict)


def _pairs(widths: tuple[int, int, int]) -> Level:
    def instances() -> Iterator[Instance]:
        networks = list(small_networks(widths))
        step = max(1, len(networks) // 60)
        for F in networks[::step]:
            for G in networks:
                yield Instance.of(F=F, G=G)

    return Level(f"widths {'-'.join(map(str, widths))}, entries -1..1, some with all", instances)


def _equal_level(widths: tuple[int, int, int]) -> Level:
    return Level(
        f"widths {'-'.join(map(str, widths))}, entries -1..1, equal on a grid",
        lambda: (
            Instance.of(F=F, G=G)
            for F, G in equal_pairs(lambda: small_networks(widths), grid(widths[0]))
        ),
    )


def _random_two(rng: Random) -> Instance:
    widths = rng.choice(((1, 2, 1), (2, 2, 1), (2, 3, 2)))
    F, G = random_network(rng, widths), random_network(rng, widths)
    if rng.random() < 0.6:
        G = Network((F.layers[0], G.layers[1] if rng.random() < 0.3 else F.layers[1]))
        turned = [tuple(-x for x in row) if rng.random() < 0.5 else row for row in rows(G, 1)]
        G = Network((Layer(Matrix(turned)), G.layers[1]))
    return Instance.of(F=F, G=G)


_TWO = Family((_pairs((1, 1, 1)), _equal_level((1, 2, 1))), _random_two)
_ONE = Family(
    network_levels(((1, 1, 1), (2, 1, 1), (1, 2, 1))), random_networks(((2, 3, 1), (2, 2, 2)))
)

BREAKPOINTS_STATEMENTS = (
    Statement(
        "S002-theorem-1",
        "S002, Theorem 1 and Lemma 7",
        "If F and G have one hidden layer and the same jumps, then F − G is affine.",
        _same_jumps,
        _affine_difference,
        _TWO,
    ),
    Statement(
        "S002-proposition-11",
        "S002, Proposition 11",
        "In a network with one hidden layer the jump across a facet is the sum of V e_i |w_i| over "
        "the neurons on it, times the unit normal.",
        _one,
        _weights,
        _ONE,
        known=("S002-P11-weights",),
    ),
    Statement(
        "S002-lemma-19",
        "S002, Lemma 19, for one hidden layer",
        "A hyperplane of breakpoints of F that is none of G consists of breakpoints of F + G.",
        _two,
        _bends_stay,
        _TWO,
    ),
    Statement(
        "S002-lemma-20",
        "S002, Lemma 20",
        "If N is supertransversal, then every point of a bent hyperplane of the last hidden layer "
        "is a breakpoint of N.",
        _bent,
        _breakpoint,
        _FACETS,
        judgement=Judgement(
            "edge case",
            "Supertransversality alone allows a zero column of W_L, a null set; the neuron then "
            "has no part in the function.",
            mended_by="column j of W_L is not 0, as for all generic parameters "
            "(S002-lemma-20-repaired)",
        ),
    ),
    Statement(
        "S002-lemma-20-repaired",
        "S002, Lemma 20, for neurons whose column of W_L is not 0",
        "If N is supertransversal and column j of W_L is not 0, then every point of the bent "
        "hyperplane of neuron j of the last hidden layer is a breakpoint of N.",
        _used,
        _breakpoint,
        _FACETS,
        repairs="S002-lemma-20",
    ),
)
