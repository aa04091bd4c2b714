"""Networks that are determined by their function, for any widths d_0 ≥ … ≥ d_{L−1} ≥ 2, d_L = 1.

The construction of Phuong & Lampert (Lemma A.17), made explicit.  P_l is the set of inputs
y = h^{1:l−1}(x), x ∈ Z, of layer l where all units before are positive: an open convex set, and the
image of a polyhedron in Z under an affine map.  All units of layer l are nearly parallel to one
hyperplane w·y = c:

    u_2 = c' − (w + ε t_2)·y,     u_k = (w + ε t_k)·y − c_k  for k ≠ 2,

with c < c' both inside the range of w·y on each *face* {y_i = 0, y_j > 0 for j ≠ i} of P_l, tilts
t_k of small integers, and c_k such that all u_k, k ≠ 2, are almost 0 at one point of w·y = c.
Then each is the smallest of them somewhere, and

- u_2 > 0 where u_1 ≤ 0: the layer is transparent.  For l ≥ 2, w > 0 and y ≥ 0, so that {u_1 ≤
  0} is a simplex, whatever the domain;
- each unit is 0 at points of P_l where the others are positive: the faces of P_{l+1};
- each unit is 0 somewhere in every face of P_l: the folds of layer l bend at those of layer
  l−1.

All of this is decided by exact linear programs; ε is halved until it holds.  Whether the
network is general is seen at the end, and if not, other tilts are tried.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Unpack

from flint import fmpq

from exactrelu.certificates.certificate import Verdict
from exactrelu.effort import UNLIMITED, Effort, Limits
from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector, dot
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Layer, Network, homogeneous
from exactrelu.polyhedra.answers import Optimum, Solution
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.lp import feasible, maximize
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.activity import is_transparent
from exactrelu.questions.faces import too_few
from exactrelu.questions.folds.folds import folds
from exactrelu.questions.folds.theorem_class import is_in_theorem_class
from exactrelu.questions.genericity.senses import is_generic
from exactrelu.questions.injectivity.constructions import Built
from exactrelu.questions.question import Call, question

#: Halvings of ε, tilts, and networks that are tried before giving up.
MAX_HALVINGS = 12
MAX_TILTS = 60
MAX_NETWORKS = 20
#: What a rational takes, in a network and on the way to it.
BYTES_OF_PARAMETER = 100


@dataclass(frozen=True, repr=False)
class BuiltOn(Built):
    """A network, and the verdict that its function determines it on the domain."""

    domain: Domain

    def bundle(self, effort: Effort = UNLIMITED) -> dict[str, Verdict]:
        """The verdict, and each of its conditions as a claim of its own."""
        return {
            "determined": self.verdict,
            "general": is_generic(self.network, self.domain, sense="general", effort=effort),
            "transparent": is_transparent(self.network, self.domain, effort=effort),
            "folds": self._folds(effort),
        }

    def _folds(self, effort: Effort) -> Verdict:
        found = folds(self.network, self.domain, effort=effort)
        if not found.is_complete:
            return too_few(found.cells.found)
        reason = f"{found.graph.number_of_edges()} dependencies of all pieces of the fold-set"
        return Verdict(True, reason, found, found.certificate)


@dataclass(frozen=True)
class _Stage:
    """The polyhedron of Z where all units before the layer are positive, and x ↦ y on it.

    ``faces`` are the parts of its boundary where one unit of the layer before is 0.
    """

    inside: LinearSystem
    inputs: Matrix
    faces: tuple[LinearSystem, ...]
    effort: Effort

    @cached_property
    def corners(self) -> tuple[tuple[Vector, ...], ...]:
        """The vertices of each face, in coordinates y."""
        closures = (Polyhedron(face.closed()) for face in self.faces)
        return tuple(
            tuple(self.inputs.flint_apply((*x, ONE)) for x in closure.flint_vertices)
            for closure in closures
        )

    def row(self, unit: Vector, sense: Sense) -> Row:
        """What a unit (w, b) of the layer says about x."""
        *normal, offset = (Matrix([unit]) @ homogeneous(self.inputs)).flint_row(0)
        return Row(tuple(normal), offset, sense)

    def has_point(self, part: LinearSystem, *rows: Row) -> bool:
        """Whether some rows have a solution in a part."""
        return self.point(part, *rows) is not None

    def point(self, part: LinearSystem, *rows: Row) -> Vector | None:
        """A solution of some rows in a part, in coordinates y."""
        system = LinearSystem(part.dimension, (*part.rows, *rows))
        answer = feasible(system, effort=self.effort)
        if not isinstance(answer, Solution):
            return None
        return self.inputs.flint_apply((*answer.flint_point, ONE))

    def following(self, units: Sequence[Vector]) -> _Stage:
        """The stage of the next layer."""
        positive = [self.row(unit, Sense.GREATER) for unit in units]
        faces = []
        for i, unit in enumerate(units):
            others = (*positive[:i], *positive[i + 1 :])
            zero = self.row(unit, Sense.EQUAL)
            faces.append(LinearSystem(self.inside.dimension, (*self.inside.rows, zero, *others)))
        everything = LinearSystem(self.inside.dimension, (*self.inside.rows, *positive))
        inputs = Matrix(units) @ homogeneous(self.inputs)
        return _Stage(everything, inputs, tuple(faces), self.effort)


@question
def construct(
    call: Call[BuiltOn],
    widths: Sequence[int],
    domain: DomainLike,
    *,
    seed: int = 0,
    **limits: Unpack[Limits],
) -> BuiltOn:
    """A network that its function on a bounded domain determines, with the proof.

    >>> built = construct((2, 2, 1), "box:-1..1")
    >>> built.network.widths, built.verdict.answer
    ((2, 2, 1), True)
    """
    effort = call.effort
    _check(tuple(widths))
    forecast(widths, effort)
    place = call.place
    if place.is_flat or not Polyhedron(place.inside).is_bounded:
        raise InputError("the construction needs a bounded domain with interior points")
    rng = random.Random(f"{list(widths)} {seed}")
    for _ in range(MAX_NETWORKS):
        effort.spend()
        network = _network(widths, place.inside, rng, effort)
        if network is None:
            continue
        verdict = is_in_theorem_class(network, place, effort=effort)
        if verdict.answer is not False:
            return BuiltOn(network, verdict, place)
    raise ArithmeticError(f"no network of widths {list(widths)} after {MAX_NETWORKS} attempts")


def forecast(widths: Sequence[int], effort: Effort) -> None:
    """Refuse widths whose network does not fit into memory.

    >>> forecast((10**6, 10**6, 1), Effort(memory=10**9))
    Traceback (most recent call last):
    ...
    exactrelu.effort.Stopped: a network of 1,000,002,000,001 parameters needs about 91 TB of \
