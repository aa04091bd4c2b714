"""How far apart does a layer, or a network, keep points?  (Puthawala et al., Theorem 4, sharpened.)

The inverse Lipschitz constant of F(x) = s(Wx + b) on D (theory 6.6) is the greatest c with
|F(x) − F(y)| ≥ c|x − y| for all x, y ∈ D.  With σ = min over x ∈ D of σ_min(W restricted to
the rows active at x, and to the directions of the affine hull of D),

    σ/√2 ≤ c ≤ σ,

where the paper has σ/√(2m) ≤ c.  The reason: row i, active on a part T_i of the segment from x
to y, changes by T_i·|w_i·(y − x)|.  The density 4t on [0, ½], 4(1 − t) on [½, 1] gives an interval
of length T at an end at most 2T², so |F(x) − F(y)|² is at least half the mean, over the segment,
of |W_active(y − x)|² ≥ σ²|x − y|².  Rows that are active on all of D have T_i = 1 and count in
full; that is the lower bound which is computed.  [1; −1] has c = σ/√2, and a layer that is
active everywhere, or affine, has c = σ.

A whole network has lower bounds by composition.  If layer l keeps points at least r_l times as far
apart, the first one on D and the others on the orthant, the network keeps them r_1·…·r_L times as
far apart on D.  A layer that is not injective there makes the bound 0, though the network may
still be injective.

Symbols: bounds of c → ``lower``, ``upper``, σ/√(2m) → ``published``, r_l → ``factors``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any, Unpack

from flint import fmpq, fmpz

from exactrelu.certificates.certificate import Certificate, Named, Record, claim, record
from exactrelu.certificates.evidence import on_integers
from exactrelu.effort import Effort, Limit, LimitReached, Limits
from exactrelu.errors import InputError
from exactrelu.exact.eigen import is_positive_definite
from exactrelu.exact.linear import inverse
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, rational
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Multipliers
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.injectivity.collisions import Collision
from exactrelu.questions.injectivity.covers import Covers, LayerProblem, integer_rows
from exactrelu.questions.injectivity.layer import problem_injective
from exactrelu.questions.injectivity.network import Stage, layer_of
from exactrelu.questions.injectivity.stability_bounds import (
    Bounded,
    BoundTree,
    Cut,
    FloatRows,
    always_active,
    bound_tree,
    close_pairs,
    quotient_squared,
)
from exactrelu.questions.linear import (
    exact_factors,
    float_factors,
    least_eigenvalue,
    proves_semidefinite,
    square_root,
)

#: Relative slack with which cells are closed, and by which the bound lies below the minimum.
_CLOSED, _BELOW = 2.0**-21, fmpq(1, 2**19)
#: Eigenvalues of Gram matrices with entries up to 1 are taken from doubles if above this.
_COARSE = 1e-8
#: How often another bound, or another factor, is tried.
_ATTEMPTS = 24
#: The factor of the equations in units of the largest weight, and by what it grows.
_FIRST_FACTOR, _NEXT_FACTOR = 2**14, 2**8


@dataclass(frozen=True)
class Stability:
    """lower ≤ c ≤ upper for the inverse Lipschitz constant c of a layer on a domain.

    ``lower`` is None if the search was stopped.  ``active`` are the rows (from 1) of a cell where
    σ is least, ``points`` a pair with |F(x) − F(y)| ≤ upper·|x − y|, ``published`` the bound
    σ/√(2m) of the paper, rounded down.
    """

    lower: fmpq | None
    upper: fmpq
    published: fmpq | None
    active: tuple[int, ...] | None
    points: tuple[Vector, Vector]
    lower_certificate: Certificate | None
    upper_certificate: Certificate
    n_cells: int


def stability(
    network: Network,
    layer: int,
    domain: DomainLike = None,
    **limits: Unpack[Limits],
) -> Stability:
    """Certified bounds of the inverse Lipschitz constant of a layer (from 1) on a domain.

    >>> both = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> found = stability(both, 1)
    >>> 2 * found.lower**2 < 1 <= 2 * found.upper**2, found.upper - found.lower < fmpq(1, 10**5)
    (True, True)
    """
    effort = Effort.of(limits)
    max_regions = effort.left("regions")
    timeout = effort.seconds_left()
    progress: Any = partial(effort.tell, "cells")
    chosen = layer_of(network, layer)
    is_affine = layer == len(network.layers)
    place = Domain.of(domain, chosen.n_inputs)
    problem = LayerProblem.on(place, integer_rows(chosen.weights, chosen.bias))
    subjects: Named = {"network": network, "layer": layer - 1, "domain": problem.domain}
    if place.inner_dimension == 0:
        raise InputError("the domain is one point: there are no two points to compare")
    denominator = fmpq(chosen.affine.integer_form[1])
    limit = Limit(max_regions, timeout)
    answer = problem_injective(
        problem, Limit(None, timeout), is_affine=is_affine, progress=progress
    )
    if isinstance(answer, Collision):
        pair = record("points", points=[answer.x, answer.y])
        certificate = claim("stability-at-most", [pair], **subjects, bound=ZERO)
        return Stability(ZERO, ZERO, ZERO, None, (answer.x, answer.y), None, certificate, 0)
    covers = Covers(problem)
    always = {} if is_affine else always_active(problem, covers)
    fixed = range(len(problem.rows)) if is_affine else always
    floats = FloatRows(problem, fixed)
    tree: BoundTree | None
    try:
        tree = bound_tree(problem, covers, floats, fixed, _CLOSED, limit, progress)
        n_cells = sum(isinstance(node, Bounded) for node in tree.nodes)
    except LimitReached as reached:
        tree, n_cells = None, reached.n_cells
    point = problem.inside.point if tree is None else tree.point
    active = problem.active(point) if tree is None else tree.active
    pairs = close_pairs(problem, is_affine, point, floats.direction(active))
    best, points = min(
        ((quotient_squared(problem, is_affine, *pair), pair) for pair in pairs),
        key=lambda found: found[0],
    )
    upper = square_root(best / denominator**2, up=True)
    pair = record("points", points=list(points))
    above = claim("stability-at-most", [pair], **subjects, bound=upper)
    proof = None if tree is None else _proved(problem, floats, tree, always, fixed, denominator)
    if tree is None or proof is None:
        return Stability(None, upper, None, None, points, None, above, n_cells)
    lower, records = proof
    below = claim("stability-at-least", records, **subjects, bound=lower)
    published = None if fixed else square_root(lower**2 / len(problem.rows), up=False)
    shown = tuple(k + 1 for k in tree.active)
    return Stability(lower, upper, published, shown, points, below, above, n_cells)


def _proved(
    problem: LayerProblem,
    floats: FloatRows,
    tree: BoundTree,
    always: Mapping[int, Multipliers],
    fixed: Collection[int],
    denominator: fmpq,
) -> tuple[fmpq, list[Record]] | None:
    """The lower bound and the records that prove it.

    Directions out of the affine hull count in the records, c times what the equations say of them,
    so that with a large c they do not matter: |Av|² + c²|Ev|² has its minimum below that of
    |Av|² on the hull by less than any bound.
    """
    factor = _FIRST_FACTOR * floats.scale if problem.equation_normals else 0
    least = _least_squared(problem, floats, tree, fixed, denominator)
    for _ in range(_ATTEMPTS):
        lower = square_root(least * (1 - _BELOW) / 2, up=False)
        # The rows of the domain that are 0 on it, and those of the layer that are always active.
        zero = on_integers(problem.inside.dependency)
        header = record("equations", factor=fmpz(factor), always=sorted(always), **zero)
        proofs = [record("empty", **on_integers(always[k])) for k in sorted(always)]
        try:
            nodes = list(_records(problem, tree, factor, fixed, denominator, 2 * lower**2))
        except _NotSemidefinite as leaf:
            on_hull = _least_on_hull(problem, leaf.active, fixed, denominator)
            if on_hull is None:
                return None
            if on_hull < least * (1 - _BELOW / 2):  # closed by rounding
                least = on_hull
            else:
                factor *= _NEXT_FACTOR
        else:
            return lower, [header, *proofs, *nodes]
    return None


def _least_squared(
    problem: LayerProblem,
    floats: FloatRows,
    tree: BoundTree,
    fixed: Collection[int],
    denominator: fmpq,
) -> fmpq:
    """The minimum, exactly where doubles are too coarse."""
    guess = floats.least(tree.active)[0]
    if guess <= _COARSE:
        exact = _least_on_hull(problem, tree.active, fixed, denominator)
        if exact is not None:
            return exact
    return rational(guess) * floats.scale**2 / denominator**2


def _least_on_hull(
    problem: LayerProblem, active: Collection[int], fixed: Collection[int], denominator: fmpq
) -> fmpq | None:
    """A rational just below the least |Av|²/|v|² on the affine hull of the domain; None if it is 0.

    With the columns of N for its directions: the least eigenvalue of (NᵀN)⁻¹NᵀAᵀAN.
    """
    gram = _gram(problem, active, 0, fixed, denominator)
    hull = problem.substitution
    if hull.origin is None:
        return least_eigenvalue(gram) if is_positive_definite(gram) else None
    N = Matrix(hull.directions).T
    on_hull = N.T @ gram @ N
    return least_eigenvalue(inverse(N.T @ N) @ on_hull) if is_positive_definite(on_hull) else None


def _records(
    problem: LayerProblem,
    tree: BoundTree,
    factor: int,
    fixed: Collection[int],
    denominator: fmpq,
    shift: fmpq,
) -> Iterator[Record]:
    for node in tree.nodes:
        if isinstance(node, Cut):
            yield record("split", neuron=node.row)
        elif isinstance(node, Bounded):
            gram = _gram(problem, node.active, factor, fixed, denominator)
            triangular = _cholesky(gram, shift)
            if triangular is None:
                raise _NotSemidefinite(node.active)
            yield record("bound", factor=triangular)
        else:
            yield record("empty", **on_integers(node.multipliers))


class _NotSemidefinite(Exception):
    """The rows that are known to be active on a leaf do not reach the bound."""

    def __init__(self, active: Collection[int]) -> None:
        super().__init__(active)
        self.active = active


def _gram(
    problem: LayerProblem,
    active: Collection[int],
    factor: int,
    fixed: Collection[int],
    denominator: fmpq,
) -> Matrix:
    """AᵀA of the active rows, the fixed ones twice, and the equations times a factor."""
    equations = [[factor * x for x in row] for row in problem.equation_normals]
    rows = [problem.rows[k][:-1] for k in (*sorted(active), *sorted(fixed))]
    A = Matrix([*equations, *rows], problem.dimension)
    return (A.T @ A).scale(1 / denominator**2)


def _cholesky(gram: Matrix, shift: fmpq) -> Matrix | None:
    """A lower triangular L such that AᵀA − t·1 − LLᵀ is diagonally dominant, if there is one."""
    target = gram - Matrix.identity(gram.n_rows).scale(shift)
    closer = gram - Matrix.identity(gram.n_rows).scale(shift * (1 + _BELOW / 4))
    for factor in _factors(closer):
        if proves_semidefinite(target, factor):
            return factor
    return None


def _factors(S: Matrix) -> Iterator[Matrix]:
    yield from float_factors(S)
    if is_positive_definite(S):
        yield from exact_factors(S)


# --- Whole networks, by composition


@dataclass(frozen=True)
class NetworkStability:
    """|N(x) − N(y)| ≥ ``lower``·|x − y| on the domain; None if a layer was not finished in time.

    ``factors`` are the bounds of the layers; 0 has no certificate, as it says nothing.
    """

    lower: fmpq | None
    factors: tuple[fmpq, ...]
    certificate: Certificate | None

    @property
    def collapsing_layer(self) -> int | None:
        """The layer (from 1) that is not injective on what it is asked for; then the bound is 0."""
        return len(self.factors) if self.lower == 0 else None

    @property
    def is_zero(self) -> bool:
        """Whether the constant itself is 0: layer 1 takes two points of the domain to one."""
        return self.collapsing_layer == 1

    @property
    def is_trivial(self) -> bool:
        """Whether the bound 0 says nothing: a later layer need not get the points that collapse."""
        return self.lower == 0 and not self.is_zero


def network_stability(
    network: Network,
    domain: DomainLike = None,
    **limits: Unpack[Limits],
) -> NetworkStability:
    """A certified lower bound of the inverse Lipschitz constant of the network on a domain.

    >>> both = Network.from_arrays([[[1], [-1]], [[1, 0], [0, 1]]], [[0, 0], [0, 0]])
    >>> found = network_stability(both)
    >>> fmpq(7, 10) < found.lower and 2 * found.lower**2 < 1
    True
    """
    effort = Effort.of(limits)
    max_regions = effort.left("regions")
    timeout = effort.seconds_left()
    progress: Any = partial(effort.tell, "cells")
    stage = Stage.of(network, domain)
    limit = Limit(None, timeout)
    factors: list[fmpq] = []
    proofs: list[Certificate] = []
    where = stage.domain
    for number, layer in enumerate(network.layers, 1):
        found = stability(
            network,
            number,
            where,
            max_regions=max_regions,
            timeout=limit.remaining(),
            progress=progress,
        )
        if found.lower is None:
            return NetworkStability(None, tuple(factors), None)
        factors.append(found.lower)
        if found.lower_certificate is None:
            return NetworkStability(fmpq(0), tuple(factors), None)
        proofs.append(found.lower_certificate)
        where = LinearSystem.orthant(layer.n_outputs)
    bound = prod(factors, start=fmpq(1))
    records = [entry for proof in proofs for entry in proof.records]
    certificate = claim(
        "network-stability-at-least",
        [record("factors", bounds=factors), *records],
        network=network,
        domain=stage.domain,
        bound=bound,
    )
    return NetworkStability(bound, tuple(factors), certificate)
