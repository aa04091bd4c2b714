"""Recover a network from queries (theory 5): architecture, weights and biases, then prove it.

The black box is only ever evaluated.  Depth and widths are found, not given.  If it is a
network, the result is compared with it afterwards, with a certificate.  If that gives a point at
which the two differ, in a thin or far region that no query met, the search goes on from there: the
point is counted as a counterexample.  Of any other black box it is claimed that the recovered
network gives all answers, and no more.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from exactrelu.exact.scalar import Vector
from exactrelu.network.network import Network
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.isomorphism import isomorphic
from exactrelu.questions.recovery.discover import Discovery
from exactrelu.questions.recovery.layers import Assembly, Layered, NotLayered
from exactrelu.questions.recovery.lines import STEPS
from exactrelu.questions.recovery.obstructions import Obstruction, first_misfit, from_layers
from exactrelu.questions.recovery.oracle import BlackBox, Exhausted, Oracle
from exactrelu.questions.recovery.passed import passed_through
from exactrelu.questions.recovery.rows import Folded, Rows
from exactrelu.questions.recovery.unseen import unseen
from exactrelu.questions.recovery.vectors import scaled, steepest, unit
from exactrelu.verdict import Verdict

#: Seconds for the proof that two networks which are not isomorphic are equal.
PROOF_SECONDS = 60.0
#: How often the search goes on from an answer that the network which was found does not give.
MAX_MISFITS = 24
#: How often it goes on from a point that comparing with the original gave.
MAX_COUNTEREXAMPLES = 24
#: Answers at which the signs of neurons are looked at that the function does not show.
N_SAMPLES = 2000


@dataclass(frozen=True)
class Recovery(Verdict):
    """``network`` gives all answers to the queries.

    ``answer``: whether it is proved to be the original's function; None for a black box
    that is no network, or over a limit.
    """

    network: Network | None = None
    n_queries: int = 0
    #: Points that came from comparing with the original, not from the search.
    n_counterexamples: int = 0
    is_isomorphic: bool = False
    obstructions: tuple[Obstruction, ...] = ()


def recover(
    black_box: Network | BlackBox,
    n_inputs: int | None = None,
    *,
    seed: int = 0,
    timeout: float | None = None,
    max_queries: int | None = None,
    max_counterexamples: int = MAX_COUNTEREXAMPLES,
    progress: Callable[..., object] = lambda n: None,
) -> Recovery:
    """The network behind a black box, up to permutation and positive scaling of neurons.

    A network is only evaluated, and compared with the result at the end.  Points where it differs
    from the result are used at most ``max_counterexamples`` times; 0 makes it queries alone.

    >>> net = Network.from_arrays([[[1, 2], [3, -1]], [[1, -2]]], [[1, -1], [5]])
    >>> found = recover(net)
    >>> found.network.widths, found.reason
    ((2, 2, 1), 'a network of widths 2-2-1, isomorphic to the original')
    >>> found = recover(lambda x: [max(0, x[0] + x[1]) - x[0]], 2)
    >>> found.answer, found.network.widths, found.reason.split("; ")[1]
    (None, (2, 3, 1), 'no more is claimed of a black box')
    """
    started = time.monotonic()
    oracle = Oracle.of(
        black_box, n_inputs, max_queries=max_queries, timeout=timeout, progress=progress
    )
    search = Discovery(oracle, random.Random(seed))
    through: Vector | None = None
    n_misfits = n_counterexamples = 0
    while True:
        try:
            folded = search.run(through)
        except Exhausted:
            return _stopped(oracle, search)
        model = _Model.of(folded, oracle)
        found = Recovery(
            None,
            "",
            network=model.network,
            n_queries=oracle.n_queries,
            n_counterexamples=n_counterexamples,
        )
        left = None if timeout is None else max(0.1, timeout - (time.monotonic() - started))
        if isinstance(black_box, Network):
            same = isomorphic(black_box, model.network, timeout=left)
            if same.answer:
                found = replace(
                    found,
                    answer=True,
                    reason=f"{_described(model.network)}, isomorphic to the original",
                    certificate=same.certificate,
                    is_isomorphic=True,
                )
                break
        misfit = first_misfit(model.network, oracle.answers)
        if misfit is not None:
            if n_misfits < MAX_MISFITS and misfit[0] != through:
                through = misfit[0]
                n_misfits += 1
                continue
            found = replace(found, reason="no network was found that gives all answers")
        elif isinstance(black_box, Network):
            found = _compared(found, black_box, model.network, left)
            if found.witness is not None and n_counterexamples < max_counterexamples:
                through = found.witness
                n_counterexamples += 1
                continue
        else:
            reason = (
                f"{_described(model.network)} gives all {oracle.n_queries} "
                "answers; no more is claimed of a black box"
            )
            found = replace(found, reason=reason)
        break
    named = [*model.obstructions(oracle), *found.obstructions]
    if not found.answer:
        named += _unresolved(folded)
    if isinstance(black_box, Network) and found.answer and not found.is_isomorphic:
        answers = oracle.answers
        some = [x for x, _ in answers[:: 1 + len(answers) // N_SAMPLES]]
        # The original is a second network, whatever else is.
        named = [replace(o, second=o.second or black_box) for o in named]
        n = oracle.n_inputs
        spots = [t.spot for t in folded.traced]
        across = [(p.x, scaled(STEPS[0], unit(n, steepest(p.a)))) for p in spots]
        named += unseen(black_box, across, some)
    return replace(found, obstructions=tuple(named))


def _stopped(oracle: Oracle, search: Discovery) -> Recovery:
    reason = f"stopped at a limit, with {len(search.traced)} neurons found so far"
    exhausted = Obstruction("budget exhausted", f"{oracle.n_queries} queries were asked")
    return Recovery(None, reason, n_queries=oracle.n_queries, obstructions=(exhausted,))


@dataclass(frozen=True)
class _Model:
    """The network of a folded model: in layers, or wider if its layers were not determined."""

    folded: Folded
    rows: Rows
    network: Network
    layered: Layered | None
    why_not: str

    @classmethod
    def of(cls, folded: Folded, oracle: Oracle) -> _Model:
        rows = Rows.of(folded, oracle.n_inputs)
        try:
            layered = Assembly(rows.copy()).run().merged()
        except NotLayered as why:
            return cls(folded, rows, passed_through(rows), None, str(why))
        return cls(folded, rows, layered.network, layered, "")

    def obstructions(self, oracle: Oracle) -> Iterator[Obstruction]:
        """What the answers leave open."""
        if oracle.n_inputs == 1 and self.rows.depth:
            text = "with one input no boundary bends: a single hidden layer fits every function"
            yield Obstruction("depth of one input", text)
        if self.layered is not None:
            yield from from_layers(self.layered, self.rows, oracle.answers)
            return
        text = f"{self.why_not}: the network passes on what it needs and is wider than it has to be"
        yield Obstruction("layers not determined", text)


def _unresolved(folded: Folded) -> Iterator[Obstruction]:
    if folded.unresolved:
        n = len(folded.unresolved)
        why = ", ".join(sorted({reason for _, reason in folded.unresolved}))
        yield Obstruction("boundary not followed", f"{n} breakpoints have no neuron: {why}")
    if not folded.agrees:
        yield Obstruction("not all seen", "some answers do not fit what was found")


def _compared(
    found: Recovery, original: Network, network: Network, seconds: float | None
) -> Recovery:
    """Whether a network that gives all answers is the same function."""
    shape = _described(network)
    equal = equivalent(original, network, timeout=min(seconds or PROOF_SECONDS, PROOF_SECONDS))
    if equal.answer is None:
        return replace(found, reason=f"{shape} that gives all answers; {equal.reason}")
    if not equal.answer:
        reason = f"{shape} that gives all answers, but differs from the original at the witness"
        unseen = Obstruction("not all seen", "no query came to where the functions differ")
        return replace(
            found,
            answer=False,
            reason=reason,
            witness=equal.witness,
            certificate=equal.certificate,
            obstructions=(*found.obstructions, unseen),
        )
    reason = f"{shape}, the same function as the original, not isomorphic to it"
    return replace(found, answer=True, reason=reason, certificate=equal.certificate)


def _described(network: Network) -> str:
    return f"a network of widths {'-'.join(map(str, network.widths))}"
