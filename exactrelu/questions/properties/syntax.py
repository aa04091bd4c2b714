"""The syntax that both versions of VNN-LIB, and results, share: words and nested lists of them.

    ; a comment to the end of the line
    (assert (<= X_0 0.5))           a form of version 1.0, as in SMT-LIB
    (assert (<= X[0,1] 0.5))        one of version 2.0, with indices

A *token* is a bracket, a comma, a string or a word, with its line and its place in the text.  A
*form* is a token, or a list of forms between round brackets.  Forms are read one after the other
without recursion, so that no text can exhaust the stack, and one that is nested too deeply for
those who walk through it is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from exactrelu.display import clipped
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import InputError

#: Lists inside lists.
MAX_DEPTH = 200

_TOKEN = re.compile(
    r"""
    (?P<space> \s+ | ;[^\n]* )
    | (?P<token> [()\[\],] | "[^"\n]*" | [^\s()\[\],;"]+ )
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """A bracket, a comma, a string or a word: its line from 1, and where it begins."""

    text: str
    line: int
    start: int


class Nest(NamedTuple):
    """A list of forms between round brackets, and the line on which it begins."""

    parts: tuple[Form, ...]
    line: int

    @property
    def head(self) -> str:
        """The word that it begins with, or nothing."""
        first = self.parts[0] if self.parts else None
        return first.text if isinstance(first, Token) else ""


Form: TypeAlias = Token | Nest


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text, without spaces and comments.

    >>> [token.text for token in tokens("(<= X[0,1] -.5) ; rest")]
    ['(', '<=', 'X', '[', '0', ',', '1', ']', '-.5', ')']
    """
    line, place = 1, 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise InputError(f"line {line}: found a string that does not end on its line")
        place = found.end()
        token = found["token"]
        if token is None:
            line += found[0].count("\n")
        else:
            yield Token(token, line, found.start())


def forms(text: str, effort: Effort = UNLIMITED) -> Iterator[Nest]:
    """The lists that a text is made of; outside of them there is nothing.

    >>> [form.head for form in forms("(assert (<= X_0 1)) (assert (>= X_0 0))")]
    ['assert', 'assert']
    >>> next(forms("(assert\\n (<= X_0 1)"))
    Traceback (most recent call last):
    ...
    exactrelu.errors.InputError: line 1: found '(' that is not closed, expected ')'
    """
    opened: list[tuple[list[Form], int]] = []
    for token in tokens(text):
        if token.text == "(":
            if len(opened) == MAX_DEPTH:
                raise InputError(f"line {token.line}: nested more than {MAX_DEPTH} deep")
            opened.append(([], token.line))
        elif not opened:
            raise InputError(f"line {token.line}: found {quoted(token)}, expected '('")
        elif token.text == ")":
            parts, line = opened.pop()
            nest = Nest(tuple(parts), line)
            if opened:
                opened[-1][0].append(nest)
            else:
                effort.spend()
                yield nest
        else:
            opened[-1][0].append(token)
    if opened:
        raise InputError(f"line {opened[-1][1]}: found '(' that is not closed, expected ')'")


def quoted(form: Form) -> str:
    """A form in an error message.

    >>> quoted(next(forms("(+ X_0   (* 2 Y_1))")))
    "'(+ X_0 (* 2 Y_1))'"
    """
    return repr(clipped(shown(form), 40))


def shown(form: Form) -> str:
    """A form as people write it, on one line."""
    if isinstance(form, Token):
        return form.text
    parts: list[str] = []
    for part in form.parts:
        text = shown(part)
        is_tight = text in ("[", "]", ",") or (parts and parts[-1][-1] in "[,")
        if parts and is_tight:
            parts[-1] += text
        else:
            parts.append(text)
    return f"({' '.join(parts)})"
