"""How far apart two networks are at most, by arithmetic with affine forms on a box.

On a box around the domain each value of a network is an *affine form* c + Σ g_k e_k in symbols
e_k that lie between −1 and 1: first the inputs, then one for each neuron that bends.  With any
slope 0 ≤ λ ≤ 1 and l ≤ z ≤ u, the number s(z) − λz lies between 0 and

    M(λ)  =  max(−λ·min(l, 0), (1 − λ)·max(u, 0)),

so s(z) is λz + M/2 and M/2 times a new symbol (zonotopes; Ghorbal, Goubault, Putot 2009).

Where the networks have the same widths, so have the forms of the *differences* of their neurons.
With h = s(z) and Δ what is A's minus what is B's,

    Δz  =  W_A Δh + ΔW h_B + Δb.

s(z_A) − s(z_B) is λΔz and a number between −M_B and M_A, which is also c·Δz for some c between
−λ and 1 − λ.  What is equal in both networks cancels: a network and one with a weight changed a
little stay close, however wide the bounds of their values are.

Interval arithmetic is quicker, the checker does it too, and it is all that there is without a
bound on each input.

Symbols: λ ``slope``, [l, u] ``range``, M ``bend``, Δ ``apart``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from flint import fmpq

from exactrelu.cells.pairs import input_ranges
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO
from exactrelu.network.network import Layer, Network
from exactrelu.network.roles import Interval, activated, box_around, layer_bounds
from exactrelu.polyhedra.domain import Domain, DomainLike

#: Slopes are rounded to so many binary places, which keeps forms short.
PLACES = 8
#: Products of numbers, a few seconds; beyond, intervals have to do.
MAX_PRODUCTS = 30_000_000

#: Least and largest value.
Range = tuple[fmpq, fmpq]


def difference_bounds(
    a: Network, b: Network, domain: DomainLike, effort: Effort = UNLIMITED
) -> Iterator[fmpq]:
    """Numbers that no output differs by more than at a point of the domain, better and better.

    The first is that of interval arithmetic, if there is one.

    >>> a = Network.from_arrays([[[1], [1]], [[1, 1]]], [[0, -1], [0]])
    >>> b = Network.from_arrays([[[1], [1]], [[1, 1]]], [[0, -1], ["1/100"]])
    >>> list(difference_bounds(a, b, "box:-1,3"))
    [501/100, 44/25, 1/100]
    """
    place = Domain.of(domain, a.n_inputs, effort)
    best = difference_by_intervals(a, b, place, effort)
    if best is not None:
        yield best
    a, b, box = place.restricted(a), place.restricted(b), box_around(place.inside)
    ends = [(lower, upper) for lower, upper in box if lower is not None and upper is not None]
    if len(ends) < len(box) or _n_products(a, b) > MAX_PRODUCTS:
        return
    for forms in _differences(a, b, ends, effort):
        found = max(max(-lower, upper) for lower, upper in forms.ranges(effort))
        if best is None or found < best:
            best = found
            yield best


def difference_by_intervals(
    a: Network, b: Network, domain: DomainLike, effort: Effort = UNLIMITED
) -> fmpq | None:
    """By how much outputs differ at most, by the bounds of each; None if one has no bound.

    They are those that the checker computes, also where the domain is flat.

    >>> relu = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    >>> identity = Network.from_arrays([[[1]]], [[0]])
    >>> difference_by_intervals(relu, identity, "box:-1,3")
    4
    """
    largest = ZERO
    inputs = input_ranges(Domain.of(domain, a.n_inputs, effort), effort)
    left, right = (_output_bounds(network, inputs, effort) for network in (a, b))
    for (low, high), (least, most) in zip(left, right, strict=True):
        if low is None or high is None or least is None or most is None:
            return None
        largest = max(largest, high - least, most - low)
    return largest


def _output_bounds(
    network: Network, inputs: Sequence[Interval], effort: Effort
) -> Sequence[Interval]:
    for layer in network.layers[:-1]:
        inputs = activated(layer, layer_bounds(layer, inputs, effort))
    return layer_bounds(network.layers[-1], inputs, effort)


def _n_products(a: Network, b: Network) -> int:
    """How many numbers are multiplied if every neuron bends."""
    return sum(
        prod(layer.weights.shape) * (network.n_inputs + 2 * network.n_hidden_neurons)
        for network in (a, b)
        for layer in network.layers
    )


class _Forms:
    """Affine forms, one in each row: the constant, then what belongs to each symbol."""

    def __init__(self, table: Matrix) -> None:
        self.table = table

    def through(self, layer: Layer) -> _Forms:
        """W·forms + b."""
        return _Forms(layer.weights @ self.table).shifted(layer.flint_bias)

    def shifted(self, constants: Sequence[fmpq]) -> _Forms:
        """The forms and constants added."""
        first = Matrix.column_vector(constants)
        return self + _Forms(first.beside(Matrix.zero(len(constants), self.table.n_columns - 1)))

    def __add__(self, other: _Forms) -> _Forms:
        return _Forms(self.table + other.table)

    def widened(self, n_more: int) -> _Forms:
        """The same in more symbols."""
        return _Forms(self.table.beside(Matrix.zero(self.table.n_rows, n_more)))

    def ranges(self, effort: Effort) -> list[Range]:
        """Bounds of each form."""
        found = []
        for constant, *rest in self.table.flint_rows():
            effort.spend()
            size = sum(map(abs, rest), ZERO)
            found.append((constant - size, constant + size))
        return found

    def bent(self, slopes: Sequence[fmpq], residues: Sequence[Range]) -> _Forms:
        """slope·form and a number in a range, with a new symbol unless the range is one point."""
        scaled = Matrix.diagonal(slopes) @ self.table
        middles = [(lower + upper) / 2 for lower, upper in residues]
        sizes = [(upper - lower) / 2 for lower, upper in residues]
        new = [i for i, size in enumerate(sizes) if size != 0]
        columns = Matrix(
            [[sizes[i] if i == k else ZERO for k in new] for i in range(len(sizes))], len(new)
        )
        return _Forms(_Forms(scaled).shifted(middles).table.beside(columns))


def _differences(a: Network, b: Network, box: Sequence[Range], effort: Effort) -> Iterator[_Forms]:
    """The differences of the outputs, in one or two ways."""
    middles = Matrix.column_vector([(lower + upper) / 2 for lower, upper in box])
    sizes = Matrix.diagonal([(upper - lower) / 2 for lower, upper in box])
    inputs = _Forms(middles.beside(sizes))
    yield _separately(a, b, inputs, effort)
    if [layer.passes for layer in a.layers[:-1]] == [layer.passes for layer in b.layers[:-1]]:
        yield _together(a, b, inputs, effort)


def _separately(a: Network, b: Network, inputs: _Forms, effort: Effort) -> _Forms:
    """The difference of the outputs: the inputs are the same, the other symbols are not."""
    left, right = (_outputs_of(network, inputs, effort).table for network in (a, b))
    n = inputs.table.n_columns
    shared = left.take(columns=range(n)) - right.take(columns=range(n))
    rest = [table.take(columns=range(n, table.n_columns)) for table in (left, right)]
    return _Forms(shared.beside(rest[0]).beside(rest[1]))


def _outputs_of(network: Network, values: _Forms, effort: Effort) -> _Forms:
    for layer in network.layers[:-1]:
        before = values.through(layer)
        values = before.bent(*_bends(layer, before.ranges(effort)))
    return values.through(network.layers[-1])


def _together(a: Network, b: Network, inputs: _Forms, effort: Effort) -> _Forms:
    """The difference of the outputs of networks of the same widths."""
    values = inputs
    apart = _Forms(Matrix.zero(*inputs.table.shape))
    for k, (mine, theirs) in enumerate(zip(a.layers, b.layers, strict=True)):
        change = Layer(mine.affine - theirs.affine)
        apart = _Forms(mine.weights @ apart.table) + values.through(change)
        if k == len(a.layers) - 1:
            break
        before = values.through(theirs)
        of_b, of_both = before.ranges(effort), apart.ranges(effort)
        of_a = (before + apart).ranges(effort)
        hulls = [(min(p[0], q[0]), max(p[1], q[1])) for p, q in zip(of_a, of_b, strict=True)]
        slopes, _ = _bends(mine, hulls)
        residues = [
            (ZERO, ZERO) if is_linear else _residue(slope, in_a, in_b, in_both)
            for is_linear, slope, in_a, in_b, in_both in zip(
                mine.passes, slopes, of_a, of_b, of_both, strict=True
            )
        ]
        values, apart = before.bent(*_bends(theirs, of_b)), apart.bent(slopes, residues)
        n_new = values.table.n_columns - before.table.n_columns
        values = values.widened(apart.table.n_columns - before.table.n_columns)
        n = before.table.n_columns
        rest = apart.table.take(columns=range(n, apart.table.n_columns))
        gap = Matrix.zero(apart.table.n_rows, n_new)
        apart = _Forms(apart.table.take(columns=range(n)).beside(gap).beside(rest))
    return apart


def _bends(layer: Layer, ranges: Sequence[Range]) -> tuple[list[fmpq], list[Range]]:
    """λ and the range of what a unit passes on minus λz, for each unit; 1 and 0 if it is linear."""
    slopes, bends = [], []
    for is_linear, found in zip(layer.passes, ranges, strict=True):
        slopes.append(ONE if is_linear else _slope(*found))
        bends.append((ZERO, ZERO if is_linear else _bend(slopes[-1], *found)))
    return slopes, bends


def _slope(lower: fmpq, upper: fmpq) -> fmpq:
    """λ: 0 or 1 where s is linear on the range, else about upper/(upper − lower)."""
    if lower >= 0:
        return ONE
    if upper <= 0:
        return ZERO
    scale = 1 << PLACES
    return fmpq((scale * upper / (upper - lower)).floor()) / scale


def _bend(slope: fmpq, lower: fmpq, upper: fmpq) -> fmpq:
    """M: s(z) − λz lies between 0 and this."""
    return max(-slope * min(lower, ZERO), (1 - slope) * max(upper, ZERO))


def _residue(slope: fmpq, of_a: Range, of_b: Range, apart: Range) -> Range:
    """Bounds of s(z_A) − s(z_B) − λ(z_A − z_B)."""
    ends = [c * end for c in (-slope, 1 - slope) for end in apart]
    return (
        max(-_bend(slope, *of_b), min(ends)),
        min(_bend(slope, *of_a), max(ends)),
    )
