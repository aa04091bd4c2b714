"""Numbers as short text for the sentences that state claims.

Long numbers are named by their length, so that no decimal conversion is ever long.
"""

import math
from collections.abc import Sequence

from .values import RationalVector

_SHOWN_BITS = 128
_SHOWN_ENTRIES = 12
_SHOWN_SIGNS = 64


def rational_text(number: RationalVector) -> str:
    """Return a rational number as ``num`` or ``num/den``."""
    return _quotient(number.nums[0], number.den)


def vector_text(vector: RationalVector) -> str:
    """Return a rational vector in parentheses, its first entries only if it is long."""
    shown = [_quotient(num, vector.den) for num in vector.nums[:_SHOWN_ENTRIES]]
    return _listed(shown, len(vector.nums))


def signs_text(signs: Sequence[str]) -> str:
    """Return activation signs layer by layer, the first layers only if there are many."""
    shown = [
        layer if len(layer) <= _SHOWN_SIGNS else f"{layer[:_SHOWN_SIGNS]}... {len(layer)} signs"
        for layer in signs[:_SHOWN_ENTRIES]
    ]
    return _listed(shown, len(signs))


def widths_text(widths: Sequence[int]) -> str:
    """Return layer widths joined by dashes, the first ones only if there are many."""
    more = f"-... {len(widths)} widths" if len(widths) > _SHOWN_ENTRIES else ""
    return "-".join(map(str, widths[:_SHOWN_ENTRIES])) + more


def _listed(shown: Sequence[str], length: int) -> str:
    more = f", ... {length} entries" if len(shown) < length else ""
    return f"({', '.join(shown)}{more})"


def _quotient(num: int, den: int) -> str:
    if max(num.bit_length(), den.bit_length()) > _SHOWN_BITS:
        sign = "-" if num < 0 else ""
        return f"{sign}[{num.bit_length()} bits]/[{den.bit_length()} bits]"
    common = math.gcd(num, den)
    return str(num // common) if den == common else f"{num // common}/{den // common}"
