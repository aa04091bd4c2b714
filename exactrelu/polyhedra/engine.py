"""Which engine decides a system of linear inequalities: the choice and its figures.

``benchmarks/lp.py``, µs of CPU per system of m strict inequalities in d variables, half
of them infeasible, conversion included; 8-bit integers / 53-bit dyadics.  Use the ratios.

    (d,m)       dictionary        HiGHS+FLINT      PPL LP            z3
    (1,4)          102 / 99          277 / 313        181 / 238         2,300 / 3,300
    (2,8)          163 / 274         329 / 431        352 / 441         3,900 / 6,500
    (3,16)         357 / 565         508 / 546        724 / 1,594       9,200 / 21,000
    (4,24)         731 / 1,071       660 / 636      1,828 / 3,682      15,000 / 39,000
    (5,32)       1,209 / 2,007       650 / 920      2,901 / 9,051      26,000 / 134,000
    (8,64)       6,215 / 16,037    1,217 / 1,661   14,291 / 77,052    187,000 / –
    (16,128)   105,396 / –         3,155 / 5,963  295,085 / –               – / –
    (32,256)         – / –        12,124 / 14,683       – / –               – / –

One row changed and solved again (:class:`exactrelu.polyhedra.prober.Prober`); the two are
close at d = 5:

    (2,8)           60 / 79          277 / 456
    (3,16)          88 / 119         315 / 395
    (4,24)         122 / 226         463 / 363
    (5,32)         324 / 373         393 / 433
    (8,64)       1,930 / 3,906       584 / 746

A call of HiGHS costs 100 to 200 µs before it has done anything, so small systems go
straight to the exact dictionary.  Beyond, the guess wins, and its cost does not depend
on the size of the numbers.  PPL's simplex is behind one of the two everywhere; what the
guess leaves undecided (cells thinner than about 2⁻³⁰) goes to the dictionary as well,
which takes the rows in the order of their float slacks: 6 ms at (5,32), 70 ms at
(16,128) for slabs of half-width 2⁻⁶⁰.
"""

from __future__ import annotations

from enum import Enum


class Engine(Enum):
    """How an interior point or a dependency is found; the answer is exact in each case."""

    DICTIONARY = "exact simplex on integers"
    GUESS = "HiGHS, verified exactly, with the dictionary as fallback"


def choose_engine(dimension: int, n_rows: int) -> Engine:
    """The engine that is faster for one system of this size."""
    return Engine.DICTIONARY if dimension * n_rows <= 48 else Engine.GUESS


def choose_hot_engine(dimension: int) -> Engine:
    """The engine that is faster when single rows are pushed and popped."""
    return Engine.DICTIONARY if dimension <= 4 else Engine.GUESS
