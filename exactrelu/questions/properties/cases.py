"""A formula as cases: the disjunctive normal form, as far as it is not contradictory at sight.

By distribution every formula is a disjunction of *cases*, conjunctions of rows a·v + b > 0, ≥ 0 or
= 0 in the variables v (≠ 0 is > 0 or < 0). There may be exponentially many. So a conjunction that
would have more than some is left as *clauses*, each of which is a disjunction of cases of its own:
they are as many as the formula is long. A disjunction of such conjunctions is distributed the other
way: (A₁ ∧ A₂ ∧ …) ∨ (B₁ ∧ B₂ ∧ …) is the conjunction of all clauses A_i ∨ B_j. Where these are too
many, A₁ ∧ A₂ ∧ … and B₁ ∧ B₂ ∧ … are *alternatives*, formulas of their own. Rows that are asserted
of all cases stay apart, as ``common``. A case is dropped if it is another one again, or if two of
its rows are bounds of one variable that contradict each other; of cases that are all contradictory
one stays, so that there is something to refute.

Symbols: a row as ``terms`` (v, a_v) and ``constant`` b, the smallest integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import NamedTuple

from flint import fmpq

from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.exact.scalar import primitive
from exactrelu.exact.system import Sense
from exactrelu.questions.properties.query import And, Atom, Formula, Or, Relation

#: More cases than this are not made of one clause.
MAX_CASES = 2**17
#: More cases than this are not made of several clauses, which stay clauses then.
MAX_EXPANDED = 2**10
#: More cases than this are not written in the clauses of one disjunction.
MAX_DISTRIBUTED = 2**14
#: A formula is not taken apart into more than this.
MAX_ALTERNATIVES = 2**8


class TooManyCases(Stopped):
    """A formula has more cases than are made."""


class CaseRow(NamedTuple):
    """A row in some of the variables: Σ a_v·v + b is at least 0, greater than 0 or 0."""

    terms: tuple[tuple[int, int], ...]
    constant: int
    sense: Sense

    def holds(self, at: Sequence[fmpq]) -> bool:
        """Whether it is true of these values of all variables."""
        return self.sense.holds(sum((a * at[v] for v, a in self.terms), fmpq(self.constant)))

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

    facts: dict[CaseRow, None] = field(default_factory=dict)
    lower: _Ends = field(default_factory=dict)
    upper: _Ends = field(default_factory=dict)
    is_contradictory: bool = False

    @classmethod
    def of(cls, facts: Iterable[CaseRow]) -> _Case:
        found = cls()
        for fact in facts:
            found.add(fact)
        return found

    def add(self, fact: CaseRow, beyond: _Case | None = None) -> None:
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
    """What holds in all cases, the rows of each case, and how many cases were dropped.

    If there are ``clauses``, there are no ``cases``: of each clause a case holds.
    """

    common: tuple[CaseRow, ...]
    cases: tuple[tuple[CaseRow, ...], ...]
    n_contradictory: int = 0
    n_repeated: int = 0
    clauses: tuple[tuple[tuple[CaseRow, ...], ...], ...] = ()

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
    ((CaseRow(terms=((0, -1),), constant=0, sense=<Sense.AT_LEAST: 'ge'>),),
     ((CaseRow(terms=((0, -1),), constant=1, sense=<Sense.GREATER: 'gt'>),),), 1)
    """
    distribution = _Distribution(effort, MAX_CASES)
    # Contradictions among what holds in all cases are kept: there is nothing else to refute.
    facts, choices = _split(formula)
    common = _Case.of(facts)
    clauses = [clause for part in choices for clause in distribution.clauses(part)]
    is_one = sum(len(clause) > 1 for clause in clauses) < 2
    try:
        most = MAX_CASES if is_one else MAX_EXPANDED
        found = distribution.product([_Case()], clauses, common, most)
    except TooManyCases:
        return _as_clauses(common, clauses)
    return Cases(
        tuple(common.facts),
        tuple(tuple(case.facts) for case in found),
        distribution.n_contradictory,
        distribution.n_repeated,
    )


def alternatives(formula: And, effort: Effort = UNLIMITED) -> list[And]:
    """Formulas of which one holds where this one does, each with cases or clauses that are made.

    A disjunction that has too many is taken apart: a formula for each of its parts.
    """
    found: list[And] = []
    left = [formula]
    # By what they are: the parts stay the same objects.
    is_long: dict[int, bool] = {}
    while left:
        effort.spend()
        parts = list(_parts(left[-1]))
        choices = [part for part in parts if isinstance(part, Or)]
        for part in choices:
            if id(part) not in is_long:
                is_long[id(part)] = _is_long(part, effort)
        whole = left.pop()
        long = next((part for part in choices if is_long[id(part)]), None)
        if long is None:
            found.append(whole)
            continue
        others = [part for part in parts if part is not long]
        left += [And((part, *others)) for part in reversed(long.parts)]
        if len(found) + len(left) > MAX_ALTERNATIVES:
            raise TooManyCases(f"stopped at {MAX_ALTERNATIVES:,} alternatives of the formula")
    return found


def _is_long(part: Or, effort: Effort) -> bool:
    """Whether more cases would be written in the clauses of a disjunction than are."""
    try:
        _Distribution(effort, MAX_CASES).clauses(part)
    except TooManyCases:
        return True
    return False


