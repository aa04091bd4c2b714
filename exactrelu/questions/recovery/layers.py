"""From a folded model to a ReLU network: layers, signs and weights, without queries.

A neuron of layer k + 1 is y = Σ_t w_t s(σ_t u_t) + b over the units t of layer k, and
s(σu) = (|u| + σu)/2.  So y has the folds α_t = w_t/2 over them, and below layer k

    row(y) = Σ_t σ_t α_t row(u_t)   up to a constant:

linear equations for the signs of layer k, with the equations of all neurons of layer k + 1
stacked; the sign of y does not enter [S000-E3].  Folds that no crossing determines add unknowns:

- y does not cross t: row(y) has β·row(u_t) with β unknown.  If t is inactive on the boundary
  of y, β = σ_t α_t and the weight is still open; if it is active, w = α_t + σ_t β;
- y does not cross a unit below layer k: row(y) may move (``rows.py``);
- t does not cross j in layer k − 1 and j is inactive on it: w_tj is open, and shows in the
  rows over t as θ·α_t·row(|u_j| + σ_j u_j), θ = 2δσ_t if u_t > 0 for σ_t beyond, else 0.

What remains of row(y) after all this is passed on by neurons that are never seen to bend:
hidden by the layers after them, or linear.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from flint import fmpq

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.linear import rank, solve
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, dot
from exactrelu.network.network import Layer, Network
from exactrelu.network.rewriting import Merge, duplicate, rewritten
from exactrelu.questions.linear import nonnegative_column_rank
from exactrelu.questions.recovery.evidence import Signs, solve_mixed
from exactrelu.questions.recovery.queries import plus, scaled
from exactrelu.questions.recovery.rows import UnitRows, combined

#: Solutions for the signs of a layer that are tried.
MAX_CHOICES = 8


@dataclass(frozen=True)
class Layered:
    """A network with the function of the folded model, and what its parameters leave open."""

    network: Network
    #: Layers (from 1) whose signs have several solutions.
    ambiguous: tuple[int, ...]
    #: Neurons (layer, index), from 1, that pass on a linear function and are never seen to bend.
    carriers: tuple[tuple[int, int], ...]
    #: Weights (layer, index, source), from 1, that the function does not show.
    open_weights: tuple[tuple[int, int, int], ...]

    def merged(self) -> Layered:
        """The same with one neuron for all whose rows are positive multiples of each other.

        They are parts of one boundary that were followed apart, and that open weights made equal.
        """
        found = self
        for l in range(len(self.network.hidden_widths)):
            while (step := duplicate(l, found.network.layers[l].affine.flint_rows())) is not None:
                found = found.without(step)
        return found

    def without(self, step: Merge) -> Layered:
        """The same after one such step; neurons behind the one that goes are renumbered."""
        layer, gone = step.layer + 1, step.neuron + 1

        def kept(where: int, index: int) -> int:
            if where != layer or index < gone:
                return index
            return step.into + 1 if index == gone else index - 1

        return Layered(
            rewritten(self.network, step, frozenset()),
            self.ambiguous,
            tuple(dict.fromkeys((l, kept(l, i)) for l, i in self.carriers)),
            tuple(dict.fromkeys((l, kept(l, i), kept(l - 1, j)) for l, i, j in self.open_weights)),
        )


class NotLayered(Exception):
    """No choice of signs makes a ReLU network of these layers."""


@dataclass(frozen=True)
class _CarriedRows:
    """Row(y) has ``rests``[y] over the layer before (or over x): all of them through a few neurons.

    rests = left · right, with right ≥ 0 unless it is over x.
    """

    rests: Matrix
    left: Matrix
    right: Matrix


@dataclass(frozen=True)
class _Unknown:
    """A real unknown: its column in the equations of each y, and what to do with its value."""

    kind: Literal["linear", "move", "weight", "carry"]
    y: int | None
    t: int
    j: int


class Assembly:
    """Layer by layer, from the first."""

    def __init__(
        self,
        rows: UnitRows,
        choices: Mapping[int, int] | None = None,
        effort: Effort = UNLIMITED,
    ) -> None:
        """``choices``: which solution for the signs is taken, by layers, if not the first."""
        self.rows = rows
        self.choices = choices or {}
        self.effort = effort
        self.signs: dict[int, int] = {}
        self.ambiguous: list[int] = []
        self.still_open: set[tuple[int, int]] = set()
        self.carried: dict[int, _CarriedRows] = {}

    def run(self) -> Layered:
        for k in range(1, self.rows.depth + 1):
            self._solve_layer(k)
        return self._build()

    def _above(self, k: int) -> list[Vector]:
        """The rows over layer k: of layer k + 1, or the outputs."""
        if k == self.rows.depth:
            return self.rows.outputs
        return [self.rows.units[y] for y in self.rows.layer(k + 1)]

    def _numbers(self, k: int) -> list[int | None]:
        """The units to which the rows of :meth:`_above` belong; None for outputs."""
        if k == self.rows.depth:
            return [None] * len(self.rows.outputs)
        return list(self.rows.layer(k + 1))

    def _is_open(self, y: int | None, t: int) -> bool:
        return y is not None and (y, t) in self.rows.beyond

    def _solve_layer(self, k: int, carry: bool = False) -> None:
        rows, layer = self.rows, self.rows.layer(k)
        # Later ones are 0 where earlier ones will do: a weight is left as it is.
        unknowns = [*(self._carriers(k) if carry else ()), *self._unknowns(k)]
        right: list[fmpq] = []
        sign_columns: list[list[fmpq]] = [[] for _ in layer]
        real_columns: list[list[fmpq]] = [[] for _ in unknowns]
        for place, (y, row) in enumerate(zip(self._numbers(k), self._above(k), strict=True)):
            self.effort.spend()
            right += rows.below(row, k)
            for column, t in zip(sign_columns, layer, strict=True):
                alpha = ZERO if self._is_open(y, t) else rows.fold(row, t)
                column += [alpha * v for v in rows.below(rows.units[t], k)]
            for column, unknown in zip(real_columns, unknowns, strict=True):
                factor = self._factor(unknown, place, y, row)
                column += [factor * v for v in rows.below(self._part(unknown), k)]
        found = solve_mixed(real_columns, sign_columns, right)
        fitting = []
        for signs in found.solutions:
            self.effort.spend()
            known = self._known(k, signs, unknowns)
            reals = _reals(real_columns, sign_columns, right, signs, known)
            if reals is not None:
                fitting.append((signs, reals))
        if not fitting:
            if k == 1:
                self._carry_inputs()
            elif carry:
                raise NotLayered(f"no signs fit layer {k}")
            else:
                self._solve_layer(k, carry=True)
            return
        if len(fitting) > 1 or not found.is_complete:
            self.ambiguous.append(k)
        choice = self.choices.get(k, 0)
        if choice >= len(fitting):
            raise NotLayered(f"layer {k} has no more solutions for its signs")

        def cost(fit: tuple[Signs, Vector]) -> tuple[int, int]:
            of = dict(zip(layer, fit[0], strict=True))
            risky = sum(map(self._is_risky, self._moves(of, unknowns, fit[1])))
            rests = self._rests(k, unknowns, fit[1])
            return risky, nonnegative_column_rank(rests, effort=self.effort).value

        signs, reals = sorted(fitting, key=cost)[choice]
        self.signs.update(zip(layer, signs, strict=True))
        if carry:
            rests = self._rests(k, unknowns, reals)
            through = nonnegative_column_rank(rests, effort=self.effort)
            self.carried[k] = _CarriedRows(rests, through.left, through.right)
        self._apply(unknowns, reals)

    def _carriers(self, k: int) -> Iterator[_Unknown]:
        """Linear neurons: any combination of the layer before, added to each row."""
        for place in range(len(self._above(k))):
            for j in self.rows.layer(k - 1):
                yield _Unknown("carry", place, j, j)

    def _rests(self, k: int, unknowns: Sequence[_Unknown], reals: Vector) -> Matrix:
        before = self.rows.layer(k - 1)
        entries = {(u.y, u.j): v for u, v in zip(unknowns, reals, strict=True) if u.kind == "carry"}
        places = range(len(self._above(k)))
        return Matrix(
            [[entries.get((y, j), ZERO) for j in before] for y in places], n_columns=len(before)
        )

    def _carry_inputs(self) -> None:
        """Neurons of the first layer that are never seen: the signs that leave least to them."""
        rows, layer = self.rows, self.rows.layer(1)
        above = self._above(1)
        best: tuple[int, Signs, Matrix] | None = None
        choices = product((1, -1), repeat=len(layer)) if len(layer) <= 12 else [(1,) * len(layer)]
        for signs in choices:
            self.effort.spend()
            rests = [
                plus(
                    rows.below(row, 1),
                    fmpq(-1),
                    combined(
                        [
                            (s * rows.fold(row, t), rows.below(rows.units[t], 1))
                            for s, t in zip(signs, layer, strict=True)
                        ],
                        rows.n_inputs,
                    ),
                )
                for row in above
            ]
            found = Matrix(rests)
            if best is None or rank(found) < best[0]:
                best = (rank(found), tuple(signs), found)
        if best is None:
            raise NotLayered("no rows over layer 1")
        self.ambiguous.append(1)
        self.signs.update(zip(layer, best[1], strict=True))
        self.carried[1] = _CarriedRows(best[2], *_rank_factors(best[2]))
        for y in self._numbers(1):
            self.still_open |= {(y, t) for t in layer if y is not None and (y, t) in rows.beyond}

    def _unknowns(self, k: int) -> Iterator[_Unknown]:
        rows, layer = self.rows, self.rows.layer(k)
        for y in self._numbers(k):
            if y is None:
                continue
            for j in range(len(rows.units)):
                if (y, j) not in rows.beyond:
                    continue
                if j in layer:
                    yield _Unknown("linear", y, j, j)
                else:
                    yield _Unknown("move", y, y, j)
        for t, j in sorted(self.still_open):
            if t in layer:
                yield _Unknown("weight", None, t, j)

    def _factor(self, unknown: _Unknown, place: int, y: int | None, row: Vector) -> fmpq:
        if unknown.kind == "carry":
            return fmpq(unknown.y == place)
        if unknown.kind == "weight":
            return ZERO if self._is_open(y, unknown.t) else self.rows.fold(row, unknown.t)
        return fmpq(unknown.y == y and y is not None)

    def _part(self, unknown: _Unknown) -> Vector:
        if unknown.kind == "linear":
            return self.rows.units[unknown.t]
        if unknown.kind == "carry":
            return self.rows.positive_part(unknown.t, self.signs[unknown.t])
        side, _ = self.rows.beyond[unknown.t, unknown.j]
        part = self.rows.positive_part(unknown.j, side)
        # row(y) + δ·part is the row that has to fit.
        return tuple(-v for v in part) if unknown.kind == "move" else part

    def _known(self, k: int, signs: Signs, unknowns: Sequence[_Unknown]) -> dict[int, fmpq]:
        """The unknowns (by number) that these signs determine by themselves."""
        of = dict(zip(self.rows.layer(k), signs, strict=True))
        known: dict[int, fmpq] = {}
        for n, unknown in enumerate(unknowns):
            if unknown.kind == "linear" and unknown.y is not None:
                side, _ = self.rows.beyond[unknown.y, unknown.t]
                if side == of[unknown.t]:
                    alpha = self.rows.fold(self.rows.units[unknown.y], unknown.t)
                    known[n] = alpha * side
            if unknown.kind == "weight":
                _, epsilon = self.rows.beyond[unknown.t, unknown.j]
                if epsilon != of[unknown.t]:
                    known[n] = ZERO
        return known

    def _apply(self, unknowns: Sequence[_Unknown], reals: Vector) -> None:
        for unknown in unknowns:
            if unknown.kind == "linear" and unknown.y is not None:
                side, _ = self.rows.beyond[unknown.y, unknown.t]
                if side == self.signs[unknown.t]:
                    self.still_open.add((unknown.y, unknown.t))
        # Moves over higher units first: they bring folds over lower ones with them.
        for move in sorted(self._moves(self.signs, unknowns, reals), key=lambda m: (-m[1], m[0])):
            self.rows.move(*move)

    def _moves(
        self, signs: Mapping[int, int], unknowns: Sequence[_Unknown], reals: Vector
    ) -> Iterator[tuple[int, int, fmpq]]:
        """The moves (t, j, δ) of rows that a solution asks for."""
        for unknown, v in zip(unknowns, reals, strict=True):
            t, j, delta = unknown.t, unknown.j, ZERO
            if unknown.kind == "move":
                delta = v
            elif unknown.kind == "weight":
                delta = v * signs[t] / 2
            elif unknown.kind == "linear" and unknown.y is not None:
                side, _ = self.rows.beyond[unknown.y, t]
                if side != signs[t]:
                    alpha = self.rows.fold(self.rows.units[unknown.y], t)
                    t, j, delta = unknown.y, t, (v * signs[t] - alpha) / 2
            if delta:
                yield t, j, delta

    def _is_risky(self, move: tuple[int, int, fmpq]) -> bool:
        """Whether a move may change the sign of the unit beyond, so that the function changes."""
        t, j, delta = move
        return delta * self.rows.beyond[t, j][1] < 0

    def _build(self) -> Layered:
        rows = self.rows
        layers: list[list[Vector]] = []
        carriers: list[tuple[int, int]] = []
        for k in range(1, rows.depth + 2):
            is_last = k > rows.depth
            above = rows.outputs if is_last else [rows.units[t] for t in rows.layer(k)]
            own = [1] * len(above) if is_last else [self.signs[t] for t in rows.layer(k)]
            layers.append(
                [
                    scaled(fmpq(s), self._weights(place, row, k))
                    for place, (s, row) in enumerate(zip(own, above, strict=True))
                ]
            )
            if k - 1 in self.carried:
                added = self._add_carriers(k - 1, layers[-2], layers[-1], own)
                first = len(rows.layer(k - 1))
                carriers += [(k - 1, first + i + 1) for i in range(added)]
        network = Network(tuple(Layer(Matrix(layer)) for layer in layers))
        return Layered(network, tuple(self.ambiguous), tuple(carriers), self._open_weights())

    def _open_weights(self) -> tuple[tuple[int, int, int], ...]:
        rows = self.rows
        return tuple(
            (
                rows.levels[t],
                rows.layer(rows.levels[t]).index(t) + 1,
                rows.layer(rows.levels[j]).index(j) + 1,
            )
            for t, j in sorted(self.still_open)
            if rows.levels[t] == rows.levels[j] + 1
        )

    def _weights(self, place: int, row: Vector, k: int) -> Vector:
        """[w|b] over the layer before, for a row that is nothing else."""
        rows = self.rows
        n = rows.n_inputs
        if k == 1:
            if any(row[n + 1 :]):
                raise NotLayered("a unit of layer 1 has folds")
            return row[: n + 1]
        before = rows.layer(k - 1)
        terms = [(rows.fold(row, t), rows.positive_part(t, self.signs[t])) for t in before]
        alphas = [alpha for alpha, _ in terms]
        carried = self.carried.get(k - 1)
        if carried is not None and k > 2:
            lower = rows.layer(k - 2)
            terms += [
                (c, rows.positive_part(j, self.signs[j]))
                for c, j in zip(carried.rests.flint_row(place), lower, strict=True)
            ]
        elif carried is not None:
            length = len(row) - n
            terms.append((fmpq(1), (*carried.rests.flint_row(place), *(ZERO,) * length)))
        rest = plus(row, fmpq(-1), combined(terms, len(row)))
        if any(v for p, v in enumerate(rest) if p != n):
            raise NotLayered(f"a row of layer {k} has a rest")
        return (*(2 * alpha for alpha in alphas), rest[n])

    def _add_carriers(
        self, k: int, here: list[Vector], after: list[Vector], own: Sequence[int]
    ) -> int:
        """Neurons of layer k that pass on what the rows of the next layer have left."""
        carried = self.carried[k]
        right = carried.right.flint_rows()
        left = [scaled(fmpq(s), row) for s, row in zip(own, carried.left.flint_rows(), strict=True)]
        if k > 1:
            # Activations are ≥ 0, so these neurons are linear; row(y) has twice s(u).
            n_linear = len(right)
            width = len(here[0]) - 1
            here += [(*scaled(fmpq(2), row), *(ZERO,) * (width - len(row)), ZERO) for row in right]
            after[:] = [(*w[:-1], *l, w[-1]) for w, l in zip(after, left, strict=True)]
            return n_linear
        # Outputs hide nothing: they are never off.
        if k < self.rows.depth and len(right) == 1 and _can_hide(after, left):
            shift = max(w[-1] / l[0] for w, l in zip(after, left, strict=True)) + 1
            here.append((*right[0], shift))
            after[:] = [
                (*w[:-1], l[0], w[-1] - l[0] * shift) for w, l in zip(after, left, strict=True)
            ]
            return 1
        # s(h) − s(−h) = h, and what h adds to r·x is taken back.
        shifts = [_bias_on_a_bend(row, here) for row in right]
        for side in (1, -1):
            here += [
                scaled(fmpq(side), (*row, shift)) for row, shift in zip(right, shifts, strict=True)
            ]
        after[:] = [
            (*w[:-1], *l, *scaled(fmpq(-1), l), w[-1] - dot(l, shifts))
            for w, l in zip(after, left, strict=True)
        ]
        return 2 * len(right)


def other_choices(
    rows: UnitRows, layers: Sequence[int], effort: Effort = UNLIMITED
) -> Iterator[Layered]:
    """The networks with other solutions for the signs of one of these layers."""
    for k in layers:
        for choice in range(1, MAX_CHOICES):
            try:
                yield Assembly(rows.copy(), {k: choice}, effort).run().merged()
            except NotLayered:
                continue


def _can_hide(after: Sequence[Vector], left: Sequence[Vector]) -> bool:
    """Whether all neurons of the next layer can hide the one that is added (theory 3.1)."""
    return all(l[0] > 0 and all(v < 0 for v in w[:-1]) for w, l in zip(after, left, strict=True))


def _bias_on_a_bend(normal: Vector, rows: Sequence[Vector]) -> fmpq:
    """The bias with which a neuron has the boundary of one of the rows, if one is parallel; or 0.

    It is then merged with the neuron there.
    """
    place = next((k for k, v in enumerate(normal) if v), None)
    if place is None:
        return ZERO
    for row in rows:
        if row[place] and scaled(normal[place] / row[place], row[:-1]) == normal:
            return normal[place] / row[place] * row[-1]
    return ZERO


def _rank_factors(matrix: Matrix) -> tuple[Matrix, Matrix]:
    """U, B with U·B the matrix and as many rows in B as its rank, taken from its rows."""
    rows = matrix.flint_rows()
    basis: list[Vector] = []
    for row in rows:
        if rank(Matrix([*basis, row])) > len(basis):
            basis.append(row)
    right = Matrix(basis, n_columns=matrix.n_columns)
    left = [solve(right.T, row) or () for row in rows]
    return Matrix(left, n_columns=len(basis)), right


def _reals(
    reals: Sequence[Sequence[fmpq]],
    columns: Sequence[Sequence[fmpq]],
    right: Sequence[fmpq],
    signs: Signs,
    known: Mapping[int, fmpq],
) -> Vector | None:
    """The reals that solve the equations with these signs; free ones are 0."""
    terms = [(fmpq(1), right), *((fmpq(-s), c) for s, c in zip(signs, columns, strict=True))]
    rest = combined([*terms, *((-v, reals[n]) for n, v in known.items())], len(right))
    unknown = [n for n in range(len(reals)) if n not in known]
    if not unknown:
        return None if any(rest) else tuple(known[n] for n in range(len(reals)))
    found = solve(Matrix([reals[n] for n in unknown]).T, rest)
    if found is None:
        return None
    values = {**known, **dict(zip(unknown, found, strict=True))}
    return tuple(values[n] for n in range(len(reals)))
