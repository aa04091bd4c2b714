"""The answer to whether a statement is refuted: what was searched, and what was found.

A *refutation* is yes once there is a counterexample, and undecided until then: that there is none
among the instances that were examined proves nothing.  The certificate of a published statement
proves that the instance refutes it, as the checker knows the statement; that of a statement of
one's own proves facts about the instance, and what they mean for a program nobody else can say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from exactrelu.answer import Names, Part
from exactrelu.certificates.certificate import Certificate, Verdict, joined
from exactrelu.lemmas.examine import Counterexample
from exactrelu.lemmas.search import StatementSearch
from exactrelu.lemmas.statement import Judgement, instance_lines, instance_object
from exactrelu.words import Words


def class_of(judgement: Judgement | None) -> dict[str, str | None]:
    """The class of a refuted statement, the reason, and what mends an edge case, if judged."""
    if judgement is None:
        return {"class": None, "class_reason": None, "mended_by": None}
    return {
        "class": judgement.name,
        "class_reason": judgement.reason,
        "mended_by": judgement.mended_by or None,
    }


def _of_class(name: str, about: str) -> Part:
    return Part(name, about, of=lambda found: class_of(found.judgement)[name])


def _levels(found: StatementRefutation, _: Words) -> Iterator[str]:
    """What was examined completely, where nothing was found."""
    if found.counterexample is None:
        yield from (f"  all of {level.bound}: {level.within:,}" for level in found.search.completed)


def _instance(found: StatementRefutation, words: Words) -> Iterator[str]:
    """The counterexample, which facts hold, and which one fails."""
    instance = found.search.counterexample
    if instance is not None:
        yield from instance_lines(instance.instance, words)
        yield from (f"  holds: {fact.text}" for fact in instance.hypotheses)
        yield f"  FAILS: {instance.conclusion.text}"


def _judged(found: StatementRefutation, _: Words) -> Iterator[str]:
    if found.judgement is not None:
        yield str(found.judgement)


@dataclass(frozen=True, eq=False, repr=False)
class StatementRefutation(Verdict):
    """Whether a published statement is refuted; the ``witness`` is the search.

    Attributes
    ----------
    witness : StatementSearch
        What was examined; its ``counterexample`` has the instance.
    """

    PARTS = (
        Part("examined", "how many instances were examined", of=lambda f: f.search.tally.examined),
        Part(
            "within_hypotheses",
            "how many of them satisfy the hypotheses",
            of=lambda found: found.search.tally.within,
        ),
        Part(
            "undecided",
            "of how many this, or the conclusion, was not decided",
            of=lambda found: found.search.tally.undecided,
        ),
        Part(
            "completed",
            "sets of instances that were examined completely",
            of=lambda found: [level.bound for level in found.search.completed],
            said=_levels,
        ),
        Part(
            "counterexample",
            "the instance, or null",
            proved=lambda found: found.IS_PUBLISHED and found.answer is True,
            said=_instance,
        ),
        Part(
            "class",
            "what the refutation says about the paper",
            of=lambda found: class_of(found.judgement)["class"],
            said=_judged,
        ),
        _of_class("class_reason", "why"),
        _of_class("mended_by", "the hypothesis that mends an edge case, or null"),
    )
    #: Whether the checker knows the statement.
    IS_PUBLISHED: ClassVar[bool] = True

    @property
    def search(self) -> StatementSearch:
        """What was examined."""
        found: StatementSearch = self.witness
        return found

    @property
    def counterexample(self) -> dict[str, Any] | None:
        """The instance by names, if there is one."""
        found = self.search.counterexample
        return None if found is None else instance_object(found.instance)

    @property
    def judgement(self) -> Judgement | None:
        """What the refutation says about the paper."""
        return None if self.counterexample is None else self.search.statement.judgement

    @property
    def _proves_answer(self) -> bool:
        return self.IS_PUBLISHED and self.answer is True

    def opening(self, _question: str, _words: Words) -> str:
        """The statement, and what became of it."""
        statement = self.search.statement
        return f"{statement.source}: {statement.text}\n{self.reason}"

    def _computed(self, *, lists: bool) -> Names:
        """That nothing was found proves nothing."""
        if self.answer is None:
            return ("that there is none among them",)
        return super()._computed(lists=lists)

    @staticmethod
    def proof(found: Counterexample) -> Certificate | None:
        """The certificate of a counterexample."""
        return found.certificate()

    @classmethod
    def of_search(cls, found: StatementSearch) -> StatementRefutation:
        """The verdict of a search; the certificate is that of what it found."""
        if found.counterexample is not None:
            reason = f"refuted by instance {found.tally.examined:,} ({found.phase})"
            return cls(True, reason, found, cls.proof(found.counterexample))
        reason = (
            f"no counterexample among {found.tally.examined:,} instances, "
            f"{found.tally.within:,} of them within the hypotheses"
        )
        return cls(None, f"{found.stopped}: {reason}" if found.stopped else reason, found)


@dataclass(frozen=True, eq=False, repr=False)
class OwnRefutation(StatementRefutation):
    """Whether a statement of one's own is refuted: the certificate proves facts alone."""

    IS_PUBLISHED = False

    @staticmethod
    def proof(found: Counterexample) -> Certificate | None:
        """The facts that have a certificate; a plain bool has none."""
        facts = found.fact_certificates()
        return joined("facts", facts) if facts else None

    def _computed(self, *, lists: bool) -> Names:
        """The checker knows the facts, and not the program that asked for them."""
        found, computed = self.search.counterexample, super()._computed(lists=lists)
        if found is None or self.certificate is None:
            return computed
        has_plain = len(found.fact_certificates()) <= len(found.hypotheses)
        plain = ("facts that are a plain bool",) if has_plain else ()
        return (*plain, "that these facts refute the statement", *computed)
