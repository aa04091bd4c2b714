"""Which version of VNN-LIB a text is written in, and the same query over real numbers.

Version 2.0 says which it is, ``(vnnlib-version <2.0>)``; a text that does not, and declares no
network, is of version 1.0.  Version 1.0 is about real numbers.  In version 2.0 a tensor has an
element type, and only queries over ``real`` are decided exactly: :func:`real_query` is how one says
that real numbers are meant.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from typing import Unpack

from exactrelu.bounded import bounded
from exactrelu.effort import UNLIMITED, Effort, Limits
from exactrelu.errors import InputError
from exactrelu.exact.text import BYTES_OF_LETTER
from exactrelu.files import PathLike, errors_in, read_text
from exactrelu.questions.properties.query import Query
from exactrelu.questions.properties.syntax import Token, quoted, tokens
from exactrelu.questions.properties.vnnlib1 import parse_version1
from exactrelu.questions.properties.vnnlib2 import DECLARATIONS, FLOATS, REAL, parse_version2


def read_query(path: PathLike, effort: Effort = UNLIMITED) -> Query:
    """The query of a file, of either version, packed or not."""
    text = read_text(path, effort)
    with errors_in(path):
        return parse_query(text, shlex.quote(os.fspath(path)), effort)


def parse_query(text: str, name: str = "QUERY", effort: Effort = UNLIMITED) -> Query:
    """The query of a text; ``name`` is how errors call it in a command.

    >>> parse_query("(declare-const X_0 Real) (declare-const Y_0 Real) (assert (<= Y_0 X_0))")
    Query: VNN-LIB 1.0, 1 assertions
    """
    effort.need(BYTES_OF_LETTER * len(text), f"a query of {len(text):,} letters")
    return parse_version2(text, name, effort) if is_version2(text) else parse_version1(text, effort)


def is_version2(text: str) -> bool:
    """Whether the first list of a text is one of version 2.0."""
    words = tokens(text)
    first, second = next(words, None), next(words, None)
    if first is None:
        raise InputError("found no query, expected (declare-const …) or (vnnlib-version <2.0>)")
    return second is not None and second.text in ("vnnlib-version", "declare-network")


@bounded
def real_query(effort: Effort, /, text: str, **limits: Unpack[Limits]) -> str:
    """The same query over real numbers: every floating point type becomes ``real``.

    Parameters
    ----------
    text : str
        A query in VNN-LIB 2.0, or 1.0, where there is nothing to change.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    str
        The text with other types, and otherwise as it was, letter by letter.

    Raises
    ------
    InputError
        If a type is no floating point type, or brackets do not fit.

    Notes
    -----
    The standard asks a solver to refuse a query over ``float32`` if it would decide another
    question.  What networks compute in floating point is another function: whoever writes
    ``real`` says that the function of real numbers is meant.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.real_query("(declare-network f (declare-input X float32 [2])")
    '(declare-network f (declare-input X real [2])'
    """
    parts: list[str] = []
    done = 0
    for kind in _types(text, effort):
        if kind.text not in FLOATS and kind.text != REAL:
            expected = f"expected {REAL} or a floating point type such as float32"
            raise InputError(f"line {kind.line}: found the type {quoted(kind)}, {expected}")
        parts += [text[done : kind.start], REAL]
        done = kind.start + len(kind.text)
    return "".join([*parts, text[done:]])


def n_machine_types(text: str, effort: Effort = UNLIMITED) -> int:
    """How many tensors of a query are of a floating point type.

    >>> n_machine_types("(declare-input X float32 [2]) ; (declare-input Y float32 [2])")
    1
    """
    return sum(1 for kind in _types(text, effort) if kind.text in FLOATS)


def _types(text: str, effort: Effort) -> Iterator[Token]:
    """The element types of all tensors: the third word of their declarations."""
    before, n_left = "", 0
    for word in tokens(text):
        effort.spend()
        if before == "(" and word.text in DECLARATIONS:
            n_left = 2
        elif n_left > 0:
            n_left -= 1
            if n_left == 0:
                yield word
        before = word.text
