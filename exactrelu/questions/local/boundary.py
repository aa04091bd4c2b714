"""The distance of a point to the boundary of its activation region, exactly (theory 7).

**Affine forms of neurons**, on many regions at once.  On the region of a pattern the
preactivations of layer l are the affine functions H_l I_{l−1} H_{l−1} … I_1 H_1 (x, 1), with
H = [W|b] above the row (0, …, 0, 1) and I_l the mask of the active neurons.  Rows of many neurons
on many regions are one matrix beside H_{l−1}, so each layer is one FLINT product for all of them.
Numerators only: denominators multiply.

**Distances.**  The complement of an intersection of half-spaces is the union of their complements,
and the hyperplane a·y + b = 0 is at distance |a·x + b|/|a|* from x, where |·|* is the dual norm.
So the distance to the boundary is the least of |a·x + b|/|a|₁ in the maximum norm, and its square
the least of (a·x + b)²/|a|² in the Euclidean norm, over the neurons whose preactivation a·y + b is
not constant on the region.

Floating point with a rigorous bound leaves the few neurons that can be nearest (one, mostly);
these, and all whose preactivation is 0, are then computed exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from flint import fmpq, fmpz, fmpz_mat

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.balls import Balls, Floats, affine
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import common_denominator
from exactrelu.network.network import Evaluation, Network, Pattern

Flags = npt.NDArray[np.bool_]
#: (layer, index), both from 1.
Neuron = tuple[int, int]

#: Integers of one stacked matrix: beyond this, memory grows and nothing gets faster.
_MAX_INTEGERS = 2_000_000
#: Doubles of one stacked matrix.
_MAX_DOUBLES = 1_000_000
#: Outside this range a double may have lost digits to underflow: nothing is concluded.
_SMALL, _LARGE = 1e-140, 1e140

_ZERO = fmpz(0)


def pulled_back(
    network: Network,
    layer: int,
    neurons: Sequence[tuple[Pattern, int]],
    effort: Effort = UNLIMITED,
) -> Iterator[list[fmpz]]:
    """The forms [a…, b] of neurons (pattern, i) of a layer, all from 0, where the pattern holds.

    Each comes times the denominators of the layers up to its own, as
    :attr:`Evaluation.numerators` do.
    """
    step = max(1, _MAX_INTEGERS // (max(network.widths) + 1))
    for start in range(0, len(neurons), step):
        part = neurons[start : start + step]
        rows = network.layers[layer].affine.integer_form[0].tolist()
        stacked = [v for _, i in part for v in rows[i]]
        for l in reversed(range(layer)):
            effort.spend()
            masks = {p: [*(s > 0 for s in p[l]), True] for p in {p for p, _ in part}}
            kept = (on for p, _ in part for on in masks[p])
            masked = [v if on else _ZERO for v, on in zip(stacked, kept, strict=True)]
            width = network.widths[l + 1] + 1
            stacked = (fmpz_mat(len(part), width, masked) * _homogeneous(network, l)).entries()
        width = network.n_inputs + 1
        for first in range(0, len(stacked), width):
            yield stacked[first : first + width]


def output_maps(
    network: Network, patterns: Sequence[Pattern], effort: Effort = UNLIMITED
) -> Iterator[Matrix]:
    """[W|b] of the output where each pattern holds.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> [A.rows() for A in output_maps(xor, [((1, 1),), ((1, -1),)])]
    [((-2, -2, 1),), ((2, 2, 1),)]
    """
    height, width = network.n_outputs, network.n_inputs + 1
    denominator = fmpz(1)
    for layer in network.layers:
        denominator *= layer.affine.integer_form[1]
    outputs = [(pattern, j) for pattern in patterns for j in range(height)]
    rows = pulled_back(network, len(network.layers) - 1, outputs, effort)
    for _ in patterns:
        entries = [fmpq(v, denominator) for _ in range(height) for v in next(rows)]
        yield Matrix.from_entries(height, width, entries)


def _homogeneous(network: Network, l: int) -> fmpz_mat:
    """The numerators of [W|b] above the row (0, …, 0, 1)."""
    integers, scale = network.layers[l].affine.integer_form
    n = network.widths[l]
    last = [_ZERO] * n + [scale]
    return fmpz_mat(network.widths[l + 1] + 1, n + 1, integers.entries() + last)


# --- Distances


@dataclass(frozen=True)
class Distance(Outward):
    """A distance, or its square, and the first neuron whose boundary is that near."""

    value: fmpq
    neuron: Neuron


@dataclass(frozen=True)
class RegionBoundary:
    """Where the boundary of a point's region is; no distances where there is no boundary."""

    #: Neurons at 0 whose bent hyperplanes the point lies on.
    ties: tuple[Neuron, ...]
    linf: Distance | None
    l2_squared: Distance | None

    @property
    def distances(self) -> tuple[Distance, ...]:
        """Both distances, if there are any."""
        return tuple(one for one in (self.linf, self.l2_squared) if one is not None)


