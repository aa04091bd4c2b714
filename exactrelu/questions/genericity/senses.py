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

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, Unpack

from flint import fmpq

from exactrelu.answer import Names, Part
from exactrelu.certificates.certificate import Certificate, Found, Verdict, all_of, joined
from exactrelu.digits import say
from exactrelu.effort import Effort, Limits
from exactrelu.errors import InputError, Unanswered, require_word
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward
from exactrelu.network.network import Layer, Network, PlainNetwork
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.faces import Failing, has_no_zero_optimum, is_supertransversal
from exactrelu.questions.genericity.bottleneck import generic_bottleneck
from exactrelu.questions.genericity.masked_rank import masked_rank
from exactrelu.questions.genericity.proportional import non_proportional
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words

#: What ``is_generic`` may be asked for.
GenericSense = Literal["generic", "masked-rank", "supertransversal", "general", "non-proportional"]

#: What is aimed at unless other senses are asked for.
PERTURBED_SENSES: tuple[GenericSense, ...] = ("generic",)
#: Parameters move by multiples of 2^−STEP_BITS.
STEP_BITS = 20
#: The number of tries; the last one moves parameters by up to 2.
TRIES = STEP_BITS


@dataclass(frozen=True)
class GenericityQuestion:
    """What is asked."""

    network: PlainNetwork
    domain: Domain
    all_failures: bool


#: The witness of a no is a tuple of failures, each with ``text()`` and ``fields()``.
Condition = Callable[[GenericityQuestion, Effort], Verdict]


def _masked_rank(asked: GenericityQuestion, effort: Effort) -> Verdict:
    return masked_rank(asked.network, all_failures=asked.all_failures, effort=effort)


def _non_proportional(asked: GenericityQuestion, effort: Effort) -> Verdict:
    return non_proportional(asked.network, all_failures=asked.all_failures, effort=effort)


def _supertransversal(asked: GenericityQuestion, effort: Effort) -> Verdict:
    every = asked.all_failures
    return is_supertransversal(asked.network, asked.domain, all_failures=every, effort=effort)


def _no_zero_optimum(asked: GenericityQuestion, effort: Effort) -> Verdict:
    return has_no_zero_optimum(asked.network, asked.domain, effort=effort)


def _bottleneck(asked: GenericityQuestion, effort: Effort) -> Verdict | None:
    """The small test of three-layer bottlenecks, where it applies and decides."""
    if asked.all_failures or not asked.domain.is_everywhere:
        return None
    return generic_bottleneck(asked.network, effort=effort)


@dataclass(frozen=True)
class SenseConditions:
    """The conditions, and a way to decide them all that may not apply."""

    conditions: tuple[Condition, ...]
    shortcut: Callable[[GenericityQuestion, Effort], Verdict | None] = field(
        default=lambda *_: None
    )


SENSES: Mapping[GenericSense, SenseConditions] = MappingProxyType(
    {
        "generic": SenseConditions((_masked_rank, _supertransversal), _bottleneck),
        "masked-rank": SenseConditions((_masked_rank,)),
        "supertransversal": SenseConditions((_supertransversal,)),
        "general": SenseConditions((_masked_rank, _non_proportional, _no_zero_optimum)),
        "non-proportional": SenseConditions((_non_proportional,)),
    }
)
DEFAULT_SENSE: GenericSense = "generic"


def _proved(found: Genericity) -> Names:
    """Of a single failure, what its certificate proves; it is about the first."""
    return found.failures[0].PROVED if len(found.failures) == 1 else ()


def _computed(found: Genericity) -> str:
    """Of a failure, what no certificate proves."""
    if found.lists_all and len(found.failures) > 1:
        return "all failures but one"
    return found.failures[0].COMPUTED if found.failures else ""


def _said(found: Genericity, _: Words) -> list[str]:
    """All failures, if they were asked for: the first stands in the reason."""
    return [failure.text() for failure in found.failures] if found.lists_all else []


@dataclass(frozen=True, eq=False, repr=False)
class Genericity(Failing):
    """Whether a network is generic in a ``sense``, with all failures if they were asked for."""

    PARTS = (
        Part("sense", "the sense"),
        Part(
            "failures",
            "what is violated, each with its `condition`: `masked-rank` has `layers`, `masks`, "
            "`expected_rank` and `kernel`; `supertransversal` `neurons`, `dimension`, `point` and "
            "`dependency`; `non-proportional` `units`; `zero-optimum` `neuron`, `kind`, "
            "`dimension` and `point`",
            proved=_proved,
            said=_said,
            unproved=_computed,
        ),
    )

    sense: GenericSense = "generic"
    lists_all: bool = False


