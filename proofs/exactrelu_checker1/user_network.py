"""The user's own network, given with ``--network``, to compare a certificate with.

Two files are read: ``exactrelu-network/1`` (weights and bias as strings or JSON integers), and
the canonical bytes of a network as they stand in a claim. This file is the user's, so it is
trusted for what it says; what is not understood is still an error.
"""

import json
import math
import re
from fractions import Fraction

from .budget import Budget, Limits
from .canonical import as_fields
from .network import Network, read_network
from .values import read_list
from .verdicts import Refused

_FORMAT = "exactrelu-network/1"
_FRACTION = re.compile(r"([+-]?)(\d+)(?:/(\d+))?", re.ASCII)
_DECIMAL = re.compile(r"([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,4}))?", re.ASCII)
_CHUNK = 4000


class UserNetworkError(Exception):
    """The file given with --network cannot be read as a network."""


def load_network(path: str) -> Network:
    """Return the network in a file of the user."""
    try:
        with open(path, encoding="utf-8") as file:
            fields = as_fields(json.load(file, parse_int=_integer), "the file")
        if "format" not in fields:
            return read_network(fields, Budget(Limits()))
        return _read_exact_json(fields)
    except (OSError, ValueError, ZeroDivisionError, RecursionError, Refused) as error:
        raise UserNetworkError(f"{path}: {error}") from None


def _read_exact_json(fields: dict[str, object]) -> Network:
    if fields["format"] != _FORMAT or not fields.keys() <= {"format", "layers", "name"}:
        raise ValueError(f"not an {_FORMAT} file with the fields format, name and layers")
    layers = []
    for value in read_list(fields.get("layers")):
        layer = as_fields(value, "a layer")
        # Names of neurons are no part of the function, nor of the canonical bytes.
        if layer.keys() - {"neurons"} != {"weights", "bias"}:
            raise ValueError("a layer has the fields weights and bias, and perhaps neurons")
        weights, bias = read_list(layer["weights"]), read_list(layer["bias"])
        if not weights:
            raise ValueError("a layer without neurons")
        rows = [
            [_rational(entry) for entry in (*read_list(row), offset)]
            for row, offset in zip(weights, bias, strict=True)
        ]
        den = math.lcm(*(entry.denominator for row in rows for entry in row))
        matrix = [f"{den:x}", [[f"{int(entry * den):x}" for entry in row] for row in rows]]
        layers.append({"inputs": len(rows[0]) - 1, "matrix": matrix, "outputs": len(rows)})
    # The reader of claims checks the shapes, so that both kinds of file meet the same rules.
    return read_network({"layers": layers}, Budget(Limits()))


def _rational(value: object) -> Fraction:
    if type(value) is int:
        return Fraction(value)
    if isinstance(value, str):
        if match := _FRACTION.fullmatch(value):
            sign, numerator, denominator = match.groups()
            return Fraction(_integer(sign + numerator), _integer(denominator or "1"))
        match = _DECIMAL.fullmatch(value)
        if match and (match[2] or match[3]):
            sign, whole, decimals, exponent = match.groups()
            shift = int(exponent or "0") - len(decimals)
            return _integer(sign + whole + decimals) * Fraction(10) ** shift
    # A JSON float is refused too: 0.1 may mean the decimal or the double.
    raise ValueError(f"{str(value)[:40]!r}: write an integer, or a string such as -3/4 or 0.125")


def _integer(text: str) -> int:
    """Return a decimal integer of any length; int() alone stops at 4,300 digits."""
    digits = text.lstrip("+-")
    value = 0
    for start in range(0, len(digits), _CHUNK):
        chunk = digits[start : start + _CHUNK]
        value = value * 10 ** len(chunk) + int(chunk)
    return -value if text.startswith("-") else value
