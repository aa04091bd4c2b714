"""Limits on what one file may cost, and the deterministic fuel counter.

Fuel replaces a clock: the same file meets the same limit on every machine. One unit is about
one small multiplication; products of long integers cost in proportion to the product of their
lengths, an upper bound for every algorithm that Python uses.
"""

from dataclasses import dataclass

from .verdicts import Reason, Refused


@dataclass(frozen=True)
class Limits:
    """Upper bounds for one file; each is an option of the program."""

    bytes: int = 1 << 30  # after decompression
    line: int = 1 << 26  # bytes of a line, with its newline
    lines: int = 100_000_000
    depth: int = 16  # nested brackets
    marks: int = 10_000_000  # brackets, commas and quotes of a line
    bits: int = 4_000_000  # of an integer in the file
    fuel: int = 1_000_000_000


class Budget:
    """The fuel that is left for one file, and the length allowed to its integers."""

    def __init__(self, limits: Limits) -> None:
        self.bits = limits.bits
        self._fuel = limits.fuel

    def spend(self, units: int) -> None:
        """Pay for work before it is done."""
        if units > self._fuel:
            raise Refused(Reason.OUT_OF_FUEL, "the work exceeds --max-fuel")
        self._fuel -= units
