"""The dimension of a simple stratum, by theorem and by the Jacobian (theory 1.6).

With rows of ℓ1 norm 1 the neurons on bends are fixed; what is left are V, W ≥ 0 with
V W = A_S (n2 × n0, of rank r), k biases, and k norms that are fixed.  For given
ρ = rank V the column space of V contains that of A_S, so the pairs (V, W) have dimension

    g(ρ) = (ρ − r)(n2 − ρ) + ρ k + (k − ρ) n0,       r ≤ ρ ≤ min(k, n2).

ρ < k is always attained with W > 0: an open set of such V has a positive vector in its
kernel.  ρ = k is attained iff the columns of A_S are pointed: W ≥ 0 kills every
λ ≥ 0 with A_S λ = 0.  The dimension is the largest g(ρ).  For generic networks r = k or
r = n2, which gives k², or n2(n2+1) + n0 if k = n2 + 1: the theorem of the paper.  Each dead
neuron adds n0 + n2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from exactrelu.exact.linear import Minor, rank, rank_proof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.network.network import Network
from exactrelu.network.shallow import Hyperplane, oriented
from exactrelu.questions.fibers.description import Description
from exactrelu.questions.fibers.target import Target


def simple_dimension(target: Target, r: int, is_pointed: bool, k: int, n_dead: int) -> int:
    """The dimension of the nonempty simple stratum with k linear and ``n_dead`` dead neurons."""
    n0, n2 = target.n_inputs, target.n_outputs
    if not target.on_orthant:
        # Constant and dead neurons are (0, ±1); their output columns are free.
        return (k + n_dead) * n2
    ranks = range(r, min(k if is_pointed else k - 1, n2) + 1)
    return max((p - r) * (n2 - p) + p * k + (k - p) * n0 for p in ranks) + n_dead * (n0 + n2)


@dataclass(frozen=True)
class LocalDimension:
    """The dimension of a stratum near a member, and the minors that show the ranks of V and W."""

    value: int
    minors: tuple[Minor, ...]


def local_dimension(target: Target, member: Network) -> LocalDimension | None:
    """The dimension of the stratum of a member near it, up to scaling; None if it is not known.

    Let W have the normals of hyperplanes with neurons of both sides, and on the orthant the rows
    of the linear neurons; V the sums of output columns of the side − on those that are no bends,
    and the columns of the linear neurons.  If V and W have the largest ranks c, r that they can
    have, the map to the linear part has the constant rank n2·r + c·n0 − r·c near the member.  The
    parameters are the output columns, less one for each hyperplane, the hyperplanes that are no
    bends, and on the orthant the rows of neurons on none, if none of their entries is 0.
    """
    first, last = (Matrix.wrap(layer.affine.integer_form[0]) for layer in member.layers)
    n0, n2 = target.n_inputs, target.n_outputs
    bends = {oriented(bend.row)[0] for bend in target.bends}
    groups: dict[Hyperplane, list[tuple[int, fmpq]]] = {}
    linear: list[int] = []
    dead: list[int] = []
    for i, row in enumerate(first.rows()):
        h, factor = oriented(row)
        one_signed = all(x >= 0 for x in h) or all(x <= 0 for x in h)
        if any(row[:-1]) and not (target.on_orthant and one_signed):
            groups.setdefault(h, []).append((i, factor))
        else:
            (linear if any(x > 0 for x in row) else dead).append(i)
    both = {h: g for h, g in groups.items() if len({factor > 0 for _, factor in g}) == 2}
    rows: list[Vector] = [_normal(h) for h in both if h in bends]
    columns: list[Vector] = []
    for h, group in both.items():
        if h not in bends:
            rows.append(_normal(h))
            minus = [(i, factor) for i, factor in group if factor < 0]
            columns.append(tuple(-sum((f * last[o, i] for i, f in minus), ZERO) for o in range(n2)))
    if target.on_orthant:
        is_plain = not rows and len(linear) <= n2
        for j in range(n0 + 1):
            entries = [first[i, j] for i in linear]
            if 0 in entries and not (is_plain and j < n0 and not any(entries)):
                return None
        rows += [first.row(i)[:-1] for i in linear]
        columns += [tuple(last[o, i] for o in range(n2)) for i in linear]
    if any(x == 0 for i in dead for x in first.row(i)[0 if target.on_orthant else n0 :]):
        return None
    V = Matrix(columns, n2).T if columns else Matrix.zero(n2, 0)
    r, c = min(len(rows), n0), min(len(columns), n2)
    minors = [rank_proof(V).minor]
    if len(columns) <= n2:
        minors.append(rank_proof(Matrix(rows, n0)).minor)
    if any(len(minor.rows) < size for minor, size in zip(minors, (c, r), strict=False)):
        return None
    steady = len(linear) + len(dead)
    p = sum(len(group) - 1 for group in groups.values()) + steady
    q = sum(h not in bends for h in groups) + (steady if target.on_orthant else 0)
    return LocalDimension((p - r) * n2 + (q - c) * n0 + r * c, tuple(minors))


def _normal(h: Hyperplane) -> Vector:
    return tuple(fmpq(x) for x in h[:-1])


def tangent_dimension(description: Description, point: Sequence[fmpq]) -> int:
    """The number of parameters less the rank of the Jacobian of the equations at a point.

    An upper bound for the dimension there; the dimension, if the rank is that at all points
    near by.
    """
    index = {name: i for i, name in enumerate(description.variables)}
    gradients = []
    for equation in description.equations:
        gradient = [ZERO] * len(index)
        for coefficient, names in equation.terms:
            for k, name in enumerate(names):
                others = names[:k] + names[k + 1 :]
                factor = coefficient
                for other in others:
                    factor *= point[index[other]]
                gradient[index[name]] += factor
        gradients.append(gradient)
    if not gradients:
        return len(index)
    return len(index) - rank(Matrix(gradients))
