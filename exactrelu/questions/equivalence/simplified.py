"""Equality of two networks that are the same once both are smaller.

* Without neurons that are never active.  If two networks are isomorphic without their dead neurons,
  a neuron that is left has the same signs as its partner at every point, so the networks are
  isomorphic without their candidates too: this is cheap to see, and comes before any proof.
* After simplification by signs.  What linear neurons pass on has many forms: their biases may be
  anywhere, several may do the work of one.  In networks without dead, doubled and needless linear
  neurons little else is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from exactrelu.cells.dead_neurons import Neuron
from exactrelu.certificates.certificate import Verdict
from exactrelu.certificates.moves import isomorphic_equality, rewriting_claim
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Layer, Network
from exactrelu.network.rewriting import (
    Step,
    has_sign,
    positive_coordinates,
    rewritten,
)
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.equivalence.simplify import (
    MAX_REFINEMENTS,
    by_signs,
    candidates,
    drop_dead,
    minimal_refactor,
)


def equal_without_dead(
    a: Network,
    b: Network,
    place: Domain,
    points: Sequence[Vector],
    effort: Effort = UNLIMITED,
) -> Verdict | None:
    """A yes if some neurons are dead on a domain and the others isomorphic, or None.

    The domain is not flat.
    """
    if len(a.layers) != len(b.layers):
        return None
    never = [candidates(network, points) for network in (a, b)]
    if not any(never):
        return None
    small, other = (_without(n, found) for n, found in zip((a, b), never, strict=True))
    if small is None or other is None or small.widths != other.widths:
        return None
    found = _isomorphic(small, other, effort)
    if not found.answer:
        return None
    left, steps = drop_dead(a, place.inside, never[0], effort)
    right, other_steps = drop_dead(b, place.inside, never[1], effort)
    if (left, right) != (small, other):  # not every candidate is dead
        found = _isomorphic(left, right, effort)
        if not found.answer:
            return None
    n = len(steps) + len(other_steps)
    if n == 0:
        certificate = isomorphic_equality(a, b, place, found.witness)
        return Verdict(True, "isomorphic", None, certificate)
    certificate = rewriting_claim(a, b, place, steps, other_steps, symmetry=found.witness)
    without = "1 neuron that is" if n == 1 else f"{n} neurons that are"
    return Verdict(True, f"isomorphic without {without} never active", None, certificate)


def _isomorphic(a: Network, b: Network, effort: Effort) -> Verdict:
    """One attempt of several: undecided soon if it is hard."""
    found = isomorphic(a, b, max_refinements=MAX_REFINEMENTS, effort=effort)
    effort.spend()
    return found


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


def equal_simplified(
    a: Network, b: Network, place: Domain, effort: Effort = UNLIMITED
) -> Verdict | None:
    """A yes if the networks are isomorphic after simplification by signs, or None.

    The domain is not flat.
    """
    simple = [without_linear_biases(network, place.inside, effort) for network in (a, b)]
    (left, steps), (right, other_steps) = simple
    if left.widths != right.widths or not (steps or other_steps):
        return None
    found = _isomorphic(left, right, effort)
    if not found.answer:
        return None
    certificate = rewriting_claim(a, b, place, steps, other_steps, symmetry=found.witness)
    return Verdict(True, "isomorphic after simplification by signs", None, certificate)


def without_linear_biases(
    network: Network, domain: LinearSystem, effort: Effort = UNLIMITED
) -> tuple[Network, tuple[Step, ...]]:
    """The network after all steps by signs, with the biases of linear neurons in the next layer.

    Networks that are equal but for what linear neurons pass on may be isomorphic after that.
    """
    positive = positive_coordinates(domain)
    network, steps = by_signs(network, positive, effort)
    for l in range(len(network.layers) - 1):
        rows = network.layers[l].affine.flint_rows()
        linear = [i for i, row in enumerate(rows) if has_sign(row, 1, l, positive)]
        if any(rows[i][-1] for i in linear):
            step = minimal_refactor(network, l, linear)
            network = rewritten(network, step, positive)
            steps = (*steps, step)
    return network, steps