def _as_clauses(common: _Case, clauses: Iterable[list[_Case]]) -> Cases:
    """The clauses without the cases that contradict what is common; one if all of them do."""
    kept, n_contradictory = [], 0
    for clause in clauses:
        possible = [c for c in clause if not c.joined(common, _Case()).is_contradictory]
        n_contradictory += len(clause) - len(possible or clause[:1])
        kept.append(tuple(tuple(case.facts) for case in possible or clause[:1]))
    return Cases(tuple(common.facts), (), n_contradictory, clauses=tuple(kept))


class _Distribution:
    """Distribution of and over or, and what was dropped on the way."""

    def __init__(self, effort: Effort, most: int) -> None:
        self._effort = effort
        self._most = most
        self.n_contradictory = 0
        self.n_repeated = 0

    def product(
        self,
        cases: list[_Case],
        clauses: Iterable[list[_Case]],
        beyond: _Case,
        most: int,
    ) -> list[_Case]:
        """The cases of a conjunction of these cases and clauses."""
        for others in clauses:
            joined = (one.joined(other, beyond) for one in cases for other in others)
            cases = self._kept(joined, most)
        return cases

    def clauses(self, formula: Formula) -> list[list[_Case]]:
        """Clauses that say together what a formula says: one, with its cases, if these are few."""
        is_small = n_written(formula) <= MAX_CASES
        # What has more may have few that are not contradictory: a short look finds out.
        alone = _Distribution(self._effort, MAX_CASES if is_small else MAX_EXPANDED)
        try:
            cases = alone.cases(formula)
        except TooManyCases:
            if not isinstance(formula, And | Or):
                raise
            return self._either(formula) if isinstance(formula, Or) else self._each(formula)
        self.n_contradictory += alone.n_contradictory
        self.n_repeated += alone.n_repeated
        return [cases]

    def _each(self, formula: And) -> list[list[_Case]]:
        """The clauses of all parts of a conjunction, with its rows in each case."""
        facts, choices = _split(formula)
        asserted = _Case.of(facts)
        return [
            [asserted.joined(case, _Case()) for case in clause]
            for part in choices
            for clause in self.clauses(part)
        ]

    def _either(self, formula: Or) -> list[list[_Case]]:
        """The clauses of a disjunction: each choice of a clause of every part, side by side."""
        found: list[list[_Case]] = [[]]
        for part in formula.parts:
            theirs = self.clauses(part)
            n = len(theirs) * sum(map(len, found)) + len(found) * sum(map(len, theirs))
            if n > MAX_DISTRIBUTED:
                raise TooManyCases(f"stopped at {MAX_DISTRIBUTED:,} cases of the formula")
            self._effort.spend()
            found = [[*one, *other] for one in found for other in theirs]
        return found

    def cases(self, formula: Formula) -> list[_Case]:
        """The cases of a formula."""
        if isinstance(formula, Atom):
            return [_Case.of([row]) for row in rows_of(formula)]
        if isinstance(formula, Or):
            parts = (case for part in formula.parts for case in self.cases(part))
            return self._kept(parts, self._most)
        facts, choices = _split(formula)
        return self.product([_Case.of(facts)], map(self.cases, choices), _Case(), self._most)

    def _kept(self, cases: Iterable[_Case], most: int) -> list[_Case]:
        """The cases that differ and are not contradictory; one if all are."""
        kept: dict[frozenset[CaseRow], _Case] = {}
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
            if len(kept) > most:
                raise TooManyCases(f"stopped at {most:,} cases of the formula")
        if not kept:
            self.n_contradictory -= contradictory is not None
            return [contradictory or _Case.of([FALSE])]
        return list(kept.values())


#: 0 > 0, for a disjunction of nothing.
FALSE = CaseRow((), 0, Sense.GREATER)


def n_written(formula: Formula) -> int:
    """The number of cases that distribution makes of a formula, with those that are dropped.

    >>> from exactrelu.questions.properties.query import Linear, Relation
    >>> other = Linear.variable(0).compared(Relation.UNEQUAL, 1, "")
    >>> n_written(And((Or((other, other, other)), other)))
    12
    """
    if isinstance(formula, Atom):
        return len(formula.relation.senses)
    parts = map(n_written, formula.parts)
    return sum(parts) if isinstance(formula, Or) else prod(parts)


def _parts(formula: And) -> Iterator[Atom | Or]:
    """The parts of a conjunction, those of conjunctions among them too."""
    for part in formula.parts:
        if isinstance(part, And):
            yield from _parts(part)
        else:
            yield part


def _split(formula: And) -> tuple[list[CaseRow], list[Atom | Or]]:
    """The rows that a conjunction asserts, and its parts that leave a choice."""
    facts: list[CaseRow] = []
    choices: list[Atom | Or] = []
    for part in _parts(formula):
        if isinstance(part, Atom) and part.relation is not Relation.UNEQUAL:
            facts += rows_of(part)
        else:
            choices.append(part)
    return facts, choices


def rows_of(atom: Atom) -> Iterator[CaseRow]:
    """The rows of which one must hold."""
    for sign, sense in atom.relation.senses:
        values = [*(sign * c for _, c in atom.terms), sign * atom.constant]
        *normal, offset = map(int, primitive(values))
        if sense is Sense.EQUAL and next((a for a in (*normal, offset) if a), 1) < 0:
            # Of the two ways to write an equation one.
            normal, offset = [-a for a in normal], -offset
        variables = (v for v, _ in atom.terms)
        yield CaseRow(tuple(zip(variables, normal, strict=True)), offset, sense)


def bounds_of(facts: Iterable[CaseRow]) -> tuple[Mapping[int, tuple[fmpq, bool]], ...]:
    """The largest lower and the smallest upper bounds of variables, and which are strict."""
    case = _Case.of(facts)
    return case.lower, case.upper
