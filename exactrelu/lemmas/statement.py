"""A statement under test: hypotheses ⟹ conclusion, and where its instances come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random

from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.judgement import Judgement
from exactrelu.verdict import Verdict


@dataclass(frozen=True)
class Fact:
    """A sentence about an instance, and whether it holds.

    A fact that the checker settles by plain arithmetic on the instance has no certificate.
    """

    text: str
    verdict: Verdict

    @classmethod
    def plain(cls, text: str, holds: bool) -> Fact:
        """A fact that is plain arithmetic on the instance."""
        return cls(text, Verdict(holds, text))

    @classmethod
    def negation(cls, text: str, verdict: Verdict) -> Fact:
        """The fact that holds iff the answer is no."""
        answer = None if verdict.answer is None else not verdict.answer
        return cls(text, Verdict(answer, verdict.reason, verdict.witness, verdict.certificate))


@dataclass(frozen=True)
class Level:
    """A finite set of instances, described in words; the search goes through all of them."""

    bound: str
    instances: Callable[[], Iterator[Instance]]


def _unaltered(_: Random, instance: Instance) -> Instance | None:
    return None


@dataclass(frozen=True)
class Family:
    """Where instances come from.

    ``levels`` are exhaustive, in growing size.  ``random`` draws one, with a bias to the edges.
    ``tighten`` alters one towards the borders of the hypotheses; None if it knows no way, and
    then numbers of the networks are altered.  ``reductions`` are smaller instances to try when
    a counterexample is shrunk, beyond smaller numbers and dropped neurons.
    """

    levels: tuple[Level, ...]
    random: Callable[[Random], Instance]
    tighten: Callable[[Random, Instance], Instance | None] = _unaltered
    reductions: Callable[[Instance], Iterable[Instance]] = lambda _: ()


@dataclass(frozen=True)
class Statement:
    """A published statement, or its repair.

    ``id`` is that of the checker's table; ``source`` the paper and its number; ``text`` the
    statement in words.  ``repairs`` is the id of the printed statement that this one mends.
    ``known`` names cases in ``cases/`` that are instances of it.  ``judgement`` is what its
    refutation says about the paper, and is there iff the statement is refuted.  The sets of an
    instance are open sets, with points, unless they ``may_be_flat``.
    """

    id: str
    source: str
    text: str
    hypotheses: Callable[[Instance], Iterator[Fact]]
    conclusion: Callable[[Instance], Fact]
    family: Family
    repairs: str | None = None
    known: tuple[str, ...] = ()
    remark: str = ""
    judgement: Judgement | None = None
    may_be_flat: bool = False


@dataclass(frozen=True)
class Untestable:
    """A published statement that no search can settle, and why."""

    id: str
    source: str
    text: str
    why: str
    known: tuple[str, ...] = ()


AnyStatement = Statement | Untestable
