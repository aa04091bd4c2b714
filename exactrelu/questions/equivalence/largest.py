"""How far apart two networks are: what is said of their largest difference.

It is exact once all of the domain was searched (:class:`Largest`); until then it lies between two
bounds (:class:`Between`).  Who searches is in :mod:`.difference`, and on boxes in :mod:`.apart`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from flint import fmpq

from exactrelu.answer import Names, Part
from exactrelu.certificates.certificate import Certificate, Verdict
from exactrelu.digits import at_least, at_most
from exactrelu.display import Shown
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.words import Words


class Searched(Protocol):
    """Who found a largest difference, and can prove it."""

    def certificate(self, largest: Largest) -> Certificate | None: ...


@dataclass(frozen=True, repr=False)
class Largest(Outward, Shown):
    """The largest difference of two networks in any output, over the domain.

    Attributes
    ----------
    value : rational or None
        The difference; None where it grows without bound.
    output : int
        The output, from 1.
    point : tuple of rationals
        Where; a point of the closure of the domain, and of the domain itself if ``is_attained``.
    is_attained : bool
        Whether it is a maximum.
    direction : tuple of rationals or None
        Where it has no bound, the ray from ``point`` along which it grows or falls.
    """

    value: fmpq | None
    output: int
    point: Vector
    is_attained: bool
    direction: Vector | None = None
    search: Searched | None = field(default=None, repr=False, compare=False)

    def text(self, words: Words) -> str:
        """How large it is, and where."""
        place = words.said(self.point)
        if self.value is None or self.direction is not None:
            along = words.said(self.direction or ())
            return f"unbounded: output {self.output} grows from {place} along {along}"
        edge = "" if self.is_attained else ", approached at the boundary of the domain"
        value = words.number(self.value)
        return f"largest difference {value}, in output {self.output} at {place}{edge}"

    @property
    def certificate(self) -> Certificate | None:
        """That of the claim ``largest-difference``, which is exactly the value, or infinite."""
        return None if self.search is None else self.search.certificate(self)


@dataclass(frozen=True, eq=False, repr=False)
class Between(Verdict):
    """A verdict about the largest difference, which lies between ``lower`` and ``upper``.

    ``largest`` is exact, and there once all of the domain was searched; then the bounds are equal
    to its value.  Until then some output differs by ``lower`` at the point ``at``, and ``upper``
    is None where no bound is known.  Where it is infinite there are neither.

    ``n_cells`` were closed, and ``share`` is how much of the tree that is, if each cut halves it.
    """

    largest: Largest | None = None
    lower: fmpq | None = None
    upper: fmpq | None = None
    at: Vector | None = None
    n_cells: int = 0
    share: fmpq = ZERO

    @property
    def proves_upper(self) -> bool:
        """Whether the certificate proves the upper bound, as a fact of its own or exactly."""
        is_fact = self.certificate is not None and self.certificate.kind == "facts"
        return is_fact or self.largest is not None


AnyBetween = TypeVar("AnyBetween", bound=Between)


def _proved(found: Difference) -> Names:
    """Of the exact answer, what is proved."""
    if found.largest is None:
        return ()
    return ("direction",) if found.is_infinite else ("value", "point")


def _at(found: Difference, words: Words) -> Iterator[str]:
    """Where it is so large, if the answer does not say it."""
    if found.largest is None and found.at is not None:
        yield f"  so much at {words.said(found.at)}"


@dataclass(frozen=True, eq=False, repr=False)
class Difference(Between):
    """A verdict about the largest difference: yes once all of the domain was searched.

    Attributes
    ----------
    largest : Largest or None
        The exact answer, once it is known.
    lower : rational or None
        A difference that occurs, at ``at``.
    upper : rational or None
        A bound of the difference everywhere; None if none is known.
    """

    PARTS = (
        Part(
            "largest",
            "null, or the exact answer: its `value` (null if it is infinite), the `output`, a "
            "`point`, whether it `is_attained` there, and the `direction` of a ray on which it "
            "grows without end",
            proved=_proved,
            unproved="which output it is",
        ),
        Part(
            "lower",
            "a difference that occurs; null if the difference is infinite",
            proved=lambda found: not found.is_infinite,
        ),
        Part(
            "upper",
            "a bound of it everywhere, or null",
            proved=lambda found: not found.is_infinite and found.proves_upper,
        ),
        Part("at", "where it is `lower`", proved=lambda found: not found.is_infinite, said=_at),
    )

    def opening(self, _question: str, words: Words) -> str:
        """How large it is."""
        return self.reason if self.largest is None else self.largest.text(words)

    @property
    def is_infinite(self) -> bool:
        """Whether the difference grows without bound."""
        return self.largest is not None and self.largest.direction is not None

    def _computed(self, *, lists: bool) -> Names:
        """What no certificate proves."""
        computed = super()._computed(lists=lists)
        return (*computed, *(("where the ray begins",) if self.is_infinite else ()))


def between(lower: fmpq | None, upper: fmpq | None) -> str:
    """What is known of the largest difference, in words."""
    least = None if lower is None else at_least(lower)
    most = None if upper is None else at_most(upper)
    if most is None:
        return "nothing is known" if least is None else f"at least {least}"
    return f"at most {most}" if least is None else f"between {least} and {most}"
