"""Bounds of chains of layers on boxes: rows over the inputs that are below their units.

A *chain* takes t through steps z = (A·v + b)/den, where v is t, or what the units before pass on. A
unit passes on max(z, 0), or z if it is *linear*, or it is a *gap*, as in ``gap_chain``.

A number is an integer over 2^40. A *form* is a row α·t + γ of such numbers that is at most z, or at
most -z, on a box; so it is on every part of the box. Its least value there has each t_i at one end.

*Below.* A sum a·v + c of what a step passes on is bounded from below by a sum of its z, and this by
a sum of what the step before passes on, down to t:

- max(z, 0) with coefficient a, l <= z <= u, l < 0 < u: for any c, a·max(z, 0) >= c·z + m, where m
  is the least of a·max(z, 0) - c·z at l, 0, u, as that is affine between them. For a > 0 and c = a
  or c = 0, m is 0. For a < 0, c is a·u/(u - l) rounded down. Where z has a sign, it is z or 0.
- a gap, d with min(z, 0) <= d <= max(z, 0): for a < 0 as above; a·d >= a·min(z, 0) for a > 0 is the
  same for -z. It is max(z_f, 0) - max(z_g, 0): if just one of these bends, both are taken as above.
- Σ c_j·z_j is Σ_i v_i·C_i with C_i = Σ_j c_j·W_ji. W is floored to integers over 2^64: what is cut
  off is between 0 and 1 each, so C_i is at least (Σ_j c_j·W_ji + Σ_(c_j < 0) c_j)/2^64, and floored
  this is less than 2 too small, as Σ|c_j| < 2^64. That adds to the sum at most 2·max(0, -v_i): 0
  for what a ReLU passes on, and for others what their lower ends show, and is taken away again
  (*slack*). The constant counts as v_i = 1.

A step's rows are packed: W_j0 + W_j1·2^128 + …, so that Σ_j c_j·W_j is one sum of products. The
entries of the sum stay below 2^127 in absolute value, which is tested; adding 2^127 to each makes
them digits, whose upper halves are the quotients by 2^64.
"""

from collections.abc import Mapping, Sequence
from operator import mul
from struct import unpack
from typing import NamedTuple

from .file import Proof, need
from .intervals import Range, highest
from .numbers import Row, bits, longest, opposite, total
from .objects import Chart, Layer, Network, layer_of

PLACES = 40
_HALF, _SLOT = 64, 128
_MEMORY = 32  # fuel for an entry of a form that a node keeps
_LINEAR, _RELU, _GAP = 1, 2, 3

Part = tuple[int, int, int, int, int, int]  # unit, row of z, ±1, what bends, between two ends
Passed = tuple[
    list[Part], int
]  # what units of a step pass on, each the sum of its parts; the slack
Forms = Mapping[int, tuple[Row, Row | None]]  # of units without a sign: below z, below -z


