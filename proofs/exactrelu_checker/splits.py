"""Properties by signs of neurons: the dual of a relaxation at each leaf of a tree.

The root of the tree is the box of D over the coordinates t (``property``), which has all
its ends. Neurons that bend on it are cut, until each part refutes the case. There is such
a tree for each case, one after the other:

``cut u``           first the part where the preactivation z of unit u is <= 0, then that
                    where it is >= 0. Units are counted through all layers, from 0.
``slopes n``        the bytes of n, the lowest first, one for each unit that bends, are the
                    shares of all leaves that follow; before any 255 if u >= -l, else 0.
``leaf m r λ… β…``  a sum of rows as at a leaf of boxes, and β >= 0 over 2^16 for each cut
                    above. By what its opposite is from below, this is > 0, or >= 0 where
                    the sum would be > 0.
``cells``           a tree of neurons (``box_cells``), where units have the signs that ends
                    show, and ``split`` of a unit that is cut above keeps this part only.

*Numbers* are over 2^40. Lower ends are taken from t and from linear units, so that all that
is passed on is >= 0, and its coefficients may be rounded down. With weights W <= w < W + 1
Σ C_j·w_ji is at least Σ C_j·W_ji + Σ min(C_j, 0).

*Below.* a·max(z, 0) >= c·z + m on l <= z <= u: c is a or 0 with a sign, a - β or β after a
cut; else for a >= 0 a share of a, for a < 0 a·u/(u - l) rounded down, and m = -c·l, which
is at most (a - c)·u.

*Ends* are those of intervals. Where units of a later layer bend by them, what ±z is from
below, with the first shares, may be sharper.

Rows of many leaves are packed: e_0 + e_1·2^128 + …, |e_i| < 2^127.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate, islice
from typing import Any, NamedTuple

from . import bounds
from .bounds import PLACES, Chain, Node, layers_over
from .claims import from_module
from .file import Numbers, Proof, form, limit, need
from .numbers import Entries, bits, dot, multiplied, paired
from .objects import Layer, System
from .property import Boxes, Case, Networks

_BYTES, _SLOT = 16, 128
_TOP = 1 << 127
_TOGETHER = 64  # leaves whose rows are packed
_MEMORY = 16  # fuel for an entry that is kept
FINE = 24  # β is over 2^16
Path = tuple[tuple[int, int], ...]  # units with their signs


class Step(NamedTuple):
    """z of units over what is passed on less its least value, rounded down."""

    columns: Sequence[tuple[Numbers, Numbers]]  # of what is passed on: units, and weights
    biases: Entries
    lost: bool  # whether something is rounded
    size: int  # bits of weights
    entries: int  # of weights


class Leaf(NamedTuple):
    """The opposite of a sum: of what is passed on at last and t, less the least, and 1."""

    strict: bool
    shares: bytes
    cuts: dict[int, tuple[int, int]]  # signs and β of units
    line: int
    row: Entries = ()
    direct: Entries = ()
    constant: int = 0


def property_by_splits(
    proof: Proof, networks: Networks, domain: System, cases: Any
) -> None:
    """The leaves of a tree for each case refute it."""
    splits = Splits(proof, networks, domain)
    splits.require_none([splits.case_of(case) for case in cases])


class Splits(Boxes):
    """The trees of signs of networks on a domain."""

    def __init__(
        self, proof: Proof, networks: Networks, domain: System, copies: int = 1
    ) -> None:
        """Compute the ends of all units on the box of the domain."""
        super().__init__(proof, networks, domain, copies)
        box: list[Any] = [*self.whole().box]
        need(
            all(None not in ends for ends in box),
            "box-unbounded",
            "all the ends are needed",
        )
        self.lows, self.widths = [low for low, _ in box], [high - low for low, high in box]
        *hidden, self._last = layers_over(proof, self.network, self.chart)
        self._starts = [0, *accumulate(len(layer.rows) for layer in hidden)]
        self._steps: list[Step] = []
        self.ends: list[list[tuple[int, int]]] = []
        self.places: dict[int, int] = {}  # of the units that bend, among them
        self.shares = b""
        self._least, widths = self.lows, self.widths
        for k, layer in enumerate(hidden):
            widths = self._stepped(k, layer, widths)

    def require_none(
        self, cases: list[Case], clauses: Sequence[Sequence[Case]] = ()
    ) -> None:
        """Read a tree for each case; refuse unless its leaves refute it."""
        for case in cases:
            for leaf, least in self.bounded(self.leaves(case)):
                ok = least > 0 or (leaf.strict and not least)
                need(
                    ok,
                    "no-contradiction",
                    f"the leaf in line {leaf.line} is no contradiction",
                )

    def _stepped(self, k: int, layer: Layer, widths: Numbers) -> Numbers:
        """Find the ends of the units of a step; return the widths of what it passes on."""
        step, sign = _step(self.proof, layer, self._least), self.bounds.chain.steps[k].sign
        ends, zeros = _ends(self.proof, step, widths), [0] * (len(self.lows) + 1)
        bends = [j for j in range(len(ends)) if k and not sign(j, ends)]
        unit = Leaf(True, self.shares, {}, 0)
        over = ([x * s for x in layer.rows[j]] for j in bends for s in (1, -1))
        found = self.bounded(self._floored(row, zeros, layer.den, unit) for row in over)
        for j, (_, low), (_, other) in zip(bends, found, found):
            ends[j] = max(ends[j][0], low), min(ends[j][1], -other)
        self._steps.append(step)
        self.ends.append(ends)
        for j, (low, high) in enumerate(ends):
            if not sign(j, ends):
                self.places[self._starts[k] + j] = len(self.places)
                self.shares += b"\xff" if high >= -low else b"\0"
        self._least = [low if j in layer.linear else 0 for j, (low, _) in enumerate(ends)]
        return [max(high - low, 0) for low, (_, high) in paired(self._least, ends)]

    def _chain(self, networks: Networks) -> Chain:
        """Return what tells signs by ends; no record names it."""
        layers = self.network.hidden
        return Chain([bounds.Step(x.rows, x.linear, 0, 0, True) for x in layers], 1, ())

    def _floored(self, over: Entries, direct: Numbers, den: int, told: Leaf) -> Leaf:
        """Return rows over what is passed on and 1, and over t and 1, less the least
        values.
        """
        *row, constant = over
        *direct, more = direct
        size = max(bits(over), bits(direct)) + PLACES
        self.proof.spend(
            8 * (len(row) + len(direct)), size, bits((*self.lows, *self._least))
        )
        constant = (
            (constant + more << PLACES) + dot(row, self._least) + dot(direct, self.lows)
        )
        row, direct = ([(x << PLACES) // den for x in found] for found in (row, direct))
        return told._replace(row=row, direct=direct, constant=constant // den)

    def bounded(self, leaves: Iterator[Leaf]) -> Iterator[tuple[Leaf, int]]:
        """Return leaves with numbers below their sums, some together."""
        while part := [*islice(leaves, _TOGETHER)]:
            yield from paired(part, self.below(part))

    def below(self, leaves: Sequence[Leaf]) -> Numbers:
        """Return numbers below sums."""
        constants, count = [leaf.constant for leaf in leaves], len(leaves)
        rows = [[*column] for column in paired(*(leaf.row for leaf in leaves))]
        for k in reversed(range(len(self._steps))):
            rows = [
                self._relaxed(k, j, row, constants, leaves) for j, row in enumerate(rows)
            ]
            rows = self._through(self._steps[k], rows, constants)
        self.proof.spend(4 * count * len(rows), _SLOT, bits(self.widths))
        for b, leaf in enumerate(leaves):
            pairs = paired(rows, leaf.direct, self.widths)
            constants[b] += (
                sum(min(row[b] + x, 0) * width for row, x, width in pairs) >> PLACES
            )
        return constants

    def _through(self, step: Step, rows: Any, constants: Numbers) -> list[Numbers]:
        """Return Σ row·z as rows over what the step takes in; add what is constant."""
        count, lost, found = len(constants), [], []
        self.proof.spend(step.entries, _SLOT * count, step.size)
        self.proof.spend(
            16 * count * (len(rows) + len(step.columns)), _SLOT, bits(step.biases)
        )
        for b, column in enumerate(paired(*rows)):
            size = sum(map(abs, column))
            ok = size.bit_length() + step.size <= _SLOT - 2
            limit(ok, "bounds-too-long", "the coefficients of a leaf are too large")
            lost.append(step.lost * (sum(column) - size) // 2)
            constants[b] += (dot(column, step.biases) + lost[b]) >> PLACES
        tops, rest = _packed([0] * count), _packed(lost)
        packed = [_packed(row) - tops for row in rows]
        for units, weights in step.columns:
            sums = dot(weights, [packed[j] for j in units]) + rest
            data, places = (
                sums.to_bytes(_BYTES * count, "little"),
                range(0, _BYTES * count, _BYTES),
            )
            entries = (int.from_bytes(data[i : i + _BYTES], "little") for i in places)
            found.append([(entry - _TOP) >> PLACES for entry in entries])
        return found

    def _relaxed(
        self, k: int, j: int, row: Numbers, constants: Numbers, leaves: Sequence[Leaf]
    ) -> Numbers:
        """Return c for what unit j of step k passes on, whose coefficients are a; add m."""
        (low, high), unit = self.ends[k][j], self._starts[k] + j
        place = self.places.get(unit)
        if place is None:
            if j in self.network.layers[k].linear:
                for b, a in enumerate(row):
                    constants[b] += -a * low >> PLACES
                return row
            return row if low >= 0 else [0] * len(row)
        found = []
        for b, (a, leaf) in enumerate(paired(row, leaves)):
            sign, beta = leaf.cuts.get(unit, (0, 0))
            if sign:
                c = a - beta if sign > 0 else beta
            elif a > 0:
                c = a * leaf.shares[place] // 255
            else:
                c = a * high // (high - low)
                constants[b] += -c * low >> PLACES
            found.append(c)
        return found

    def leaves(self, case: Case) -> Iterator[Leaf]:
        """Read the tree of a case; yield its leaves, and check its cells."""
        stack: list[Path] = [()]
        shares = self.shares
        while stack:
            path = stack.pop()
            word, numbers = self.proof.record("cut", "slopes", "leaf", "cells")
            self.proof.spend(_MEMORY * (len(path) + len(shares)))
            ok = word == "leaf" or len(numbers) == (word != "cells")
            form(ok, "wrong-length", "one integer; cells has none")
            if word == "cut":
                ok = numbers[0] in self.places and all(numbers[0] != u for u, _ in path)
                need(ok, "cut-of-a-sign", "the unit does not bend here")
                stack += [(*path, (numbers[0], sign)) for sign in (1, -1)]
            elif word == "slopes":
                ok = numbers[0] >= 0 and numbers[0].bit_length() <= 8 * len(shares)
                form(ok, "wrong-slopes", "a byte for each unit that bends is needed")
                shares = numbers[0].to_bytes(len(shares), "little")
                stack.append(path)
            elif word == "leaf":
                yield self.summed(case, path, numbers, shares)
            else:
                cells = from_module("box_cells", "require_none")
                cells(self, Node((), ends=self.ends), [case], path)

    def summed(self, case: Case, path: Path, numbers: Numbers, shares: bytes) -> Leaf:
        """Return the opposite of the sum of a leaf."""
        end = 1 + 2 * numbers[0] if numbers else 0
        betas = numbers[end:]
        row, weights, strict = self.sum_of(self.lines, case, numbers[:end], 1)
        form(
            len(betas) == len(path), "wrong-length", "a number for each cut above is needed"
        )
        need(
            min(betas, default=0) >= 0,
            "multiplier-negative",
            "a multiplier of a cut is < 0",
        )
        scaled = [-self.chart.factor * weight for weight in weights]
        (over,) = multiplied(self.proof, [scaled], self._last.rows, self._last.width)
        direct = [-self._last.den * entry for entry in row]
        cuts = {u: (sign, beta << FINE) for (u, sign), beta in paired(path, betas)}
        leaf = Leaf(strict, shares, cuts, self.proof.line)
        return self._floored(over, direct, 1 << bits(over[:-1]), leaf)


def _step(proof: Proof, layer: Layer, least: Entries) -> Step:
    """Return the rows of a layer over what is passed on, less its least values."""
    size = max(layer.den.bit_length(), bits(least))
    proof.spend(4 * len(layer.rows) * (len(least) + 1), PLACES + layer.bits, size)
    columns: list[tuple[Numbers, Numbers]] = [([], []) for _ in least]
    lost, biases = 0, []
    for j, (*row, bias) in enumerate(layer.rows):
        whole, rest = divmod(dot(row, least) + (bias << PLACES), layer.den)
        biases.append(whole)
        lost |= rest
        for (units, weights), entry in paired(columns, row):
            if entry:
                weight, rest = divmod(entry << PLACES, layer.den)
                units.append(j)
                weights.append(weight)
                lost |= rest
    size = PLACES + 1 + layer.bits - layer.den.bit_length()
    return Step(columns, biases, lost > 0, size, sum(len(units) for units, _ in columns))


def _ends(proof: Proof, step: Step, widths: Entries) -> list[tuple[int, int]]:
    """Return the ends of units if what the step takes in is between 0 and widths."""
    lows, highs = [0] * len(step.biases), [0] * len(step.biases)
    proof.spend(8 * step.entries, step.size, bits(widths))
    for (units, weights), width in paired(step.columns, widths):
        for j, weight in paired(units, weights):
            lows[j] += min(weight, 0) * width
            highs[j] += max(weight + step.lost, 0) * width
    return [
        (bias + (low >> PLACES), bias + step.lost - (-high >> PLACES))
        for bias, low, high in paired(step.biases, lows, highs)
    ]


def _packed(entries: Entries) -> int:
    """Return integers with 2^127 added to each, packed."""
    data = b"".join([(entry + _TOP).to_bytes(_BYTES, "little") for entry in entries])
    return int.from_bytes(data, "little")
