"""Is a network identifiable: does its function determine it up to permutation and scaling?

*No* comes with a second network: same widths, same function, not isomorphic, by signs and bounds of
weights (:mod:`~exactrelu.questions.identifiability.second`) or on a line of networks, at any depth
(:mod:`~exactrelu.questions.identifiability.lines`).  *Yes* is among all networks of the same
widths, for one hidden layer by an exhaustive search
(:mod:`~exactrelu.questions.identifiability.shallow`), for three-layer bottlenecks by the sign
theorem (:mod:`~exactrelu.questions.identifiability.signs`), whose conditions hold for generic
networks, and for other networks with two hidden layers by their bends.  For any depth, any widths
and any domain D with interior it is among the networks in general position on D, by tracks
(:mod:`~exactrelu.questions.identifiability.peeling`); and a network in the class of Phuong &
Lampert's theorem (:mod:`~exactrelu.questions.folds.theorem_class`) is identifiable among those that
are general on D.  A second network on R^n is one on every D; the converse is false, so a yes on R^n
says nothing about D.

On a flat D no network is identifiable.  An equation of D can be added to any row of the first
layer, and then the row is on another ray, so that no permutation and scaling takes it back; unless
the row is a multiple of the equation, then it is 0 on D and can be turned around.

Everything else is undecided; then the functional dimension may still show that the network is
*locally* identifiable, or kinks show it of single neurons
(:mod:`~exactrelu.questions.identifiability.settled`).

Parts may be identifiable where the whole is not (theory 3.8).  Four layers, n_0 ≥ n_1 ≥ n_2 ≥ 2:
W_2 and W_3 are negative and b_2 and b_3 positive, so that layers 1–3 and 2–4 are identifiable by
the sign theorem.  The second layer takes values in [0, b_2], and b_3 ≥ |W_3|·b_2: the neurons of
layer 3 never vanish, and b_3 + δ with b_4 − W_4·δ is the same function.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from typing import Unpack

from exactrelu.certificates.certificate import Certificate, Found, Verdict, all_of
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import ExactReluError, InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector
from exactrelu.network.network import Layer, Network, PlainNetwork
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.folds.construction import forecast
from exactrelu.questions.folds.theorem_class import has_widths_of_class, is_in_theorem_class
from exactrelu.questions.genericity.bottleneck import is_bottleneck
from exactrelu.questions.genericity.senses import is_generic
from exactrelu.questions.identifiability.beside import Identifiability, told
from exactrelu.questions.identifiability.functional_dimension import (
    MAX_PARAMETERS,
    FunctionalDimension,
    functional_dimension,
)
from exactrelu.questions.identifiability.lines import seconds_on_lines
from exactrelu.questions.identifiability.peeling import NotShown, track_proof
from exactrelu.questions.identifiability.second import (
    Second,
    obstructions,
    second_network,
    second_networks,
)
from exactrelu.questions.identifiability.settled import NeuronSearch, SettledNeurons, all_determined
from exactrelu.questions.identifiability.shallow import shallow_verdict
from exactrelu.questions.identifiability.signs import sign_proof
from exactrelu.questions.injectivity.constructions import WIDTHS
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words

#: Second networks that are tried until one is generic, where the network is.
N_SECONDS = 6
#: Beyond this many hidden neurons the second network is taken as it comes.
MAX_GENERIC = 12
#: Networks that are tried for :func:`non_localizable`; the first is nearly always generic.
N_TRIES = 50
#: The part of the time for second networks and theorems; of what is then left, that for the
#: neurons that are settled; and of what is left after that, for the functional dimension.
SHARE_OF_THEOREMS = 0.6
SHARE_OF_SETTLED = 0.5
SHARE_OF_DIMENSION = 0.5
#: The part of the time of theorems for tracks, and of what is then left for lines of networks.
SHARE_OF_TRACKS = 0.5
SHARE_OF_LINES = 0.4
#: The part of the time that is left for the question whether a second network is generic.
SHARE_OF_GENERIC = 0.3

SIGNS = (
    "every network of these widths with its function is this one up to order and scaling, "
    "by the signs of [W2|b2]"
)


@dataclass(frozen=True)
class Undecided:
    """What is known of a network that is not decided."""

    identifiable_if_generic: bool | None
    dimension: FunctionalDimension | None
    settled: SettledNeurons


@question(plain="identifiability")
def identifiable(
    call: Call[Identifiability],
    network: Network,
    domain: DomainLike = None,
    **limits: Unpack[Limits],
) -> Identifiability:
    """Whether the function of a network determines its parameters up to permutation and scaling.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Identifiability
        The ``witness`` of a no is another network with the same function that is not isomorphic,
        and ``second_in_general_position`` says whether it is.  ``locally_identifiable`` is about
        networks near by, ``settled`` about single neurons.

    Notes
    -----
    A yes is among all networks of the same widths for one hidden layer, for bottlenecks and many
    other networks of two; for any depth and any domain it is among those *in general position*, and
    on a domain there is the class of :func:`is_in_theorem_class`: ``among`` says which.  A no may
    be found for any depth.
    ``max_regions`` bounds the search.

    References
    ----------
    *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), Theorem 5; Phuong & Lampert,
    *Functional vs. parametric equivalence of ReLU networks*, Theorem A.1; both repaired.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.is_identifiable(er.load("example:identifiable")).answer
    True
    >>> net = er.Network.from_arrays([[[1, 0], [0, 1]], [[1, -1]], [[1]]], [[0, 0], [-1], [0]])
    >>> verdict = er.is_identifiable(net)
    >>> verdict.reason
    'neuron (1,1) is hidden: its bias moves by 1'
    >>> er.is_equivalent(net, verdict.witness).answer
    True
    """
    effort = call.effort
    network = call.plain(network)
    known = _Known(network, call.place, effort)
    call.knows(known.so_far)
    verdict = _in_part(known, effort, domain is not None)
    return known.undecided() if verdict is None else known.decided(verdict)


class _Known:
    """What is known of a network while it is not decided."""

    def __init__(self, network: PlainNetwork, place: Domain, effort: Effort) -> None:
        self.network, self.place, self._effort = network, place, effort
        #: Why no theorem decides it, as far as this was found out.
        self.reason = ""
        self.if_generic: bool | None = None
        self._search = NeuronSearch(network, place, effort)
        self._dimension: FunctionalDimension | None = None
        self._answer: Identifiability | None = None

    def decided(self, verdict: Verdict) -> Identifiability:
        """A yes or a no, with what is found out beside it."""
        said = verdict.answer, verdict.reason, verdict.witness, verdict.certificate
        self._answer = Identifiability(*said)
        return told(verdict, self.network, self.place, self._effort)

    def undecided(self) -> Identifiability:
        """All that can be said without a theorem."""
        is_bounded = self._effort.seconds_left() is not None
        # The neurons are quicker; with all the time there is, the dimension may settle them.
        for step in (self._settle, self._measure) if is_bounded else (self._measure, self._settle):
            self._effort.spend()
            step()
        self._effort.spend()
        certificate = None if self._dimension is None else self._dimension.lower_certificate
        return self._verdict(self.reason, certificate)

    def _settle(self) -> None:
        if self._dimension is None or not self._dimension.is_locally_identifiable:
            part = self._effort.part(share=SHARE_OF_SETTLED)
            self._search = NeuronSearch(self.network, self.place, part)
            with suppress(Stopped):
                self._search.run()

    def _measure(self) -> None:
        if self.network.n_parameters <= MAX_PARAMETERS:
            part = self._effort.part(share=SHARE_OF_DIMENSION)
            self._dimension = functional_dimension(self.network, self.place, effort=part)

    def so_far(self, stopped: Stopped) -> Identifiability:
        """What would be said if it were stopped now; there is no time for a certificate."""
        if self._answer is not None:
            return self._answer
        why = f"{stopped}: {self.reason}" if self.reason else str(stopped)
        return self._verdict(why, None)

    def _verdict(self, reason: str, certificate: Certificate | None) -> Identifiability:
        dimension = self._dimension
        settled = self._search.found
        if dimension is not None:
            is_local = dimension.is_locally_identifiable
            meaning = "locally identifiable" if is_local else "nothing follows locally"
            reason = f"{reason}; {dimension.text()}: {meaning}"
            settled = all_determined(self.network) if is_local else settled
        known = Undecided(self.if_generic, dimension, settled)
        is_full = dimension is not None and dimension.is_locally_identifiable is True
        is_free = self.place.is_flat or settled.is_free
        locally = True if is_full else (False if is_free else None)
        return Identifiability(
            None, reason, known, certificate, locally_identifiable=locally, settled=settled
        )


def _in_part(known: _Known, effort: Effort, is_on_domain: bool) -> Verdict | None:
    """The same in a part of the time: the rest is for what is known without an answer."""
    try:
        return _decided(known, effort.part(share=SHARE_OF_THEOREMS), is_on_domain)
    except Stopped as stopped:
        effort.spend()
        known.reason = f"{stopped}: {known.reason}" if known.reason else str(stopped)
        return None


def _decided(known: _Known, effort: Effort, is_on_domain: bool) -> Verdict | None:
    """The answer if a second network or a theorem gives one; else why not is noted."""
    network, place = known.network, known.place
    second = _best(network, place, effort)
    if second is not None:
        where = "" if place.is_everywhere else ", on all of space"
        return Verdict(False, second.reason + where, second.network, second.certificate)
    if place.is_flat:
        return _on_flat(known, effort)
    if len(network.layers) == 2:
        known.reason = "too many neurons to decide"
        return shallow_verdict(network, place, second_network, effort)
    if is_on_domain and has_widths_of_class(network.widths):
        found = is_in_theorem_class(network, place, effort=effort)
        if found.answer:
            return found
    if place.is_everywhere and is_bottleneck(network):
        known.if_generic = not obstructions(network)
        proof = sign_proof(network, effort) if known.if_generic else None
        if proof is not None:
            return Verdict(True, SIGNS, certificate=proof)
    tracked = _by_tracks(known, effort)
    return _by_lines(known, effort) if tracked is None else tracked


def _by_tracks(known: _Known, effort: Effort) -> Verdict | None:
    """A yes for any depth, any widths and any domain with interior, from the kinks of f."""
    try:
        part = effort.part(share=SHARE_OF_TRACKS)
        reason, certificate = track_proof(known.network, known.place, part)
    except (NotShown, Stopped) as why:
        effort.spend()
        known.reason = str(why)
        return None
    where = "" if known.place.is_everywhere else ", on the domain"
    return Verdict(True, reason + where, certificate=certificate)


def _by_lines(known: _Known, effort: Effort) -> Verdict | None:
    """A no for any depth: a second network on a line."""
    moved = _on_line(known.network, known.place, effort)
    if moved is None:
        return None
    where = "" if known.place.is_everywhere else ", on the domain"
    return Verdict(False, moved.reason + where, moved.network, moved.certificate)


def _best(network: Network, place: Domain, effort: Effort) -> Second | None:
    """A second network, a generic one if the network is generic and small."""
    seconds = islice(second_networks(network, place, effort), N_SECONDS)
    first = next(seconds, None)
    if first is None or network.n_hidden_neurons > MAX_GENERIC or not is_bottleneck(network):
        return first
    with suppress(Stopped):
        for second in chain([first], seconds):
            effort.spend()
            part = effort.part(share=SHARE_OF_GENERIC)
            if is_generic(second.network, effort=part).answer:
                return second
    return first


def _on_line(network: PlainNetwork, place: Domain, effort: Effort) -> Second | None:
    """A second network on a line, if one is found in a part of the time."""
    return effort.tried(
        lambda part: next(seconds_on_lines(network, place, part), None), share=SHARE_OF_LINES
    )


def _on_flat(known: _Known, effort: Effort) -> Verdict | None:
    """A network with another row in the first layer that is the same on the affine hull."""
    network, place = known.network, known.place
    first = network.layers[0].affine.flint_rows()
    for i, moved, reason in _moved_rows(network, place):
        rows = Matrix([*first[:i], moved, *first[i + 1 :]])
        second = Network((Layer(rows), *network.layers[1:]), network.name)
        effort.spend()
        # On the affine hull both are the same network.
        same = ("by rewriting", "result")
        certificate = second_network(network, place, second, same, effort)
        if certificate is not None:
            return Verdict(False, reason, second, certificate)
    known.reason = "other rows with the same values on the domain were not told apart"
    return None


def _moved_rows(network: Network, place: Domain) -> Iterator[tuple[int, Vector, str]]:
    """Rows of the first layer, changed by what is 0 on the domain, and how."""
    on_hull = place.restricted(network).layers[0].affine.flint_rows()
    for i, row in enumerate(network.layers[0].affine.flint_rows()):
        for equation in place.flint_equations:
            moved = tuple(a + e for a, e in zip(row, equation, strict=True))
            yield i, moved, f"an equation of the domain was added to row {i + 1} of the first layer"
        if not any(on_hull[i]):
            turned = tuple(-a for a in row)
            yield i, turned, f"row {i + 1} of the first layer is 0 on the domain and was negated"


@dataclass(frozen=True, repr=False)
class NonLocalizable(Found):
    """The network, and the verdicts about layers 1–3, layers 2–4, and all of them."""

    PARTS = (WIDTHS,)

    network: Network
    first: Verdict
    second: Verdict
    whole: Verdict

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        """The three verdicts by name."""
        return {"layers-1-3": self.first, "layers-2-4": self.second, "layers-1-4": self.whole}

    @property
    def certificate(self) -> Certificate | None:
        """All three verdicts."""
        return all_of(verdict.certificate for verdict in self.verdicts.values())

    def sentence(self, _words: Words = PEOPLE) -> str:
        """What is proved."""
        return "consecutive parts are identifiable, the network is not"

    def said(self, _words: Words) -> list[str]:
        """The three verdicts."""
        parts = (("1–3", "", self.first), ("2–4", "", self.second), ("1–4", "not ", self.whole))
        return [f"  layers {n}: {no}identifiable, {found.reason}" for n, no, found in parts]


@question
def non_localizable(
    call: Call[NonLocalizable], widths: tuple[int, ...], *, seed: int = 0, **limits: Unpack[Limits]
) -> NonLocalizable:
    """A network whose first three and last three layers are identifiable, but not the whole.

    Parameters
    ----------
    widths : tuple of int
        (n_0, n_1, n_2, n_3, n_4) with n_0 ≥ n_1 ≥ n_2 ≥ 2.
    seed : int, optional
        The same seed gives the same result.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    NonLocalizable
        ``network``, and the verdicts ``first``, ``second`` and ``whole``.

    Raises
    ------
    Stopped
        Over a bound.

    References
    ----------
    *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), Section 7.

    Examples
    --------
    >>> import exactrelu as er
    >>> found = er.identifiability.non_localizable((2, 2, 2, 2, 1))
    >>> found.first.answer, found.second.answer, found.whole.answer
    (True, True, False)
    """
    if len(widths) != 5 or min(widths) < 1 or not widths[0] >= widths[1] >= widths[2] >= 2:
        shown = ",".join(map(str, widths))
        raise InputError(f"widths {shown}: expected n0,n1,n2,n3,n4 with n0 >= n1 >= n2 >= 2")
    effort = call.effort
    forecast(widths, effort)
    rng = random.Random(seed)
    for _ in range(N_TRIES):
        network = _candidate(widths, rng)
        first = identifiable(network.truncate(1, 3), effort=effort)
        effort.spend()
        second = identifiable(network.truncate(2, 4), effort=effort)
        effort.spend()
        if first.answer and second.answer:
            whole = identifiable(network, effort=effort)
            effort.spend()
            return NonLocalizable(network, first, second, whole)
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
