"""The search for a counterexample: exhaustive, then random, then guided.

1. The levels of the family, in growing size: all instances of each.  Exponential in the number
   of parameters, which is what the widths of a level bound.
2. Random instances, with a bias to the edges.
3. Guided: instances for which the hypotheses hold are altered a little, towards the borders of
   the hypotheses, and those for which they still hold are altered again.

Phases 2 and 3 take turns at random.  What is found is shrunk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from exactrelu.complex.search import Limit
from exactrelu.lemmas.examine import Counterexample, Finding, examine
from exactrelu.lemmas.families import altered
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.shrink import shrink
from exactrelu.lemmas.statement import Statement

#: The share of the time that the exhaustive phase may take.
EXHAUSTIVE_SHARE = 0.6
#: How many of the instances drawn after it are alterations of others.
GUIDED_SHARE = 0.5
#: How many instances within the hypotheses the guided phase keeps to alter.
POOL = 50


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
class Search:
    """What a search found, or how far it got without finding anything."""

    statement: Statement
    counterexample: Counterexample | None
    phase: str
    completed: tuple[Completed, ...] = ()
    tally: Tally = field(default_factory=Tally)

    @property
    def status(self) -> str:
        """``refuted``, ``holds-to-bound`` (some level was completed) or ``open``."""
        if self.counterexample is not None:
            return "refuted"
        settled = any(level.within and not level.undecided for level in self.completed)
        return "holds-to-bound" if settled else "open"


def search(
    statement: Statement,
    *,
    seconds: float | None = 60.0,
    seed: int = 0,
    max_instances: int | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Search:
    """Look for a counterexample until a limit; without one, through the levels only."""
    total = Tally()
    completed: list[Completed] = []
    limit = Limit(max_instances, seconds)
    share = Limit(max_instances, None if seconds is None else seconds * EXHAUSTIVE_SHARE)

    def result(found: Counterexample | None, phase: str) -> Search:
        smallest = None if found is None else shrink(found, limit)
        return Search(statement, smallest, phase, tuple(completed), total)

    for level in statement.family.levels:
        tally = Tally()
        for instance in level.instances():
            if share.is_exceeded(total.examined):
                break
            finding = examine(statement, instance)
            tally.count(finding)
            total.count(finding)
            progress()
            if isinstance(finding, Counterexample):
                return result(finding, level.bound)
        else:
            completed.append(Completed(level.bound, tally.examined, tally.within, tally.undecided))
            continue
        break
    if seconds is None and max_instances is None:
        return result(None, "")
    rng = Random(seed)
    within: list[Instance] = []
    while not limit.is_exceeded(total.examined):
        guided = bool(within) and rng.random() < GUIDED_SHARE
        instance = (
            _tightened(statement, rng, rng.choice(within))
            if guided
            else statement.family.random(rng)
        )
        finding = examine(statement, instance)
        total.count(finding)
        progress()
        if isinstance(finding, Counterexample):
            return result(finding, "guided" if guided else "random")
        if finding is Finding.HOLDS:
            within = [*within[-POOL + 1 :], instance]
    return result(None, "")


def _tightened(statement: Statement, rng: Random, instance: Instance) -> Instance:
    """An instance near another one, nearer to the borders of the hypotheses."""
    return statement.family.tighten(rng, instance) or altered(rng, instance)
