"""A property as a chain: its networks as steps over t, the rows of its cases as goals.

In the coordinates t of the domain's chart a chain (:mod:`exactrelu.cells.chain`) computes what the
networks make of t.  *Side by side* its steps are the hidden layers of the networks, as blocks.  Two
networks f and g of one shape have *gaps* d too: with h = max(z_g, 0) and δ = z_f − z_g,

    [δ; z_g; z_f]  =  [W_f, W_f − W_g; 0, W_g; W_f, W_f]·[d; h] + [b_f − b_g; b_g; b_f],

what is equal in both cancels in δ, and z_f is watched.

A *goal* is a row of a case, negated: a case is refuted where one of its goals is > 0, as then not
all of its rows are ≥ 0.  An equation has two goals.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactrelu.cells.chain import Chain, Goal, Step, UnitKind
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.exact.system import Sense
from exactrelu.network.network import Layer
from exactrelu.questions.properties.property import Property


def side_by_side_chain(asked: Property) -> Chain:
    """The chain of the networks side by side.

    >>> from exactrelu.exact.system import LinearSystem, Row
    >>> from exactrelu.network.network import Network
    >>> from exactrelu.polyhedra.domain import Domain
    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> above = LinearSystem(2, (Row.of((0, 1), -2),))
    >>> chain = side_by_side_chain(Property((absolute,), Domain.of("box:-1,3", 1), (above,)))
    >>> chain.steps[0].exact, chain.exact_goals
    (Matrix([[1, 0], [-1, 0]]), Matrix([[-1, -1, 0, 2]]))
    """
    *hidden, last = asked.domain.restricted(asked.joined).layers
    steps = tuple(Step(layer.affine, _kinds(layer)) for layer in hidden)
    return _chain(asked, steps, last.affine)


def has_gaps(asked: Property) -> bool:
    """Whether there are two networks of the same widths and linear units, with hidden layers."""
    if len(asked.networks) != 2:
        return False
    f, g = asked.networks
    same = all(a.linear == b.linear for a, b in zip(f.layers, g.layers, strict=False))
    return f.widths == g.widths and len(f.layers) > 1 and same


def gap_chain(asked: Property) -> Chain:
    """The chain of two networks of one shape with their gaps."""
    first = asked.domain.restricted(asked.joined).layers[0].affine
    n = asked.networks[0].layers[0].n_outputs
    pairs = [(first.take(rows=range(n)), first.take(rows=range(n, 2 * n)))]
    layers = (network.layers[1:] for network in asked.networks)
    pairs += [(f.affine, g.affine) for f, g in zip(*layers, strict=True)]
    steps: list[Step] = []
    for l, (f, g) in enumerate(pairs):
        if l == 0:
            rows = (f - g).above(g).above(f)
        else:
            weights = f.take(columns=range(f.n_columns - 1))
            zero = Matrix.zero(g.n_rows, g.n_columns - 1)
            upper = weights.beside(f - g)
            rows = upper.above(zero.beside(g)).above(weights.beside(f))
        if l < len(pairs) - 1:
            linear = asked.networks[0].layers[l].passes
            gaps = tuple(UnitKind.LINEAR if is_linear else UnitKind.GAP for is_linear in linear)
            relus = tuple(UnitKind.LINEAR if is_linear else UnitKind.RELU for is_linear in linear)
            steps.append(Step(rows, (*gaps, *relus)))
    n = pairs[-1][0].n_rows
    outputs = rows.take(rows=range(2 * n, 3 * n)).above(rows.take(rows=range(n, 2 * n)))
    return _chain(asked, tuple(steps), outputs)


def _kinds(layer: Layer) -> tuple[UnitKind, ...]:
    return tuple(UnitKind.LINEAR if is_linear else UnitKind.RELU for is_linear in layer.passes)


def _chain(asked: Property, steps: tuple[Step, ...], outputs: Matrix) -> Chain:
    """The chain with the goals of the cases, from y as rows over (v, 1), or (t, 1) if no step."""
    goals: list[Goal] = []
    rows: list[Sequence[object]] = []
    n, d = asked.n_inputs, asked.domain.inner_dimension
    for case, system in enumerate(asked.cases):
        for number, row in enumerate(system.rows):
            over_y = outputs.T.flint_apply(row.flint_normal[n:])
            over_t = _over_t(asked, row.flint_normal[:n])
            constant = over_y[-1] + over_t[-1] + row.flint_offset
            if steps:
                full: Vector = (*over_y[:-1], *over_t[:-1], constant)
            else:
                both = zip(over_y[:-1], over_t[:-1], strict=True)
                full = (*(a + b for a, b in both), constant)
            goals.append(Goal(case, number, -1))
            rows.append([-x for x in full])
            if row.sense is Sense.EQUAL:
                goals.append(Goal(case, number, 1))
                rows.append(list(full))
    groups = asked.groups if asked.clauses else ()
    return Chain(d, steps, tuple(goals), Matrix(rows), groups)


def _over_t(asked: Property, weights: Vector) -> Vector:
    """A sum over x as a row over (t, 1)."""
    hull = asked.domain.hull
    if hull.origin is None:
        return (*weights, ZERO)
    used = [(i, weight) for i, weight in enumerate(weights) if weight]
    lines = (*hull.directions, hull.origin)
    return tuple(sum((weight * line[i] for i, weight in used), ZERO) for line in lines)
