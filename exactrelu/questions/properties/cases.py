"""A formula as cases: the disjunctive normal form, as far as it is not contradictory at sight.

By distribution every formula is a disjunction of *cases*, conjunctions of rows a·v + b > 0, ≥ 0 or
= 0 in the variables v (≠ 0 is > 0 or < 0).  There may be exponentially many.  Rows that are
asserted of all cases stay apart, as ``common``.  A case is dropped if it is another one again, or
if two of its rows are bounds of one variable that contradict each other; of cases that are all
contradictory one stays, so that there is something to refute.

Symbols: a row as ``terms`` (v, a_v) and ``constant`` b, the smallest integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from flint import fmpq

from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.exact.scalar import primitive
from exactrelu.exact.system import Sense
from exactrelu.questions.properties.query import And, Atom, Formula, Or, Relation

#: More cases are not made.
MAX_CASES = 2**17


class Fact(NamedTuple):
    """A row in some of the variables: Σ a_v·v + b is at least 0, greater than 0 or 0."""

    terms: tuple[tuple[int, int], ...]
    constant: int
    sense: Sense

    @property
    def bound(self) -> tuple[int, fmpq, int] | None:
        """Of a row in one variable: which, the bound, and the sign of the coefficient."""
        if len(self.terms) != 1:
            return None
        ((v, a),) = self.terms
        return v, fmpq(-self.constant, a), 1 if a > 0 else -1

    @property
    def is_true(self) -> bool:
        """Whether it holds whatever the variables are."""
        return not self.terms and self.sense.holds(fmpq(self.constant))

    @property
    def is_false(self) -> bool:
        """Whether it never holds, as it has no variables."""
        return not self.terms and not self.sense.holds(fmpq(self.constant))


#: Bounds (value, whether strict) of variables.
_Ends = dict[int, tuple[fmpq, bool]]


@dataclass
class _Case:
    """The rows of a case so far, and the largest lower and smallest upper bounds among them."""

    facts: dict[Fact, None] = field(default_factory=dict)
    lower: _Ends = field(default_factory=dict)
    upper: _Ends = field(default_factory=dict)
    is_contradictory: bool = False

    @classmethod
    def of(cls, facts: Iterable[Fact]) -> _Case:
        found = cls()
        for fact in facts:
            found.add(fact)
        return found

    def add(self, fact: Fact, beyond: _Case | None = None) -> None:
        """One more row; it may contradict those of ``beyond`` too."""
        if fact.is_true or fact in self.facts:
            return
        self.facts[fact] = None
        self.is_contradictory |= fact.is_false
        if fact.bound is None:
            return
        v, value, sign = fact.bound
        is_strict = fact.sense is Sense.GREATER
        if sign > 0 or fact.sense is Sense.EQUAL:
            self.lower[v] = max(self.lower.get(v, (value, is_strict)), (value, is_strict))
        if sign < 0 or fact.sense is Sense.EQUAL:
            old, was_strict = self.upper.get(v, (value, is_strict))
            self.upper[v] = (
                (old, was_strict)
                if old < value
                else (value, is_strict or (old == value and was_strict))
            )
        for one in (self, beyond):
            for other in (self, beyond):
                if one is not None and other is not None:
                    self.is_contradictory |= _exclude(one.lower.get(v), other.upper.get(v))

    def joined(self, other: _Case, beyond: _Case) -> _Case:
        """The rows of both."""
        found = _Case(dict(self.facts), dict(self.lower), dict(self.upper), self.is_contradictory)
        for fact in other.facts:
            found.add(fact, beyond)
        return found


def _exclude(lower: tuple[fmpq, bool] | None, upper: tuple[fmpq, bool] | None) -> bool:
    """Whether no number lies between two bounds."""
    if lower is None or upper is None:
        return False
    return lower[0] > upper[0] or (lower[0] == upper[0] and (lower[1] or upper[1]))


@dataclass(frozen=True)
class Cases:
    """What holds in all cases, the rows of each case, and how many cases were dropped."""

    common: tuple[Fact, ...]
    cases: tuple[tuple[Fact, ...], ...]
    n_contradictory: int = 0
    n_repeated: int = 0

    @property
    def words(self) -> str:
        """What was dropped, in a sentence, or nothing."""
        dropped = []
        if self.n_contradictory:
            dropped.append(f"{self.n_contradictory:,} contradict themselves")
        if self.n_repeated:
            dropped.append(f"{self.n_repeated:,} repeat others")
        return f"of the cases {' and '.join(dropped)}: left out" if dropped else ""


def cases_of(formula: And, effort: Effort = UNLIMITED) -> Cases:
    """The cases of a formula.

    >>> from exactrelu.questions.properties.query import Linear, Relation
    >>> x, one = Linear.variable(0), Linear({}, fmpq(1))
    >>> low, high = x.compared(Relation.AT_MOST, 1, ""), (x - one).compared(Relation.UNEQUAL, 2, "")
    >>> found = cases_of(And((low, high)))
    >>> found.common, found.cases, found.n_contradictory
    ((Fact(terms=((0, -1),), constant=0, sense=<Sense.AT_LEAST: 'ge'>),),
     ((Fact(terms=((0, -1),), constant=1, sense=<Sense.GREATER: 'gt'>),),), 1)
    """
    distribution = _Distribution(effort)
    # Contradictions among what holds in all cases are kept: there is nothing else to refute.
    facts, choices = _split(formula)
    common = _Case.of(facts)
    found = distribution.product([_Case()], choices, common)
    return Cases(
        tuple(common.facts),
        tuple(tuple(case.facts) for case in found),
        distribution.n_contradictory,
        distribution.n_repeated,
    )


class _Distribution:
    """Distribution of and over or, and what was dropped on the way."""

    def __init__(self, effort: Effort) -> None:
        self._effort = effort
        self.n_contradictory = 0
        self.n_repeated = 0

    def product(self, cases: list[_Case], parts: Iterable[Formula], beyond: _Case) -> list[_Case]:
        """The cases of a conjunction of these cases and parts."""
        for part in parts:
            others = self._cases(part)
            cases = self._kept(one.joined(other, beyond) for one in cases for other in others)
        return cases

    def _cases(self, formula: Formula) -> list[_Case]:
        if isinstance(formula, Atom):
            return [_Case.of([row]) for row in _rows(formula)]
        if isinstance(formula, Or):
            return self._kept(case for part in formula.parts for case in self._cases(part))
        facts, choices = _split(formula)
        return self.product([_Case.of(facts)], choices, _Case())

    def _kept(self, cases: Iterable[_Case]) -> list[_Case]:
        """The cases that differ and are not contradictory; one if all are."""
        kept: dict[frozenset[Fact], _Case] = {}
        contradictory: _Case | None = None
        for case in cases:
            self._effort.spend()
            if case.is_contradictory:
                self.n_contradictory += 1
                contradictory = contradictory or case
                continue
            facts = frozenset(case.facts)
            self.n_repeated += facts in kept
            kept.setdefault(facts, case)
            if len(kept) > MAX_CASES:
                raise Stopped(f"stopped at {MAX_CASES:,} cases of the formula")
        if not kept:
            self.n_contradictory -= contradictory is not None
            return [contradictory or _Case.of([FALSE])]
        return list(kept.values())


#: 0 > 0, for a disjunction of nothing.
FALSE = Fact((), 0, Sense.GREATER)


def _split(formula: And) -> tuple[list[Fact], list[Formula]]:
    """The rows that a conjunction asserts, and its parts that leave a choice."""
    facts: list[Fact] = []
    choices: list[Formula] = []
    for part in formula.parts:
        if isinstance(part, And):
            inner = _split(part)
            facts += inner[0]
            choices += inner[1]
        elif isinstance(part, Atom) and part.relation is not Relation.UNEQUAL:
            facts += _rows(part)
        else:
            choices.append(part)
    return facts, choices


def _rows(atom: Atom) -> Iterator[Fact]:
    """The rows of which one must hold."""
    for sign, sense in atom.relation.senses:
        values = [*(sign * c for _, c in atom.terms), sign * atom.constant]
        *normal, offset = map(int, primitive(values))
        if sense is Sense.EQUAL and next((a for a in (*normal, offset) if a), 1) < 0:
            # Of the two ways to write an equation one.
            normal, offset = [-a for a in normal], -offset
        variables = (v for v, _ in atom.terms)
        yield Fact(tuple(zip(variables, normal, strict=True)), offset, sense)


def bounds_of(facts: Iterable[Fact]) -> tuple[Mapping[int, tuple[fmpq, bool]], ...]:
    """The largest lower and the smallest upper bounds of variables, and which are strict."""
    case = _Case.of(facts)
    return case.lower, case.upper
