"""What one instance says about a statement.

Every search, every shrinking step and every conjecture of a user's asks here, so that none of them
ends in a claim about nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from exactrelu.certificates.certificate import Certificate, joined
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.nothing import is_about_nothing, sets_have_points
from exactrelu.lemmas.statement import Fact, Statement


class Finding(Enum):
    """Outside the statement, in accordance with it, or not decided within the limits."""

    OUTSIDE = "a hypothesis fails"
    HOLDS = "hypotheses and conclusion hold"
    UNDECIDED = "a question is undecided"


@dataclass(frozen=True)
class Counterexample:
    """An instance for which the hypotheses hold and the conclusion fails."""

    statement: Statement
    instance: Instance
    hypotheses: tuple[Fact, ...]
    conclusion: Fact

    def fact_certificates(self) -> list[Certificate]:
        """The certificates of the facts that have one, in order; the conclusion's is the last."""
        facts = (*self.hypotheses, self.conclusion)
        found = (fact.verdict.certificate for fact in facts)
        return [certificate for certificate in found if certificate is not None]

    def certificate(self) -> Certificate:
        """The proof that the statement is false."""
        facts, instance = self.fact_certificates(), self.instance.values
        return joined("counterexample", facts, lemma=self.statement.id, instance=instance)


def examine(statement: Statement, instance: Instance) -> Finding | Counterexample:
    """Decide the hypotheses one by one, and then the conclusion.

    An instance with a set that is empty, or flat where the statement means an open one, is outside
    the hypotheses, whatever they are; and so is one that is refuted by facts about nothing.
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
    found = Counterexample(statement, instance, tuple(hypotheses), conclusion)
    return Finding.OUTSIDE if any(map(is_about_nothing, found.fact_certificates())) else found
