"""VNN-LIB 1.0, in which nearly all published benchmarks are written.

A small part of SMT-LIB.  Constants ``X_0``, ``X_1``, … of sort Real are the inputs of the one
network, ``Y_0``, ``Y_1``, … its outputs.  Assertions are made of comparisons of linear terms by
and, or, not:

    (declare-const X_0 Real)
    (declare-const Y_0 Real)
    (assert (or (and (>= X_0 -1) (<= X_0 (/ 1 3))) (<= Y_0 (+ X_0 1e-3))))

Numbers are taken as written: 0.1 is one tenth.  A comparison of more than two terms is a chain, as
in SMT-LIB.  Commands that say nothing about the query (set-logic, check-sat, …) are passed over.

Source: SMT-LIB 2.6, section 3; VNN-LIB 1.0, Guidotti et al., 2023.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise

from flint import fmpq

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import InputError
from exactrelu.exact.scalar import parse_rational
from exactrelu.questions.properties.query import (
    And,
    DeclaredNetwork,
    DeclaredTensor,
    Formula,
    Linear,
    Or,
    Query,
    Relation,
)
from exactrelu.questions.properties.syntax import Form, Nest, Token, forms, quoted, shown

#: What the one network is called.
NETWORK = "N"

_NUMBER = re.compile(r"[-+]?[.0-9].*", re.DOTALL)
_VARIABLE = re.compile(r"([XY])_(0|[1-9][0-9]{0,8})", re.ASCII)
#: They say nothing about the query.
_PASSED_OVER = {"set-logic", "set-info", "set-option", "check-sat", "get-model", "exit"}
_COMPARISONS = {
    **{relation.value: relation for relation in Relation},
    "=": Relation.EQUAL,
    "distinct": Relation.UNEQUAL,
}


def number_of(form: Form) -> fmpq:
    """A number, or what arithmetic makes of numbers, as in ``(- (/ 1 3))``."""
    return _ReaderOfVersion1().term(form).constant


def parse_version1(text: str, effort: Effort = UNLIMITED) -> Query:
    """The query of a text in VNN-LIB 1.0.

    >>> query = parse_version1(\"""
    ... (declare-const X_0 Real)
    ... (declare-const Y_0 Real)
    ... (assert (<= X_0 0.5))
    ... (assert (>= Y_0 (* 2 X_0)))\""")
    >>> [tensor.text for tensor in query.networks[0].tensors], len(query.formula.parts)
    (['X Real [1]', 'Y Real [1]'], 2)
    """
    return query_of(forms(text, effort), sha256(text.encode()).hexdigest(), effort)


def query_of(given: Iterable[Nest], sha256: str, effort: Effort = UNLIMITED) -> Query:
    """The query that forms of VNN-LIB 1.0 say."""
    reader = _ReaderOfVersion1()
    assertions: list[Formula] = []
    waiting: list[Nest] = []
    for form in given:
        if form.head in ("declare-const", "declare-fun"):
            reader.declare(form)
        elif form.head == "assert":
            waiting.append(form)
        elif form.head not in _PASSED_OVER:
            raise InputError(
                f"line {form.line}: found {quoted(form)}, expected (declare-const …) or (assert …)"
            )
    network = reader.network()
    for form in waiting:
        effort.spend()
        if len(form.parts) != 2:
            raise InputError(f"line {form.line}: found {quoted(form)}, expected one formula")
        assertions.append(reader.formula(form.parts[1]))
    if not assertions:
        raise InputError("found no assertion, expected (assert …)")
    return Query("1.0", (network,), And(tuple(assertions)), sha256)


class _ReaderOfVersion1:
    """The variables that are declared, and what forms mean with them."""

    def __init__(self) -> None:
        self._lines: dict[str, dict[int, int]] = {"X": {}, "Y": {}}
        self._firsts: Mapping[str, int] = {}

    def declare(self, form: Nest) -> None:
        """A constant, or a function of no arguments."""
        parts = list(form.parts[1:])
        if form.head == "declare-fun" and len(parts) == 3 and parts[1] == Nest((), parts[1].line):
            del parts[1]
        words = [part.text if isinstance(part, Token) else "" for part in parts]
        if len(words) != 2 or not all(words):
            raise InputError(
                f"line {form.line}: found {quoted(form)}, expected (declare-const X_0 Real)"
            )
        name, sort = words
        if sort != "Real":
            raise InputError(
                f"line {form.line}: {name}: found the sort {quoted(parts[1])}, expected Real"
            )
        found = _VARIABLE.fullmatch(name)
        if found is None:
            raise InputError(f"line {form.line}: found {quoted(parts[0])}, expected X_i or Y_i")
        lines, i = self._lines[found[1]], int(found[2])
        if i in lines:
            raise InputError(
                f"line {form.line}: {name} is declared again, first on line {lines[i]}"
            )
        lines[i] = form.line

    def network(self) -> DeclaredNetwork:
        """The network of all that is declared."""
        tensors = []
        for letter, lines in self._lines.items():
            missing = next((i for i in range(len(lines)) if i not in lines), None)
            if not lines or missing is not None:
                raise InputError(f"{letter}_{missing or 0} is not declared, expected all from 0 on")
            tensors.append(DeclaredTensor(letter, "Real", (len(lines),)))
        inputs, outputs = tensors
        self._firsts = {"X": 0, "Y": inputs.size}
        return DeclaredNetwork(NETWORK, (inputs,), (outputs,))

    def formula(self, form: Form) -> Formula:
        """What is true or false."""
        if isinstance(form, Token):
            if form.text == "true":
                return And(())
            if form.text == "false":
                return Or(())
            raise InputError(f"line {form.line}: found {quoted(form)}, expected a formula")
        if form.head in _COMPARISONS:
            return self._comparison(form, _COMPARISONS[form.head])
        if form.head in ("and", "or", "not"):
            parts = tuple(self.formula(part) for part in form.parts[1:])
            if form.head == "not":
                if len(parts) != 1:
                    raise InputError(f"line {form.line}: not: found {len(parts)} parts, expected 1")
                return parts[0].negated()
            return And(parts) if form.head == "and" else Or(parts)
        expected = ", ".join(["and", "or", "not", *_COMPARISONS])
        raise InputError(f"line {form.line}: found {quoted(form)}, expected one of {expected}")

    def _comparison(self, form: Nest, relation: Relation) -> Formula:
        terms = [self.term(part) for part in form.parts[1:]]
        if len(terms) < 2 or (relation is Relation.UNEQUAL and len(terms) > 2):
            raise InputError(f"line {form.line}: {form.head}: found {len(terms)} terms, expected 2")
        text = shown(form)
        try:
            atoms = [
                (left - right).compared(relation, form.line, text)
                for left, right in pairwise(terms)
            ]
        except InputError as error:
            raise InputError(f"line {form.line}: {error}") from None
        return atoms[0] if len(atoms) == 1 else And(tuple(atoms))

    def term(self, form: Form) -> Linear:
        """A linear form."""
        if isinstance(form, Token):
            if found := _VARIABLE.fullmatch(form.text):
                i = int(found[2])
                if i in self._lines[found[1]]:
                    return Linear.variable(self._firsts[found[1]] + i)
                raise InputError(f"line {form.line}: {form.text} is not declared")
            if _NUMBER.fullmatch(form.text) and "/" not in form.text:
                return Linear({}, parse_rational(form.text, f"line {form.line}"))
            raise InputError(
                f"line {form.line}: found {quoted(form)}, expected X_i, Y_i or a number"
            )
        operation = _OPERATIONS.get(form.head)
        if operation is None:
            expected = ", ".join(_OPERATIONS)
            raise InputError(f"line {form.line}: found {quoted(form)}, expected one of {expected}")
        terms = [self.term(part) for part in form.parts[1:]]
        if not terms:
            raise InputError(f"line {form.line}: {form.head}: found no terms, expected 1 or more")
        try:
            return operation(terms)
        except InputError as error:
            raise InputError(f"line {form.line}: {quoted(form)}: {error}") from None


def _difference(terms: Sequence[Linear]) -> Linear:
    first, *others = terms
    return first - Linear.sum(others) if others else first * fmpq(-1)


def _quotient(terms: Sequence[Linear]) -> Linear:
    quotient, *others = terms
    for term in others:
        if term.terms or not term.constant:
            raise InputError("found a division by a variable or 0, expected a linear term")
        quotient = quotient * (1 / term.constant)
    return quotient


_OPERATIONS: Mapping[str, Callable[[Sequence[Linear]], Linear]] = {
    "+": Linear.sum,
    "-": _difference,
    "*": Linear.product,
    "/": _quotient,
}
