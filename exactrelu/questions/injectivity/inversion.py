"""Inversion: given y, an x in D with f(x) = y, or a proof that there is none.

Backward, layer by layer: a unit of the last layer says w·h + b = y, a neuron of a hidden layer
with target t says w·h + b = t if t > 0, w·h + b ≤ 0 if t = 0, and t < 0 cannot be; a linear unit
says w·h + b = t, whatever t is; h is what the layer before passes on.  Where the equations have
full column rank they determine h, the target of the layer before; those of an injective layer do
where no neuron is 0.  What is left is one LP.  Where h is not determined, the layers so far are cut
into closed cells, on which the preactivations of the layer are affine functions of x: one LP each.
Where signs of neurons are known on D, a point is first looked for where values are near
(:mod:`exactrelu.questions.injectivity.nearby`).

Large networks on boxes have too many cells: that the value is none is then a property
(:mod:`exactrelu.questions.properties.pair`), which bounds on smaller boxes prove.  On the boxes of
radius 1/200, 1/100 and 1/50 around 0 a value that ten networks of ACAS Xu do not take is excluded
in 0.1 s, where cells took up to 14 s, or were not done after 30.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Unpack

from exactrelu.answer import Part
from exactrelu.cells.box_bounds import has_box
from exactrelu.cells.portfolio import has_many_neurons, known
from exactrelu.certificates.certificate import Certificate, Verdict, claim, point_record, record
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import ShapeError
from exactrelu.exact.linear import rank, rank_proof, solve
from exactrelu.exact.rational import Outward, Point
from exactrelu.exact.scalar import ZERO, Vector, common_denominator, dot, vector
from exactrelu.exact.system import LinearSystem, Sense
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.injectivity.cells import ProvedCell, SensedRow, proved_cells, refuted
from exactrelu.questions.injectivity.nearby import Wanted, taken_nearby
from exactrelu.questions.properties.decide import Decision, decided
from exactrelu.questions.properties.pair import Value
from exactrelu.questions.question import Call, question
from exactrelu.words import Words

_TAKEN = "the value is taken at this point"


@dataclass(frozen=True)
class Preimage(Outward):
    """x with f(x) = y; ``is_unique`` if it is known to be the only one, otherwise None."""

    point: Vector
    is_unique: bool | None


@dataclass(frozen=True, eq=False, repr=False)
class Inversion(Verdict):
    """The verdict, and on how many regions (closed cells) it was excluded that it is taken."""

    PARTS = (
        Part("point", "null, or a point that the network takes to the value", proved=True),
        Part(
            "is_unique",
            "whether it is known to be the only one, else null",
            unproved="that there is no other point",
        ),
        Part("n_excluded", "on how many regions it is excluded"),
    )

    n_excluded: int = 0

    @property
    def point(self) -> Point | None:
        """A point that is taken to the value, if there is one."""
        return None if self.witness is None else self.witness.point

    @property
    def is_unique(self) -> bool | None:
        """Whether it is known to be the only one."""
        return None if self.witness is None else self.witness.is_unique

    def opening(self, question: str, words: Words) -> str:
        """Whether it is taken, and where."""
        line, found = super().opening(question, words), self.witness
        return line if found is None else line + words.equation(": x", found.point)


@dataclass
class _InversionSoFar:
    n_excluded: int = 0

    def undecided(self, stopped: Stopped) -> Inversion:
        """The answer if the search is stopped now."""
        words = f"the value is not taken on {self.n_excluded:,} regions so far, some are left"
        return Inversion.undecided(stopped, words, n_excluded=self.n_excluded)


@dataclass(frozen=True)
class _LayerTarget:
    """What layer ``layer`` (from 1) must pass on, and why: the records of the steps back to it."""

    network: Network
    layer: int
    values: Vector
    steps: tuple[str, ...] = ()

    @property
    def is_hidden(self) -> bool:
        return self.layer < len(self.network.layers)

    @property
    def has_relu(self) -> list[bool]:
        """Of each unit, whether it is a neuron: none of the last layer is."""
        return [self.is_hidden and not p for p in self.network.layers[self.layer - 1].passes]

    @property
    def is_negative(self) -> bool:
        """Whether a neuron would have to pass something negative on."""
        return any(t < 0 for t, relu in zip(self.values, self.has_relu, strict=True) if relu)

    @property
    def equations(self) -> list[int]:
        """The neurons that are known to be active, and all other units."""
        pairs = enumerate(zip(self.values, self.has_relu, strict=True))
        return [i for i, (t, relu) in pairs if t > 0 or not relu]

    @property
    def determines_input(self) -> bool:
        """Whether the equations have full column rank."""
        weights = self.network.layers[self.layer - 1].weights
        return rank(weights.take(rows=self.equations)) == weights.n_columns

    def is_met_by(self, h: Vector) -> bool:
        """Whether the layer passes the target on if it gets h."""
        layer = self.network.layers[self.layer - 1]
        rows = zip(layer.weights.flint_rows(), layer.flint_bias, strict=True)
        pairs = zip((dot(row, h) + b for row, b in rows), self.has_relu, strict=True)
        return tuple(max(z, ZERO) if relu else z for z, relu in pairs) == self.values

    @property
    def wanted(self) -> Wanted:
        """What the preactivations of the layer must be."""
        pairs = zip(self.values, self.has_relu, strict=True)
        return Wanted(self.values, [relu and t == 0 for t, relu in pairs])

    def rows(self, cell: ProvedCell, scale: int) -> list[SensedRow]:
        """What the units say, from their preactivations on a cell, times ``scale`` > 0."""
        denominator = int(common_denominator(self.values))
        found: list[SensedRow] = []
        for row, t, relu in zip(cell.layers[-1], self.values, self.has_relu, strict=True):
            *normal, offset = (a * denominator for a in row)
            if relu and t == 0:
                found.append((tuple(-a for a in (*normal, offset)), Sense.AT_LEAST))
            else:
                numerator = int(t.p) * (denominator // int(t.q))
                found.append(((*normal, offset - numerator * scale), Sense.EQUAL))
        return found


@question
def invert(
    call: Call[Inversion],
    network: Network,
    output: Iterable[Any],
    domain: DomainLike = None,
    **limits: Unpack[Limits],
) -> Inversion:
    """Whether a network takes a value on the domain, and where.

    Parameters
    ----------
    network : Network
        The network.
    output : sequence of numbers
        The value, one number for each output.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Inversion
        A verdict; the ``witness`` of a yes has ``point``.

    Notes
    -----
    At worst all closed cells are searched; ``max_regions`` bounds those on which the value is
    excluded.

    Examples
    --------
    >>> import exactrelu as er
    >>> xor = er.load("example:xor")
    >>> er.invert(xor, [1]).witness.point, er.invert(xor, [2]).answer
    ((0, 0), False)
    """
    effort, place = call.effort, call.place
    wanted = vector(output, "output")
    if len(wanted) != network.n_outputs:
        raise ShapeError(f"found {len(wanted)} outputs, the network has {network.n_outputs}")
    so_far = _InversionSoFar()
    call.knows(so_far.undecided)
    target = _pulled_back(_LayerTarget(network, len(network.layers), wanted), effort)
    found = _search(target, target.layer - 1, place, effort, so_far)
    if isinstance(found, Solution) and target.layer > 1:
        # The layer can get what it wants from what a layer may pass on: can it from an x?
        nearby = _nearby(target, place, effort)
        if nearby is None and has_many_neurons(network) and has_box(place):
            return decided(call, Value.of(network, place, wanted), _told)
        found = nearby or _search(target, 0, place, effort, so_far)

    def certificate(method: str, records: Iterable[str], *, holds: bool) -> Certificate:
        subjects = {"network": network, "output": wanted, "domain": place}
        return claim("in-range", method, records, holds=holds, **subjects)

    if isinstance(found, Solution):
        point = place.flint_lift(found.flint_point)
        is_unique = True if target.layer == 1 and target.determines_input else None
        reason = _TAKEN + (" only" if is_unique else "")
        taken = certificate("point", [point_record("point", point)], holds=True)
        return Inversion(True, reason, Preimage(point, is_unique), taken)
    missed = certificate("backward", found, holds=False)
    reason = "the value is not taken"
    return Inversion(False, reason, certificate=missed, n_excluded=so_far.n_excluded)


def _pulled_back(target: _LayerTarget, effort: Effort) -> _LayerTarget:
    """Go back as long as the target determines what the layer before passes on."""
    while target.layer > 1 and not target.is_negative and target.determines_input:
        effort.spend()
        layer = target.network.layers[target.layer - 1]
        active = target.equations
        weights = layer.weights.take(rows=active)
        point = solve(weights, [target.values[i] - layer.flint_bias[i] for i in active])
        if point is None or not target.is_met_by(point):
            break
        units = [active[i] for i in rank_proof(weights).minor.rows]
        step = point_record(record("back", *units), point)
        target = _LayerTarget(target.network, target.layer - 1, point, (*target.steps, step))
    return target


def _passed_on(layer: Layer) -> Domain:
    """What a hidden layer can pass on: h_i ≥ 0 for its neurons i."""
    orthant = LinearSystem.orthant(layer.n_outputs)
    rows = (row for row, p in zip(orthant.rows, layer.passes, strict=True) if not p)
    return Domain.of(LinearSystem(layer.n_outputs, tuple(rows)), layer.n_outputs)


def _told(found: Decision) -> Inversion:
    """What boxes show."""
    if found.answer is None:
        return Inversion(None, found.reason)
    if found.answer:
        n = found.n_leaves
        words = "the value is not taken on " + ("the box" if n == 1 else f"any of {n:,} boxes")
        return Inversion(False, words, certificate=found.certificate)
    return Inversion(True, _TAKEN, Preimage(found.witness, None), found.certificate)


def _nearby(target: _LayerTarget, place: Domain, effort: Effort) -> Solution | None:
    """A point of the domain where values are near that meets the target, if one is found."""
    if place.is_everywhere:
        return None
    signs = known(target.network.truncate(1, target.layer), place, effort)
    point = taken_nearby(signs, target.wanted, effort) if signs else None
    return None if point is None else Solution(point)


def _search(
    target: _LayerTarget, first: int, domain: Domain, effort: Effort, so_far: _InversionSoFar
) -> Solution | list[str]:
    """An input of layer ``first`` + 1 that meets the target, or the records that refute all.

    The input is from the domain for the first layer, otherwise ≥ 0 at neurons.
    """
    if target.is_negative:
        return [*target.steps]
    part = target.network.truncate(first + 1, target.layer)
    inputs = domain if first == 0 else _passed_on(target.network.layers[first - 1])
    scale = inputs.chart.factor
    for layer in part.layers:
        scale *= int(layer.affine.integer_form[1])
    records = [*target.steps, record("first", first)]
    so_far.n_excluded = 0
    for cell in proved_cells(part, inputs, effort):
        if isinstance(cell, str):
            records.append(cell)
            continue
        effort.spend("regions")
        answer = refuted("misses", [*cell.rows, *target.rows(cell, scale)], effort)
        if isinstance(answer, Solution):
            return answer
        records.append(answer)
        so_far.n_excluded += 1
    return records
