"""Bounds of chains of layers on boxes: rows over the inputs that are below their units.

A *chain* takes t through steps z = (A·v + b)/den, where v is t, or what the units before
pass on. A unit passes on max(z, 0), or z if it is *linear*.

*Terms* are 1, the t_i, and what units without a sign pass on. All else is nearly affine in
them: a *row* has an integer for each term, and is that of z if |2^72·z - Σ entry·term| is
less than its *error*, one number for all units of a step. Where z has a sign, its row, or
0, is what it passes on. Where that has become rough, or takes more products, all units of a
step give terms, and those before are forgotten.

*In pairs*, for two networks f and g with the same units, the term of a unit of f is not h_f
but the *gap* d = h_f - h_g if neither has a sign. It lies between 0 and δ = z_f - z_g.

*Below.* A sum of terms is bounded from below by one of the terms before, and so on down to
t: that is a *form*. Its least value on a box, and on each part of it, has each t_i at one
end. If l <= z <= u, l < 0 < u, what counts for a term with coefficient a is

- max(z, 0): for any c, a·max(z, 0) >= c·z + m, where m is the least of a·max(z, 0) - c·z at
  l, 0, u, as that is affine between them. For a > 0 and c = a or c = 0, m is 0. For a < 0,
  c is a·u/(u - l) rounded down. If l >= 0 or u <= 0 it is z or 0.
- a gap: for a < 0 as above with δ; a·d >= a·min(δ, 0) for a > 0 is the same for -δ.

*Errors.* An integer that is rounded down, times a term, is off by less than the absolute
value of the term. So a sum of rows with weights over 2^72, all rounded down, has an error
that is at most what their errors add up to, and the absolute values of what is weighted,
and those of all terms.

Rows are packed: e_0 + e_1·2^192 + …, so that a sum of rows is one sum of products. Entries
of sums stay below 2^191 in absolute value, which is tested; adding 2^191 to each makes them
digits.
"""

from collections.abc import Mapping, Sequence
from operator import mul
from typing import NamedTuple

from .file import Numbers, Proof, limit, need
from .intervals import Range, highest
from .numbers import Entries, Row, bits, longest, multiplied, opposite, paired, total
from .objects import Chart, Layer, Network, layer_of, pulled

PLACES = 40
FINE, SLOT = 72, 192
LONG = 94  # bits of entries, and of sums of weights
_ROUGH = 40  # bits of an error that is passed on
_MEMORY = 16  # fuel for an entry that a node keeps
_LINEAR, _RELU, _GAP = 1, 2, 3


class Step(NamedTuple):
    """Units with weights over 2^72; in pairs unit j belongs to unit j + pairs."""

    rows: Sequence[Row]
    linear: frozenset[int]
    pairs: int
    size: int  # the greatest sum of absolute values of weights of a unit
    exact: bool  # whether no weight is rounded

    def sign(self, j: int, ends: Sequence[Range]) -> int:
        """Return 1 if unit j passes z on, -1 if it passes 0 on, else, and for a gap, 0."""
        low, high = ends[j] if j < len(self.rows) else (None, None)
        up = low is not None and (low >= 0 or j in self.linear)
        return 1 if up else -(high is not None and high <= 0 and j not in self.linear)

    def bends(self, units: Entries, ends: Sequence[Range]) -> list[tuple[int, int, int]]:
        """Return kinds and ends of terms that belong to units, or to gaps, numbered after
        them.
        """
        found, n = [], len(self.rows)
        for j in units:
            signs = {
                self.sign(i, ends) for i in ((j,) if j < n else (j - n, j - n + self.pairs))
            }
            kind = _LINEAR if signs == {1} else _RELU if j < n or signs == {-1} else _GAP
            low, high = (-1, 0) if signs == {-1} else ends[j]
            found.append((kind, min(low or 0, 0), max(high or 0, 0)))
        return found


class Chain(NamedTuple):
    """Steps, and the outputs as rows of what the last one passes on, over a denominator."""

    steps: Sequence[Step]
    den: int
    outputs: Sequence[Row]


