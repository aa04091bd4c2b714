"""What canonical forms decide: equal shallow networks, and isomorphic networks of any depth.

**Functions of at most one hidden layer** (theory 1.1) are equal iff their canonical forms are, in
polynomial time, on R^n, the orthant, or another polyhedron with interior.  Where the forms differ
there is a point where the values differ: if the difference of the forms bends at h, then near a
point of h off the other hyperplanes it is not affine, so it cannot vanish at the point and at equal
distances on both sides.  If it is affine and not 0, it cannot vanish at n + 1 points in general
position.

**Isomorphic networks** are equal up to permutation and positive scaling of hidden neurons.  This
is about parameters, not functions: isomorphic networks compute the same function, but not
conversely.  Both verdicts come from canonical forms (:mod:`exactrelu.network.isomorphism`): equal
forms give the symmetry, different ones a proof by colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Unpack

from flint import fmpq, fmpz

from exactrelu.answer import Part
from exactrelu.certificates.certificate import (
    Certificate,
    Found,
    Verdict,
    claim,
    point_record,
    record,
)
from exactrelu.certificates.moves import SideRecords, symmetry_records
from exactrelu.effort import Limits
from exactrelu.errors import ShapeError
from exactrelu.exact.linear import nullspace
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Point
from exactrelu.exact.scalar import ONE, ZERO, Vector, dot
from exactrelu.network.isomorphism.canonical import ColouredPair, Imbalance, canonical_form
from exactrelu.network.network import Network, PlainNetwork, widths_text
from exactrelu.network.shallow import Hyperplane, ShallowForm, form_on, shallow_form, value
from exactrelu.network.symmetry import Symmetry
from exactrelu.polyhedra.domain import DomainLike
from exactrelu.polyhedra.sides import FunctionSides
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words

#: Points of small integers that are tried before one is constructed.
N_SMALL_POINTS = 200
#: How many refinements a question may take before it is undecided.
MAX_REFINEMENTS = 20_000


@question(plain="equality of shallow forms")
def shallow_equal(
    call: Call[Verdict], a: Network, b: Network, domain: DomainLike = None
) -> Verdict:
    """Whether two networks with at most one hidden layer are equal, by their canonical forms.

    Parameters
    ----------
    a : Network
        The first network.
    b : Network
        The second.
    domain : str or Domain, optional
        All of space by default, or any polyhedron with interior, as ``"box:0..1"``.

    Returns
    -------
    Verdict
        The ``witness`` of a no is a point at which they differ.

    Raises
    ------
    Unanswered
        On a flat domain.

    Notes
    -----
    Linear in the number of parameters, but for sorting, and for a linear program for each
    hyperplane on domains other than all of space and the orthant.

    References
    ----------
    *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), Section 4.1.

    Examples
    --------
    >>> import exactrelu as er
    >>> a = er.Network.from_arrays([[[1], [-1]], [[1, -1]]], [[0, 0], [0]])
    >>> identity = er.Network.from_arrays([[[1]]], [[0]])
    >>> double = er.Network.from_arrays([[[2]]], [[0]])
    >>> er.layers.shallow_equal(a, identity).answer, er.layers.shallow_equal(a, double).witness
    (True, (-1,))
    """
    a, b = call.plain(a), call.plain(b)
    if (a.n_inputs, a.n_outputs) != (b.n_inputs, b.n_outputs):
        raise ShapeError(
            f"{a.n_inputs} inputs and {a.n_outputs} outputs in one network, "
            f"{b.n_inputs} and {b.n_outputs} in the other"
        )
    sides = FunctionSides(call.place)
    place = sides.place
    difference = form_on(a, sides) - form_on(b, sides)
    point = nonzero_point(difference, sides)
    if point is None:
        # What is equal everywhere is equal on the domain, and needs no records.
        simple = sides.is_simple or not any(_difference(a, b))
        evidence = SideRecords(sides)
        records = [] if simple else [*evidence.of(a), *evidence.of(b)]
        method = "shallow" if simple else "sides"
        certificate = claim("equal", method, records, holds=True, a=a, b=b, domain=place)
        return Verdict(True, "the same hyperplanes, jumps and affine map", None, certificate)
    records = [point_record("point", point)]
    certificate = claim("equal", "point", records, holds=False, a=a, b=b, domain=place)
    return Verdict(False, "the values differ at the witness", point, certificate)


def _difference(a: PlainNetwork, b: PlainNetwork) -> tuple[bool, bool]:
    """Whether the difference of two networks bends anywhere, and whether it has an affine part."""
    form = shallow_form(a) - shallow_form(b)
    return bool(form.bends), not form.affine.is_zero


def nonzero_point(form: ShallowForm, sides: FunctionSides | None = None) -> Vector | None:
    """A point of the domain where the function is not 0, or None if it is 0 everywhere."""
    if not form.bends and form.affine.is_zero:
        return None
    is_simple = sides is None or sides.is_simple
    candidates = _candidates(form) if is_simple or sides is None else _inside(form, sides)
    return next(point for point in candidates if any(form(point)))


def _inside(form: ShallowForm, sides: FunctionSides) -> Iterator[Vector]:
    """The same for a domain that is not simple: points near one inside, and near each bend."""
    n, start = form.n_inputs, sides.place.flint_point
    yield start
    units = Matrix.identity(n).flint_rows()
    if not form.bends:
        yield from (_near(form, start, [unit], ()) for unit in units)
    for h, _ in form.bends:
        others = [g for g, _ in form.bends if g != h]
        flat = nullspace(Matrix([h[:-1]]))
        point = _near(form, sides.of(h).zero, flat, others)
        yield point
        normal = tuple(map(fmpq, h[:-1]))
        walls = [(_slope(g, h[:-1]), value(g, point)) for g in others]
        walls += [
            (dot(row.flint_normal, normal), row.flint_value(point)) for row in form.domain.rows
        ]
        step = _shorter(ONE, walls)
        for side in (step, -step):
            yield tuple(x + side * a for x, a in zip(point, normal, strict=True))


def _near(
    form: ShallowForm, point: Vector, directions: Sequence[Vector], others: Sequence[Hyperplane]
) -> Vector:
    """A point near one inside the domain, some way along directions, and on no other hyperplane."""
    for k in count(0 if others or directions else 1):
        step, moved = fmpq(1, 2**k), point
        for power, direction in enumerate(directions, 1):
            moved = tuple(x + step**power * d for x, d in zip(moved, direction, strict=True))
        if form.domain.contains(moved) and all(value(g, moved) != 0 for g in others):
            return moved
    raise ArithmeticError("no point near one inside: a bug")


def _candidates(form: ShallowForm) -> Iterator[Vector]:
    """Points of the domain, at one of which a function that is not 0 does not vanish."""
    n = form.n_inputs
    yield from _small_points(n, form.on_orthant)
    if not form.bends:
        base = (ONE,) * n
        yield base
        for j in range(n):
            yield tuple(x + int(i == j) for i, x in enumerate(base))
    for h, _ in form.bends:
        point = _point_on(form, h)
        step = _clearance(form, h, point)
        yield point
        for side in (step, -step):
            yield tuple(x + side * a for x, a in zip(point, h, strict=False))


def _small_points(n: int, positive: bool) -> Iterator[Vector]:
    """The simplest points: small integers in a fixed scattered order."""
    shift = 1 if positive else 0
    for k in range(N_SMALL_POINTS):
        digits = ((k * (2 * j + 1) + k // 7 * j) % (2 + k // 4) for j in range(n))
        signs = ((1 if positive else (-1) ** ((k >> (j % 8)) & 1)) for j in range(n))
        yield tuple(fmpq(s * (d + shift)) for d, s in zip(digits, signs, strict=True))


def _point_on(form: ShallowForm, h: Hyperplane) -> Vector:
    """A point of the domain on h and on no other hyperplane of the form.

    The points t, t², …, tⁿ leave every other hyperplane for almost all t, also after
    they are moved to h along one axis, or along a ray.
    """
    curve = (tuple(fmpq(t) ** (j + 1) for j in range(form.n_inputs)) for t in count(1))
    moved = (_moved_to(h, point, form) for point in curve)
    others = [g for g, _ in form.bends if g != h]
    return next(point for point in moved if all(value(g, point) != 0 for g in others))


def _moved_to(h: Hyperplane, point: Vector, form: ShallowForm) -> Vector:
    height = value(h, point)
    normal = h[:-1]
    # On the orthant a coordinate can only grow, so its coefficient must lower the height.
    axes = [j for j, a in enumerate(normal) if a * height < 0]
    if form.on_orthant and not axes and height != 0:
        # a ≥ 0 and β < 0: the ray from 0 through the point meets h before the point.
        shrink = -fmpq(h[-1]) / (height - h[-1])
        return tuple(shrink * x for x in point)
    axis = (axes or [j for j, a in enumerate(normal) if a != 0])[0]
    step = -height / normal[axis]
    return tuple(x + (step if j == axis else ZERO) for j, x in enumerate(point))


def _clearance(form: ShallowForm, h: Hyperplane, point: Vector) -> fmpq:
    """A step along the normal of h, both ways, that meets nothing else; a power of 2."""
    normal = h[:-1]
    walls = [(_slope(g, normal), value(g, point)) for g, _ in form.bends if g != h]
    if form.on_orthant:
        walls += [(fmpq(a), x) for a, x in zip(normal, point, strict=True)]
    return _shorter(ONE, walls)


def _shorter(step: fmpq, walls: Sequence[tuple[fmpq, fmpq]]) -> fmpq:
    """A step that stays away from walls of some slope along it and some height."""
    for slope, height in walls:
        while step * abs(slope) >= abs(height):
            step /= 2
    return step


def _slope(g: Hyperplane, direction: Sequence[fmpz]) -> fmpq:
    return fmpq(sum((a * b for a, b in zip(g, direction, strict=False)), fmpz(0)))


# --- Isomorphic networks


@dataclass(frozen=True, repr=False)
class Canonical(Found):
    """``network`` represents the class of ``original``, and ``symmetry`` takes it there."""

    PARTS = (
        Part("widths", "the widths", proved=True, claim="b"),
        Part("sha256", "the hash, the same for all isomorphic networks", proved=True, claim="b"),
    )

    original: Network
    network: Network
    symmetry: Symmetry

    @property
    def widths(self) -> tuple[int, ...]:
        """The widths."""
        return self.network.widths

    @property
    def sha256(self) -> str:
        """The hash of the network."""
        return self.network.sha256

    def sentence(self, _words: Words = PEOPLE) -> str:
        """What the network is."""
        return "equal to it up to permutation and positive scaling"

    @property
    def certificate(self) -> Certificate:
        """The certificate of the claim ``isomorphic``."""
        return _isomorphic(self.original, self.network, self.symmetry)


@question(plain="the canonical form")
def canonical(call: Call[Canonical], network: Network, **limits: Unpack[Limits]) -> Canonical:
    """The canonical representative of a network up to permutation and positive scaling.

    Parameters
    ----------
    network : Network
        The network.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Canonical
        ``network``, the same bytes for all isomorphic networks; ``symmetry`` takes the original
        there.

    Raises
    ------
    Stopped
        Over a bound.

    Notes
    -----
    Colour refinement with backtracking, as for graphs; ``max_refinements`` bounds it.

    Examples
    --------
    >>> import exactrelu as er
    >>> one = er.Network.from_arrays([[[1], [2]], [[3, 5]]], [[0, 1], [0]])
    >>> two = er.Network.from_arrays([[[4], [3]], [["5/2", 1]]], [[2, 0], [0]])
    >>> er.canonical(one).network == er.canonical(two).network
    True
    """
    network = call.plain(network)
    form = canonical_form(network, call.effort.unless_given(refinements=MAX_REFINEMENTS))
    return Canonical(network, form.network, form.symmetry)


@dataclass(frozen=True, eq=False, repr=False)
class Isomorphism(Verdict):
    """Whether two networks are isomorphic; the ``witness`` of a yes is the symmetry."""

    PARTS = (
        Part(
            "permutations",
            "null, or for each hidden layer the neurons of A in the order of B",
            proved=True,
            said=lambda found, words: () if found.witness is None else found.witness.lines(words),
        ),
        Part("scalings", "null, or the positive factors of these neurons", proved=True),
    )

    @property
    def permutations(self) -> tuple[tuple[int, ...], ...] | None:
        """For each hidden layer the neurons of the first network in the order of the second."""
        return None if self.witness is None else self.witness.permutations

    @property
    def scalings(self) -> tuple[Point, ...] | None:
        """The positive factors of these neurons."""
        return None if self.witness is None else self.witness.scalings


@question(plain="isomorphism")
def isomorphic(
    call: Call[Verdict],
    a: Network,
    b: Network,
    **limits: Unpack[Limits],
) -> Isomorphism:
    """Whether permutations and positive scalings of hidden neurons take one network to the other.

    Parameters
    ----------
    a : Network
        The first network.
    b : Network
        The second.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Isomorphism
        The ``witness`` of a yes is the :class:`Symmetry` that takes a to b.

    Notes
    -----
    Colour refinement with backtracking, as for graphs; ``max_refinements`` bounds it.

    Examples
    --------
    >>> import exactrelu as er
    >>> a = er.Network.from_arrays([[[1], [2]], [[3, 5]]], [[0, 1], [0]])
    >>> b = er.Network.from_arrays([[[4], [3]], [["5/2", 1]]], [[2, 0], [0]])
    >>> er.is_isomorphic(a, b).witness.apply(a) == b
    True
    """
    a, b = call.plain(a), call.plain(b)
    difference = _difference_outside(a, b)
    if difference is not None:
        return Isomorphism(False, difference, certificate=_not_isomorphic(a, b))
    # A search that takes too many refinements is given up.
    pair = ColouredPair(a, b, call.effort.unless_given(refinements=MAX_REFINEMENTS))
    symmetry = pair.symmetry()
    if a.transformed(symmetry) == b:
        certificate = _isomorphic(a, b, symmetry)
        return Isomorphism(True, "a permutation and positive scaling", symmetry, certificate)
    imbalance = pair.imbalance()
    choices = [] if imbalance is not None else list(pair.tree())
    reason = f"no neuron fits, after a search with {len(choices)} choices"
    if imbalance is not None:
        reason = _describe(imbalance)
    records = [record("individualise", choice.network, *choice.neuron) for choice in choices]
    return Isomorphism(False, reason, certificate=_not_isomorphic(a, b, records))


def _isomorphic(a: Network, b: Network, symmetry: Symmetry) -> Certificate:
    """Claim ``isomorphic``, by the symmetry."""
    return claim("isomorphic", "symmetry", symmetry_records(symmetry), holds=True, a=a, b=b)


def _not_isomorphic(a: Network, b: Network, choices: Sequence[str] = ()) -> Certificate:
    """The negation, by the tree of neurons that are told apart, in preorder.

    There are none where colours differ at once, or something outside the hidden neurons.
    """
    return claim("isomorphic", "colours", choices, holds=False, a=a, b=b)


def _difference_outside(a: Network, b: Network) -> str | None:
    """What differs apart from hidden neurons."""
    if a.widths != b.widths:
        return f"the widths {widths_text(a)} and {widths_text(b)} differ"
    if a.layers[-1].flint_bias != b.layers[-1].flint_bias:
        return "the output biases differ"
    if len(a.layers) == 1 and a != b:
        return "the affine maps differ"
    return None


def _describe(imbalance: Imbalance) -> str:
    l, i = imbalance.neuron
    name = "AB"[imbalance.network]
    ours, theirs = imbalance.counts
    return (
        f"neuron ({l + 1},{i + 1}) of {name}: {ours} in A and {theirs} in B look like it, "
        "by normalised weights and colour refinement"
    )