@question(plain="genericity")
def is_generic(
    call: Call[Genericity],
    network: Network,
    domain: DomainLike = None,
    *,
    sense: GenericSense = "generic",
    all_failures: bool = False,
    **limits: Unpack[Limits],
) -> Genericity:
    """Whether a network is generic, in a sense of the papers.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    sense : str, optional
        ``"supertransversal"``, ``"masked-rank"``, ``"generic"`` (both), ``"non-proportional"`` or
        ``"general"`` (Phuong & Lampert).
    all_failures : bool, optional
        Not only the first thing that fails, but all of every condition.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Genericity
        The ``witness`` of a no: the failures that were found.

    Notes
    -----
    Masked ranks are exponential in the number of hidden neurons (``max_masks``), faces in the
    number of inputs (``max_faces``).  Only faces depend on the domain.

    References
    ----------
    *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), Lemma 9; Phuong & Lampert,
    *Functional vs. parametric equivalence of ReLU networks*, Section 3.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.is_generic(er.load("example:identifiable")).answer
    True
    >>> net = er.Network.from_arrays([[[1, 0], [1, 0]], [[1, 2]]], [[0, 1], [0]])
    >>> er.is_generic(net).answer, er.is_generic(net, sense="supertransversal").answer
    (False, True)
    """
    effort = call.effort
    network = call.plain(network)
    require_word(sense, SENSES, "sense")
    asked = GenericityQuestion(network, call.place, all_failures)

    def told(verdict: Verdict) -> Genericity:
        return Genericity.of(verdict, sense=sense, lists_all=all_failures)

    verdicts: list[Verdict] = []
    call.knows(lambda stop: told(_conjunction([*verdicts, Verdict.undecided(stop)])))
    verdict = SENSES[sense].shortcut(asked, effort)
    if verdict is not None:
        return told(verdict)
    conditions = SENSES[sense].conditions
    for n_left, condition in zip(range(len(conditions), 0, -1), conditions, strict=True):
        effort.spend()
        verdicts.append(condition(asked, effort.part(share=1 / n_left)))
        if verdicts[-1].answer is False and not all_failures:
            return told(verdicts[-1])
    return told(_conjunction(verdicts))


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
class Perturbed(Outward, Found):
    """A generic network, how far it is, and the verdict with certificate for each sense."""

    PARTS = (
        Part(
            "distance",
            "with `--perturb`: how far a parameter moved at most",
            unproved="how far they moved",
        ),
        Part("sense", "the sense, or several", proved=True, claim="kind"),
    )

    network: Network
    #: The largest absolute change of a parameter.
    distance: fmpq
    verdicts: Mapping[GenericSense, Verdict]

    @property
    def sense(self) -> str:
        """In which senses it is generic."""
        return ", ".join(self.verdicts)

    def sentence(self, words: Words = PEOPLE) -> str:
        """In which senses, and how far it is."""
        moved = words.said(self.distance)
        return f"{self.sense}{words.where}; parameters moved by at most {moved}"

    @property
    def certificate(self) -> Certificate | None:
        """That the network is generic, in each sense."""
        return all_of(verdict.certificate for verdict in self.verdicts.values())


@question(plain="genericity")
def make_generic(
    call: Call[Perturbed],
    network: Network,
    domain: DomainLike = None,
    *,
    senses: Sequence[GenericSense] = ("generic",),
    seed: int = 0,
    **limits: Unpack[Limits],
) -> Perturbed:
    """The network itself if it is generic, or one nearby that is.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    senses : sequence of str, optional
        Those of :func:`is_generic`; all of them are to hold.
    seed : int, optional
        The same seed gives the same result.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Perturbed
        ``network``, its ``distance`` (the largest change of a parameter), and ``verdicts`` by
        sense.

    Raises
    ------
    Unanswered
        Over a bound, which is for all tries together.

    References
    ----------
    *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), Lemma 9: generic networks are
    dense.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1, 0], [1, 0]], [[1, 2]]], [[0, 1], [0]])
    >>> found = er.make_generic(net, senses=["masked-rank"])
    >>> found.verdicts["masked-rank"].answer, found.distance < er.matrices.rational("1/1000")
    (True, True)
    """
    effort = call.effort
    network = call.plain(network)
    rng = random.Random(seed)
    candidate: Network = network
    distance = fmpq(0)
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
    network: Network, senses: Sequence[GenericSense], domain: DomainLike, effort: Effort
) -> dict[GenericSense, Verdict]:
    """The verdicts up to the first that is not a yes."""
    verdicts: dict[GenericSense, Verdict] = {}
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
