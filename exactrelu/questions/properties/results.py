"""Results of verifiers: an assignment of numbers to the variables of a query, as files have it.

In VNN-COMP the first line is ``sat``, ``unsat`` or another word.  After ``sat`` comes a point, in
version 1.0 and in version 2.0 of VNN-LIB (row-major, in the order of declaration):

    sat                         sat
    ((X_0 0.25)                 X real [1,2]
     (X_1 -1.0)                 0.25
     (Y_0 0.5))                 -1.0
                                Y real [1]
                                0.5

Both are read, whatever the version of the query, also without the word, as in files that have the
point alone, and after ``violated``, the word of earlier competitions; so are lines ``X[0,1]=0.25``
of earlier drafts, fractions p/q, and numbers as SMT solvers write them, ``(- (/ 1 3))``.  A number
is taken as it is written.  What is written here is exact where it is a finite decimal.  Other
numbers are rounded, since programs that read these files know nothing else, and listed beside as
they are.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import lt

from flint import fmpq, fmpz

from exactrelu.digits import whole
from exactrelu.effort import LATE, UNLIMITED, Effort
from exactrelu.errors import InputError
from exactrelu.exact.number_format import formatted
from exactrelu.exact.scalar import Vector, parse_rational
from exactrelu.questions.properties.query import Query
from exactrelu.questions.properties.syntax import Form, Nest, forms, quoted, shown
from exactrelu.questions.properties.vnnlib1 import number_of

#: Significant digits of what is no finite decimal.
DIGITS = 25

_HEADER = re.compile(
    r"([A-Za-z]\w*)\s+([A-Za-z]\w*)\s*\[\s*((?:[0-9]{1,9}(?:\s*,\s*[0-9]{1,9})*)?)\s*\]", re.ASCII
)
_EQUATION = re.compile(r"([A-Za-z]\w*(?:\[[^\]]*\])?)\s*=\s*(\S+)", re.ASCII)
_ENTRY = re.compile(r"([A-Za-z]\w*)(?:\[([0-9]{1,9}(?:,[0-9]{1,9})*)\])?", re.ASCII)
_PLACE = re.compile(r"([A-Za-z]\w*)_([0-9]{1,18})", re.ASCII)
_FIRST_WORD = re.compile(r"\s*([^\s(]+)")
_SAT = ("sat", "violated")
_WORDS = {"unsat", "unknown", "timeout", "timed-out", "error", "holds"}


def undecided_word(reason: str) -> str:
    """The first line where a query is not decided, by the reason that is given.

    >>> undecided_word("stopped after 5 s: floats find no point in 30 % of the box")
    'timed-out'
    >>> undecided_word("interrupted")
    'unknown'
    """
    return "timed-out" if reason.startswith(LATE) else "unknown"


@dataclass(frozen=True)
class Assignment:
    """Numbers for all variables of a query."""

    query: Query
    values: Vector

    @property
    def text(self) -> str:
        """In the format of the version of the query."""
        lines = _first_lines if self.query.version.startswith("1.") else _second_lines
        return "\n".join(lines(self.query, self.values))

    def _plain(self) -> dict[str, fmpq]:
        return self.named

    @property
    def named(self) -> dict[str, fmpq]:
        """The numbers by the names of the variables."""
        return {self.query.name(v): q for v, q in enumerate(self.values)}

    @property
    def rounded(self) -> list[str]:
        """The numbers that are no finite decimals, as they are."""
        pairs = enumerate(self.values)
        return [f"{self.query.name(v)} = {whole(q)}" for v, q in pairs if not is_finite(q)]


def is_finite(q: fmpq) -> bool:
    """Whether a number has a finite decimal: its denominator has no primes but 2 and 5.

    >>> is_finite(fmpq(3, 40)), is_finite(fmpq(1, 3))
    (True, False)
    """
    d = q.q
    for prime in (2, 5):
        # A power of the prime with at least as many bits as d has.
        d //= d.gcd(fmpz(prime) ** d.bit_length())
    return d == 1


def decimal_text(q: fmpq) -> str:
    """A number as programs read it, exactly if it has a finite decimal.

    >>> decimal_text(fmpq(-3, 40)), decimal_text(fmpq(7)), decimal_text(fmpq(1, 3))
    ('-0.075', '7.0', '0.3333333333333333333333333')
    """
    if not is_finite(q):
        return formatted(q, f".{DIGITS}g")
    places = 1
    while (fmpz(10) ** places) % q.q:
        places *= 2
    digits = str(abs(q.p) * (fmpz(10) ** places // q.q)).zfill(places + 1)
    after = digits[-places:].rstrip("0") or "0"
    return f"{'-' if q < 0 else ''}{digits[:-places]}.{after}"


def _first_lines(query: Query, values: Vector) -> Iterator[str]:
    pairs = [f"({query.name(v)} {decimal_text(q)})" for v, q in enumerate(values)]
    for k, pair in enumerate(pairs):
        yield f"{' ' if k else '('}{pair}{')' if k + 1 == len(pairs) else ''}"


def _second_lines(query: Query, values: Vector) -> Iterator[str]:
    for tensor in query.tensors.values():
        yield tensor.text
        for v in query.variables(tensor):
            yield decimal_text(values[v])


# --- Reading


def parse_result(text: str, query: Query, effort: Effort = UNLIMITED) -> Mapping[int, fmpq]:
    """The numbers that a result gives to variables of a query, after ``sat``.

    >>> from exactrelu.questions.properties.versions import parse_query
    >>> query = parse_query("(declare-const X_0 Real)(declare-const Y_0 Real)(assert (<= Y_0 X_0))")
    >>> parse_result("sat\\n((X_0 0.1) (Y_0 1e-3))", query)
    {0: 1/10, 1: 1/1000}
    """
    found = _FIRST_WORD.match(text)
    word, place = (found[1], found.end()) if found else ("", 0)
    line = text.count("\n", 0, place) + 1
    if word.lower() not in _SAT and not text.lstrip().startswith("("):
        said = word.lower() if word.lower() in _WORDS else repr(word[:40])
        raise InputError(f"line {line}: found {said}, expected sat and a counterexample")
    found_values: dict[int, fmpq] = {}
    # What follows is counted from the first line of the file.
    body = "\n" * (line - 1) + text[place:]
    pairs = _first_pairs if body.lstrip().startswith("(") else _second_pairs
    for v, value, line in pairs(body, query, effort):
        if v in found_values:
            raise InputError(f"line {line}: {query.name(v)} has a value already")
        found_values[v] = value
    missing = next((v for v in query.inputs if v not in found_values), None)
    if missing is not None:
        raise InputError(f"found no value of the input {query.name(missing)}")
    return found_values


def _variable(query: Query, name: str, line: int) -> int:
    """The variable that a result calls ``X[0,1]``, or ``X_1`` by its place in the tensor."""
    found = _ENTRY.fullmatch(name)
    tensor = query.tensors.get(found[1]) if found else None
    if found and tensor:
        indices = [int(i) for i in found[2].split(",")] if found[2] else []
        if len(indices) == len(tensor.shape) and all(map(lt, indices, tensor.shape)):
            return query.firsts[tensor.name] + tensor.offset(indices)
    found = _PLACE.fullmatch(name)
    tensor = query.tensors.get(found[1]) if found else None
    if found and tensor and int(found[2]) < tensor.size:
        return query.firsts[tensor.name] + int(found[2])
    raise InputError(f"line {line}: {name[:40]} is no variable of the query")


#: A variable, its number, and the line.
_Pair = tuple[int, fmpq, int]


def _first_pairs(text: str, query: Query, effort: Effort) -> Iterator[_Pair]:
    """(X_0 0.25) …, in brackets of their own or not."""
    for form in forms(text, effort):
        is_list = all(isinstance(part, Nest) for part in form.parts)
        for pair in form.parts if is_list else (form,):
            if not isinstance(pair, Nest) or len(pair.parts) < 2:
                raise InputError(
                    f"line {pair.line}: found {quoted(pair)}, expected pairs such as (X_0 0.25)"
                )
            *name, number = pair.parts
            said = shown(Nest(tuple(name), pair.line))[1:-1]
            yield _variable(query, said, pair.line), _number(number), pair.line


def _number(form: Form) -> fmpq:
    if isinstance(form, Nest):
        return number_of(form)
    return parse_rational(form.text, f"line {form.line}")


def _second_pairs(text: str, query: Query, effort: Effort) -> Iterator[_Pair]:
    """A line for the tensor, then a line for each number; or lines with names and numbers."""
    waiting: deque[int] = deque()
    for line, content in enumerate(text.split("\n"), 1):
        effort.spend()
        content = content.strip()
        header, equation = _HEADER.fullmatch(content), _EQUATION.fullmatch(content)
        if waiting and (header or equation):
            raise InputError(f"line {line}: found no value of {query.name(waiting[0])}")
        if header:
            waiting.extend(_entries(query, header, line))
        elif equation:
            v = _variable(query, re.sub(r"\s", "", equation[1]), line)
            yield v, parse_rational(equation[2], f"line {line}"), line
        elif content:
            if not waiting:
                raise InputError(
                    f"line {line}: found {content[:40]!r}, expected a tensor such as X real [1,5]"
                )
            yield waiting.popleft(), parse_rational(content, f"line {line}"), line
    if waiting:
        raise InputError(f"found no value of {query.name(waiting[0])}")


def _entries(query: Query, header: re.Match[str], line: int) -> range:
    """The variables of a tensor."""
    name, shape = header[1], tuple(int(n) for n in header[3].split(",") if n)
    tensor = query.tensors.get(name)
    if tensor is None:
        raise InputError(f"line {line}: {name[:40]} is no tensor of the query")
    if tensor.shape != shape:
        raise InputError(f"line {line}: found {header[0][:60]}, expected {tensor.text}")
    return query.variables(tensor)
