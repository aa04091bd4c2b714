"""The plain exact tree: neuron by neuron, every cell a polyhedron of PPL.

No linear programs, no floats, no guesses: a cell is cut by a neuron if both sides have a
point, and what a linear function does on a cell is read off its vertices and rays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from flint import fmpq

from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network, Pattern
from exactrelu.polyhedra.polyhedron import Polyhedron

#: (a, b) of a function a·x + b.
Form = tuple[fmpq, ...]
Forms = list[Form]


class Cell(NamedTuple):
    """A nonempty set of points with these signs, and the outputs on it."""

    signs: Pattern
    set: Polyhedron
    outputs: Forms


def identity(n: int) -> Forms:
    """The coordinates x₁, …, x_n."""
    return [tuple(fmpq(int(i == j)) for j in range(n + 1)) for i in range(n)]


def after(network: Network, layer: int, inputs: Forms) -> Forms:
    """The preactivations of a layer (from 0) of these inputs."""
    rows = []
    for row in network.layers[layer].affine.rows():
        form = [fmpq(0)] * network.n_inputs + [row[-1]]
        for weight, value in zip(row[:-1], inputs, strict=True):
            form = [f + weight * v for f, v in zip(form, value, strict=True)]
        rows.append(tuple(form))
    return rows


def cells(network: Network, domain: LinearSystem) -> list[Cell]:
    """The regions: open cells, constant neurons with the sign of the constant."""
    return list(_cells(network, Polyhedron(domain.interior()), (-1, 1)))


def faces(network: Network, domain: LinearSystem) -> dict[Pattern, int]:
    """The dimension of every face, by its signs −1, 0, 1."""
    found = _cells(network, Polyhedron(domain.interior()), (-1, 0, 1))
    return {cell.signs: cell.set.dimension for cell in found}


def _cells(network: Network, start: Polyhedron, sides: Sequence[int]) -> Iterator[Cell]:
    if start.is_empty:
        return
    n = network.n_inputs
    stack: list[tuple[Polyhedron, Pattern, Forms]] = [(start, (), identity(n))]
    for layer in range(len(network.hidden_widths)):
        stack = [
            (part, (*signs, found), _active(forms, found))
            for inside, signs, inputs in stack
            for forms in [after(network, layer, inputs)]
            for part, found in _cut(inside, forms, sides)
        ]
    for inside, signs, inputs in stack:
        yield Cell(signs, inside, after(network, len(signs), inputs))


def _active(forms: Forms, signs: Sequence[int]) -> Forms:
    return [f if s > 0 else (fmpq(0),) * len(f) for f, s in zip(forms, signs, strict=True)]


def _cut(
    inside: Polyhedron, forms: Forms, sides: Sequence[int]
) -> Iterator[tuple[Polyhedron, tuple[int, ...]]]:
    """The parts on which these functions have one sign each."""
    parts: list[tuple[Polyhedron, tuple[int, ...]]] = [(inside, ())]
    for form in forms:
        if not any(form[:-1]):
            constant = (form[-1] > 0) - (form[-1] < 0)
            parts = [(part, (*signs, constant)) for part, signs in parts]
            continue
        cuts = [(side, Polyhedron(_side(form, side))) for side in sides]
        parts = [
            (smaller, (*signs, side))
            for part, signs in parts
            for side, cut in cuts
            for smaller in [part & cut]
            if not smaller.is_empty
        ]
    yield from parts


def _side(form: Form, side: int) -> LinearSystem:
    """Where a function is positive, negative or zero."""
    sense = Sense.GREATER if side else Sense.EQUAL
    factor = side or 1
    row = Row(tuple(factor * a for a in form[:-1]), factor * form[-1], sense)
    return LinearSystem(len(form) - 1, (row,))


def joint_cells(a: Network, b: Network, domain: LinearSystem) -> Iterator[tuple[Polyhedron, Forms]]:
    """Open cells on which both networks are affine, and A − B there."""
    for first in _cells(a, Polyhedron(domain.interior()), (-1, 1)):
        for second in _cells(b, first.set, (-1, 1)):
            pairs = zip(first.outputs, second.outputs, strict=True)
            yield second.set, [_minus(f, g) for f, g in pairs]


def _minus(f: Form, g: Form) -> Form:
    return tuple(x - y for x, y in zip(f, g, strict=True))


def are_equal(a: Network, b: Network, domain: LinearSystem) -> bool:
    """Whether A − B is 0 on every joint cell."""
    return not any(any(map(any, forms)) for _, forms in joint_cells(a, b, domain))


def largest_difference(a: Network, b: Network, domain: LinearSystem) -> fmpq | None:
    """The supremum of |A − B| over all outputs; None if there is none."""
    best = fmpq(0)
    for inside, forms in joint_cells(a, b, domain):
        for form in forms:
            value = _largest(form, inside)
            if value is None:
                return None
            best = max(best, value)
    return best


def _largest(form: Form, inside: Polyhedron) -> fmpq | None:
    """The supremum of |a·x + b| on a nonempty polyhedron; None if there is none."""
    if any(_dot(form, d) for d in (*inside.rays, *inside.lineality)):
        return None
    return max(abs(_dot(form, x) + form[-1]) for x in inside.vertices)


def _dot(form: Form, x: Vector) -> fmpq:
    return sum((a * b for a, b in zip(form[:-1], x, strict=True)), fmpq(0))


def is_injective(network: Network, domain: LinearSystem) -> bool:
    """Whether f(x) = f(y) has no solutions but x = y in any two closed cells."""
    found = cells(network, domain)
    return not any(_collide(one, two) for one, two in product(found, repeat=2))


def _collide(one: Cell, two: Cell) -> bool:
    """Whether {(x, y) : f(x) = f(y)} is more than a part of the diagonal."""
    n = one.set.ambient_dimension
    zero = (fmpq(0),) * n
    rows = [Row((*r.normal, *zero), r.offset) for r in one.set.constraints.rows]
    rows += [Row((*zero, *r.normal), r.offset) for r in two.set.constraints.rows]
    for f, g in zip(one.outputs, two.outputs, strict=True):
        normal = (*f[:-1], *(-v for v in g[:-1]))
        rows.append(Row(normal, f[-1] - g[-1], Sense.EQUAL))
    pairs = Polyhedron(LinearSystem(2 * n, tuple(rows)))
    if pairs.is_empty:
        return False
    generators = (*pairs.vertices, *pairs.rays, *pairs.lineality)
    return any(v[:n] != v[n:] for v in generators)
