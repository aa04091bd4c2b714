"""Neurons that are never active, dropped with a proof; and networks that are isomorphic then.

A neuron that is ≤ 0 at all sample points is a *candidate*.  Dead neurons are candidates.  If two
networks are isomorphic without their dead neurons, a neuron that is left has the same signs as its
partner at every point, so the networks are isomorphic without their candidates too: this is cheap
to see, and comes before any proof (:mod:`exactrelu.complex.bound_tree`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from exactrelu.certificates.moves import rewriting_claim
from exactrelu.complex.bound_tree import Active, Neuron, bound_tree
from exactrelu.complex.search import Limit, LimitReached
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.evaluate import trace_batch
from exactrelu.network.network import Layer, Network
from exactrelu.network.rewriting import NeverActive, rewritten
from exactrelu.questions.isomorphism import isomorphic
from exactrelu.verdict import Verdict

#: Nodes of the tree of one neuron.
MAX_NODES = 200
#: Inputs and neurons before it: linear programs in more variables take seconds each.
MAX_VARIABLES = 100
#: Isomorphism is one attempt of several: it may not take long.
MAX_REFINEMENTS = 1_000


def equal_without_dead(
    a: Network, b: Network, domain: LinearSystem, points: Sequence[Vector], limit: Limit
) -> Verdict | None:
    """A yes if some neurons are dead on the open domain and the others isomorphic, or None."""
    if len(a.layers) != len(b.layers):
        return None
    never = [candidates(network, points) for network in (a, b)]
    if not any(never):
        return None
    left, right = (_without(n, found) for n, found in zip((a, b), never, strict=True))
    if left is None or right is None or left.widths != right.widths:
        return None
    if not isomorphic(left, right, MAX_REFINEMENTS, limit.remaining()).answer:
        return None
    try:
        left, steps = drop_dead(a, domain, never[0], limit.tick)
        right, other_steps = drop_dead(b, domain, never[1], limit.tick)
    except LimitReached:
        return None
    found = isomorphic(left, right, MAX_REFINEMENTS, limit.remaining())
    if not found.answer:
        return None
    n = len(steps) + len(other_steps)
    if n == 0:
        return Verdict(True, "isomorphic", None, found.certificate)
    certificate = rewriting_claim(a, b, domain, steps, other_steps, symmetry=found.witness)
    without = "1 neuron that is" if n == 1 else f"{n} neurons that are"
    return Verdict(True, f"isomorphic without {without} never active", None, certificate)


def candidates(network: Network, points: Iterable[Vector]) -> list[Neuron]:
    """The hidden neurons that are active at none of these points, layer by layer."""
    patterns = [evaluation.pattern for evaluation in trace_batch(network, points)]
    return [
        (l, i)
        for l, width in enumerate(network.hidden_widths)
        for i in range(width)
        if all(pattern[l][i] <= 0 for pattern in patterns)
    ]


def drop_dead(
    network: Network,
    domain: LinearSystem,
    neurons: Iterable[Neuron],
    tick: Callable[[], None] = lambda: None,
) -> tuple[Network, tuple[NeverActive, ...]]:
    """The network without those of these neurons, in order, that are proved to be dead.

    The last neuron of a layer stays.
    """
    steps: list[NeverActive] = []
    for l, i in neurons:
        place = i - sum(step.layer == l for step in steps)
        if network.hidden_widths[l] == 1 or sum(network.widths[: l + 1]) > MAX_VARIABLES:
            continue
        tree = bound_tree(network, domain, (l, place), MAX_NODES, tick)
        if tree is None or isinstance(tree, Active):
            continue
        steps.append(NeverActive(l, place, tree))
        network = rewritten(network, steps[-1], frozenset())
    return network, tuple(steps)


def _without(network: Network, neurons: Iterable[Neuron]) -> Network | None:
    """The network without these neurons; None if a layer would be empty."""
    gone = set(neurons)
    layers = list(network.layers)
    for l, width in enumerate(network.hidden_widths):
        kept = [i for i in range(width) if (l, i) not in gone]
        if not kept:
            return None
        layers[l] = Layer(layers[l].affine.take(rows=kept))
        layers[l + 1] = Layer(layers[l + 1].affine.take(columns=[*kept, width]))
    return Network(tuple(layers), network.name)
