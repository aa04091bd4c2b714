"""Appendix B: the canonical complex of generic, supertransversal and other networks.

Lemma 13: a ridge on bent hyperplanes of one layer does not bend.  Lemma 16: generic networks are
honest and cancellation-free.  Proposition 10: the breakpoint complex of generic networks is that
of the function.  Proposition 17: across a facet of neuron (l, j) the gradient jumps by
u nᵀ, u = W_L I_{L−1} … W_{l+1} e_j, nᵀ = e_jᵀ W_l I_{l−1} … W_1.  Lemma 18: which facets at a
bending ridge belong to the earlier layer (theory 2.3, 2.4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from flint import fmpq

from exactrelu.complex.jumps import FacetJump
from exactrelu.complex.ridges import Ridge
from exactrelu.exact.matrix import Matrix
from exactrelu.lemmas.families import network_levels, random_networks
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.s002.facts import TIMEOUT, about_complex, complex_of, equal, generic
from exactrelu.lemmas.s002.layers import three_layers
from exactrelu.lemmas.s002.pairs import WIDE_PAIRS, random_bottleneck
from exactrelu.lemmas.statement import Fact, Family, Statement
from exactrelu.network.evaluate import local_affine_map, trace
from exactrelu.network.network import Network
from exactrelu.questions.cancellation_free import is_cancellation_free
from exactrelu.questions.honest import is_honest


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
STATEMENTS = (
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