class Taken(NamedTuple):
    """What a step takes in, 1 at last: packed rows, their error, a sum of absolute
    values.
    """

    rows: Entries
    error: int
    size: int
    span: int  # the sum of absolute values of all terms
    slots: int  # the number of terms
    ones: int  # 1 in the slot of each

    def floor(self, packed: int, size: int) -> tuple[int, int]:
        """Return a packed row divided by 2^72 and rounded down, and the error of such a
        sum.
        """
        limit(size.bit_length() <= LONG, "bounds-too-long", "the weights are too large")
        ones, left = self.ones, SLOT - FINE
        digits = packed + (ones << (SLOT - 1))
        error = self.span if digits & ((ones << FINE) - ones) else 0
        found = (digits >> FINE & ((ones << left) - ones)) - (ones << (left - 1))
        return found, error - (-size * self.error >> FINE)

    def combined(self, weights: Entries, size: int, exact: bool) -> tuple[int, int]:
        """Return a sum with weights over 2^72, which are exact or rounded down, and its
        error.
        """
        found, error = self.floor(sum(map(mul, weights, self.rows)), size)
        ok = not found + (self.ones << LONG) & self.ones * ((1 << SLOT) - (2 << LONG))
        limit(ok, "bounds-too-long", "the coefficients of a unit are too large")
        return found, error if exact else error + self.size


class Bends(NamedTuple):
    """Units of a step that give terms, from a slot on; their rows over the terms before."""

    before: Taken  # nothing, with the error of the rows
    start: int
    units: Entries
    rows: Entries
    bends: Sequence[tuple[int, int, int]]  # the kinds of the terms, between two ends


class Node(NamedTuple):
    """A box over t; after an anchor, forms, ends and terms of the units of each step."""

    box: tuple[Range, ...]
    forms: Sequence[Mapping[int, Sequence[Row]]] = ()  # without a sign: below -z, below z
    ends: Sequence[Sequence[Range]] = ()
    bends: Sequence[Bends] = ()
    last: Taken = Taken((), 0, 0, 0, 0, 0)  # what the outputs take in


