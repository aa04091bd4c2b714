"""The canonical form of a network with at most one hidden layer (theory 1.1).

On a polyhedron X with interior, V s(Wx + b) + c is the sum of a term u_h·s(h(x)) for
each hyperplane h at which it bends inside X, and one affine map.  Here h(x) = a·x + β has
coprime integer coefficients, the first nonzero one of a positive; s(−t) = s(t) − t turns
neurons on the other side around; where h has one sign on X, as h ≥ 0 on the orthant if no
coefficient is negative, s(h) is h or 0 (:mod:`exactrelu.polyhedra.sides`).
u_h is the jump of the gradient across h divided by a, and the affine map is the function
where every h(x) ≤ 0.  The functions s(h) of different hyperplanes that meet X are
independent of each other and of affine maps, so the form is unique: two shallow networks
compute the same function on X iff their forms are equal.  No genericity is needed.

Symbols: (a, β) ↦ u_h is ``jumps``, the affine map ``affine`` [A|c].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from flint import fmpq, fmpz

from exactrelu.display import Shown
from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import ONE, ZERO, Vector, primitive
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import AffineMap, Network, PlainNetwork, plain
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.sides import FunctionSides

Hyperplane = tuple[fmpz, ...]


@dataclass(frozen=True, repr=False)
class ShallowForm(Outward, Shown):
    """The canonical form of one hidden layer: where the function bends, how much, and the rest.

    Two forms are equal if and only if the functions are, on the same kind of domain.

    Parameters
    ----------
    n_inputs : int
        The number of inputs.
    n_outputs : int
        The number of outputs.
    on_orthant : bool
        Whether the domain is {x > 0}.
    bends : tuple of pairs
        For each hyperplane its coprime integer coefficients (a…, β) and the jump u there.
    affine : Matrix
        [A|c] of the function where every a·x + β ≤ 0.
    place : Domain, optional
        The domain, if it is neither all of space nor the orthant.

    Examples
    --------
    >>> import exactrelu as er
    >>> absolute = er.Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> form = er.shallow_form(absolute)
    >>> form.bends, form.affine
    ((((1, 0), (2,)),), Matrix([[-1, 0]]))
    """

    n_inputs: int
    n_outputs: int
    on_orthant: bool
    #: (a…, β) of each hyperplane, in order, with its jump u.
    bends: tuple[tuple[Hyperplane, Vector], ...]
    affine: Matrix
    place: Domain | None = None

    @property
    def jumps(self) -> Mapping[Hyperplane, Vector]:
        """The jump across each hyperplane."""
        return MappingProxyType(dict(self.bends))

    @property
    def base(self) -> AffineMap:
        """The function where h(x) ≤ 0 for every hyperplane."""
        n = self.n_inputs
        return AffineMap(self.affine.take(columns=range(n)), self.affine.flint_column(n))

    @property
    def domain(self) -> LinearSystem:
        """The open domain."""
        n = self.n_inputs
        if self.place is not None:
            return self.place.inside
        return (LinearSystem.orthant(n) if self.on_orthant else LinearSystem(n)).open()

    def __call__(self, x: Vector) -> Vector:
        """The value at a point of the domain."""
        total = list(self.affine.flint_apply((*x, ONE)))
        for h, u in self.bends:
            height = value(h, x)
            if height > 0:
                total = [t + v * height for t, v in zip(total, u, strict=True)]
        return tuple(total)

    def __sub__(self, other: ShallowForm) -> ShallowForm:
        """The form of the difference."""
        jumps = dict(self.bends)
        for h, u in other.bends:
            before = jumps.get(h, (ZERO,) * self.n_outputs)
            jumps[h] = tuple(v - w for v, w in zip(before, u, strict=True))
        shape = (self.n_inputs, self.n_outputs, self.on_orthant)
        return ShallowForm(*shape, _sorted(jumps), self.affine - other.affine, self.place)


def shallow_form(network: Network, domain: DomainLike = None) -> ShallowForm:
    """The canonical form of a network with at most one hidden layer.

    Parameters
    ----------
    network : Network
        The network.
    domain : str or Domain, optional
        All of space by default, or any polyhedron with interior, as ``"box:0..1"``.

    Returns
    -------
    ShallowForm
        ``bends`` and ``affine``; two networks have equal forms if and only if they are equal there.

    Raises
    ------
    InputError
        If the network has more hidden layers.
    Unanswered
        On a flat domain.

    Notes
    -----
    Linear in the number of parameters, but for sorting; no genericity is needed.  On domains other
    than all of space and the orthant there is a linear program for each hyperplane.

    References
    ----------
    *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), Section 4.1.

    Examples
    --------
    >>> import exactrelu as er
    >>> a = er.Network.from_arrays([[[1], [-2]], [[1, "1/2"]]], [[0, 0], [0]])
    >>> b = er.Network.from_arrays([[[-1], [1]], [[1, 1]]], [[0, 0], [0]])
    >>> er.shallow_form(a) == er.shallow_form(b)
    True
    """
    network = plain(network, "the shallow form")
    return form_on(network, FunctionSides(Domain.of(domain, network.n_inputs)))


def form_on(network: PlainNetwork, sides: FunctionSides) -> ShallowForm:
    """The same for a domain of which the sides of some hyperplanes may be known."""
    n = network.n_inputs
    if len(network.layers) > 2:
        hidden = len(network.layers) - 1
        raise InputError(f"a network with {hidden} hidden layers, expected at most one")
    last = network.layers[-1]
    kind = (n, last.n_outputs, sides.is_orthant)
    place = None if sides.is_simple else sides.place
    if len(network.layers) == 1:
        return ShallowForm(*kind, (), last.affine, place)
    jumps: dict[Hyperplane, Vector] = {}
    affine = [[*(ZERO,) * n, c] for c in last.flint_bias]
    columns = list(zip(*last.weights.flint_rows(), strict=True))
    for row, column in zip(network.layers[0].affine.flint_rows(), columns, strict=True):
        h, factor = oriented(row)
        side = sides.sign(h)
        if side:
            share = factor if factor * side > 0 else ZERO
        else:
            before = jumps.get(h, (ZERO,) * len(column))
            jumps[h] = tuple(u + abs(factor) * v for u, v in zip(before, column, strict=True))
            share = ZERO if factor > 0 else factor
        for out, v in zip(affine, column, strict=True):
            for j, x in enumerate(h):
                out[j] += share * v * x
    return ShallowForm(*kind, _sorted(jumps), Matrix(affine), place)


def value(h: Hyperplane, x: Vector) -> fmpq:
    """h(x) = a·x + β."""
    return sum((a * v for a, v in zip(h, x, strict=False)), fmpq(h[-1]))


def oriented(row: Vector) -> tuple[Hyperplane, fmpq]:
    """(h, g) with row = g·h, h coprime integers whose first weight ≠ 0 is positive.

    A constant row has g > 0.
    """
    h = primitive(row)
    first = next((x for x in h[:-1] if x != 0), fmpz(1))
    if first < 0:
        h = tuple(-x for x in h)
    place = next((k for k, x in enumerate(h) if x != 0), None)
    return h, ONE if place is None else row[place] / h[place]


def _sorted(jumps: Mapping[Hyperplane, Vector]) -> tuple[tuple[Hyperplane, Vector], ...]:
    return tuple(sorted((h, u) for h, u in jumps.items() if any(u)))
