"""The search for a counterexample: exhaustive, then random, then guided; what is found is shrunk.

1. The levels of the family, in growing size: all instances of each.  Exponential in the number
   of parameters, which is what the widths of a level bound.
2. Random instances, with a bias to the edges.
3. Guided: instances for which the hypotheses hold are altered a little, towards the borders of
   the hypotheses, and those for which they still hold are altered again.

Phases 2 and 3 take turns at random.  The instances of a level can be examined by others, in
portions; what is found is that of the first in order, as if one process had gone through them.  The
next random instance depends on what the last ones said: those are for one process.

Shrinking makes a counterexample as small as it gets, step by step.  A step leaves out an input, an
output or a hidden neuron of the networks, or a row or column of a matrix, or makes one number
simpler: 0, 1, −1, nearer to 0, without its denominator.  It counts if what is left is still a
counterexample and smaller.  The end is smallest for single steps.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import chain, islice
from random import Random
from typing import Any, Unpack

from flint import fmpq

from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import ProgramError, ShapeError
from exactrelu.exact.matrix import Matrix
from exactrelu.lemmas.examine import Counterexample, Finding, examine
from exactrelu.lemmas.families import altered
from exactrelu.lemmas.statement import (
    Instance,
    Level,
    Statement,
    instance_object,
)
from exactrelu.network.network import Layer, Network
from exactrelu.questions.question import Answer, Call, as_it_is, question
from exactrelu.work.crew import shared

#: How long to search, in seconds, where nothing else is said.
SECONDS = 60.0
#: The share of the time that the exhaustive phase may take.
EXHAUSTIVE_SHARE = 0.6
#: How many of the instances drawn after it are alterations of others.
GUIDED_SHARE = 0.5
#: How many instances within the hypotheses the guided phase keeps to alter.
POOL = 50
#: How many instances of a level are one piece of work for somebody else.
PORTION = 64

#: Where a statement comes from: a function, and the name that it finds it by.
Origin = tuple[Callable[[str], Statement], str]


@dataclass
class Tally:
    """How many instances were examined, and for how many of them the hypotheses held."""

    examined: int = 0
    within: int = 0
    undecided: int = 0

    def count(self, finding: Finding | Counterexample) -> None:
        """Count one more instance."""
        self.examined += 1
        self.within += finding not in (Finding.OUTSIDE, Finding.UNDECIDED)
        self.undecided += finding is Finding.UNDECIDED


@dataclass(frozen=True)
class Completed:
    """A level all of whose instances were examined, without a counterexample."""

    bound: str
    examined: int
    within: int
    undecided: int


@dataclass(frozen=True)
class StatementSearch:
    """What a search found, or how far it got without finding anything."""

    statement: Statement
    counterexample: Counterexample | None
    phase: str
    completed: tuple[Completed, ...] = ()
    tally: Tally = field(default_factory=Tally)
    #: Why the search ended before its time, if it did.
    stopped: str = ""

    @property
    def status(self) -> str:
        """``refuted``, ``holds-to-bound`` (some level was completed) or ``open``."""
        if self.counterexample is not None:
            return "refuted"
        settled = any(level.within and not level.undecided for level in self.completed)
        return "holds-to-bound" if settled else "open"

    def _plain(self) -> dict[str, Any]:
        """What JSON has of it; statements are functions."""
        found = self.counterexample
        instance = None if found is None else instance_object(found.instance)
        known = {"statement": self.statement.id, "status": self.status, "phase": self.phase}
        return {**known, "examined": self.tally.examined, "counterexample": instance}


@question
def search(
    call: Call[StatementSearch],
    statement: Statement,
    *,
    seconds: float | None = SECONDS,
    seed: int = 0,
    max_instances: int | None = None,
    origin: Origin | None = None,
    **limits: Unpack[Limits],
) -> StatementSearch:
    """Look for a counterexample for so many seconds; without an end, through the levels only.

    ``origin``: where another process has the statement from; without one nobody shares the work.
    """
    return look_for(
        call,
        as_it_is,
        statement,
        seconds=seconds,
        seed=seed,
        max_instances=max_instances,
        origin=origin,
    )


def look_for(
    call: Call[Answer],
    told: Callable[[StatementSearch], Answer],
    statement: Statement,
    *,
    seconds: float | None,
    seed: int,
    max_instances: int | None = None,
    origin: Origin | None = None,
) -> Answer:
    """The same, told as whoever asks tells it."""
    effort = call.effort
    part = effort.part(seconds=seconds, instances=max_instances)
    run = _StatementRun(statement, part if origin is not None else part.alone(), origin)
    has_end = run.effort.seconds_left() is not None or max_instances is not None
    found: tuple[Counterexample, str] | None = None
    stopped = ""
    call.knows(lambda stopped: told(run.without(str(stopped))))
    try:
        found = run.exhaustive()
        if found is None and has_end:
            found = run.random(Random(seed))
    except Stopped:
        # That its own time is over is how a search ends.
        try:
            effort.spend()
        except Stopped as over:
            stopped = str(over)
    if found is None:
        return told(run.without(stopped))
    smallest = shrink(found[0], run.effort)
    return told(StatementSearch(statement, smallest, found[1], tuple(run.completed), run.tally))


class _StatementRun:
    """One search: how far it has come.  Its phases end with a counterexample and its origin."""

    def __init__(self, statement: Statement, effort: Effort, origin: Origin | None = None) -> None:
        self.statement = statement
        self.effort = effort
        self._origin = origin
        self.tally = Tally()
        self.completed: list[Completed] = []

    def exhaustive(self) -> tuple[Counterexample, str] | None:
        """All instances of the levels, in a share of the time."""
        share = self.effort.part(share=EXHAUSTIVE_SHARE)
        for level in self.statement.family.levels:
            tally = Tally()
            try:
                for finding in self._findings(level, share):
                    tally.count(finding)
                    if isinstance(finding, Counterexample):
                        return finding, level.bound
            except Stopped:
                self.effort.spend()
                return None
            self.completed.append(
                Completed(level.bound, tally.examined, tally.within, tally.undecided)
            )
        return None

    def _findings(self, level: Level, effort: Effort) -> Iterator[Finding | Counterexample]:
        """What each instance of a level says, in order, up to a counterexample."""
        if self._origin is None or not effort.is_shared:
            for instance in level.candidates():
                if instance is None:
                    effort.spend()
                else:
                    yield self._examined(instance, effort)
            return
        sent: deque[tuple[Instance, ...]] = deque()

        def portions() -> Iterator[tuple[Instance, ...]]:
            left = level.candidates()
            while some := tuple(islice(left, PORTION)):
                effort.spend()
                sent.append(tuple(instance for instance in some if instance is not None))
                yield sent[-1]

        work = partial(_examined_elsewhere, self._origin)
        words = f"instances of {self.statement.id} among {level.bound}"
        for found in shared(work, portions(), effort, describe=lambda _: words):
            for instance, finding in zip(sent.popleft(), found, strict=False):
                if finding is None:
                    # Its facts stay where they were found.
                    yield self._examined(instance, effort)
                    return
                effort.spend("instances")
                self.tally.count(finding)
                yield finding

    def random(self, rng: Random) -> tuple[Counterexample, str] | None:
        """Random instances, and alterations of those within the hypotheses, until the end."""
        within: list[Instance] = []
        while True:
            guided = bool(within) and rng.random() < GUIDED_SHARE
            instance = (
                _tightened(self.statement, rng, rng.choice(within))
                if guided
                else self.statement.family.random(rng)
            )
            finding = self._examined(instance, self.effort)
            if isinstance(finding, Counterexample):
                return finding, "guided" if guided else "random"
            if finding is Finding.HOLDS:
                within = [*within[-POOL + 1 :], instance]

    def without(self, stopped: str) -> StatementSearch:
        """What there is to say without a counterexample."""
        return StatementSearch(self.statement, None, "", tuple(self.completed), self.tally, stopped)

    def _examined(self, instance: Instance, effort: Effort) -> Finding | Counterexample:
        effort.spend("instances")
        finding = examine(self.statement, instance)
        self.tally.count(finding)
        return finding


@cache
def _from(origin: Origin) -> Statement:
    """The statement, in another process."""
    make, name = origin
    return make(name)


def _examined_elsewhere(
    origin: Origin, instances: Sequence[Instance], effort: Effort
) -> list[Finding | None]:
    """What instances say, up to a counterexample, which is None."""
    findings: list[Finding | None] = []
    for instance in instances:
        effort.spend()
        finding = examine(_from(origin), instance)
        findings.append(None if isinstance(finding, Counterexample) else finding)
        if findings[-1] is None:
            break
    return findings


def _tightened(statement: Statement, rng: Random, instance: Instance) -> Instance:
    """An instance near another one, nearer to the borders of the hypotheses."""
    return statement.family.tighten(rng, instance) or altered(rng, instance)


def shrink(found: Counterexample, effort: Effort) -> Counterexample:
    """The counterexample after all steps that can be afforded."""
    best = found
    improved = True
    while improved:
        improved = False
        for candidate in _smaller(best):
            try:
                effort.spend()
            except Stopped:
                return best
            if candidate.size() >= best.instance.size():
                continue
            try:
                result = examine(best.statement, candidate)
            except (ShapeError, ProgramError):
                # An input less of a network, and a point that has it, or a program that expects it.
                continue
            if isinstance(result, Counterexample):
                best, improved = result, True
                break
    return best


def _smaller(found: Counterexample) -> Iterator[Instance]:
    instance = found.instance
    return chain(
        found.statement.family.reductions(instance),
        _narrower_together(instance),
        _narrower_alone(instance),
        _simpler_numbers(instance),
    )


def _narrower_together(instance: Instance) -> Iterator[Instance]:
    """One input or one output less of all networks, where they have the same number."""
    networks = instance.networks()
    for position in (0, -1):
        numbers = {network.widths[position] for network in networks.values()}
        for i in range(numbers.pop() if len(numbers) == 1 else 0):
            cut = {name: _without(network, position, i) for name, network in networks.items()}
            left = {name: network for name, network in cut.items() if network is not None}
            if len(left) == len(cut):
                yield Instance({**instance.values, **left})


def _narrower_alone(instance: Instance) -> Iterator[Instance]:
    """One hidden neuron, one input or one output less of one network."""
    for name, network in instance.networks().items():
        for position, n in enumerate(network.widths):
            for i in range(n):
                cut = _without(network, position, i)
                if cut is not None:
                    yield instance.replaced(name, cut)


def _without(network: Network, position: int, i: int) -> Network | None:
    """The network without coordinate i of the space between two layers; None if it is the last."""
    n = network.widths[position]
    if n == 1:
        return None
    position %= len(network.widths)
    affine = [layer.affine for layer in network.layers]
    if position > 0:
        rows = [j for j in range(n) if j != i]
        affine[position - 1] = affine[position - 1].take(rows=rows)
    if position < len(affine):
        columns = [j for j in range(n + 1) if j != i]
        affine[position] = affine[position].take(columns=columns)
    return Network(tuple(map(Layer, affine)))


def _simpler_numbers(instance: Instance) -> Iterator[Instance]:
    """One number simpler in one object."""
    for name, value in instance.values.items():
        if isinstance(value, Network):
            for l, layer in enumerate(value.layers):
                for affine in _simpler_matrices(layer.affine):
                    layers = (*value.layers[:l], Layer(affine), *value.layers[l + 1 :])
                    yield instance.replaced(name, Network(layers))
        elif isinstance(value, Matrix):
            yield from (instance.replaced(name, A) for A in _simpler_matrices(value))
        elif isinstance(value, tuple):
            yield from (
                instance.replaced(name, A.row(0)) for A in _simpler_matrices(Matrix([value]))
            )
        elif isinstance(value, fmpq):
            yield from (instance.replaced(name, number) for number in _simpler(value))


def _simpler_matrices(A: Matrix) -> Iterator[Matrix]:
    entries = A.entries()
    for k, entry in enumerate(entries):
        for number in _simpler(entry):
            yield Matrix.from_entries(*A.shape, [*entries[:k], number, *entries[k + 1 :]])


def _simpler(number: fmpq) -> Iterator[fmpq]:
    """0, ±1, the integers around it, and half of it."""
    candidates = (0, 1, -1, number.floor(), number.ceil(), (number / 2).floor(), -number)
    for candidate in candidates:
        if candidate != number:
            yield fmpq(candidate)