class Step(NamedTuple):
    """Packed rows of units, and their kinds; units without a kind pass nothing on."""

    packed: tuple[int, ...]
    kinds: tuple[int, ...]
    ones: int  # 1 in each slot
    slots: int
    bits: int  # of weights

    def combined(self, proof: Proof, slopes: Sequence[int]) -> tuple[int, ...]:
        """Return a row over what the step takes in, below Σ c_j·z_j but for the slack."""
        proof.spend(2 * len(slopes))
        proof.spend(8 * sum(map(bool, slopes)), _HALF, _SLOT * self.slots)
        most = sum(map(abs, slopes)).bit_length()
        ok = most <= _HALF and most + self.bits < _SLOT
        need(ok, "bounds-too-long", "the coefficients of a bound are too large")
        found = sum(map(mul, slopes, self.packed)) + sum(c for c in slopes if c < 0) * self.ones
        top = self.ones << (_SLOT - 1)
        digits = ((found + top) ^ top).to_bytes(_SLOT // 8 * self.slots, "little")
        return unpack(f"<{2 * self.slots}q", digits)[1::2]

    def sign(self, j: int, ends: Sequence[Range]) -> int:
        """Return 1 if unit j passes z on, -1 if it passes 0 on, else 0."""
        kind = self.kinds[j] if j < len(self.kinds) else _RELU
        n = len(self.kinds) // 2 if kind == _GAP else 0
        sign = _sign(ends[j + n])
        return 1 if kind == _LINEAR else sign if sign == _sign(ends[j + 2 * n]) else 0

    def passed(self, ends: Sequence[Range]) -> Passed:
        """Return the parts of what units pass on, but those that are 0, and the slack."""
        found, lows, n = [], [], len(self.kinds) // 2
        for j, kind in enumerate(self.kinds):
            parts = [(j, 1, kind, self.sign(j, ends))]
            if kind == _GAP and not parts[0][3]:
                pairs = (j + n, -1), (j + 2 * n, 1)
                both = [(row, times, _RELU, _sign(ends[row])) for row, times in pairs]
                parts = both if any(known for *_, known in both) else parts
            for row, times, bend, known in parts:
                low, high = min(ends[row][0] or 0, 0), max(ends[row][1] or 0, 0)
                if known >= 0:
                    found.append((j, row, times, _LINEAR if known else bend, low, high))
            lows.append(0 if kind == _RELU else min(ends[j][0] or 0, 0))
        return found, _slack(lows)


class Chain(NamedTuple):
    """Steps, and the outputs as rows of what the last one passes on, over a denominator."""

    steps: tuple[Step, ...]
    den: int
    outputs: tuple[Row, ...]
    units: Sequence[Sequence[int]]  # the units of each step that are neurons, in their order


class Node(NamedTuple):
    """A box over t; after an anchor, forms and ends of the units of each step."""

    box: tuple[Range, ...]
    forms: Sequence[Forms] = ()
    ends: Sequence[Sequence[Range]] = ()
    passed: Sequence[Passed] = ()  # of the inputs, then of the steps


class Bounds:
    """Bounds of a chain on the nodes of a tree of boxes."""

    def __init__(self, proof: Proof, chain: Chain) -> None:
        self.proof, self.chain = proof, chain

    def narrowed(self, node: Node) -> Node:
        """Return a node with the ends that its forms have on its box."""
        found, passed = [], [_inputs(node.box)]
        for step, forms, ends in zip(self.chain.steps, node.forms, node.ends, strict=False):
            self.proof.spend(4 * len(ends) * (len(node.box) + 8))
            new = list(ends)
            for j, pair in forms.items():
                if not step.sign(j, ends):
                    new[j] = _sharper(ends[j], *(_end(form, node.box) for form in pair))
            found.append(new)
            passed.append(step.passed(new))
        return node._replace(ends=found, passed=passed)

    def anchored(self, node: Node) -> Node:
        """Return a node with new forms of all units that have no ends or no sign yet."""
        ok = all(None not in ends for ends in node.box)
        need(ok, "box-unbounded", "an anchor needs a box with all its ends")
        need(_longest(node.box) < _SLOT, "bounds-too-long", "the ends of the box are too large")
        before, passed = self.narrowed(node), [_inputs(node.box)]
        all_forms, all_ends = [], []
        for k, step in enumerate(self.chain.steps):
            self.proof.spend(_MEMORY * len(step.packed) * (len(node.box) + 8))
            forms: dict[int, tuple[Row, Row | None]] = {}
            unknown: list[Range] = [(None, None)] * len(step.packed)
            ends = list(before.ends[k]) if before.ends else unknown
            for j in reversed(range(len(step.packed))):
                if ends[j][0] is None or not step.sign(j, ends):
                    lower = self._below(passed, j, 1)
                    ends[j] = _sharper(ends[j], _end(lower, node.box), None)
                    upper = None if step.sign(j, ends) else self._below(passed, j, -1)
                    ends[j] = _sharper(ends[j], None, _end(upper, node.box))
                    forms[j] = lower, upper
            all_forms.append(forms)
            all_ends.append(ends)
            passed.append(step.passed(ends))
        return Node(node.box, all_forms, all_ends, passed)

    def signs(self, node: Node, k: int) -> dict[int, int]:
        """Return the signs that bounds show of the neurons of a layer of the networks."""
        known = node.ends[k : k + 1]
        found = ((j, _sign(ends[at])) for ends in known for j, at in enumerate(self.chain.units[k]))
        return {j: sign for j, sign in found if sign}

    def most(self, node: Node, row: Row, weights: Sequence[int], factor: int) -> int | None:
        """Return an upper bound of row/factor + Σ weight·output on a node, or None.

        The row is over t. It is a bound of the sum times a number > 0: its sign is what counts.
        """
        steps, outputs, den = self.chain.steps, self.chain.outputs, self.chain.den
        size = bits(weights) + factor.bit_length()
        self.proof.spend(len(outputs) * len(outputs[0]), size, longest(outputs))
        over = total([factor * weight for weight in weights], outputs)
        widest = den.bit_length()
        self.proof.spend(4 * len(row), bits(row) + widest, _longest(node.box) + widest)
        row = tuple([den * entry for entry in row])
        if not steps or not any(over[:-1]):
            over = over if not steps else (0,) * len(node.box) + over[-1:]
            return highest(total((1, 1), (row, over)), node.box, 1 << PLACES)
        need(node.ends, "no-anchor", "no bounds of the units are known")
        shift = bits(over[:-1])
        *direct, last = (-entry << PLACES >> shift for entry in row)
        *slopes, constant = (-entry << PLACES >> shift for entry in over)
        slack = node.passed[0][1] + node.passed[-1][1]
        below = self._down(node.passed, slopes, last + constant + slack)
        return highest(opposite(total((1, 1), (below, (*direct, 0)))), node.box, 1 << PLACES)

    def _below(self, passed: Sequence[Passed], j: int, sign: int) -> Row:
        """Return a form below z, or -z, of unit j of a step, given what is passed on before."""
        step = self.chain.steps[len(passed) - 1]
        alone = step._replace(packed=(step.packed[j],))
        *slopes, constant = alone.combined(self.proof, [sign << PLACES])
        return self._down(passed, slopes, constant + passed[-1][1])

    def _down(self, passed: Sequence[Passed], slopes: Sequence[int], constant: int) -> Row:
        """Return a form below a sum of what the last of some steps passes on."""
        for k in reversed(range(1, len(passed))):
            step = self.chain.steps[k - 1]
            relaxed, lost = _relaxed(slopes, passed[k][0], len(step.packed))
            *slopes, gained = step.combined(self.proof, relaxed)
            constant += (lost >> PLACES) + gained + passed[k - 1][1]
        return (*slopes, constant)


def _relaxed(slopes: Sequence[int], parts: Sequence[Part], size: int) -> tuple[list[int], int]:
    """Return c and m with Σ slope·(what is passed on) >= Σ c·z + m, over 2^80."""
    found, lost = [0] * size, 0
    for j, row, sign, bend, low, high in parts:
        c = a = sign * slopes[j]
        if bend != _LINEAR and a < 0:
            c = a * high // (high - low)
            lost += min(-c * low, (a - c) * high)
        elif bend == _RELU:
            c = a if high > -low else 0
        elif bend == _GAP:
            c = -(a * low // (high - low))
            lost += min(-c * high, (a - c) * low)
        found[row] += c
    return found, lost


def _inputs(box: Sequence[Range]) -> Passed:
    return [], _slack([low or 0 for low, _ in box])


def _longest(box: Sequence[Range]) -> int:
    return bits(end or 0 for ends in box for end in ends)


def _slack(lows: Sequence[int]) -> int:
    return 2 * sum(min(low, 0) for low in lows) >> PLACES


def _sign(ends: Range) -> int:
    """Return 1 if z >= 0, -1 if z <= 0, by its ends, else 0."""
    low, high = ends
    return 1 if low is not None and low >= 0 else -1 if high is not None and high <= 0 else 0


def _end(form: Row | None, box: Sequence[Range]) -> int | None:
    """Return a lower end of z, or of -z, on a box from a form below it."""
    most = None if form is None else highest(opposite(form), box, 1 << PLACES)
    return None if most is None else -most >> PLACES


def _sharper(ends: Range, low: int | None, minus_high: int | None) -> Range:
    """Return ends of z, given another lower end of z, and one of -z."""
    highs = (ends[1], None if minus_high is None else -minus_high)
    above = min((end for end in highs if end is not None), default=None)
    return max((end for end in (ends[0], low) if end is not None), default=None), above


def _step(proof: Proof, den: int, rows: Sequence[Row], kinds: Sequence[int]) -> Step:
    """Return a step with packed rows."""
    slots = len(rows[0])
    proof.spend(len(rows) * slots, _SLOT, _SLOT * slots)
    proof.spend(len(rows) * slots, _HALF + longest(rows), den.bit_length())
    floors = [[(entry << _HALF) // den for entry in row] for row in rows]
    packed = (sum(entry << _SLOT * i for i, entry in enumerate(row)) for row in floors)
    ones = sum(1 << _SLOT * i for i in range(slots))
    return Step(tuple(packed), tuple(kinds), ones, slots, longest(floors))


def pulled(proof: Proof, chart: Chart, rows: Sequence[Row]) -> list[Row]:
    """Return rows over x as rows over t, times the factor of the chart."""
    size = len(rows) * (len(chart.inputs) + 1) * (chart.dim + 1)
    proof.spend(size, longest(chart.inputs), longest(rows))
    return [chart.pulled(row) for row in rows]


def _over_t(proof: Proof, network: Network, chart: Chart) -> tuple[Layer, ...]:
    """Return the layers of a network, the first one over t."""
    first, *rest = network.layers
    rows = pulled(proof, chart, first.rows)
    return layer_of(first.den * chart.factor, rows, first.linear), *rest


def chain_of(proof: Proof, network: Network, chart: Chart) -> Chain:
    """Return the chain of a network over t."""
    *layers, last = _over_t(proof, network, chart)
    units = tuple(range(len(layer.rows)) for layer in layers)
    kinds = ([_LINEAR if j in x.linear else _RELU for j in range(len(x.rows))] for x in layers)
    steps = (_step(proof, x.den, x.rows, found) for x, found in zip(layers, kinds, strict=True))
    return Chain(tuple(steps), last.den, last.rows, units)


def gap_chain(proof: Proof, f: Network, g: Network, charts: Sequence[Chart]) -> Chain:
    """Return the chain of two networks with the same units by their differences.

    Its units are δ = z_f - z_g, then z_g, then z_f, which passes nothing on. With h what a neuron
    passes on and d = h_f - h_g, the next layer is z_f = W_f·(d + h_g) + b_f, z_g = W_g·h_g + b_g. d
    is between min(δ, 0) and max(δ, 0), as ReLU grows with slopes between 0 and 1; it is δ where
    both neurons are >= 0, and for linear units, and 0 where both are <= 0.
    """
    steps, units = [], []
    zeros: Row = ()
    ours_over_t, theirs_over_t = _over_t(proof, f, charts[0]), _over_t(proof, g, charts[1])
    for left, right in zip(ours_over_t, theirs_over_t, strict=True):
        n, den = len(left.rows), left.den * right.den
        proof.spend(_MEMORY * n * len(left.rows[0]), left.bits, right.bits)
        ours = [tuple([right.den * x for x in (*row[: len(zeros)], *row)]) for row in left.rows]
        theirs = [tuple([left.den * x for x in (*zeros, *row)]) for row in right.rows]
        gaps = [total((1, -1), pair) for pair in zip(ours, theirs, strict=True)]
        kinds = [_LINEAR if j in left.linear else k for k in (_GAP, _RELU) for j in range(n)]
        steps.append(_step(proof, den, [*gaps, *theirs, *ours], kinds))
        units.append((*range(2 * n, 3 * n), *range(n, 2 * n)))
        zeros = (0,) * n
    return Chain(tuple(steps[:-1]), den, (*ours, *theirs), tuple(units))
