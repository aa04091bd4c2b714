"""The senses in which a network can be generic, the question, and a nearby network that is.

=================== ==============================================================
masked-rank         theory 2.2b: all masked ranks are maximal
supertransversal    theory 2.2a: a face of codimension k lies in k bent hyperplanes
generic             both
non-proportional    Phuong & Lampert, Lemma A.11
general             Phuong & Lampert: masked-rank, non-proportional, and zero is no local
                    optimum value of a preactivation
=================== ==============================================================

A sense is a list of conditions, each a function from a question to a verdict, and holds if
all of them do.  The certificate of a yes has all conditions as facts; that of a no is the
certificate of the condition that fails.

The networks that are not generic in a sense lie on finitely many hypersurfaces (density:
theory 2.2), so a random small change leaves them.  All parameters are moved by random
multiples of a small power of 2, first by few of them, then by more, until every sense asked
for is certified.  The random numbers depend on the seed only.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Unpack

from flint import fmpq

from exactrelu.certificates.certificate import Certificate, Verdict, joined
from exactrelu.digits import say
from exactrelu.display import Shown
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import InputError, Unanswered
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain, DomainLike, formerly
from exactrelu.questions.complex import has_no_zero_optimum, is_supertransversal
from exactrelu.questions.genericity.bottleneck import generic_bottleneck
from exactrelu.questions.genericity.masked_rank import masked_rank
from exactrelu.questions.genericity.proportional import non_proportional

#: What is aimed at unless other senses are asked for.
PERTURBED_SENSES = ("generic",)
#: Parameters move by multiples of 2^−STEP_BITS.
STEP_BITS = 20
#: The number of tries; the last one moves parameters by up to 2.
TRIES = STEP_BITS


@dataclass(frozen=True)
class Question:
    """What is asked."""

    network: Network
    domain: Domain
    all_failures: bool


#: The witness of a no is a tuple of failures, each with ``text()`` and ``fields()``.
Condition = Callable[[Question, Effort], Verdict]


def _masked_rank(asked: Question, effort: Effort) -> Verdict:
    return masked_rank(asked.network, all_failures=asked.all_failures, effort=effort)


def _non_proportional(asked: Question, effort: Effort) -> Verdict:
    return non_proportional(asked.network, all_failures=asked.all_failures, effort=effort)


def _supertransversal(asked: Question, effort: Effort) -> Verdict:
    every = asked.all_failures
    return is_supertransversal(asked.network, asked.domain, all_failures=every, effort=effort)


def _no_zero_optimum(asked: Question, effort: Effort) -> Verdict:
    return has_no_zero_optimum(asked.network, asked.domain, effort=effort)


def _bottleneck(asked: Question, effort: Effort) -> Verdict | None:
    """The small test of three-layer bottlenecks, where it applies and decides."""
    if asked.all_failures or not asked.domain.is_everywhere:
        return None
    return generic_bottleneck(asked.network, effort=effort)


@dataclass(frozen=True)
class Sense:
    """The conditions, and a way to decide them all that may not apply."""

    conditions: tuple[Condition, ...]
    shortcut: Callable[[Question, Effort], Verdict | None] = field(default=lambda *_: None)


SENSES: Mapping[str, Sense] = MappingProxyType(
    {
        "generic": Sense((_masked_rank, _supertransversal), _bottleneck),
        "masked-rank": Sense((_masked_rank,)),
        "supertransversal": Sense((_supertransversal,)),
        "general": Sense((_masked_rank, _non_proportional, _no_zero_optimum)),
        "non-proportional": Sense((_non_proportional,)),
    }
)
DEFAULT_SENSE = "generic"


def _is_sense(given: object) -> bool:
    """Whether this is a sense, or a word that is neither a sense nor a domain."""
    if not isinstance(given, str) or given in ("R", "orthant"):
        return False
    is_word = given.replace("-", "").isalpha()
    return given in SENSES or (is_word and not os.path.exists(given))


@formerly("sense", _is_sense)
def is_generic(
    network: Network,
    domain: DomainLike = None,
    *,
    sense: str = DEFAULT_SENSE,
    all_failures: bool = False,
    **limits: Unpack[Limits],
) -> Verdict:
    """Whether the network is generic in a sense of ``SENSES``.

    Masked ranks and affine functions do not depend on the domain; faces are those in its
    relative interior (all of space by default), on a flat domain those of the restriction.  The
    witness of a no is the tuple of failures found: one, or with ``all_failures`` all of every
    condition.  Each condition has an equal share of the time that is left when it is its turn;
    one that is stopped leaves the others to be asked, as they may fail.

    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1, 0], [1, 0]], [[1, 2]]], [[0, 1], [0]])
    >>> er.is_generic(net).reason
    'rank(I1 W1) < 2 with I1={1,2}: -1·row 1 + 1·row 2 = 0'
    >>> er.is_generic(net, sense="supertransversal").answer
    True
    """
    effort = Effort.of(limits)
    if sense not in SENSES:
        raise InputError(f"sense {sense!r}: expected one of {', '.join(SENSES)}")
    place = Domain.of(domain, network.n_inputs)
    asked = Question(network, place, all_failures)
    verdict = SENSES[sense].shortcut(asked, effort)
    if verdict is not None:
        return verdict
    conditions = SENSES[sense].conditions
    verdicts: list[Verdict] = []

    def so_far(stopped: Stopped) -> Verdict:
        return _conjunction([*verdicts, Verdict.undecided(stopped)])

    try:
        with effort.knowing(so_far):
            for n_left, condition in zip(range(len(conditions), 0, -1), conditions, strict=True):
                effort.spend()
                verdicts.append(condition(asked, effort.part(share=1 / n_left)))
                if verdicts[-1].answer is False and not all_failures:
                    return verdicts[-1]
    except Stopped as stopped:
        return so_far(stopped)
    return _conjunction(verdicts)


def _conjunction(verdicts: list[Verdict]) -> Verdict:
    """All conditions together."""
    if len(verdicts) == 1:
        return verdicts[0]
    reason = "; ".join(verdict.reason for verdict in verdicts)
    failures = tuple(failure for verdict in verdicts for failure in verdict.witness or ())
    failing = [verdict for verdict in verdicts if verdict.answer is False]
    if failing:
        return Verdict(False, reason, failures, failing[0].certificate)
    if any(verdict.answer is None for verdict in verdicts):
        return Verdict(None, reason)
    facts = [v.certificate for v in verdicts if isinstance(v.certificate, Certificate)]
    return Verdict(True, reason, certificate=joined("facts", facts))


# --- A nearby generic network


@dataclass(frozen=True, repr=False)
class Perturbed(Outward, Shown):
    """A generic network, how far it is, and the verdict with certificate for each sense."""

    network: Network
    #: The largest absolute change of a parameter.
    distance: fmpq
    verdicts: Mapping[str, Verdict]


def _are_senses(given: object) -> bool:
    return isinstance(given, list | tuple) and all(isinstance(sense, str) for sense in given)


@formerly("senses", _are_senses)
def make_generic(
    network: Network,
    domain: DomainLike = None,
    *,
    senses: Sequence[str] = PERTURBED_SENSES,
    seed: int = 0,
    **limits: Unpack[Limits],
) -> Perturbed:
    """The network itself if it is generic on a domain in all ``senses``, or one nearby that is.

    The limits are for all tries together.  Over a limit no network is returned: this raises
    :class:`Unanswered`.

    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1, 0], [1, 0]], [[1, 2]]], [[0, 1], [0]])
    >>> found = er.make_generic(net, senses=["masked-rank"])
    >>> found.distance, found.verdicts["masked-rank"].answer
    (1/262144, True)
    """
    effort = Effort.of(limits)
    rng = random.Random(seed)
    candidate, distance = network, fmpq(0)
    for attempt in range(TRIES + 1):
        effort.spend()
        verdicts = _verdicts(candidate, senses, domain, effort)
        if all(verdict.answer for verdict in verdicts.values()):
            return Perturbed(candidate, distance, verdicts)
        undecided = [sense for sense, verdict in verdicts.items() if verdict.answer is None]
        if undecided:
            raise Unanswered(f"{undecided[0]}: {verdicts[undecided[0]].reason}")
        candidate, distance = _moved(network, rng, 4 << attempt)
    raise InputError(f"no generic network found within {say(distance)}")


def _verdicts(
    network: Network, senses: Sequence[str], domain: DomainLike, effort: Effort
) -> dict[str, Verdict]:
    """The verdicts up to the first that is not a yes."""
    verdicts: dict[str, Verdict] = {}
    for sense in senses:
        verdicts[sense] = is_generic(network, domain, sense=sense, effort=effort)
        if not verdicts[sense].answer:
            break
    return verdicts


def _moved(network: Network, rng: random.Random, n_steps: int) -> tuple[Network, fmpq]:
    """Every parameter moved by at most n_steps multiples, and the largest change."""
    largest = 0
    layers = []
    for layer in network.layers:
        entries = layer.affine.flint.entries()
        changes = [rng.randint(-n_steps, n_steps) for _ in entries]
        largest = max(largest, *map(abs, changes))
        moved = (x + fmpq(c, 1 << STEP_BITS) for x, c in zip(entries, changes, strict=True))
        layers.append(Layer(Matrix.from_entries(*layer.affine.shape, moved)))
    return Network(tuple(layers), network.name, network.neuron_names), fmpq(largest, 1 << STEP_BITS)
