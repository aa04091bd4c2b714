"""VNN-LIB 2.0, by the parser of the standard: the package ``vnnlib``.

    (vnnlib-version <2.0>)
    (declare-network f
        (declare-input X real [1,5])
        (declare-hidden H real [1,50] "relu_3")
        (declare-output Y real [1,5]))
    (declare-network g (equal-to f) (declare-input …) (declare-output …))
    (assert (<= X[0,3] 0.5))

The package reads a text into a tree, in which every number keeps its digits.  What it would not
survive, or would take for something else, is refused before, by line: lists that are nested too
deeply, an index that is no natural number, an operator between its terms.

*Element types.*  A query over ``float32`` asks about what machines compute, and the standard wants
an error from a solver that would answer another question; whoever wants the networks to be
functions of real numbers says so by writing ``real`` (:func:`.versions.real_query`).

Source: VNNLIB-Standard, chapters *Query language* and *Solver command-line interface*.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from flint import fmpq

from exactrelu.display import clipped
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import InputError, MissingExtra
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

#: Floating point types of ONNX, which :func:`.versions.real_query` rewrites.
FLOATS = {
    *("float16", "float32", "float64", "bfloat16", "float4e2m1"),
    *("float8e4m3fn", "float8e5m2", "float8e4m3fnuz", "float8e5m2fnuz"),
}
REAL = "real"
DECLARATIONS = ("declare-input", "declare-hidden", "declare-output")

_COMPARISONS = {
    "LessEqual": Relation.AT_MOST,
    "LessThan": Relation.LESS,
    "GreaterEqual": Relation.AT_LEAST,
    "GreaterThan": Relation.GREATER,
    "Equal": Relation.EQUAL,
    "NotEqual": Relation.UNEQUAL,
}
_CONNECTIVES: Mapping[str, type[And] | type[Or]] = {"And": And, "Or": Or}
_ORDER = [relation.value for relation in Relation]
_FORMULAS = ("and", "or", *_ORDER)
_TERMS = ("+", "-", "*")

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?", re.ASCII)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
#: The package reads others too, as if they were this one, and prints a warning.
_VERSION = "(vnnlib-version <2.0>)"
#: What is shown of a word.
_WIDTH = 60
_NATURAL = re.compile(r"[0-9]+", re.ASCII)
_PARSE_ERROR = re.compile(r"Parse error: (.*) at line ([0-9]+), column [0-9]+: (.*)", re.DOTALL)


def parse_version2(text: str, name: str = "QUERY", effort: Effort = UNLIMITED) -> Query:
    """The query of a text in VNN-LIB 2.0; ``name`` is how errors call the file in a command."""
    for form in forms(text, effort):
        _require_readable(form, name)
    effort.spend()
    tree = _parsed(text)
    reader = _ReaderOfVersion2(tree)
    assertions = []
    for assertion in tree.assertions:
        effort.spend()
        assertions.append(reader.formula(assertion.expr))
    digest = sha256(text.encode()).hexdigest()
    return Query("2.0", reader.networks, And(tuple(assertions)), digest)


def _parsed(text: str) -> Any:
    """The tree of the package."""
    try:
        import vnnlib
    except ImportError:
        raise MissingExtra("vnnlib", "vnnlib", "reading VNN-LIB 2.0") from None
    try:
        return vnnlib.parse_query_string(text)
    except vnnlib.VNNLibException as error:
        raise InputError(_reason(str(error))) from None
    except (IndexError, ValueError):
        # Of std::stoll and std::stod.
        raise InputError("found a number that is too long for the package vnnlib") from None


def _reason(message: str) -> str:
    """What the package says, in one line that begins with its place.

    >>> _reason("Parse error: syntax error at line 30, column 9: 'Y_f'")
    "line 30: found 'Y_f', expected VNN-LIB 2.0: syntax error"
    """
    if found := _PARSE_ERROR.fullmatch(message):
        what = found[3] if found[3] != "''" else "the end"
        what = clipped(what, _WIDTH)
        return f"line {found[2]}: found {what}, expected VNN-LIB 2.0: {found[1]}"
    try:
        error = json.loads(message)["errors"][0]
        place, what, hint = error["line"], error["offendingSymbol"], error["hint"]
    except (ValueError, LookupError, TypeError):
        return f"expected VNN-LIB 2.0: {clipped(message, 200)}"
    if error.get("errorCode") == "TypeMismatch" and _NATURAL.fullmatch(what.removeprefix("-")):
        what = clipped(what, _WIDTH)
        return f"line {place}: found the integer {what}, expected a decimal such as {what}.0"
    why = clipped(f"{error.get('message')}: {hint}", 200)
    return f"line {place}: found {clipped(what, _WIDTH)!r}: {why}"


# --- What the package is not asked about


def _require_readable(form: Nest, name: str) -> None:
    """Refuse what the package would not survive, or would misread."""
    if form.head == "assert":
        for part in form.parts[1:]:
            _require_expression(part, _FORMULAS)
    elif form.head == "declare-network":
        for part in form.parts:
            if isinstance(part, Nest) and part.head in DECLARATIONS:
                _require_tensor(part, name)
    elif form.head == "vnnlib-version":
        if shown(form) != _VERSION:
            raise InputError(f"line {form.line}: found {quoted(form)}, expected version <2.0>")
    else:
        raise InputError(
            f"line {form.line}: found {quoted(form)}, expected (declare-network …) or (assert …)"
        )


def _require_tensor(form: Nest, name: str) -> None:
    """The type of a tensor is real, its shape is made of natural numbers."""
    kind = form.parts[2] if len(form.parts) > 2 else None
    _require_indices(form.parts)
    if isinstance(kind, Token) and kind.text != REAL:
        kind_text = clipped(kind.text, _WIDTH)
        found = f"line {kind.line}: found the type {kind_text}, expected {REAL}"
        if kind.text in FLOATS:
            raise InputError(
                f"{found}: what is computed with {kind.text} is not decided here; to ask about "
                f"real numbers: exactrelu real-query {name} -o real.vnnlib"
            )
        raise InputError(found)


def _require_expression(form: Form, operators: Sequence[str]) -> None:
    """An operator stands before its terms; numbers and names are those of the standard."""
    if isinstance(form, Nest):
        if form.head not in operators:
            raise InputError(
                f"line {form.line}: found {quoted(form)}, expected one of {', '.join(operators)} "
                f"first{_in_order(form)}"
            )
        inner = _FORMULAS if form.head in ("and", "or") else _TERMS
        _require_indices(form.parts[1:])
        for part in form.parts[1:]:
            _require_expression(part, inner)
    elif not (
        _NUMBER.fullmatch(form.text) or _NAME.fullmatch(form.text) or form.text in ("[", "]", ",")
    ):
        raise InputError(
            f"line {form.line}: found {quoted(form)}, expected a name or a decimal such as -0.5"
        )


def _in_order(form: Nest) -> str:
    """What is meant by an operator between two terms.

    >>> _in_order(next(forms("(Y_f[3] < Y_g[3])")))
    ', as in (< Y_f[3] Y_g[3])'
    """
    words = [part.text if isinstance(part, Token) else "" for part in form.parts]
    places = [k for k, word in enumerate(words) if word in _ORDER]
    if len(places) != 1 or "" in words:
        return ""
    (k,) = places
    return f", as in ({words[k]} {''.join(words[:k])} {''.join(words[k + 1 :])})"


def _require_indices(parts: Sequence[Form]) -> None:
    """What stands in square brackets are natural numbers."""
    is_inside = False
    for part in parts:
        text = part.text if isinstance(part, Token) else "()"
        if text in ("[", "]"):
            is_inside = text == "["
        elif is_inside and text != "," and not _NATURAL.fullmatch(text):
            raise InputError(f"line {part.line}: found {quoted(part)}, expected indices from 0 on")


# --- From the tree of the package


class _ReaderOfVersion2:
    """The declared networks, and what expressions mean with them."""

    def __init__(self, tree: Any) -> None:
        self.networks = tuple(map(_declared, tree.networks))
        self._query = Query("2.0", self.networks, And(()))

    def formula(self, tree: Any) -> Formula:
        """What is true or false."""
        kind = type(tree).__name__
        if kind in _CONNECTIVES:
            return _CONNECTIVES[kind](tuple(self.formula(part) for part in tree.args))
        line = max(_lines(tree), default=0)
        try:
            form = self._term(tree.lhs) - self._term(tree.rhs)
        except InputError as error:
            raise InputError(f"line {line}: {error}") from None
        return form.compared(_COMPARISONS[kind], line, _text(tree))

    def _term(self, tree: Any) -> Linear:
        """A linear form."""
        match type(tree).__name__:
            case "Var":
                tensor = self._query.tensors[tree.name]
                return Linear.variable(self._query.firsts[tree.name] + tensor.offset(tree.indices))
            case "Negate":
                return self._term(tree.expr) * fmpq(-1)
            case "Plus":
                return Linear.sum(map(self._term, tree.args))
            case "Minus":
                return self._term(tree.head) - Linear.sum(map(self._term, tree.rest))
            case "Multiply":
                return Linear.product(map(self._term, tree.args))
            case _:
                return Linear({}, parse_rational(tree.lexeme))


def _declared(tree: Any) -> DeclaredNetwork:
    inputs, hidden, outputs = (
        tuple(
            DeclaredTensor(t.name, REAL, tuple(t.shape), (t.onnx_name or "").strip('"'))
            for t in tensors
        )
        for tensors in (tree.inputs, tree.hidden, tree.outputs)
    )
    return DeclaredNetwork(
        tree.name, inputs, outputs, hidden, tree.equal_to or None, tree.isometric_to or None
    )


def _lines(tree: Any) -> Iterator[int]:
    """The lines of the numbers and variables of a comparison."""
    if hasattr(tree, "line"):
        yield tree.line
    for part in tree.children():
        yield from _lines(part)


def _text(tree: Any) -> str:
    """A comparison as it is written; the package puts spaces around indices."""
    text = str(tree).strip()
    return re.sub(r" \[([0-9, ]*)\]", lambda found: f"[{found[1].replace(' ', '')}]", text)
