"""Which engine decides a system of linear inequalities: the choice and its figures.

``benchmarks/lp.py``, µs of CPU per system of m strict inequalities in d variables, half
of them infeasible, conversion included; 8-bit integers / 53-bit dyadics.  Use the ratios.

    (d,m)       dictionary        HiGHS+FLINT      PPL LP            z3
    (1,4)          164 / 180         433 / 313        296 / 355         4,000 / 3,300
    (2,8)          289 / 256         481 / 518        537 / 665         7,500 / 8,300
    (3,16)         562 / 728         733 / 611      1,321 / 2,003      13,000 / 20,000
    (4,24)         658 / 927         490 / 566      1,331 / 4,285      15,000 / 48,000
    (5,32)       1,184 / 2,026       645 / 772      2,748 / 8,014      28,000 / 167,000
    (8,64)       5,098 / 25,031    1,186 / 2,077   13,789 / 112,628   169,000 / –
    (16,128)   123,305 / –         4,107 / 3,780  303,321 / –               – / –
    (32,256)         – / –        17,236 / 22,600       – / –               – / –

One row changed and solved again (:class:`exactrelu.polyhedra.prober.Prober`):

    (2,8)          122 / 100         330 / 326
    (3,16)         131 / 94          277 / 246
    (4,24)         115 / 214         275 / 310
    (5,32)         446 / 585         299 / 550
    (8,64)       1,952 / 3,135       573 / 601

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
