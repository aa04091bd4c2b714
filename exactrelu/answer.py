"""What an answer consists of: its parts, each declared once, beside the result that has it.

    class Holds(Verdict):
        PARTS = (
            Part("witness", "null, or a point at which one fails", proved=True, said=_point),
            Part("output", "the outputs there", unproved="the values at x"),
        )

A part has the name of an attribute of the result, and the same name in JSON and among what is
certified.  It says whether the claim of the certificate proves it, how it is said in words, and
what it is called where it is said and no certificate proves it.  Text, ``--json``, ``to_json()``,
notebooks, the manual and ``certified`` derive from the declaration: nothing else says what an
answer has.

Whether a part is proved may depend on the answer, and then ``proved`` is a function of the result.
Of a part with entries only some may be proved: then it names them, and ``a.b`` is certified, the
entry b of a, or of each entry of a.  What is not there (None, or nothing in it) is not certified,
unless a function says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from exactrelu.words import Words

#: Names of parts, or words for them.
Names: TypeAlias = tuple[str, ...]
#: Whether a part is proved, or which of its entries are.
Proved: TypeAlias = bool | Names


@dataclass(frozen=True)
class Part:
    """A part of an answer.

    Parameters
    ----------
    name : str
        What it is called, everywhere: an attribute of the result.
    about : str
        What it is, for the manual.
    proved : bool, names, or a function of the result
        Whether the claim of the certificate proves it, or which entries of it.
    claim : str, optional
        The field of the claim that says it, where that has another name.  What is no field of the
        claim is shown by the evidence, or follows from the claim.
    said : function, optional
        Its lines in the text, from the result and the words for numbers.
    unproved : str, or a function of the result
        What it is called where it is said and not proved; nothing if empty.
    of : str, or a function of the result
        The attribute, where it cannot have this name, or what it is.
    is_listed : bool
        Whether it is long, and so in JSON and text only where a list is asked for.
    takes_work : bool
        Whether it is found when it is asked for, and so not in a notebook that shows the result.
    """

    name: str
    about: str
    proved: Proved | Callable[[Any], Proved] = False
    claim: str = ""
    said: Callable[[Any, Words], Iterable[str]] | None = None
    unproved: str | Callable[[Any], str] = ""
    of: str | Callable[[Any], Any] = ""
    is_listed: bool = False
    takes_work: bool = False

    def value(self, result: Any) -> Any:
        """What the result has of it."""
        return self.of(result) if callable(self.of) else getattr(result, self.of or self.name)

    def certified(self, result: Any) -> Iterator[str]:
        """The names under which a certificate of the result proves it, or its entries."""
        proved = self.proved(result) if callable(self.proved) else self.proved
        if not proved or (not callable(self.proved) and is_nothing(self.value(result))):
            return
        if isinstance(proved, tuple):
            yield from (f"{self.name}.{entry}" for entry in proved)
        else:
            yield self.name

    def lines(self, result: Any, words: Words) -> Iterable[str]:
        """How it is said."""
        return () if self.said is None else self.said(result, words)

    def computed(self, result: Any) -> str:
        """What is said of it, and no certificate proves."""
        if callable(self.unproved):
            return self.unproved(result)
        return self.unproved if self.unproved and not is_nothing(self.value(result)) else ""


def is_nothing(value: Any) -> bool:
    """Whether there is nothing to be said of a value: None, or a list of nothing."""
    return value is None or (isinstance(value, tuple | list) and not value)


def equation(name: str, of: str = "witness") -> Callable[[Any, Words], Iterable[str]]:
    """Says the point that a part is, if there is one: ``x = (1/2, 1)``."""

    def said(result: Any, words: Words) -> Iterable[str]:
        point = getattr(result, of)
        return () if point is None else (words.equation(f"  {name}", point),)

    return said


def in_full(parts: Iterable[Part], is_listed: bool) -> tuple[Part, ...]:
    """The parts of an answer, those that are long only where a list is asked for."""
    return tuple(part for part in parts if is_listed or not part.is_listed)


def is_no(result: Any) -> bool:
    """Of a part that is proved where the answer is no."""
    return result.answer is False


def is_yes(result: Any) -> bool:
    """Of a part that is proved where the answer is yes."""
    return result.answer is True


def is_undecided(result: Any) -> bool:
    """Of a part that is proved where there is no answer."""
    return result.answer is None