class Bounds:
    """Bounds of a chain on the nodes of a tree of boxes."""

    def __init__(self, proof: Proof, chain: Chain) -> None:
        self.proof, self.chain = proof, chain

    def narrowed(self, node: Node) -> Node:
        """Return a node with the ends that its forms have on its box."""
        found, terms = [], []
        for step, forms, ends, bends in zip(self.chain.steps, *node[1:4]):
            self.proof.spend(4 * (len(ends) + 2 * len(forms) * (len(node.box) + 8)))
            new = list(ends)
            for j, pair in forms.items():
                new[j] = _sharper(ends[j], pair, node.box)
            found.append(new)
            terms.append(bends._replace(bends=step.bends(bends.units, new)))
        return node._replace(ends=found, bends=terms)

    def anchored(self, node: Node) -> Node:
        """Return a node with new forms of all units that have no ends or no sign yet."""
        need(
            all(None not in x for x in node.box),
            "box-unbounded",
            "an anchor needs all the ends",
        )
        limit(
            _longest(node.box) < 128, "bounds-too-long", "the ends of the box are too large"
        )
        before, n = self.narrowed(node), len(node.box) + 1
        size = 1 + sum(map(_size, node.box))
        rows = [1 << (SLOT * i + FINE) for i in (*range(1, n), 0)]
        found = Node(node.box, last=Taken(rows, 0, size, size, n, _ones(n)))
        for k, step in enumerate(self.chain.steps):
            unknown: list[Range] = [(None, None)] * (len(step.rows) + step.pairs)
            found = self._stepped(
                found, step, list(before.ends[k]) if before.ends else unknown
            )
        return found

    def _stepped(self, node: Node, step: Step, ends: list[Range]) -> Node:
        """Return a node after one more step, of whose units some ends are known."""
        rows, error = self._rows(node.last, step, ends)
        n, pairs = len(step.rows), step.pairs
        forms = {j: self._forms(node, step, ends, j, rows[j], error) for j in rows}
        for f, g in zip(range(pairs), range(pairs, n)):
            # What passes 0 on has no row, and the sign -1.
            if not step.sign(f, ends) and not step.sign(g, ends):
                rows[n + f] = rows[f] - rows[g]
                forms[n + f] = self._forms(node, step, ends, n + f, rows[n + f], error)
        kept = {j: pair for j, pair in forms.items() if pair and not step.sign(j, ends)}
        last, bends = _passed(node.last, step, ends, rows, error)
        known = (*node.forms, kept), (*node.ends, ends), (*node.bends, bends)
        return Node(node.box, *known, last)

    def _rows(
        self, taken: Taken, step: Step, ends: Sequence[Range]
    ) -> tuple[dict[int, int], int]:
        """Return the rows of z of the units that do not pass 0 on, and their error."""
        wanted = [j for j in range(len(step.rows)) if step.sign(j, ends) >= 0]
        self.proof.spend(len(wanted) * (len(taken.rows) + 512))
        used = sum(sum(map(bool, step.rows[j])) + _MEMORY for j in wanted)
        self.proof.spend(used, LONG, SLOT * taken.slots)
        found = {j: taken.combined(step.rows[j], step.size, step.exact) for j in wanted}
        error = max((error for _, error in found.values()), default=0)
        return {j: row for j, (row, _) in found.items()}, error

    def _forms(
        self, node: Node, step: Step, ends: list[Range], j: int, row: int, error: int
    ) -> list[Row]:
        """Return forms below -z and z of unit or gap j, and sharpen its ends by them.

        What shows its sign is enough.
        """
        found: list[Row] = []
        for side in (-1, 1):
            if not step.sign(j, ends):
                found.append(self.below(node, side * row, 2 * error)[0])
                ends[j] = _sharper(ends[j], found, node.box)
        return found

    def signs(self, node: Node) -> list[list[int]]:
        """Return the signs that bounds show of the neurons of each layer, or 0."""
        known = zip(self.chain.steps, node.ends)
        return [[step.sign(j, ends) for j in range(len(step.rows))] for step, ends in known]

    def most(
        self, node: Node, row: Row, weights: Entries, factor: int
    ) -> tuple[int | None, int]:
        """Return an upper bound of row/factor + Σ weight·output on a node or None, and how
        rough.

        The row is over t. It is a bound of the sum times a number > 0: its sign is what
        counts.
        """
        steps, outputs, den = self.chain.steps, self.chain.outputs, self.chain.den
        scaled = [factor * weight for weight in weights]
        (over,) = multiplied(self.proof, [scaled], outputs, len(outputs[0]))
        widest = den.bit_length()
        self.proof.spend(4 * len(row), bits(row) + widest, _longest(node.box) + widest)
        row = tuple([den * entry for entry in row])
        if not steps or not any(over[:-1]):
            over = over if not steps else (0,) * len(node.box) + over[-1:]
            return highest(total((1, 1), (row, over)), node.box, 1 << PLACES), 0
        need(node.ends, "no-anchor", "no bounds of the units are known")
        last, shift = node.last, bits(over[:-1])
        *direct, first = (-entry << FINE >> shift for entry in row)
        *slopes, constant = (-entry << FINE >> shift for entry in over)
        self.proof.spend(8 * sum(map(bool, slopes)), LONG, SLOT * last.slots)
        over_terms, error = last.combined(slopes, sum(map(abs, slopes)), shift <= FINE)
        error += 0 if shift <= FINE else node.bends[0].before.span
        below, rough = self.below(node, over_terms, error)
        most = highest(
            opposite(total((1, 1), (below, (*direct, first + constant)))),
            node.box,
            1 << PLACES,
        )
        return most, rough << PLACES

    def below(self, node: Node, row: int, error: int) -> tuple[Row, int]:
        """Return a form below a sum of terms that are known on a node, less an error.

        Then what rounding has about added: its errors, and one unit of each end on the way.
        """
        rough = error
        for before, start, units, rows, bends in reversed(node.bends):
            top, size = (before.ones if start > 1 else 1) << (SLOT - 1), SLOT * start
            rest = (row + top & ((1 << size) - 1)) - top
            slopes, lost = _relaxed(_entries(row - rest >> size, len(units)), bends)
            whole = sum(map(abs, slopes))
            self.proof.spend(16 * len(units) + 64, LONG, SLOT * before.slots)
            found, more = before.floor(sum(map(mul, slopes, rows)), whole)
            row, error = rest + found, error + more - (lost >> PLACES)
            rough += more + (whole >> PLACES)
        constant, *slopes = _entries(row, len(node.box) + 1)
        return (*slopes, constant - error), rough


