"""Is a network identifiable: does its function determine it up to permutation and scaling?

*No* comes with a second network: same widths, same function, not isomorphic
(:mod:`~exactrelu.questions.identifiability.second`).  *Yes* for one hidden layer is exhaustive
(:mod:`~exactrelu.questions.identifiability.shallow`), among all networks of the same widths.  For
generic three-layer bottlenecks it is the sign theorem (theory 3.5), with a proof that the network
is generic; it is about generic networks only.  On a domain D there is a theorem for any depth: a
network in the class of Phuong & Lampert's theorem
(:mod:`~exactrelu.questions.folds.theorem_class`) is identifiable among the networks that are
general on D, by its function on D alone.  A second network on R^n is one on every D; the converse
is false, so a yes on R^n says nothing about D.  On a flat D an equation of D can be added to any
row of the first layer.  Everything else is undecided; then the functional dimension may still show
that the network is *locally* identifiable.

Parts may be identifiable where the whole is not (theory 3.8).  Four layers, n_0 ≥ n_1 ≥ n_2 ≥ 2:
W_2 and W_3 are negative and b_2 and b_3 positive, so that layers 1–3 and 2–4 are identifiable by
the sign theorem.  The second layer takes values in [0, b_2], and b_3 ≥ |W_3|·b_2: the neurons of
layer 3 never vanish, and b_3 + δ with b_4 − W_4·δ is the same function.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Any, Unpack

from exactrelu.certificates.certificate import NO_CERTIFICATE, Verdict, claim
from exactrelu.certificates.moves import generic_records
from exactrelu.effort import Effort, Limits
from exactrelu.errors import ExactReluError, InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.folds.theorem_class import has_widths_of_class, is_in_theorem_class
from exactrelu.questions.genericity.bottleneck import is_bottleneck
from exactrelu.questions.genericity.senses import is_generic
from exactrelu.questions.identifiability.functional_dimension import (
    MAX_PARAMETERS,
    MAX_REGIONS,
    FunctionalDimension,
    functional_dimension,
)
from exactrelu.questions.identifiability.second import Second, obstructions, second_networks
from exactrelu.questions.identifiability.shallow import shallow_proof

#: Second networks that are tried until one is generic, where the network is.
N_SECONDS = 6
#: Beyond this many hidden neurons the second network is taken as it comes.
MAX_GENERIC = 12
#: Networks that are tried for :func:`non_localizable`; the first is nearly always generic.
N_TRIES = 50

THEOREM = "the sign theorem for three-layer bottlenecks (arXiv 2605.18319, Theorem 5)"
SHALLOW = "one hidden layer, and no other way to share the bends among as many neurons"


@dataclass(frozen=True)
class Undecided:
    """What is known of a network that is not decided."""

    identifiable_if_generic: bool | None
    dimension: FunctionalDimension | None


def identifiable(
    network: Network,
    domain: DomainLike = None,
    **limits: Unpack[Limits],
) -> Verdict:
    """Whether the function of a network determines it up to permutation and scaling.

    The witness of a no is a second network; that of an undecided is :class:`Undecided`.  With a
    ``domain`` the question is whether the function on the domain does.

    >>> net = Network.from_arrays(
    ...     [[[1, 0], [0, 1]], [[1, 1]], [[1]]], [[0, 0], [-1], [0]])
    >>> identifiable(net).answer
    True
    >>> net = Network.from_arrays(
    ...     [[[1, 0], [0, 1]], [[1, -1]], [[1]]], [[0, 0], [-1], [0]])
    >>> identifiable(net).reason
    'neuron (1,1) is hidden: its bias moves by 1'
    """
    effort = Effort.of(limits)
    max_masks = effort.left("masks")
    left = effort.left("regions")
    max_regions = MAX_REGIONS if left is None else left
    timeout = effort.seconds_left()
    progress: Any = partial(effort.tell, "cells")
    place = Domain.of(domain, network.n_inputs)
    second = _best(network, max_masks, timeout)
    if second is not None:
        where = "" if place.is_everywhere else ", on all of space"
        return Verdict(False, second.reason + where, second.network, second.certificate)
    if place.is_flat:
        return _on_flat(network, place, max_regions, timeout)
    if domain is not None and has_widths_of_class(network.widths):
        found = is_in_theorem_class(
            network, place, max_masks=max_masks, timeout=timeout, progress=progress
        )
        if found.answer:
            return found
    if not place.is_everywhere:
        reason = "no theorem decides it on this domain, where fewer values are known than on R^n"
        return _undecided(network, reason, None, max_regions, timeout, place)
    if len(network.layers) == 2:
        proof = shallow_proof(network)
        if proof is not None:
            return Verdict(True, SHALLOW, certificate=proof)
        return _undecided(network, "too many neurons to decide", None, max_regions, timeout)
    if not is_bottleneck(network):
        return _undecided(network, "no theorem for this architecture", None, max_regions, timeout)
    if obstructions(network):
        reason = "the signs say no, but no second network was told apart"
        return _undecided(network, reason, False, max_regions, timeout)
    generic = is_generic(network, max_masks=max_masks, timeout=timeout, progress=progress)
    if generic.answer and generic.certificate is not None:
        certificate = claim("identifiable", generic_records(generic.certificate), network=network)
        reason = f"generic, and identifiable among generic networks, by {THEOREM}"
        return Verdict(True, reason, certificate=certificate)
    word = "not generic" if generic.answer is False else "perhaps not generic"
    return _undecided(network, f"{word}: {generic.reason}", True, max_regions, timeout)


def _best(network: Network, max_masks: int | None, timeout: float | None) -> Second | None:
    """A second network, a generic one if the network is generic and small."""
    seconds = islice(second_networks(network), N_SECONDS)
    first = next(seconds, None)
    if first is None or network.n_hidden_neurons > MAX_GENERIC or not is_bottleneck(network):
        return first
    for second in chain([first], seconds):
        if is_generic(second.network, max_masks=max_masks, timeout=timeout).answer:
            return second
    return first


def _on_flat(
    network: Network, place: Domain, max_regions: int | None, timeout: float | None
) -> Verdict:
    """An equation of the domain, added to a row of the first layer, changes nothing there."""
    first = network.layers[0].affine.rows()
    for i, row in enumerate(first):
        for equation in place.equations:
            moved = tuple(a + e for a, e in zip(row, equation, strict=True))
            rows = Matrix([*first[:i], moved, *first[i + 1 :]])
            second = Network((Layer(rows), *network.layers[1:]), network.name)
            if isomorphic(network, second).answer is False:
                reason = f"an equation of the domain was added to row {i + 1} of the first layer"
                return Verdict(False, f"{reason}; {NO_CERTIFICATE}", second)
    reason = "adding equations of the domain to rows only permuted and scaled the neurons"
    return _undecided(network, reason, None, max_regions, timeout, place)


def _undecided(
    network: Network,
    reason: str,
    if_generic: bool | None,
    max_regions: int | None,
    timeout: float | None,
    place: Domain | None = None,
) -> Verdict:
    if network.n_parameters > MAX_PARAMETERS:
        return Verdict(None, reason, Undecided(if_generic, None))
    dimension = functional_dimension(network, place, max_regions=max_regions, timeout=timeout)
    if dimension.is_locally_identifiable:
        meaning = "locally identifiable"
    else:
        meaning = "nothing follows locally"
    certificate = dimension.lower_certificate
    text = f"{reason}; {dimension.text()}: {meaning}"
    return Verdict(None, text, Undecided(if_generic, dimension), certificate)


@dataclass(frozen=True)
class NonLocalizable:
    """The network, and the verdicts about layers 1–3, layers 2–4, and all of them."""

    network: Network
    first: Verdict
    second: Verdict
    whole: Verdict

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        return {"layers-1-3": self.first, "layers-2-4": self.second, "layers-1-4": self.whole}


def non_localizable(widths: tuple[int, ...], seed: int = 0) -> NonLocalizable:
    """A network of widths n_0, …, n_4 whose parts are identifiable, but not the whole.

    >>> found = non_localizable((2, 2, 2, 2, 1))
    >>> found.first.answer, found.second.answer, found.whole.answer
    (True, True, False)
    """
    if len(widths) != 5 or min(widths) < 1 or not widths[0] >= widths[1] >= widths[2] >= 2:
        shown = ",".join(map(str, widths))
        raise InputError(f"widths {shown}: expected n0,n1,n2,n3,n4 with n0 >= n1 >= n2 >= 2")
    rng = random.Random(seed)
    for _ in range(N_TRIES):
        network = _candidate(widths, rng)
        parts = identifiable(network.truncate(1, 3)), identifiable(network.truncate(2, 4))
        if all(part.answer for part in parts):
            return NonLocalizable(network, *parts, identifiable(network))
    raise ExactReluError(f"no generic network among {N_TRIES}")


def _candidate(widths: tuple[int, ...], rng: random.Random) -> Network:
    height = 4 * max(widths) ** 2
    signs = (0, -1, -1, 0)
    weights = [
        [
            [(sign or rng.choice((-1, 1))) * rng.randint(1, height) for _ in range(n)]
            for _ in range(m)
        ]
        for sign, n, m in zip(signs, widths, widths[1:], strict=False)
    ]
    b_2 = [rng.randint(1, height) for _ in range(widths[2])]
    b_3 = [
        rng.randint(1, height) - sum(w * b for w, b in zip(row, b_2, strict=True))
        for row in weights[2]
    ]
    b_1, b_4 = ([rng.randint(-height, height) for _ in range(n)] for n in (widths[1], widths[4]))
    return Network.from_arrays(weights, [b_1, b_2, b_3, b_4], "non-localizable")
