"""Results: what a question answers, and what all answers have.

A result has an answer, a reason in a sentence, and perhaps a certificate.  A *verdict* is the
answer to a question that can be true or false; it may be undecided, and so has no truth value.  A
*listing* has things that were found, all there are if it is complete.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, ClassVar, Self, Unpack

from exactrelu.answer import Names, Part, in_full, is_nothing
from exactrelu.display import WIDTH, Shown, plain
from exactrelu.effort import Limits, Stopped
from exactrelu.errors import Unanswered
from exactrelu.exact.rational import Outward
from exactrelu.words import EXACT, PEOPLE, Words

if TYPE_CHECKING:
    from exactrelu.certificates.certificate import Certificate
    from exactrelu.certificates.program import Checked


class Result(Shown):
    """What all results have: an answer, a reason, perhaps a certificate, and what is done with it.

    Attributes
    ----------
    answer : bool or None
        True for yes or done, False for no, None for undecided.
    word : str
        ``"yes"``, ``"no"`` or ``"undecided"``.
    reason : str
        Why, in a sentence.
    witness : object
        What shows it, or what was found.
    certificate : Certificate or None
        The proof.
    is_complete : bool
        Whether the question is answered.
    certified : tuple of str
        The names of the parts that the certificate proves; nothing without a certificate.
    computed : tuple of str
        What else is said, and no certificate proves, in words.

    Examples
    --------
    >>> import exactrelu as er
    >>> found = er.regions(er.load("example:xor"))
    >>> isinstance(found, er.Result), found.word, found.check().is_accepted
    (True, 'yes', True)
    """

    #: What the answer consists of beside the word and the reason.
    PARTS: ClassVar[tuple[Part, ...]] = ()
    #: Whether the question can be true or false, so that the word is a part of the answer.
    IS_TRUE_OR_FALSE: ClassVar[bool] = False

    if TYPE_CHECKING:

        @property
        def answer(self) -> bool | None: ...

        @property
        def reason(self) -> str: ...

        @property
        def witness(self) -> Any: ...

        @property
        def certificate(self) -> Certificate | None: ...

        @property
        def is_complete(self) -> bool: ...

    @property
    def word(self) -> str:
        """ "yes", "no" or "undecided", as the command line says it."""
        return {True: "yes", False: "no", None: "undecided"}[self.answer]

    def check(self, **limits: Unpack[Limits]) -> Checked:
        """What the independent checker says of the certificate."""
        return self._certificate.check(**limits)

    def save(self, path: str | Path) -> Path:
        """Write the certificate into a file, compressed if its name ends in ``.gz``."""
        return self._certificate.save(path)

    @property
    def _certificate(self) -> Certificate:
        found = self.certificate
        if found is None:
            raise Unanswered(f"there is no certificate: {self.reason or 'none was asked for'}")
        return found

    @property
    def certified(self) -> Names:
        """The names of what the certificate proves, the word ``"verdict"`` and parts."""
        return self.names_certified(lists=True)

    def names_certified(self, *, lists: bool) -> Names:
        """The same, without ``lists`` of what is short."""
        if not self._has_proof:
            return ()
        is_proved = self.IS_TRUE_OR_FALSE and self._proves_answer
        names = (name for part in in_full(self.PARTS, lists) for name in part.certified(self))
        return (*(("verdict",) if is_proved else ()), *names)

    @property
    def computed(self) -> Names:
        """What is said, and no certificate proves, in words."""
        return self.words_computed(lists=True)

    def words_computed(self, *, lists: bool) -> Names:
        """The same, without ``lists`` of what is short."""
        if self.IS_TRUE_OR_FALSE and self.answer is not None and not self._has_proof:
            return ("the answer",)
        return self._computed(lists=lists)

    def _computed(self, *, lists: bool) -> Names:
        """What a certificate leaves to be believed."""
        return tuple(filter(None, (part.computed(self) for part in in_full(self.PARTS, lists))))

    @property
    def _has_proof(self) -> bool:
        """Whether there is a certificate, or would be if it were asked for."""
        return self.certificate is not None

    @property
    def _proves_answer(self) -> bool:
        """Whether a certificate proves the answer, and not only a part of it."""
        return self.answer is not None

    @property
    def left_open(self) -> str:
        """Why parts of a complete answer are not known, if the work for them was stopped."""
        return ""

    @property
    def word_told(self) -> str | None:
        """The word that JSON has, none where all was found of what is not true or false."""
        if self.left_open:
            return "undecided"
        return self.word if self.IS_TRUE_OR_FALSE or self.answer is not True else None

    def to_json(self, *, lists: bool = False) -> str:
        """The object that the command prints with ``--json``, numbers with all digits.

        With ``lists`` it has what is long too.  ``certificate`` is null, as no file is written.
        """
        told = {
            **({} if self.word_told is None else {"verdict": self.word_told}),
            "reason": self.sentence(EXACT),
            "certificate": None,
            "certified": self.names_certified(lists=lists),
        }
        return json.dumps(plain({**told, **self.known(lists=lists)}))

    def known(self, *, lists: bool = False) -> dict[str, Any]:
        """The parts of the answer by name, each a function that gives it."""
        if not self.PARTS:
            return self._known()
        return {part.name: partial(part.value, self) for part in in_full(self.PARTS, lists)}

    def sentence(self, _words: Words = PEOPLE) -> str:
        """The reason, or what was found."""
        return self.reason

    def said(self, words: Words) -> list[str]:
        """The parts in words, below the sentence."""
        parts = in_full(self.PARTS, words.lists)
        return [line for part in parts for line in part.lines(self, words)]

    def opening(self, question: str, words: Words) -> str:
        """The answer in a line: ``honest on box:-1..1: yes, …``, or the sentence."""
        if not self.IS_TRUE_OR_FALSE:
            return self.sentence(words)
        return f"{question}{words.where}: {self.word}, {self.sentence(words)}"

    def told(self, question: str, words: Words) -> list[str]:
        """The answer in words, and its parts."""
        return [self.opening(question, words), *self.said(words)]

    def facts(self) -> Iterator[tuple[str, object]]:
        """The parts that are short and there, by name: what a notebook or a page shows."""
        for part in in_full(self.PARTS, False):
            value = None if part.takes_work else part.value(self)
            if not is_nothing(value):
                yield part.name, value

    def _facts(self) -> Iterator[tuple[str, object]]:
        return self.facts()

    def _known(self) -> dict[str, Any]:
        """What JSON has of a result whose parts are not declared."""
        return {}


class Listing(Result):
    """Things that were found; all there are if ``is_complete``, else ``reason`` says why not."""

    #: What each of them is called.
    ITEM: ClassVar[str] = "item"

    @property
    def answer(self) -> bool | None:
        """True if all were found, else None."""
        return True if self.is_complete else None

    @property
    def witness(self) -> Sequence[Any]:
        """The things that were found."""
        return self._items()

    def _items(self) -> Sequence[Any]:
        """The things."""
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self._items())

    def __bool__(self) -> bool:
        # Also where nothing was found it is a result.
        return True

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items())

    def __getitem__(self, index: Any) -> Any:
        return self._items()[index]

    def told(self, question: str, words: Words) -> list[str]:
        """What was found, and how much it is."""
        opening, *said = super().told(question, words)
        return [*said, opening]

    def _facts(self) -> Iterator[tuple[str, object]]:
        """The parts, then the things one by one."""
        yield from self.facts()
        yield from self._entries()

    def _entries(self) -> Iterator[tuple[str, object]]:
        """The things, each with a name."""
        yield from ((f"{self.ITEM} {k}", item) for k, item in enumerate(self, 1))

    def _ending(self) -> str:
        """The end of a headline: whether these are all."""
        return "complete" if self.is_complete else self.reason or "not complete"


_NO_TRUTH_VALUE = "a verdict can be undecided: use .answer (True, False or None)"


@dataclass(frozen=True, eq=False, repr=False)
class Verdict(Outward, Result):
    """The answer to a question, with its reason, its evidence and the certificate that proves it.

    A verdict has no truth value, since it may be undecided: ask for ``answer``.

    Parameters
    ----------
    answer : bool or None
        True, False, or None for undecided.
    reason : str
        Why, in a sentence.
    witness : Any, optional
        What shows it: a point, a pair of points, a network …; each question says what.
    certificate : Certificate, optional
        The proof of a yes or a no.

    Attributes
    ----------
    word : str
        ``"yes"``, ``"no"`` or ``"undecided"``.
    is_complete : bool
        Whether the question is answered.

    Examples
    --------
    >>> import exactrelu as er
    >>> verdict = er.is_transparent(er.load("example:xor"))
    >>> verdict.answer, verdict.word
    (False, 'no')
    >>> verdict.witness.point
    (-2, 0)
    >>> verdict.check().is_accepted
    True
    >>> er.regions(er.load("example:moons"), certify=False, max_regions=5).word
    'undecided'
    """

    PARTS: ClassVar[tuple[Part, ...]] = (Part("witness", "what shows it", proved=True),)
    IS_TRUE_OR_FALSE: ClassVar[bool] = True

    answer: bool | None
    reason: str
    witness: Any = None
    certificate: Certificate | None = None

    @classmethod
    def of(cls, verdict: Verdict, **more: Any) -> Self:
        """The same answer as this one, to a question with other parts."""
        return cls(verdict.answer, verdict.reason, verdict.witness, verdict.certificate, **more)

    @classmethod
    def undecided(cls, stopped: Stopped, so_far: str = "", **known: Any) -> Self:
        """Over a bound: why, and what is known by then."""
        return cls(None, f"{stopped}: {so_far}" if so_far else str(stopped), **known)

    @property
    def is_complete(self) -> bool:
        """Whether the question is answered."""
        return self.answer is not None

    def _headline(self) -> str:
        return f"{self.word}: {self.reason}"

    def _facts(self) -> Iterator[tuple[str, object]]:
        if len(self._headline()) > WIDTH:
            yield from (("reason", line) for line in wrap(self.reason, WIDTH - 15)[:3])
        yield from self.facts()
        yield "certificate", "none" if self.certificate is None else self.certificate

    def _known(self) -> dict[str, Any]:
        known = (f.name for f in fields(self) if f.name not in ("answer", "reason", "certificate"))
        return {name: getattr(self, name) for name in known}

    def __bool__(self) -> bool:
        raise TypeError(_NO_TRUTH_VALUE)

    def __eq__(self, other: object) -> bool:
        # The name, as numpy has truth values of its own.
        if type(other).__name__ == "bool":
            raise TypeError(_NO_TRUTH_VALUE)
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, f.name) == getattr(other, f.name) for f in fields(self))

    def __hash__(self) -> int:
        return hash((type(self), self.answer, self.reason))
