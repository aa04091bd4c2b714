"""All networks of some widths with small integer weights, grouped by their function.

Positive scaling of hidden neurons is divided out by primitive rows (w|b), permutation by sorted
rows; the last row is primitive too and has no bias, so that functions are compared up to positive
factors and constants: for each network of a group there is one with just this last layer, scaled
and moved.  Rows that are 0 and rows that occur twice are there: nobody is left out of the
competition.  Values are integers d·f(x) at points x with the common denominator d, computed by
numpy; nothing of the engine under test is used.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, permutations, product
from math import gcd, prod

import numpy as np
from numpy.typing import NDArray

from exactrelu.network.network import Network

Integers = NDArray[np.int64]

#: Of the points where functions are compared: how many, and their common denominator.
N_POINTS = 28
DENOMINATOR = 12


def primitive(length: int, height: int) -> list[tuple[int, ...]]:
    """The integer vectors without a common divisor, and 0, which are at most so large.

    >>> primitive(1, 3), len(primitive(3, 2))
    ([(-1,), (0,), (1,)], 99)
    """
    vectors = product(range(-height, height + 1), repeat=length)
    return [v for v in vectors if gcd(*v) <= 1]


@dataclass(frozen=True)
class Family:
    """The networks of some widths with one output, and weights up to a height for each layer.

    A network is a number: that of its choice in each layer, in mixed radix.
    """

    widths: tuple[int, ...]
    heights: tuple[int, ...]

    @cached_property
    def rows(self) -> list[Integers]:
        """The rows that a neuron of each hidden layer may have, the bias last."""
        inputs = zip(self.widths[:-2], self.heights[:-1], strict=True)
        return [np.array(primitive(n + 1, height)) for n, height in inputs]

    @cached_property
    def choices(self) -> list[Integers]:
        """For each hidden layer the sorted sets of rows, with repetition, by their numbers."""
        return [
            np.array(list(combinations_with_replacement(range(len(rows)), n)))
            for rows, n in zip(self.rows, self.widths[1:-1], strict=True)
        ]

    @cached_property
    def outputs(self) -> Integers:
        """The last rows."""
        vectors = primitive(self.widths[-2], self.heights[-1])
        return np.array([v for v in vectors if any(v)])

    @cached_property
    def radices(self) -> tuple[int, ...]:
        return (*(len(choices) for choices in self.choices), len(self.outputs))

    def __len__(self) -> int:
        return prod(self.radices)

    @cached_property
    def points(self) -> Integers:
        """As columns: the numerators, and the common denominator as the last row."""
        rng = random.Random(str(self.widths))
        spans = [rng.choice((1, 2, 4, 30)) * DENOMINATOR for _ in range(N_POINTS)]
        columns = [[rng.randint(-s, s) for _ in range(self.widths[0])] for s in spans]
        return np.array([[*column, DENOMINATOR] for column in columns]).T

    def functions(self) -> Iterator[tuple[Integers, NDArray[np.bool_]]]:
        """For each choice of the first layer the hashes of its functions, in order.

        Equal functions, up to positive factors and constants, have equal hashes; 0 is that of the
        constants.  Beside them, whether every neuron has both signs at the points, is not repeated
        and is read: without that a bias, or a column, could move.
        """
        draw = np.random.default_rng(0)
        factors = draw.integers(0, 2**63, N_POINTS, np.int64) * 2 + 1
        for choice in range(self.radices[0]):
            values, is_lively = self._values(choice)
            values -= values[:, :1].copy()
            divisors = np.gcd.reduce(values, axis=1)
            values //= np.maximum(divisors, 1)[:, None]
            with np.errstate(over="ignore"):
                hashes = (values * factors).sum(axis=1)
            yield np.where(divisors == 0, 0, hashes), is_lively & (divisors != 0)

    def _values(self, choice: int) -> tuple[Integers, NDArray[np.bool_]]:
        active, is_lively = self.points[None, :-1], np.ones(1, bool)
        for l, (rows, choices) in enumerate(zip(self.rows, self.choices, strict=True)):
            taken = choices[choice : choice + 1] if l == 0 else choices
            ones = np.broadcast_to(self.points[-1], (len(active), 1, N_POINTS))
            z = rows @ np.concatenate([active, ones], axis=1)
            has_both = ((z > 0).any(axis=2) & (z < 0).any(axis=2))[:, taken].all(axis=2)
            is_simple = np.array([len(set(numbers)) == len(numbers) for numbers in taken.tolist()])
            active = np.maximum(z, 0)[:, taken].reshape(-1, taken.shape[1], N_POINTS)
            is_lively = (is_lively[:, None] & has_both & is_simple).reshape(-1)
            if l > 0:
                read = (rows[taken, :-1] != 0).any(axis=1).all(axis=1)
                is_lively = (is_lively.reshape(-1, len(taken)) & read).reshape(-1)
        values = np.einsum("oj,bjk->bok", self.outputs, active).reshape(-1, N_POINTS)
        is_lively = (is_lively[:, None] & self.outputs.all(axis=1)).reshape(-1)
        return values, is_lively

    def parameters(self, number: int) -> list[list[list[int]]]:
        """The rows of a network, layer by layer; the last one without its bias."""
        digits = []
        for radix in reversed(self.radices):
            number, digit = divmod(number, radix)
            digits.append(digit)
        *hidden, last = reversed(digits)
        layers = [
            rows[choices[digit]].tolist()
            for rows, choices, digit in zip(self.rows, self.choices, hidden, strict=True)
        ]
        return [*layers, [self.outputs[last].tolist()]]

    def seen(self, number: int, points: Integers) -> tuple[int, ...]:
        """What other points show of a function, up to positive factors and constants."""
        *hidden, (last,) = self.parameters(number)
        active = points[:-1]
        for rows in hidden:
            active = np.maximum(np.array(rows) @ np.vstack([active, points[-1:]]), 0)
        values = np.array(last) @ active
        values -= values[0]
        return tuple((values // max(np.gcd.reduce(values), 1)).tolist())

    def network(self, number: int) -> Network:
        """The network, its last layer such that the whole group has the same values at points."""
        layers = self.parameters(number)
        points = self.points[:-1].T.tolist()
        values = [value(layers, [Fraction(p, DENOMINATOR) for p in point]) for point in points]
        steps = [(v - values[0]) * DENOMINATOR for v in values]
        divisor = gcd(*(int(step) for step in steps)) or 1
        weights = [[row[:-1] for row in rows] for rows in layers[:-1]]
        biases = [[row[-1] for row in rows] for rows in layers[:-1]]
        last = [Fraction(v * DENOMINATOR, divisor) for v in layers[-1][0]]
        constant = -values[0] * DENOMINATOR / divisor
        return Network.from_arrays([*weights, [last]], [*biases, [constant]])


def value(layers: list[list[list[int]]], point: list[Fraction]) -> Fraction:
    """f(x) without the output bias, by the definition."""
    active = point
    for rows in layers[:-1]:
        sums = (sum(w * a for w, a in zip(row, active, strict=False)) + row[-1] for row in rows)
        active = [max(s, Fraction(0)) for s in sums]
    return sum((w * a for w, a in zip(layers[-1][0], active, strict=True)), Fraction(0))


@dataclass(frozen=True)
class Groups:
    """Networks of a family whose values agree at all points: the numbers of each group.

    ``lively`` has the members in which no neuron is superfluous at first sight.
    """

    family: Family
    groups: list[Integers]
    lively: set[int]
    n_networks: int

    @classmethod
    def of(cls, family: Family, part: int = 0, parts: int = 1) -> Groups:
        """The groups of two and more with a lively member; of so many parts of all functions one.

        A part is a set of functions: all networks with one of them are there.
        """
        per_choice = len(family) // family.radices[0]
        hashes, numbers, lively = [], [], []
        for choice, (found, is_lively) in enumerate(family.functions()):
            taken = np.flatnonzero((found % parts == part) & (found != 0))
            hashes.append(found[taken])
            numbers.append(taken + choice * per_choice)
            lively.append(is_lively[taken])
        all_hashes, all_numbers = np.concatenate(hashes), np.concatenate(numbers)
        all_lively = np.concatenate(lively)
        order = np.argsort(all_hashes, kind="stable")
        all_hashes, all_numbers, all_lively = (
            a[order] for a in (all_hashes, all_numbers, all_lively)
        )
        starts = np.flatnonzero(np.diff(all_hashes, prepend=all_hashes[:1] - 1))
        sizes = np.diff(np.append(starts, len(all_hashes)))
        n_lively = np.add.reduceat(all_lively, starts) if len(starts) else starts
        chosen = np.flatnonzero((sizes > 1) & (n_lively > 0))
        groups = [all_numbers[starts[k] : starts[k] + sizes[k]] for k in chosen]
        return cls(family, groups, set(all_numbers[all_lively].tolist()), len(all_numbers))


def same_up_to_order(a: Network, b: Network) -> bool:
    """Isomorphic, by trying all orders of the neurons of each layer; for tiny networks.

    A row that is 0 has the factor 1 only: then a symmetry may be overlooked.
    """
    n = a.n_inputs
    start = (tuple(range(n)), (Fraction(1),) * n)
    return a.widths == b.widths and _is_matched(_rows(a), _rows(b), *start)


Rows = list[list[Fraction]]


def _rows(network: Network) -> list[Rows]:
    return [
        [[Fraction(str(x)) for x in row] for row in layer.affine.rows()] for layer in network.layers
    ]


def _is_matched(
    a: list[Rows], b: list[Rows], places: tuple[int, ...], factors: tuple[Fraction, ...]
) -> bool:
    """Input j of a is input places[j] of b, divided by factors[j]: is the rest the same?"""
    if not a:
        return True
    # The rows of b as rows of inputs of a.
    moved = [[*(row[p] * f for p, f in zip(places, factors, strict=True)), row[-1]] for row in b[0]]
    if len(a) == 1:
        return moved == a[0]
    for order in permutations(range(len(a[0]))):
        found = [_factor(row, moved[k]) for row, k in zip(a[0], order, strict=True)]
        if None not in found and _is_matched(a[1:], b[1:], order, tuple(f for f in found if f)):
            return True
    return False


def _factor(row: list[Fraction], other: list[Fraction]) -> Fraction | None:
    """The positive number that takes a row to another one; 1 for two rows that are 0."""
    quotients = {y / x if x else None for x, y in zip(row, other, strict=True) if x or y}
    if not quotients:
        return Fraction(1)
    factor = quotients.pop()
    return None if quotients or factor is None or factor <= 0 else factor