memory, more than 954 MB (--max-memory)
    """
    n_parameters = sum((n + 1) * m for n, m in pairwise(widths))
    what = f"a network of {n_parameters:,} parameters"
    effort.need(BYTES_OF_PARAMETER * n_parameters, what)


def has_widths(widths: tuple[int, ...]) -> bool:
    """Whether the construction is for these widths."""
    hidden = widths[1:-1]
    is_falling = list(widths) == sorted(widths, reverse=True)
    return bool(hidden) and widths[-1] == 1 and is_falling and min(hidden) >= 2


def _check(widths: tuple[int, ...]) -> None:
    if not has_widths(widths):
        text = ",".join(map(str, widths))
        raise InputError(f"widths {text}: expected d0 >= d1 >= … >= 2 and a single output")


def _network(
    widths: Sequence[int], inside: LinearSystem, rng: random.Random, effort: Effort
) -> Network | None:
    identity = Matrix.identity(widths[0]).beside(Matrix.zero(widths[0], 1))
    stage = _Stage(inside, identity, (), effort)
    layers = []
    for width in widths[1:-1]:
        units = _layer(stage, width, rng)
        if units is None:
            return None
        layers.append(Layer(Matrix(units)))
        stage = stage.following(units)
    last = [fmpq(rng.randint(1, 9), rng.randint(1, 4)) for _ in range(widths[-2] + 1)]
    return Network((*layers, Layer(Matrix([last]))), "identifiable-" + "-".join(map(str, widths)))


def _layer(stage: _Stage, width: int, rng: random.Random) -> list[Vector] | None:
    """The units (w, b) of a layer, by the first tilts and ε that do."""
    for _ in range(MAX_TILTS):
        stage.effort.spend()
        normal = _normal(stage, rng)
        bounds = None if normal is None else _common_range(stage, normal)
        if normal is None or bounds is None:
            continue
        low, high = bounds
        level = _simple(low + (high - low) / 3, (high - low) / 8)
        upper = _simple(low + (high - low) * 2 / 3, (high - low) / 8)
        start = stage.point(stage.inside, stage.row((*normal, -level), Sense.EQUAL))
        if start is None:
            continue
        tilts = [[fmpq(rng.randint(-4, 4)) for _ in normal] for _ in range(width)]
        epsilon = fmpq(1, 2)
        for _ in range(MAX_HALVINGS):
            stage.effort.spend()
            units = _tilted(normal, level, upper, start, tilts, epsilon)
            if _is_good(stage, units):
                return units
            epsilon /= 2
    return None


def _normal(stage: _Stage, rng: random.Random) -> Vector | None:
    """w: for the first layer any direction, later w > 0 with w·y = 1 somewhere in each face."""
    n = stage.inputs.n_rows
    if not stage.faces:
        return tuple(fmpq(rng.choice((-3, -2, -1, 1, 2, 3)), rng.randint(1, 3)) for _ in range(n))
    rows = [Row(tuple(fmpq(int(i == j)) for j in range(n)), ZERO, Sense.GREATER) for i in range(n)]
    for vertices in stage.corners:
        low, high = rng.sample(vertices, 2)
        if sum(low, ZERO) > sum(high, ZERO):
            low, high = high, low
        rows.append(Row(tuple(-y for y in low), ONE, Sense.GREATER))
        rows.append(Row(high, -ONE, Sense.GREATER))
    answer = feasible(LinearSystem(n, tuple(rows)), effort=stage.effort)
    return answer.flint_point if isinstance(answer, Solution) else None


def _common_range(stage: _Stage, normal: Vector) -> tuple[fmpq, fmpq] | None:
    """The values that w·y takes on every face, or on all of the domain; None if there are none."""
    lows, highs = [], []
    objective = stage.row((*normal, ZERO), Sense.EQUAL)
    for part in stage.faces or (stage.inside,):
        closed = part.closed()
        down = tuple(-a for a in objective.flint_normal)
        top = maximize(objective.flint_normal, closed, effort=stage.effort)
        bottom = maximize(down, closed, effort=stage.effort)
        if not isinstance(top, Optimum) or not isinstance(bottom, Optimum):
            return None
        highs.append(top.flint_value + objective.flint_offset)
        lows.append(objective.flint_offset - bottom.flint_value)
    return (max(lows), min(highs)) if max(lows) < min(highs) else None


def _tilted(
    normal: Vector,
    level: fmpq,
    upper: fmpq,
    start: Vector,
    tilts: Sequence[Sequence[fmpq]],
    epsilon: fmpq,
) -> list[Vector]:
    """The units of a layer."""
    units = []
    for k, tilt in enumerate(tilts):
        row = [w + epsilon * t for w, t in zip(normal, tilt, strict=True)]
        offset = (upper if k == 1 else level) + epsilon * dot(tilt, start)
        bias = -_simple(offset, epsilon * level / 64 if level != 0 else epsilon / 64)
        sign = -1 if k == 1 else 1
        units.append(tuple(sign * a for a in (*row, bias)))
    return units


def _is_good(stage: _Stage, units: Sequence[Vector]) -> bool:
    """Whether the three properties hold."""
    if not _is_transparent(stage, units[0], units[1]):
        return False
    positive = [stage.row(unit, Sense.GREATER) for unit in units]
    for k, unit in enumerate(units):
        zero = stage.row(unit, Sense.EQUAL)
        if not stage.has_point(stage.inside, zero, *positive[:k], *positive[k + 1 :]):
            return False
        if not all(stage.has_point(face, zero) for face in stage.faces):
            return False
    return True


def _is_transparent(stage: _Stage, first: Vector, second: Vector) -> bool:
    """Whether the second unit is positive wherever the first is not."""
    if not stage.faces:
        rows = (Row(tuple(-a for a in u[:-1]), -u[-1]) for u in (first, second))
        closed = stage.inside.closed()
        system = LinearSystem(closed.dimension, (*closed.rows, *rows))
        return not isinstance(feasible(system, effort=stage.effort), Solution)
    *weights, bias = first
    if any(w <= 0 for w in weights):
        return False
    corners = (second[i] * (-bias / w) + second[-1] for i, w in enumerate(weights))
    return second[-1] > 0 and all(value > 0 for value in corners)


def _simple(value: fmpq, tolerance: fmpq) -> fmpq:
    """A short number within a tolerance of a value: the multiple of a power of 1/2 next to it."""
    unit = ONE
    while unit > abs(tolerance):
        unit /= 2
    return fmpq((value / unit + fmpq(1, 2)).floor()) * unit