def _passed(
    taken: Taken, step: Step, ends: Sequence[Range], rows: Mapping[int, int], error: int
) -> tuple[Taken, Bends]:
    """Return what a step passes on, and its units that give terms.

    These are the units without a sign, or a gap in the place of the first of a pair; or,
    where that is less work or rows have become rough, all units, and terms before are
    forgotten.
    """
    n = len(step.rows)
    signs = {j: sign for j in rows if j < n and (sign := step.sign(j, ends)) >= 0}
    gaps = [j for j in range(step.pairs) if n + j in rows]
    chosen, start, span = [j for j in signs if not signs[j]], taken.slots, taken.span
    before = taken._replace(rows=(), error=2 * error)
    work = len(chosen) * (start + len(signs))
    if work > len(signs) ** 2 or error.bit_length() > _ROUGH:
        chosen, start, span, error = [*signs], 1, 1, 0
    terms = {j: 1 << (SLOT * i + FINE) for i, j in enumerate(chosen, start)}
    passed = [terms.get(j, rows[j]) if j in signs else 0 for j in range(n)]
    for j in gaps:
        passed[j] += terms[j + step.pairs]
    units = [n + j if j in gaps else j for j in chosen]
    span += sum(_size(ends[j]) for j in units)
    size = 1 + sum(_size(ends[j]) for j in signs)
    slots = start + len(units)
    last = Taken([*passed, 1 << FINE], error, size, span, slots, _ones(slots))
    known = [rows[j] for j in units]
    return last, Bends(before, start, units, known, step.bends(units, ends))


def _relaxed(slopes: Entries, bends: Sequence[Entries]) -> tuple[Numbers, int]:
    """Return c and m with Σ slope·term >= Σ c·z + m, m over 2^112."""
    found, lost = [], 0
    for a, (kind, low, high) in paired(slopes, bends):
        end, other = (high, low) if a < 0 else (low, high)
        c = a
        if kind == _RELU and a >= 0:
            c = a if high >= -low else 0
        elif kind != _LINEAR:
            c = a * abs(end) // (high - low or 1)
            lost += min(-c * other, (a - c) * end)
        found.append(c)
    return found, lost


def _ones(slots: int) -> int:
    return int.from_bytes((1).to_bytes(SLOT // 8, "little") * slots, "little")


def _entries(packed: int, slots: int) -> Numbers:
    """Return the entries of a packed row."""
    top, size = _ones(slots) << (SLOT - 1), SLOT // 8
    data = ((packed + top) ^ top).to_bytes(size * slots, "little")
    places = range(0, len(data), size)
    return [int.from_bytes(data[i : i + size], "little", signed=True) for i in places]


def _longest(box: Sequence[Range]) -> int:
    return bits(end or 0 for ends in box for end in ends)


def _size(ends: Range) -> int:
    """Return a number that is more than the absolute value of what lies between ends."""
    return (max(-(ends[0] or 0), ends[1] or 0) >> PLACES) + 1


def _sharper(ends: Range, forms: Sequence[Row], box: Sequence[Range]) -> Range:
    """Return ends of z, given forms below -z and z, or just the first, on a box."""
    low, high = ends
    found = [
        (highest(opposite(form), box, 1 << PLACES) or 0) // -(1 << FINE) for form in forms
    ]
    high = -found[0] if high is None else min(high, -found[0])
    return (found[1] if low is None else max(low, found[1])) if found[1:] else low, high


def _step(proof: Proof, layer: Layer, in_pairs: bool) -> Step:
    """Return a step with its weights over 2^72, rounded down."""
    rows, den = layer.rows, layer.den
    proof.spend(2 * len(rows) * len(rows[0]), FINE + longest(rows), den.bit_length())
    floors = [tuple([(entry << FINE) // den for entry in row]) for row in rows]
    exact = not any((entry << FINE) % den for row in rows for entry in row)
    size = max(sum(map(abs, row)) for row in floors)
    return Step(floors, layer.linear, len(rows) // 2 if in_pairs else 0, size, exact)


def rounded(scale: int, box: Sequence[Range]) -> Node:
    """Return the box with these ends over a scale, rounded outwards."""
    lows = (low and (low << PLACES) // scale for low, _ in box)
    highs = (high and -((-high << PLACES) // scale) for _, high in box)
    return Node(tuple(paired(lows, highs)))


def layers_over(proof: Proof, network: Network, chart: Chart) -> list[Layer]:
    """Return the layers of a network over t."""
    first, *rest = network.layers
    rows = pulled(proof, chart, first.rows)
    return [layer_of(first.den * chart.factor, rows, first.linear), *rest]


def chain_of(proof: Proof, network: Network, chart: Chart, in_pairs: bool = False) -> Chain:
    """Return the chain of a network over t; in pairs, of two side by side with the same
    units.
    """
    *layers, last = layers_over(proof, network, chart)
    return Chain([_step(proof, layer, in_pairs) for layer in layers], last.den, last.rows)
