"""Recover a network from queries (theory 5): architecture, weights and biases, then prove it.

The black box is only ever evaluated.  Depth and widths are found, not given.  If it is a
network, the result is compared with it afterwards, with a certificate.  If that gives a point at
which the two differ, in a thin or far region that no query met, the search goes on from there: the
point is counted as a counterexample.  Of any other black box it is claimed that the recovered
network gives all answers, and no more.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Unpack

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Verdict
from exactrelu.effort import Limits, Stopped
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import Vector
from exactrelu.network.network import Network
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.identifiability.second import second_networks
from exactrelu.questions.question import Call, question
from exactrelu.questions.recovery.discover import Discovery
from exactrelu.questions.recovery.layers import Assembly, Layered, NotLayered, other_choices
from exactrelu.questions.recovery.obstructions import (
    RecoveryObstruction,
    first_misfit,
    fits,
    from_layers,
    unseen,
    with_second,
)
from exactrelu.questions.recovery.queries import (
    STEPS,
    Affine,
    BlackBox,
    Oracle,
    scaled,
    steepest,
    unit,
)
from exactrelu.questions.recovery.rows import Folded, UnitRows, passed_through
from exactrelu.words import Words, count

#: Seconds for the proof that two networks are isomorphic, or equal.
PROOF_SECONDS = 60.0
#: How often the search goes on from an answer that the network which was found does not give.
MAX_MISFITS = 24
#: How often the search begins again, with other random lines, if no network gives all answers.
MAX_ATTEMPTS = 3
#: How often it goes on from a point that comparing with the original gave.
MAX_COUNTEREXAMPLES = 24
#: Answers at which the signs of neurons are looked at that the function does not show.
N_SAMPLES = 2000


@dataclass(frozen=True)
class FoundNeuron(Outward):
    """A neuron that was found: its layer, from 1, and a point of its boundary.

    ``hyperplane``: the boundary near the point, (a…, β) with a·x + β = 0.
    """

    layer: int
    point: Vector
    hyperplane: Affine


def _queries(found: Recovery, _: Words) -> Iterator[str]:
    n = found.n_parameters
    each = f" for {n} parameters, {found.n_queries / n:.0f} each" if n else ""
    yield f"  {found.n_queries} queries{each}"


def _compared(found: Recovery, _: Words) -> Iterator[str]:
    if found.n_counterexamples:
        n_points = count(found.n_counterexamples, "point")
        yield f"  {n_points} came from comparing an earlier result with the original"


def _open(found: Recovery, _: Words) -> Iterator[str]:
    for obstruction in found.obstructions:
        fits = "" if obstruction.second is None else " (a second network fits all answers)"
        yield f"  {obstruction.name}: {obstruction.description}{fits}"


@dataclass(frozen=True, eq=False, repr=False)
class Recovery(Verdict):
    """A verdict about a network that gives all answers of a black box.

    ``answer`` says whether it is proved to have the original's function; it is None for a black box
    that is no network, or over a bound.

    Attributes
    ----------
    network : Network or None
        What was recovered.
    n_queries : int
        How many answers it took.
    n_counterexamples : int
        How many points came from comparing with the original, not from the search.
    is_isomorphic : bool
        Whether it is the original up to permutation and positive scaling.
    obstructions : tuple of RecoveryObstruction
        What the answers leave open.
    """

    PARTS = (
        Part("n_queries", "how many answers it took", said=_queries),
        Part(
            "n_counterexamples",
            "how many points came from comparing with the original",
            said=_compared,
        ),
        Part(
            "network",
            "the network, or null",
            proved=lambda found: found.answer is not None,
            claim="b",
        ),
        Part(
            "is_isomorphic",
            "whether it is the original up to permutation and positive scaling",
            proved=lambda found: found.is_isomorphic,
            claim="holds",
            unproved=lambda found: (
                "that it is not isomorphic" if found.answer and not found.is_isomorphic else ""
            ),
        ),
        Part(
            "obstructions",
            "what the answers leave open: `name`, `description`, and a `second` network that fits "
            "them too, or null",
            said=_open,
            unproved="what the function does not show",
        ),
        Part(
            "neurons",
            "of a search that was stopped: neurons by `layer`, with a `point` of the boundary and "
            "the `hyperplane` there",
        ),
    )

    network: Network | None = None
    n_queries: int = 0
    #: Points that came from comparing with the original, not from the search.
    n_counterexamples: int = 0
    is_isomorphic: bool = False
    obstructions: tuple[RecoveryObstruction, ...] = ()
    #: Over a bound: what was found until then, in the order of the layers.
    neurons: tuple[FoundNeuron, ...] = ()
    #: Of the original, if it is a network.
    n_parameters: int | None = None


@question(plain="recovery")
def recover(
    call: Call[Recovery],
    black_box: Network | BlackBox,
    n_inputs: int | None = None,
    *,
    seed: int = 0,
    max_counterexamples: int = MAX_COUNTEREXAMPLES,
    **limits: Unpack[Limits],
) -> Recovery:
    """The network behind a black box, from its answers alone, then proved.

    Parameters
    ----------
    black_box : Network or callable
        A function from a tuple of rationals to exact outputs; a network is only evaluated, and
        compared with the result at the end.
    n_inputs : int, optional
        The number of inputs, if it is not a network.
    seed : int, optional
        The same seed gives the same result.
    max_counterexamples : int, optional
        How often the search goes on from a point where a network differs from the result; 0 makes
        it queries alone.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Recovery
        A verdict with ``network``, ``n_queries``, ``is_isomorphic`` and ``obstructions``, what the
        answers leave open.  The answer is None for a black box that is no network: no more is
        claimed than its answers.

    Notes
    -----
    ``max_queries`` bounds the number of questions.

    References
    ----------
    Rolnick & Kording, *Reverse-engineering deep ReLU networks*, Appendices B and C, repaired.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1, 2], [3, -1]], [[1, -2]]], [[1, -1], [5]])
    >>> found = er.recover(net)
    >>> found.network.widths, found.answer, found.is_isomorphic
    ((2, 2, 1), True, True)
    >>> er.recover(lambda x: [max(0, x[0] + x[1]) - x[0]], 2).network.widths
    (2, 3, 1)
    """
    effort = call.effort
    if isinstance(black_box, Network):
        black_box = call.plain(black_box)
    oracle = Oracle.of(black_box, n_inputs, effort)
    original = black_box if isinstance(black_box, Network) else None
    run = _RecoveryRun(original, oracle, max_counterexamples)
    call.knows(run.so_far)
    found = run.attempt(seed)
    for other in range(1, MAX_ATTEMPTS):
        if found.misfit is None:
            break
        found = run.attempt(seed + 1000 * other)
    run.judged = found.recovery
    for obstruction in run.obstructions(found):
        run.named.append(run.tested(obstruction))
    return replace(found.recovery, obstructions=tuple(run.named))


@dataclass(frozen=True)
class _AttemptEnd:
    """What one attempt ended with; ``misfit``: a query to which the network has another answer."""

    recovery: Recovery
    model: _RecoveredModel
    misfit: Vector | None = None


class _RecoveryRun:
    """Attempts to recover a black box; ``original`` is what the result is compared with."""

    def __init__(self, original: Network | None, oracle: Oracle, max_counterexamples: int) -> None:
        self.original = original
        self.oracle = oracle
        self.max_counterexamples = max_counterexamples
        self.n_counterexamples = 0
        self.search = Discovery(oracle, random.Random(0))
        #: A network that gives all answers, until another query is asked; and what is open of it.
        self.judged: Recovery | None = None
        self.named: list[RecoveryObstruction] = []

    def so_far(self, stopped: Stopped) -> Recovery:
        """What is known when the work is stopped."""
        exhausted = RecoveryObstruction("budget exhausted", f"{self.n_queries} queries were asked")
        obstructions = (*self.named, exhausted)
        if self.judged is not None and self.judged.answer is not None:
            return replace(self.judged, obstructions=obstructions)
        known = sorted(self.search.traced, key=lambda t: t.level)
        counts = Counter(t.level for t in known)
        layers = ", ".join(f"{n} of layer {k}" for k, n in counts.items())
        text = f"{len(known)} neurons found so far{f' ({layers})' if known else ''}"
        if self.judged is not None:
            text = self.judged.reason
        return Recovery.undecided(
            stopped,
            text,
            network=None if self.judged is None else self.judged.network,
            n_queries=self.n_queries,
            n_counterexamples=self.n_counterexamples,
            obstructions=obstructions,
            neurons=tuple(FoundNeuron(t.level, t.spot.x, t.spot.a) for t in known),
            n_parameters=self.n_parameters,
        )

    @property
    def n_parameters(self) -> int | None:
        """Of the original, if it is a network."""
        return None if self.original is None else self.original.n_parameters

    @property
    def n_queries(self) -> int:
        return self.oracle.n_queries

    def attempt(self, seed: int) -> _AttemptEnd:
        """Search with other random lines, from points that do not fit too."""
        self.search = Discovery(self.oracle, random.Random(seed))
        through: Vector | None = None
        n_misfits = 0
        while True:
            self.judged = None
            model = _RecoveredModel.of(self.search.run(through), self.oracle)
            found = self._judged(model)
            if found.misfit is not None and found.misfit != through and n_misfits < MAX_MISFITS:
                through = found.misfit
                n_misfits += 1
            elif (
                found.recovery.witness is not None
                and self.n_counterexamples < self.max_counterexamples
            ):
                through = found.recovery.witness
                self.n_counterexamples += 1
            else:
                return found

    def _judged(self, model: _RecoveredModel) -> _AttemptEnd:
        network, original = model.network, self.original
        shape = f"a network of widths {'-'.join(map(str, network.widths))}"
        found = Recovery(
            None,
            f"{shape} gives all {self.n_queries} answers; no more is claimed of a black box",
            network=network,
            n_queries=self.n_queries,
            n_counterexamples=self.n_counterexamples,
            n_parameters=self.n_parameters,
        )
        if original is not None:
            effort = self.oracle.effort
            same = isomorphic(original, network, effort=effort.part(seconds=PROOF_SECONDS))
            if same.answer is None:
                effort.spend()
            if same.answer:
                proved = replace(
                    found,
                    answer=True,
                    reason=f"{shape}, isomorphic to the original",
                    certificate=same.certificate,
                    is_isomorphic=True,
                )
                return _AttemptEnd(proved, model)
        misfit = first_misfit(network, self.oracle.answers, self.oracle.effort)
        if misfit is not None:
            reason = "no network was found that gives all answers"
            found = replace(found, reason=reason, network=None)
            return _AttemptEnd(found, model, misfit[0])
        self.judged = replace(
            found, reason=f"{shape} gives all {self.n_queries} answers; it was not compared yet"
        )
        if original is not None:
            found = self._compared(found, original, network, shape)
        return _AttemptEnd(found, model)

    def _compared(
        self, found: Recovery, original: Network, network: Network, shape: str
    ) -> Recovery:
        """Whether a network that gives all answers is the same function."""
        effort = self.oracle.effort
        equal = equivalent(original, network, effort=effort.part(seconds=PROOF_SECONDS))
        if equal.answer is None:
            effort.spend()
        if equal.answer is None:
            reason = f"{shape} that gives all answers; {equal.reason}"
        elif equal.answer:
            reason = f"{shape}, the same function as the original, not isomorphic to it"
        else:
            reason = f"{shape} that gives all answers, but differs from the original at the witness"
        return replace(
            found,
            answer=equal.answer,
            reason=reason,
            witness=equal.witness,
            certificate=equal.certificate,
        )

    def tested(self, obstruction: RecoveryObstruction) -> RecoveryObstruction:
        """With a second network only if that gives all answers, as the original does."""
        second = obstruction.second
        if second is None or second is self.original:
            return obstruction
        if first_misfit(second, self.oracle.answers, self.oracle.effort) is None:
            return obstruction
        return replace(obstruction, second=None, certificate=None)

    def obstructions(self, found: _AttemptEnd) -> Iterator[RecoveryObstruction]:
        """What is left open, by name."""
        recovery, model, original = found.recovery, found.model, self.original
        # Of a network that does not give all answers nothing is told but why it is not found.
        named = [] if found.misfit is not None else [*model.obstructions(self.oracle)]
        if found.misfit is not None and model.why_not:
            named.append(RecoveryObstruction("layers not determined", model.why_not))
        if not recovery.answer:
            named += _unresolved(model.folded)
        if recovery.witness is not None:
            text = "no query came to where the functions differ"
            named.append(RecoveryObstruction("not all seen", text, original, recovery.certificate))
        is_open = recovery.answer is False or found.misfit is not None
        if original is None or is_open or recovery.is_isomorphic:
            yield from named
            return
        # The original is a second network that gives all answers, whatever else is.
        yield from (replace(o, second=o.second or original) for o in named)
        answers = self.oracle.answers
        some = [x for x, _ in answers[:: 1 + len(answers) // N_SAMPLES]]
        n = self.oracle.n_inputs
        spots = [t.spot for t in model.folded.traced]
        across = [(p.x, scaled(STEPS[0], unit(n, steepest(p.a)))) for p in spots]
        is_proved = bool(recovery.answer)
        effort = self.oracle.effort
        yield from unseen(original, across, some, is_proved=is_proved, effort=effort)


@dataclass(frozen=True)
class _RecoveredModel:
    """The network of a folded model: in layers, or wider if its layers were not determined."""

    folded: Folded
    rows: UnitRows
    network: Network
    layered: Layered | None
    why_not: str

    @classmethod
    def of(cls, folded: Folded, oracle: Oracle) -> _RecoveredModel:
        rows = UnitRows.of(folded, oracle.n_inputs)
        try:
            layered = Assembly(rows.copy(), effort=oracle.effort).run().merged()
        except NotLayered as why:
            return cls(folded, rows, passed_through(rows), None, str(why))
        answers, effort = oracle.answers, oracle.effort
        if layered.ambiguous and not fits(layered.network, answers, effort):
            others = other_choices(rows, layered.ambiguous, effort)
            layered = next((o for o in others if fits(o.network, answers, effort)), layered)
        return cls(folded, rows, layered.network, layered, "")

    def obstructions(self, oracle: Oracle) -> Iterator[RecoveryObstruction]:
        """What the answers leave open."""
        if oracle.n_inputs == 1 and self.rows.depth:
            text = "with one input no boundary bends: a single hidden layer fits every function"
            yield RecoveryObstruction("depth of one input", text)
        if self.layered is not None:
            yield from from_layers(self.layered, self.rows, oracle)
            return
        text = f"{self.why_not}: the network passes on what it needs and is wider than it has to be"
        second = next(second_networks(self.network, effort=oracle.effort), None)
        yield with_second("layers not determined", text, second)


def _unresolved(folded: Folded) -> Iterator[RecoveryObstruction]:
    if folded.unresolved:
        n = len(folded.unresolved)
        why = ", ".join(sorted({reason for _, reason in folded.unresolved}))
        yield RecoveryObstruction("boundary not followed", f"{n} breakpoints have no neuron: {why}")
    if not folded.agrees:
        yield RecoveryObstruction("not all seen", "some answers do not fit what was found")
