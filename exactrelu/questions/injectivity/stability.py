"""How far apart does a layer keep points?  (Puthawala et al., Theorem 4, sharpened.)

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

A layer is asked about on a domain of its own inputs, and which of its rows are active on all of it
is proved by one linear program each: there are no neurons before it whose signs could be known.

Symbols: bounds of c → ``lower``, ``upper``, σ/√(2m) → ``published``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Unpack

from flint import fmpq

from exactrelu.answer import Part
from exactrelu.certificates.certificate import (
    Certificate,
    CertifiedBounds,
    claim,
    point_record,
    record,
)
from exactrelu.certificates.evidence import factor_record, weights2
from exactrelu.digits import between
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.eigen import is_positive_definite
from exactrelu.exact.linear import inverse
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import ZERO, Vector, rational, square_root
from exactrelu.network.network import Network, PlainNetwork
from exactrelu.polyhedra.answers import Multipliers
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.injectivity.collisions import Collision
from exactrelu.questions.injectivity.covers import Covers, LayerProblem, integer_rows
from exactrelu.questions.injectivity.layer import LayerSoFar, problem_injective
from exactrelu.questions.injectivity.network import layer_of
from exactrelu.questions.injectivity.stability_bounds import (
    Bounded,
    BoundTree,
    FloatRows,
    RowCut,
    always_active,
    any_pair,
    close_pairs,
    pair_in_cell,
    quotient_squared,
)
from exactrelu.questions.question import Call, question
from exactrelu.questions.singular_values import (
    exact_factors,
    float_factors,
    least_eigenvalue,
    proves_semidefinite,
)
from exactrelu.words import PEOPLE, Words

#: Relative slack with which cells are closed, and by which the bound lies below the minimum.
_CLOSED, _BELOW = 2.0**-21, fmpq(1, 2**19)
#: Eigenvalues of Gram matrices with entries up to 1 are taken from doubles if above this.
_COARSE = 1e-8
#: How often another bound, or another factor, is tried.
_ATTEMPTS = 24
#: The factor of the equations in units of the largest weight, and by what it grows.
_FIRST_FACTOR, _NEXT_FACTOR = 2**14, 2**8
#: Of layers with at most so many inputs a pair in the best cell is looked for when time is over.
_MOST_INPUTS = 256


def _least(found: Stability, _: Words) -> Iterator[str]:
    if found.active is not None:
        rows = ", ".join(map(str, found.active))
        cells = "1 cell covers" if found.n_cells == 1 else f"{found.n_cells:,} cells cover"
        yield f"  least where the active rows are {rows}; {cells} the domain"


def _published(found: Stability, words: Words) -> Iterator[str]:
    if found.published is not None:
        yield f"  published bound (with 1/√(2m)): {words.at_least(found.published)}"


def _pair(found: Stability, words: Words) -> Iterator[str]:
    yield from (words.equation(f"  {name}", x) for name, x in zip("xy", found.points, strict=True))


@dataclass(frozen=True, repr=False)
class Stability(Outward, CertifiedBounds):
    """Bounds ``lower`` ≤ c ≤ ``upper`` of the inverse Lipschitz constant c of a layer.

    Attributes
    ----------
    lower, upper : rational
        The bounds, proved by ``lower_certificate`` and ``upper_certificate``.
    published : rational or None
        The bound σ/√(2m) of the paper, rounded down.
    active : tuple of int or None
        The rows (from 1) of a cell where σ is least.
    points : pair of points
        They are moved apart by at most the upper bound times their distance.
    stopped : str or None
        Why the work was stopped; ``lower`` is then 0, and has no certificate.
    """

    PARTS = (
        Part(
            "lower", "c is at least so large", proved=lambda found: bool(found.lower), claim="bound"
        ),
        Part("upper", "and at most so large", proved=True, claim="bound"),
        Part(
            "active",
            "the active rows where it is least",
            said=_least,
            unproved="where it is least",
        ),
        Part(
            "published",
            "of a layer: the published bound",
            said=_published,
            unproved="the published bound",
        ),
        Part("points", "two points that show the upper bound", proved=True, said=_pair),
        Part("n_cells", "how many cells cover the domain"),
    )

    lower: fmpq
    upper: fmpq
    published: fmpq | None
    active: tuple[int, ...] | None
    points: tuple[Vector, Vector]
    lower_certificate: Certificate | None
    upper_certificate: Certificate
    n_cells: int
    stopped: str | None = None

    def sentence(self, words: Words = PEOPLE) -> str:
        """Between which bounds it is."""
        if self.stopped is not None:
            between = f"between {words.at_least(self.lower)} and {words.at_most(self.upper)}"
            return f"{self.stopped}: {between}"
        if self.upper == 0:
            return "c = 0, two points have one image"
        return words.bounds(self.lower, "c", self.upper)

    def opening(self, _question: str, words: Words) -> str:
        """What is bounded, and how."""
        return f"|F(x) − F(y)| ≥ c·|x − y|: {self.sentence(words)}"

    def _headline(self) -> str:
        return f"Stability: {between(self.lower, 'c', self.upper)}"


@question(plain="the stability of a layer")
def stability(
    call: Call[Stability],
    network: Network,
    domain: DomainLike = None,
    *,
    layer: int,
    **limits: Unpack[Limits],
) -> Stability:
    r"""Certified bounds of the inverse Lipschitz constant of a layer.

    It is the greatest c with :math:`|F(x) - F(y)| \ge c\,|x - y|` for all points of the domain.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    layer : int
        The layer, from 1; the domain is one of its inputs.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Stability
        ``lower`` and ``upper``, each with its certificate, and ``published``, the bound of the
        paper.

    Notes
    -----
    The cells of the layer are searched: about m^n at worst for m rows and n inputs.  Over a bound
    ``lower`` is 0 and ``stopped`` says so.

    References
    ----------
    Puthawala et al., *Globally injective ReLU networks*, Theorem 4, sharpened.

    Examples
    --------
    >>> import exactrelu as er
    >>> both = er.Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> found = er.stability(both, layer=1)
    >>> found.lower < er.matrices.rational("0.7072"), found.upper > er.matrices.rational("0.7071")
    (True, True)
    """
    network = call.plain(network)
    run = Run(network, layer, call.place_in(layer_of(network, layer).n_inputs))
    call.knows(run.so_far)
    return run.bounds(call.effort)


class _Closest:
    """The pair of points with the least quotient |F(x) − F(y)|²/|x − y|², the first of several."""

    def __init__(self, problem: LayerProblem, is_affine: bool) -> None:
        self._problem, self._is_affine = problem, is_affine
        self.points = any_pair(problem)
        self.squared = quotient_squared(problem, is_affine, *self.points)

    def offer(self, points: tuple[Vector, Vector]) -> None:
        """Take these points if they are closer."""
        squared = quotient_squared(self._problem, self._is_affine, *points)
        if squared < self.squared:
            self.squared, self.points = squared, points


class Run:
    """The bounds of one layer, and what is known of them at any moment."""

    def __init__(self, network: PlainNetwork, layer: int, place: Domain) -> None:
        chosen = layer_of(network, layer)
        problem = LayerProblem(integer_rows(chosen.weights, chosen.flint_bias), place)
        if place.inner_dimension == 0:
            raise InputError("the domain is one point: there are no two points to compare")
        self._problem = problem
        self._is_affine = layer == len(network.layers)
        self._denominator = fmpq(chosen.affine.integer_form[1])
        self._network, self._layer = network, layer
        #: Of all pairs that are looked at on purpose, and of those of :meth:`so_far`.
        self._closest = _Closest(problem, self._is_affine)
        self._more = _Closest(problem, self._is_affine)
        self._tree: BoundTree | None = None
        self._seen: set[Vector] = set()

    def bounds(self, effort: Effort) -> Stability:
        """Is the layer injective?  If so the tree, close pairs, and the proof of the tree."""
        problem = self._problem
        answer = problem_injective(problem, effort, so_far=LayerSoFar(), is_affine=self._is_affine)
        if isinstance(answer, Collision):
            points = (answer.x, answer.y)
            above = self._at_most(ZERO, points)
            return Stability(ZERO, ZERO, ZERO, None, points, None, above, 0)
        covers = Covers(problem, effort)
        always = {} if self._is_affine else always_active(problem, covers)
        fixed = range(len(problem.rows)) if self._is_affine else always
        floats = FloatRows(problem, fixed)
        tree = self._tree = BoundTree(problem, floats, fixed, _CLOSED)
        reason = "no lower bound could be proved"
        try:
            tree.grow(covers, effort.part(cells=effort.left("regions")))
            is_complete = True
        except Stopped as stopped:
            is_complete, reason = False, str(stopped)
        direction = floats.direction(tree.active)
        for pair in close_pairs(problem, self._is_affine, tree.point, direction, effort):
            self._closest.offer(pair)
        proof = None
        if is_complete:
            proof = _proved(problem, floats, tree, always, fixed, self._denominator, effort)
        if proof is None:
            return self.so_far(reason)
        lower, records = proof
        below = at_least(self._network, self._layer, problem.place, lower, records)
        published = None if fixed else square_root(lower**2 / len(problem.rows), up=False)
        shown = tuple(k + 1 for k in tree.active)
        upper, points = self._upper(self._closest), self._closest.points
        above = self._at_most(upper, points)
        return Stability(lower, upper, published, shown, points, below, above, tree.n_cells)

    def so_far(self, stopped: Stopped | str) -> Stability:
        """What is known if the work is stopped now: a pair of points in the best cell seen."""
        if self._problem.n_inputs <= _MOST_INPUTS:
            # The first of any two points is often on the border of its cell, the second one is not.
            best = self._problem.place.flint_point if self._tree is None else self._tree.point
            for point in (any_pair(self._problem)[1], best):
                if point in self._seen:
                    continue
                self._seen.add(point)
                every = range(len(self._problem.rows))
                active = every if self._is_affine else self._problem.active(point)
                direction = self._floats.direction(active)
                for pair in pair_in_cell(self._problem, point, direction):
                    self._more.offer(pair)
        closest = min(self._closest, self._more, key=lambda found: found.squared)
        upper, points = self._upper(closest), closest.points
        n_cells = 0 if self._tree is None else self._tree.n_cells
        above = self._at_most(upper, points)
        return Stability(ZERO, upper, None, None, points, None, above, n_cells, str(stopped))

    @cached_property
    def _floats(self) -> FloatRows:
        return FloatRows(self._problem, ())

    def _upper(self, closest: _Closest) -> fmpq:
        return square_root(closest.squared / self._denominator**2, up=True)

    def _at_most(self, bound: fmpq, points: tuple[Vector, Vector]) -> Certificate:
        return at_most(self._network, self._layer, self._problem.place, bound, points)


def at_least(
    network: Network, layer: int, domain: Domain, bound: fmpq, records: Iterable[str]
) -> Certificate:
    """The claim c ≥ ``bound`` for a layer (from 1), by a tree, or the network (0), by layers."""
    return claim(
        "stability",
        "tree" if layer else "layers",
        records,
        network=network,
        layer=layer,
        domain=domain,
        sense="at-least",
        bound=bound,
    )


def at_most(
    network: Network, layer: int, domain: Domain, bound: fmpq, points: tuple[Vector, Vector]
) -> Certificate:
    """The claim c ≤ ``bound`` for a layer (from 1), or the network (0), by two points."""
    return claim(
        "stability",
        "points",
        [point_record("point", point) for point in points],
        network=network,
        layer=layer,
        domain=domain,
        sense="at-most",
        bound=bound,
    )


def _proved(
    problem: LayerProblem,
    floats: FloatRows,
    tree: BoundTree,
    always: Mapping[int, Multipliers],
    fixed: Collection[int],
    denominator: fmpq,
    effort: Effort,
) -> tuple[fmpq, list[str]] | None:
    """The lower bound and the records that prove it.

    Directions out of the affine hull count in the records, c times what the equations say of them,
    so that with a large c they do not matter: |Av|² + c²|Ev|² has its minimum below that of
    |Av|² on the hull by less than any bound.
    """
    factor = _FIRST_FACTOR * floats.scale if problem.equation_normals else 0
    least = _least_squared(problem, floats, tree, fixed, denominator)
    for _ in range(_ATTEMPTS):
        effort.spend()
        lower = square_root(least * (1 - _BELOW) / 2, up=False)
        header = record("always", factor, *sorted(always))
        proofs = [record("empty", *weights2(always[k])) for k in sorted(always)]
        try:
            shift = 2 * lower**2
            nodes = list(_records(problem, tree, factor, fixed, denominator, shift, effort))
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
    hull = problem.place.hull
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
    effort: Effort,
) -> Iterator[str]:
    for node in tree.nodes:
        effort.spend()
        if isinstance(node, RowCut):
            yield record("split", node.row)
        elif isinstance(node, Bounded):
            gram = _gram(problem, node.active, factor, fixed, denominator)
            triangular = _cholesky(gram, shift)
            if triangular is None:
                raise _NotSemidefinite(node.active)
            yield factor_record(triangular, "bound")
        else:
            yield record("empty", *weights2(node.multipliers))


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
    A = Matrix([*equations, *rows], problem.n_inputs)
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