class Boundaries:
    """The boundaries of the regions of points; what is known of a region is kept."""

    def __init__(self, network: Network, effort: Effort = UNLIMITED) -> None:
        self.network = network
        self.effort = effort
        self._layers = [Balls.of(layer.weights.flint_rows()) for layer in network.layers[:-1]]
        self._sizes: dict[Pattern, _Sizes] = {}
        self._exact: dict[tuple[Pattern, Neuron], list[fmpz]] = {}

    def of(self, evaluations: Sequence[Evaluation]) -> list[RegionBoundary]:
        """The boundary of the region of each point, in order."""
        network, exact = self.network, self._exact
        new = dict.fromkeys(e.pattern for e in evaluations if e.pattern not in self._sizes)
        self._sizes |= _sizes(network, self._layers, list(new), self.effort)
        candidates = [_candidates(e, self._sizes[e.pattern]) for e in evaluations]
        wanted = dict.fromkeys(
            (e.pattern, neuron)
            for e, neurons in zip(evaluations, candidates, strict=True)
            for neuron in neurons
            if (e.pattern, neuron) not in exact
        )
        for l in range(1, len(network.layers)):
            here = [(pattern, i) for pattern, (layer, i) in wanted if layer == l]
            neurons = [(pattern, i - 1) for pattern, i in here]
            forms = pulled_back(network, l - 1, neurons, self.effort)
            for (pattern, i), form in zip(here, forms, strict=True):
                exact[pattern, (l, i)] = form[:-1]
        found = []
        for e, nearest in zip(evaluations, candidates, strict=True):
            gradients = [(neuron, exact[e.pattern, neuron]) for neuron in nearest]
            found.append(_boundary(e, [(neuron, a) for neuron, a in gradients if any(a)]))
        return found


def _boundary(e: Evaluation, gradients: Sequence[tuple[Neuron, Sequence[fmpz]]]) -> RegionBoundary:
    """From the gradients of the neurons that can be nearest, as numerators."""
    if not gradients:
        return RegionBoundary((), None, None)
    # Numerators of values and of gradients share the denominators of the layers.
    denominator = common_denominator(e.flint_point)
    linf, l2, ties = [], [], []
    for (l, i), gradient in gradients:
        value = abs(e.flint_numerators[l - 1][i - 1])
        if value == 0:
            ties.append((l, i))
        linf.append(fmpq(value, denominator * sum(map(abs, gradient), fmpz(0))))
        squares = sum((a * a for a in gradient), fmpz(0))
        l2.append(fmpq(value * value, denominator * denominator * squares))
    first, second = linf.index(min(linf)), l2.index(min(l2))
    return RegionBoundary(
        tuple(ties),
        Distance(linf[first], gradients[first][0]),
        Distance(l2[second], gradients[second][0]),
    )


@dataclass(frozen=True)
class _Sizes:
    """Bounds of |a|₁ and |a|² for all hidden neurons in order; (0, 0) only for constants."""

    l1: tuple[Floats, Floats]
    l2_squared: tuple[Floats, Floats]


