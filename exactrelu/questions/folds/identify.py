"""The identification argument, run on two networks with one function.

θ is in the theorem's class on Z, η is general on Z, and both have the same function there.  The
proof is by induction over the layers: if h_θ^{1:l−1} = M P h_η^{1:l−1} with permutations P and
positive scalings M, then the units of layer l of both fold h^{l:L} along the same d_l
hyperplanes, those at which chains of bends start.  So each row (w, b) of θ is a multiple of one
row of η, seen through M P; and the multiple is positive, since the gradient vanishes in its
direction where the unit is inactive.

Here the rows are matched, layer by layer.  The first step that fails says why η is not θ up to
permutation and scaling; the theorem says that then θ is not in the class, or η is not general,
or the functions differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector
from exactrelu.network.network import Network
from exactrelu.network.symmetry import Symmetry
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.polyhedra.domain import DomainLike
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.folds.cells import RegionLike


@dataclass(frozen=True)
class Identification:
    """How far the layers could be matched.

    ``symmetry`` takes η to θ if all layers match; else ``layer`` (from 1) is the first that does
    not, and ``reason`` says which row has no partner.
    """

    symmetry: Symmetry | None
    layer: int | None
    reason: str


def identify(theta: Network, eta: Network) -> Identification:
    """Permutations and positive scalings that take η to θ, layer by layer, or why there are none.

    >>> theta = Network.from_arrays([[[1, 0], [0, 1]], [[1, 2]]], [[0, 3], [0]])
    >>> eta = Network.from_arrays([[[0, 2], [1, 0]], [[1, 1]]], [[6, 0], [0]])
    >>> identify(theta, eta).symmetry
    Symmetry(permutations=((1, 0),), scalings=((1, 1/2),))
    """
    if theta.widths != eta.widths:
        return Identification(None, 1, "the widths differ")
    permutations: list[tuple[int, ...]] = []
    scalings: list[Vector] = []
    before: tuple[int, ...] = tuple(range(theta.n_inputs))
    factors: Vector = (fmpq(1),) * theta.n_inputs
    for l, (ours, theirs) in enumerate(zip(theta.layers, eta.layers, strict=True), 1):
        seen = _seen(theirs.affine, before, factors)
        if l == len(theta.layers):
            if seen != ours.affine:
                return Identification(None, l, "the last layers differ")
            break
        matched = _match(ours.affine.rows(), seen.rows())
        if isinstance(matched, str):
            return Identification(None, l, f"layer {l}: {matched}")
        before, factors = matched
        permutations.append(before)
        scalings.append(factors)
    symmetry = Symmetry(tuple(permutations), tuple(scalings))
    return Identification(symmetry, None, "every row has a partner, with a positive factor")


def have_same_function(theta: Network, eta: Network, domain: RegionLike) -> bool | None:
    """Whether two networks agree on a domain; None if that is not decided."""
    if theta.n_inputs != eta.n_inputs or theta.n_outputs != eta.n_outputs:
        return False
    parts: Sequence[DomainLike] = domain.parts if isinstance(domain, BoxUnion) else [domain]
    answers = [equivalent(theta, eta, part).answer for part in parts]
    if False in answers:
        return False
    return None if None in answers else True


def _seen(affine: Matrix, before: tuple[int, ...], factors: Vector) -> Matrix:
    """A layer of η as a function of what θ passes to it."""
    columns = [
        [row[old] / factor for old, factor in zip(before, factors, strict=True)] + [row[-1]]
        for row in affine.rows()
    ]
    return Matrix(columns)


def _match(
    ours: tuple[Vector, ...], theirs: tuple[Vector, ...]
) -> tuple[tuple[int, ...], Vector] | str:
    """For each of our rows the row of η on the same hyperplane, and the factor to ours."""
    order, factors = [], []
    for i, row in enumerate(ours, 1):
        ratios = {j: _ratio(row, other) for j, other in enumerate(theirs) if j not in order}
        positive = [j for j, ratio in ratios.items() if ratio is not None and ratio > 0]
        if not positive:
            if any(ratio is not None for ratio in ratios.values()):
                return f"unit {i} has its hyperplane in the other network, turned round"
            return f"unit {i} has its hyperplane at no unit of the other network"
        order.append(positive[0])
        factors.append(ratios[positive[0]])
    return tuple(order), tuple(factor for factor in factors if factor is not None)


def _ratio(row: Vector, other: Vector) -> fmpq | None:
    """c ≠ 0 with row = c·other, if there is one."""
    place = next((k for k, x in enumerate(other) if x != 0), None)
    if place is None or row[place] == 0:
        return None
    factor = row[place] / other[place]
    return factor if all(x == factor * y for x, y in zip(row, other, strict=True)) else None
