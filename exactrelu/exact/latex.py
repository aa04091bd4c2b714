"""Exact numbers, linear forms and matrices as LaTeX, for notebooks.

What is written is exact, so that it can be copied.  A number of more than ``MOST_DIGITS`` digits is
not for reading: of its numerator and its denominator the first and the last digits are written.
Nor is a matrix of more than ``MOST_ENTRIES`` entries, of which nothing is written here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from flint import fmpq

from exactrelu.exact.matrix import Matrix

MOST_DIGITS = 40
MOST_ENTRIES = 60
#: More lines than this are cut.
MOST_LINES = 24

RELATIONS = {"=": "=", "≥": r"\ge", ">": ">"}


def number(value: fmpq) -> str:
    """A rational number.

    >>> number(fmpq(-3, 4)), number(fmpq(7))
    ('-\\\\frac{3}{4}', '7')
    """
    top, bottom = str(abs(value.numerator)), str(value.denominator)
    if len(top) + len(bottom) > MOST_DIGITS:
        top, bottom = _ends(top), _ends(bottom)
    sign = "-" if value < 0 else ""
    return f"{sign}{top}" if bottom == "1" else rf"{sign}\frac{{{top}}}{{{bottom}}}"


def _ends(digits: str) -> str:
    return digits if len(digits) <= 14 else rf"{digits[:6]}\ldots {digits[-6:]}"


def form(terms: Iterable[tuple[fmpq, Sequence[str]]]) -> str:
    """A sum of numbers times products of names, each in LaTeX already.

    >>> form([(fmpq(1), ["x_1"]), (fmpq(-1, 2), ["x_2"]), (fmpq(0), ["x_3"]), (fmpq(3), [])])
    'x_1 - \\\\frac{1}{2} x_2 + 3'
    """
    text = ""
    for coefficient, names in terms:
        if coefficient == 0:
            continue
        size = abs(coefficient)
        parts = [*([] if size == 1 and names else [number(size)]), *names]
        negative = coefficient < 0
        sign = (" - " if negative else " + ") if text else ("-" if negative else "")
        text += sign + " ".join(parts)
    return text or "0"


def linear(normal: Sequence[fmpq], offset: fmpq) -> str:
    """a·x + b, with the variables x_1, x_2, …

    >>> linear([fmpq(2), fmpq(-1)], fmpq(0))
    '2 x_1 - x_2'
    """
    terms: list[tuple[fmpq, Sequence[str]]] = [
        (a, [f"x_{{{j}}}" if j > 9 else f"x_{j}"]) for j, a in enumerate(normal, 1)
    ]
    return form([*terms, (offset, ())])


def matrix(A: Matrix) -> str | None:
    """A matrix in round brackets; None if nobody would read it.

    >>> matrix(Matrix([[1, 0], [fmpq(1, 2), 3]]))
    '\\\\begin{pmatrix}1 & 0 \\\\\\\\ \\\\frac{1}{2} & 3\\\\end{pmatrix}'
    """
    if A.n_rows * A.n_columns > MOST_ENTRIES:
        return None
    return _environment("pmatrix", [" & ".join(map(number, row)) for row in A.rows()])


def parameter(name: str) -> str:
    """The name of a parameter, such as W1_23 or b2_1, as it is written.

    >>> parameter("W1_23"), parameter("b2_1"), parameter("W1_10_2")
    ('W^{1}_{2 3}', 'b^{2}_{1}', 'W^{1}_{10 2}')
    """
    found = re.fullmatch(r"([A-Za-z]+)(\d+)_(\d+)(?:_(\d+))?", name)
    if found is None:
        return rf"\mathrm{{{name}}}"
    letter, layer, first, second = found.groups()
    places = [first, second] if second else list(first) if letter == "W" else [first]
    return f"{letter}^{{{layer}}}_{{{' '.join(places)}}}"


def lines(texts: Sequence[str]) -> str:
    """Lines one below the other, aligned at ``&``; at most ``MOST_LINES``."""
    shown = list(texts[:MOST_LINES])
    if len(texts) > MOST_LINES:
        shown.append(rf"&\ldots\ {len(texts) - MOST_LINES}\text{{ more}}")
    return _environment("aligned", shown)


def _environment(name: str, rows: Sequence[str]) -> str:
    body = r" \\ ".join(rows)
    return rf"\begin{{{name}}}{body}\end{{{name}}}"
