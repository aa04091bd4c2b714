"""Linear constraints on the inputs and outputs of a network, as people type them.

    y1 <= 2        x1 + 1/2 y2 > 3*y1 - 0.5        -1 <= y1 < 1        y1 = y2

A *constraint* compares sums of numbers, inputs x1, x2, … and outputs y1, y2, …; a chain compares
each with the next.  Numbers are exact, in decimals or as fractions.  A constraint becomes a row
over (x, y), and what violates it is a case of a property: a ≥ 0 is violated where −a > 0, a > 0
where −a ≥ 0, and a = 0 where a > 0 or −a > 0.

>>> [row.integers() for row in rows_of("-1 <= y1 < 1/2", 1, 1)]
[(0, 1, 1), (0, -2, 1)]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from flint import fmpq

from exactrelu.errors import InputError, ShapeError, attempted, one_line, shortened
from exactrelu.exact.scalar import ZERO, rational
from exactrelu.exact.system import LinearSystem, Row, Sense

_COMPARED = re.compile(r"(<=|>=|==|=|<|>|≤|≥)")
_OPERATORS = {"≤": "<=", "≥": ">=", "==": "="}
#: A sign, a number and a variable; at least one of the last two.
_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?:\s*/\s*\d+)?"
_TERM = re.compile(
    rf"\s*(?P<sign>[+\-−])?\s*(?:(?P<number>{_NUMBER})\s*\*?\s*)?(?:(?P<kind>[xy])(?P<index>\d*))?"
    rf"(?:\s*\*\s*(?P<factor>{_NUMBER}))?\s*"
)
_EXPECTED = "expected a comparison of sums, such as 'y1 <= 2' or 'x1 + 1/2 y2 > 3 y1'"

#: What is taken for constraints: texts, rows over (x, y) or over y alone, systems of such rows.
ConstraintsLike = str | Row | LinearSystem | Iterable[str | Row | LinearSystem]


def rows_of(given: ConstraintsLike, n_inputs: int, n_outputs: int) -> tuple[Row, ...]:
    """Constraints as rows over (x, y).

    >>> rows_of(["y1 = 2*x1", "y1 > 0.5"], 1, 1)[1].integers()
    (0, 2, -1)
    >>> rows_of("y2 > 0", 1, 1)
    Traceback (most recent call last):
    ...
    exactrelu.errors.InputError: 'y2 > 0': found y2, expected an output from y1 to y1
    """
    if isinstance(given, str | Row | LinearSystem):
        given = [given]
    if not isinstance(given, Iterable):
        raise InputError(f"constraints: found a value of type {type(given).__name__}, {_EXPECTED}")
    rows: list[Row] = []
    for item in attempted(list, given, "constraints"):
        if isinstance(item, str):
            rows += _typed(item, n_inputs, n_outputs)
        elif isinstance(item, Row | LinearSystem):
            found = item.rows if isinstance(item, LinearSystem) else (item,)
            rows += (_over_both(row, n_inputs, n_outputs) for row in found)
        else:
            raise InputError(
                f"constraints: found a value of type {type(item).__name__}, {_EXPECTED}"
            )
    if not rows:
        raise InputError(f"constraints: found none, {_EXPECTED}")
    return tuple(rows)


def violations(rows: Iterable[Row]) -> Iterator[LinearSystem]:
    """The cases in which a constraint does not hold, in the order of the rows.

    >>> [case.rows[0].sense.value for case in violations(rows_of(["y1 >= 0", "y1 = 1"], 1, 1))]
    ['gt', 'gt', 'gt']
    """
    for row in rows:
        sense = Sense.AT_LEAST if row.sense is Sense.GREATER else Sense.GREATER
        opposite = Row(tuple(-a for a in row.flint_normal), -row.flint_offset, sense)
        yield LinearSystem(len(row.flint_normal), (opposite,))
        if row.sense is Sense.EQUAL:
            yield LinearSystem(len(row.flint_normal), (row.of_sense(Sense.GREATER),))


def _over_both(row: Row, n_inputs: int, n_outputs: int) -> Row:
    n = len(row.flint_normal)
    if n == n_outputs:
        return Row((*(ZERO,) * n_inputs, *row.flint_normal), row.flint_offset, row.sense)
    if n != n_inputs + n_outputs:
        raise ShapeError(
            f"a constraint with {n} coefficients, expected {n_outputs} for the outputs or "
            f"{n_inputs + n_outputs} for inputs and outputs"
        )
    return row


def _typed(text: str, n_inputs: int, n_outputs: int) -> Iterator[Row]:
    """The rows of one text."""
    parts = _COMPARED.split(text)
    if len(parts) < 3:
        raise InputError(f"{shortened(text)}: found no comparison, {_EXPECTED}")
    sums = [_sum(part, text, n_inputs, n_outputs) for part in parts[::2]]
    for left, operator, right in zip(sums, parts[1::2], sums[1:], strict=False):
        operator = _OPERATORS.get(operator, operator)
        larger, smaller = (right, left) if operator[0] == "<" else (left, right)
        *normal, offset = (a - b for a, b in zip(larger, smaller, strict=True))
        sense = {"=": Sense.EQUAL, "<": Sense.GREATER, ">": Sense.GREATER}.get(operator)
        yield Row(tuple(normal), offset, sense or Sense.AT_LEAST)


def _sum(part: str, text: str, n_inputs: int, n_outputs: int) -> Sequence[fmpq]:
    """The coefficients of x and y in a sum, and then its constant."""
    found = [ZERO] * (n_inputs + n_outputs + 1)
    at, where = 0, one_line(text, 40)
    while at < len(part):
        term = _TERM.match(part, at)
        if term is None or term.end() == at or not (term["number"] or term["kind"]):
            raise InputError(f"{shortened(text)}: found {part[at:].strip()[:20]!r}, {_EXPECTED}")
        if at and not term["sign"]:
            raise InputError(
                f"{shortened(text)}: found {part[at:].strip()[:20]!r}, expected + or −"
            )
        value = rational("".join((term["number"] or "1").split()), where)
        value *= rational("".join((term["factor"] or "1").split()), where)
        place = _place(term, text, n_inputs, n_outputs)
        found[place] += -value if term["sign"] in ("-", "−") else value
        at = term.end()
    if not part.strip():
        raise InputError(f"{shortened(text)}: found nothing beside a comparison, {_EXPECTED}")
    return found


def _place(term: Any, text: str, n_inputs: int, n_outputs: int) -> int:
    """Where the coefficient of a term stands."""
    kind = term["kind"]
    if kind is None:
        return n_inputs + n_outputs
    n, name = (n_inputs, "an input") if kind == "x" else (n_outputs, "an output")
    digits = term["index"].lstrip("0") if term["index"] else ("1" if n == 1 else "0")
    # Python refuses to read very many digits.
    index = int(digits or "0") if len(digits) < 20 else n + 1
    if not 1 <= index <= n:
        found = one_line(f"{kind}{term['index']}", 20)
        expected = f"expected {name} from {kind}1 to {kind}{n}"
        raise InputError(f"{shortened(text)}: found {found}, {expected}")
    return index - 1 + (n_inputs if kind == "y" else 0)
