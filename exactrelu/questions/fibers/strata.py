"""The pieces of a fiber: which neuron plays which part (theory 1.3).

A member of the fiber puts at least one neuron on each bend of the function.  The other
neurons join a bend, form a canceling group (neurons on one hyperplane whose output columns
sum to 0), are linear (w ≥ 0, b ≥ 0), or dead (w ≤ 0, b ≤ 0); on R^n linear and dead ones have
w = 0, which are the constant neurons of [S002-E08].  A :class:`Stratum` says how many, and how
they are oriented, up to a permutation of the neurons.  The fiber is the union of its strata.

A stratum is *simple* if each bend has one neuron and nothing cancels: these are the M_S of
theory 1.4, and members without two neurons on one hyperplane, generic ones among them, lie in
no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Literal

from exactrelu.questions.fibers.target import Target

Kind = Literal["bend", "cancelling", "linear", "dead"]


@dataclass(frozen=True)
class Neuron:
    """The part of one neuron: its kind, its group and its sign in the group."""

    kind: Kind
    group: int = 0
    sign: int = 1


@dataclass(frozen=True)
class Stratum:
    """``bends[i]`` holds the signs of the neurons on bend i, as in "+", "-", "++-".

    ``cancelling`` holds those of each canceling group.
    """

    bends: tuple[str, ...]
    n_linear: int = 0
    n_dead: int = 0
    cancelling: tuple[str, ...] = ()

    @property
    def is_simple(self) -> bool:
        return not self.cancelling and all(len(signs) == 1 for signs in self.bends)

    @property
    def name(self) -> str:
        """What no other stratum with as many neurons is called.

        First the signs on the bends, then each canceling group in brackets, then a 0 for each
        dead neuron.  The other neurons are linear.

        >>> Stratum(("+", "-"), 1).name, Stratum(("+", "+-"), 1, 2, ("+-", "+")).name
        ('+-', '+ +- (+-) (+) 00')
        """
        one_each = all(len(signs) == 1 for signs in self.bends)
        bends = ("" if one_each else " ").join(self.bends) or "·"
        groups = (f"({signs})" for signs in self.cancelling)
        dead = ["0" * self.n_dead] if self.n_dead else []
        return " ".join([bends, *groups, *dead])

    @property
    def n_neurons(self) -> int:
        return sum(map(len, self.bends + self.cancelling)) + self.n_linear + self.n_dead

    def layout(self, target: Target) -> tuple[Neuron, ...]:
        """The part of each neuron: bends at their places, the others where there is room."""
        places: list[Neuron | None] = [None] * self.n_neurons
        others: list[Neuron] = []
        for i, (signs, bend) in enumerate(zip(self.bends, target.bends, strict=True)):
            first, *rest = (Neuron("bend", i, _sign(s)) for s in signs)
            if bend.place < len(places):
                places[bend.place] = first
                others += rest
            else:
                others += [first, *rest]
        others += [
            Neuron("cancelling", g, _sign(s))
            for g, signs in enumerate(self.cancelling)
            for s in signs
        ]
        others += [Neuron("linear", i) for i in range(self.n_linear)]
        others += [Neuron("dead", i) for i in range(self.n_dead)]
        rest_of_them = iter(others)
        return tuple(neuron or next(rest_of_them) for neuron in places)


def _sign(sign: str) -> int:
    return 1 if sign == "+" else -1


def orientations(n: int) -> Iterator[tuple[str, ...]]:
    """All orientations of n hyperplanes."""
    return product("+-", repeat=n)


def all_strata(target: Target) -> Iterator[Stratum]:
    """Every stratum, empty or not."""
    spare = target.n_spare
    if spare < 0:
        return
    for n_doubled in range(spare + 1):
        for bends in _oriented_bends(len(target.bends), n_doubled):
            for n_cancelling in range(spare - n_doubled + 1):
                n_rest = spare - n_doubled - n_cancelling
                for groups in _groups(n_cancelling):
                    for n_linear in range(n_rest, -1, -1):
                        yield Stratum(bends, n_linear, n_rest - n_linear, groups)


def _oriented_bends(n: int, n_more: int) -> Iterator[tuple[str, ...]]:
    """Signs on n bends with n + n_more neurons."""
    if n == 0:
        if n_more == 0:
            yield ()
        return
    for more in range(n_more + 1):
        for signs in _signs(more + 1):
            for rest in _oriented_bends(n - 1, n_more - more):
                yield (signs, *rest)


def _signs(n: int) -> list[str]:
    return ["+" * (n - k) + "-" * k for k in range(n + 1)]


def _groups(n: int, largest: int | None = None) -> Iterator[tuple[str, ...]]:
    """Canceling groups of n neurons; a group and its mirror image are the same."""
    if n == 0:
        yield ()
        return
    for size in range(min(n, largest or n), 0, -1):
        kinds = ["+" * (size - k) + "-" * k for k in range(size // 2 + 1)]
        for n_groups in range(1, n // size + 1):
            rest = n - n_groups * size
            if rest and size == 1:
                continue
            for same in combinations_with_replacement(kinds, n_groups):
                if rest == 0:
                    yield same
                else:
                    yield from (same + others for others in _groups(rest, size - 1))