def _sizes(
    network: Network, layers: Sequence[Balls], patterns: Sequence[Pattern], effort: Effort
) -> dict[Pattern, _Sizes]:
    """The sizes of the gradients on each region, for many regions in one product a layer."""
    step = max(1, _MAX_DOUBLES // (network.n_inputs * max(network.widths)))
    result: dict[Pattern, _Sizes] = {}
    for start in range(0, len(patterns), step):
        effort.spend()
        part = patterns[start : start + step]
        sums = list(_sums(layers, part, network.n_inputs))
        for k, pattern in enumerate(part):
            l1 = np.concatenate([np.zeros((2, 0)), *(first[:, k] for first, _ in sums)], axis=1)
            l2 = np.concatenate([np.zeros((2, 0)), *(second[:, k] for _, second in sums)], axis=1)
            result[pattern] = _Sizes((l1[0], l1[1]), (l2[0], l2[1]))
    return result


def _sums(
    layers: Sequence[Balls], patterns: Sequence[Pattern], d: int
) -> Iterator[tuple[Floats, Floats]]:
    """Layer by layer bounds of |a|₁ and of |a|², of shape (2, patterns, neurons).

    Rows of ``x`` are the images of the d unit vectors, one block for each pattern.
    """
    x: Balls | None = None
    for l, weights in enumerate(layers):
        if x is None:
            copies = (len(patterns), 1)
            x = Balls(np.tile(weights.mid.T, copies), np.tile(weights.rad.T, copies))
        else:
            x = affine(x, weights, None)
        yield _sum_bounds(x, d, 1), _sum_bounds(x, d, 2)
        active = np.array([[s > 0 for s in pattern[l]] for pattern in patterns])
        x = x.where(np.repeat(active, d, axis=0))


def _sum_bounds(x: Balls, d: int, power: int) -> Floats:
    """Bounds of Σ|x|^power down each column of each block of d rows."""
    slack = (d + 8) * 2.0**-50
    blocks = (-1, d, x.mid.shape[1])
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        low = np.maximum(np.abs(x.mid) - x.rad, 0.0) ** power
        high = (np.abs(x.mid) + x.rad) ** power
        low = low.reshape(blocks).sum(axis=1) * (1 - slack)
        high = high.reshape(blocks).sum(axis=1) * (1 + slack)
    is_zero = ((x.mid == 0) & (x.rad == 0)).reshape(blocks).all(axis=1)
    return np.stack(_cautious(low, high, is_zero))


def _cautious(low: Floats, high: Floats, is_zero: Flags) -> tuple[Floats, Floats]:
    """The bounds where doubles are trusted, else 0 and infinity."""
    low = np.where((low > _SMALL) & (low < _LARGE), low, 0.0)
    # A sum of small squares may underflow to less than it is; what is exactly 0 stays so.
    high = np.where((high > _SMALL) & (high < _LARGE), high, np.inf)
    return low, np.where(is_zero, 0.0, high)


def _candidates(e: Evaluation, sizes: _Sizes) -> list[Neuron]:
    """The neurons that may be nearest in one of the norms, in order; all with value 0 are."""
    values = [z for layer in e.flint_preactivations[:-1] for z in layer]
    if not values:
        return []
    z = Balls.of([values])
    exactly_zero = (z.mid[0] == 0) & (z.rad[0] == 0)
    size, slack = np.abs(z.mid[0]), 2.0**-50
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        low, high = (size - z.rad[0]) * (1 - slack), (size + z.rad[0]) * (1 + slack)
        low, high = _cautious(low, high, exactly_zero)
        squares = _cautious(low * low * (1 - slack), high * high * (1 + slack), exactly_zero)
    passes = np.array([p for layer in e.passes for p in layer])
    # A linear unit has no boundary, as a constant has none.
    l1, l2 = (np.where(passes, 0.0, size) for size in (sizes.l1, sizes.l2_squared))
    chosen = _may_be_least(low, high, *l1) | _may_be_least(*squares, *l2)
    neurons = [(l, i) for l, s in enumerate(e.pattern, 1) for i in range(1, len(s) + 1)]
    return [neuron for neuron, on in zip(neurons, chosen.tolist(), strict=True) if on]


def _may_be_least(low: Floats, high: Floats, size_low: Floats, size_high: Floats) -> Flags:
    """Where value/size can be least, for bounds of the values and of the sizes (0: constant)."""
    is_constant = size_high == 0
    slack = 2.0**-50
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        least = np.where(is_constant, np.inf, low / size_high * (1 - slack))
        most = np.where(size_low > 0, high / size_low * (1 + slack), np.inf)
    best = np.min(most)
    return np.asarray(~is_constant & ~(least > best))
