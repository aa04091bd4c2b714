"""One line of a certificate: printable ASCII, bounded nesting, canonical JSON.

A line is canonical if it is the text that ``canonical`` gives for the value that it encodes.
Comparing the two texts refuses spaces, unsorted or repeated keys, ``-0`` and every other second
spelling at once.
"""

import json
import re
from itertools import accumulate
from typing import NoReturn

from .budget import Limits
from .verdicts import Reason, Refused

_PRINTABLE = bytes(range(0x20, 0x7F))
_STRING = re.compile(rb'"[^"]*"')
_MARKS = b'[]{},"'
_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_INDEX_DIGITS = 15

Fields = dict[str, object]


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def canonical(value: object) -> str:
    """Return the canonical JSON text of a value."""
    return _ENCODER.encode(value)


def parse_line(line: bytes, limits: Limits) -> Fields:
    """Return the object on a line, given without its newline."""
    if line.translate(None, _PRINTABLE):
        raise Refused(Reason.NOT_ASCII, "a byte outside printable ASCII")
    if b"\\" in line:
        raise Refused(Reason.ESCAPE, "a backslash; no string of the format needs one")
    _bound_structure(line, limits)
    text = line.decode("ascii")
    try:
        value: object = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise Refused(Reason.NOT_JSON, f"not JSON: {error.msg} at column {error.colno}") from None
    fields = as_fields(value, "the line")
    if canonical(fields) != text:
        raise Refused(Reason.NOT_CANONICAL, "not the canonical JSON text of its value")
    return fields


def as_fields(value: object, what: str) -> Fields:
    """Return a JSON object; refuse every other JSON value."""
    if not isinstance(value, dict):
        raise Refused(Reason.NOT_AN_OBJECT, f"{what} is not a JSON object")
    return value


def require_fields(fields: Fields, names: frozenset[str], what: str) -> None:
    """Refuse an object that lacks one of the named fields or has another one."""
    if fields.keys() != names:
        wanted = ", ".join(sorted(names))
        raise Refused(Reason.WRONG_FIELDS, f"{what} must have exactly the fields {wanted}")


def _bound_structure(line: bytes, limits: Limits) -> None:
    """Bound nesting and size before the JSON parser, which recurses and allocates, sees them."""
    marks = len(line) - len(line.translate(None, _MARKS))
    if marks > limits.marks:
        raise Refused(Reason.TOO_MANY_MARKS, f"{marks} brackets, commas and quotes on a line")
    brackets = _STRING.sub(b"", line).translate(None, _NOT_BRACKETS)
    steps = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
    depth = max(accumulate(steps[byte] for byte in brackets), default=0)
    if depth > limits.depth:
        raise Refused(Reason.TOO_DEEP, f"brackets nested {depth} deep")


def _small_integer(text: str) -> int:
    if len(text) > _INDEX_DIGITS:
        raise Refused(Reason.BAD_NUMBER, f"a JSON number of {len(text)} characters")
    return int(text)


def _no_float(text: str) -> NoReturn:
    raise Refused(Reason.BAD_NUMBER, "a JSON number that is not an integer")


_DECODER = json.JSONDecoder(
    parse_int=_small_integer, parse_float=_no_float, parse_constant=_no_float
)
