"""What one instance says about a statement.

Every search, every shrinking step and every conjecture of a user's asks here, so that none of them
ends in a claim about nothing: about a set without a point, of which everything holds.  A published
statement means sets that are not empty, and open ones where it speaks of a domain Z or D of a
network.  So an instance with an empty set is outside the hypotheses of every statement; and the
domain of a fact is a :class:`Domain` or a union of boxes, which have points.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any

from exactrelu.certificates.certificate import Certificate, joined
from exactrelu.display import Shown
from exactrelu.exact.rational import outward
from exactrelu.exact.system import LinearSystem
from exactrelu.lemmas.statement import Fact, Instance, Statement, Value
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.lp import feasible


def sets_have_points(instance: Instance, *, may_be_flat: bool) -> bool:
    """Whether every polyhedron of an instance has a point, an interior one unless it may be flat.

    >>> line = Instance.of(Z=LinearSystem.box([(0, 1), (2, 2)]))
    >>> sets_have_points(line, may_be_flat=True), sets_have_points(line, may_be_flat=False)
    (True, False)
    """
    systems = [value for value in instance.values.values() if isinstance(value, LinearSystem)]
    return all(_has_point(system if may_be_flat else system.interior()) for system in systems)


@lru_cache(maxsize=256)
def _has_point(system: LinearSystem) -> bool:
    return isinstance(feasible(system), Solution)


class Finding(Enum):
    """Outside the statement, in accordance with it, or not decided within the limits."""

    OUTSIDE = "a hypothesis fails"
    HOLDS = "hypotheses and conclusion hold"
    UNDECIDED = "a question is undecided"


@dataclass(frozen=True, repr=False)
class Counterexample(Shown):
    """An instance for which the hypotheses of a statement hold and its conclusion fails.

    Parameters
    ----------
    statement : Statement
        What is refuted.
    instance : Instance
        Its networks, matrices and sets.
    hypotheses : tuple of Fact
        What holds, each with its verdict.
    conclusion : Fact
        What does not.

    Examples
    --------
    >>> import exactrelu as er
    >>> found = er.refute("S003-lemma-1").witness.counterexample
    >>> found.statement.id, found.certificate().check().is_accepted
    ('S003-lemma-1', True)
    """

    statement: Statement
    instance: Instance
    hypotheses: tuple[Fact, ...]
    conclusion: Fact

    @property
    def explanation(self) -> str:
        """What holds and what does not, in a line."""
        holds = "; ".join(fact.text for fact in self.hypotheses) or "there are no hypotheses"
        return f"Hold: {holds}. Fails: {self.conclusion.text}."

    def fact_certificates(self) -> list[Certificate]:
        """The certificates of the facts that have one, in order; the conclusion's is the last."""
        facts = (*self.hypotheses, self.conclusion)
        found = (fact.verdict.certificate for fact in facts)
        return [certificate for certificate in found if certificate is not None]

    def certificate(self) -> Certificate:
        """The proof that the statement is false."""
        facts = self.fact_certificates()
        instance = {name: _subject(value) for name, value in self.instance.values.items()}
        return joined("counterexample", facts, lemma=self.statement.id, instance=instance)


def _subject(value: Value) -> Any:
    """An object as a claim speaks of it: a polyhedron is a domain."""
    return Domain.of(value, value.dimension) if isinstance(value, LinearSystem) else value


def examine(statement: Statement, instance: Instance) -> Finding | Counterexample:
    """Decide the hypotheses one by one, and then the conclusion.

    An instance with a set that is empty, or flat where the statement means an open one, is outside
    the hypotheses, whatever they are.
    """
    if not sets_have_points(instance, may_be_flat=statement.may_be_flat):
        return Finding.OUTSIDE
    hypotheses: list[Fact] = []
    for fact in statement.hypotheses(instance):
        if fact.verdict.answer is not True:
            return Finding.UNDECIDED if fact.verdict.answer is None else Finding.OUTSIDE
        hypotheses.append(fact)
    conclusion = statement.conclusion(instance)
    if conclusion.verdict.answer is None:
        return Finding.UNDECIDED
    if conclusion.verdict.answer:
        return Finding.HOLDS
    found = Instance(outward(dict(instance.values)))
    return Counterexample(statement, found, tuple(hypotheses), conclusion)
