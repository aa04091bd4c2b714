"""Timing and tables."""

from collections.abc import Callable, Sequence
from time import perf_counter


def seconds(action: Callable[[], object], at_least: float = 0.2) -> float:
    """The best time of one call, over enough calls to fill ``at_least`` seconds."""
    best, total = float("inf"), 0.0
    while total < at_least:
        start = perf_counter()
        action()
        elapsed = perf_counter() - start
        best, total = min(best, elapsed), total + elapsed
    return best


def agree(found: object, expected: object, what: str) -> None:
    """End the run if two ways of computing the same differ: their times say nothing then."""
    if found != expected:
        raise SystemExit(f"{what}: found two different answers")


def print_table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Columns aligned to their longest entry."""
    table = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))


def shown(value: float) -> str:
    """Seconds with a sensible unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value * 1e6:.3g} µs"
