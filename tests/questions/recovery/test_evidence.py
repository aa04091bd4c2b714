"""Rows of units from pieces of their boundaries, planted; signs as by trying all."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from operator import ne

import numpy as np
import pytest
from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.network.network import Network, preactivation_maps, trace_batch
from exactrelu.questions.recovery import evidence as module
from exactrelu.questions.recovery.evidence import (
    Axis,
    BoundaryPiece,
    Evidence,
    System,
    Traced,
    UnitPart,
    _all_signs,
    _by_halves,
    _candidates,
    find_signs,
    solve_mixed,
    solve_signs,
)
from exactrelu.questions.recovery.folded import FoldedUnit, local
from exactrelu.questions.recovery.model import Model
from exactrelu.questions.recovery.queries import Break, value
from tests.seeds import seeds

# --- units of random networks

#: The boundary of each neuron of layer 2 lies on both sides of each neuron of layer 1, a quarter
#: of it or more.
NET = Network.from_arrays(
    [
        [[2, -3, 3], [2, 2, -2], [2, 3, -1], [-1, 0, 1], [-1, 3, -3]],
        [[4, 4, -3, -3, -4], [-2, 1, 2, 4, -2], [-5, 2, -1, -1, 4], [4, -1, -5, -4, 1]],
        [[1, -2, 3, 1]],
    ],
    [[0, 2, -2, -1, 0], [-4, 1, -2, 6], [0]],
)
ATTEMPTS = 10_000


def sides(pieces: Sequence[BoundaryPiece]) -> list[tuple[int, ...]]:
    """The signs of the first layer at each piece."""
    return [at.pattern[0] for at in trace_batch(NET, [p.x for p in pieces])]


def pieces_of(
    net: Network, layer: int, index: int, n: int, rng: random.Random, factor: int = 1
) -> list[BoundaryPiece]:
    """Points of the boundary of a neuron (from 0), with its affine function near them."""
    found: list[BoundaryPiece] = []
    for _ in range(ATTEMPTS):
        if len(found) == n:
            return found
        x = tuple(fmpq(rng.randint(-4000, 4000), 1000) for _ in range(net.n_inputs))
        (at,) = trace_batch(net, [x])
        a = preactivation_maps(net, at.pattern)[layer].row(index)
        k = rng.randrange(net.n_inputs)
        if not a[k]:
            continue
        y = tuple(v - (value(a, x) / a[k] if i == k else 0) for i, v in enumerate(x))
        (there,) = trace_batch(net, [y])
        if there.pattern[:layer] == at.pattern[:layer]:
            found.append(BoundaryPiece(y, tuple(factor * v for v in a)))
    raise AssertionError(f"the boundary of neuron ({layer + 1},{index + 1}) is hardly ever met")


def evidence(pieces: Sequence[BoundaryPiece], serial: int) -> Evidence:
    return Evidence(Break(pieces[0].x, pieces[0].a, ((), ())), tuple(pieces), serial)


def evidence_of(layer: int, index: int, n: int, rng: random.Random) -> Evidence:
    factor = rng.choice((1, -1, 3, -7))
    return evidence(pieces_of(NET, layer, index, n, rng, factor), 5 * layer + index)


def first_layer(rng: random.Random) -> Model:
    model = Model(NET.n_inputs)
    model.rebuild([evidence_of(0, i, 4, rng) for i in range(5)])
    return model


def ratios(model: Model, t: int, layer: int, index: int) -> set[fmpq]:
    """The unit over the neuron at random points: one number if it is the neuron."""
    rng = random.Random(9)
    points = [tuple(fmpq(rng.randint(-9000, 9000), 700) for _ in range(3)) for _ in range(30)]
    traces = trace_batch(NET, points)
    return {
        local(model.units, x).values[t] / at.preactivations[layer][index]
        for x, at in zip(points, traces, strict=True)
    }


@pytest.mark.parametrize("seed", seeds(6))
def test_units_come_out_of_any_order(seed: int) -> None:
    rng = random.Random(seed)
    everything = [evidence_of(0, i, 20, rng) for i in range(5)]
    everything += [evidence_of(1, i, 40, rng) for i in range(4)]
    rng.shuffle(everything)
    model = Model(3)
    assert model.rebuild(everything) == []
    assert [t.level for t in model.traced] == [1] * 5 + [2] * 4
    for t, unit in enumerate(model.traced):
        assert len(ratios(model, t, *divmod(unit.evidence.serial, 5))) == 1
    # All layers are known by their features but the first, which has none.
    assert [t.is_loose for t in model.traced] == [True] * 5 + [False] * 4


def test_signs_come_from_one_row_and_need_fewer_pieces_for_the_next() -> None:
    rng = random.Random(1)
    model = first_layer(rng)
    assert model.signs == {}
    model.rebuild([*(t.evidence for t in model.traced), evidence_of(1, 0, 40, rng)])
    assert set(model.signs.values()) <= {1, -1}
    assert len(model.signs) == 5
    signs = [model.signs[t.evidence.serial] for t in model.traced[:5]]
    for t, sigma in enumerate(signs):
        (ratio,) = ratios(model, t, 0, t)
        assert ratio * sigma > 0
    # Over the signs, 6 numbers and not 9 are left: three pieces do where all five are active.
    loose, layered = (
        [*map(Axis, range(4)), *(UnitPart(j, 1, 0) for j in range(5))],
        [Axis(3), *(UnitPart(j, 1, s) for j, s in enumerate(signs))],
    )
    few = pieces_of(NET, 1, 1, 12, rng)
    group = [(p, local(model.units, p.x)) for p in few]
    assert System(layered, [group], 3).rank() < System(loose, [group], 3).rank()
    assert System(layered, [group], 3).solve() is not None


def test_two_parts_are_joined_only_if_they_are_of_one_unit() -> None:
    rng = random.Random(4)
    model = first_layer(rng)
    features = [*map(Axis, range(4)), *(UnitPart(j, 1, 0) for j in range(5))]

    def system(*parts: list[BoundaryPiece]) -> System:
        return System(features, [[(p, local(model.units, p.x)) for p in g] for g in parts], 3)

    some = pieces_of(NET, 1, 0, 15, rng)
    more = pieces_of(NET, 1, 0, 15, rng, factor=-5)
    other = pieces_of(NET, 1, 1, 15, rng)
    together = system(some, more)
    assert together.is_telling()
    fit = together.solve()
    assert fit is not None
    assert fit.factors == (fmpq(-1, 5),)
    assert system(some, other).is_telling()
    assert system(some, other).solve() is None
    # One piece fits whatever it is, if nothing is known of the unit but one on other sides.
    pairs = [
        (p, q)
        for p in zip(some, sides(some), strict=True)
        for q in zip(other, sides(other), strict=True)
    ]
    (p, _), (q, _) = max(pairs, key=lambda pair: sum(map(ne, pair[0][1], pair[1][1])))
    assert not system([p], [q]).is_telling()


def test_what_no_piece_shows_is_open_and_a_guess_fills_it() -> None:
    """A neuron that is seen on one side of another only."""
    rng = random.Random(2)
    model = first_layer(rng)
    pieces = pieces_of(NET, 1, 2, 200, rng)
    near = [p for p, signs in zip(pieces, sides(pieces), strict=True) if signs[2] > 0]
    part = evidence(near, 7)
    found = model.fitted(part)
    assert found is not None
    assert list(found.open) == [2]
    far = next(p for p in pieces if p not in near)
    assert value(local([*model.units, found.unit], far.x).affine[-1], far.x) != 0
    guessed = model.fitted(part.guessing(model.traced[2].evidence.serial, fmpq(7)))
    assert guessed is not None
    for p in near:
        here = local([*model.units, guessed.unit], p.x)
        assert here.values[-1] == 0
    assert guessed.unit != found.unit
    # One piece from beyond closes it.
    model.rebuild([*(t.evidence for t in model.traced), part])
    joined = model.joined(5, [far])
    assert joined is not None
    model.rebuild([*(t.evidence for t in model.traced[:5]), joined.evidence])
    assert model.traced[5].open == {}
    assert len(ratios(model, 5, 1, 2)) == 1


def test_evidence_that_fits_nothing_is_given_back() -> None:
    rng = random.Random(6)
    model = first_layer(rng)
    kept = [t.evidence for t in model.traced]
    mixed = evidence(pieces_of(NET, 1, 0, 20, rng) + pieces_of(NET, 1, 1, 20, rng), 8)
    # A second part of a known boundary is no unit either.
    again = evidence(pieces_of(NET, 0, 0, 3, rng), 9)
    for strange in (mixed, again):
        assert model.rebuild([*kept, strange]) == [strange]
        assert [t.evidence for t in model.traced] == kept


def test_evidence_keeps_what_tells_and_something_to_test_it() -> None:
    rng = random.Random(7)
    model = first_layer(rng)
    pieces = pieces_of(NET, 1, 3, 150, rng)
    kept = model.evidence(Break(pieces[0].x, pieces[0].a, ((), ())), pieces)
    assert len(kept.pieces) < 40
    assert set(kept.pieces) < set(pieces)
    few, all_of_them = model.fitted(kept), model.fitted(evidence(pieces, 99))
    assert few is not None
    assert all_of_them is not None
    assert few.unit == all_of_them.unit
    # A strange one among them shows.
    strange = [*pieces, *pieces_of(NET, 1, 0, 150, rng)]
    mixed = model.evidence(Break(pieces[0].x, pieces[0].a, ((), ())), strange)
    assert model.fitted(mixed) is None


# --- signs of layers


def test_the_sign_of_the_later_unit_cancels() -> None:
    """S000-E3: v_s = ½ Σ w_i (t_i + 1'_i) v_i with w = t_z W known has the same t for both t_z."""
    v = [(fmpq(1), fmpq(0)), (fmpq(0), fmpq(1))]
    for t_z in (1, -1):
        w = [t_z * fmpq(2), t_z * fmpq(-3)]
        gradient = [t_z * fmpq(2), t_z * fmpq(-3)]
        # With 1' = (1, 1): ½ Σ w_i t_i v_i = v_s − ½ Σ w_i v_i.
        rows = [[w[i] / 2 * v[i][k] for i in range(2)] for k in range(2)]
        right = [
            gradient[k] - sum((w[i] / 2 * v[i][k] for i in range(2)), fmpq(0)) for k in range(2)
        ]
        assert solve_signs(Matrix(rows), right).solutions == ((1, 1),)


@pytest.mark.parametrize("t", [1, -1])
def test_indicators_are_signs(t: int) -> None:
    """S000-E1: a neuron s(t·u) is active where (1 + t·1')/2 = 1, for 1' = ±1 the sign of u."""
    u = FoldedUnit((fmpq(1), fmpq(0)), {})
    neuron = FoldedUnit((fmpq(t, 2), fmpq(0)), {0: fmpq(1, 2)})
    for side in (1, -1):
        slope, _ = local([u], (fmpq(side),)).of(neuron)
        assert slope * side == max(0, t * side)
        assert slope == t * fmpq(1 + t * side, 2)
    # With 1' = 0 it would be half active for either t.
    assert local([u], (fmpq(0),)).of(neuron)[0] == t * fmpq(1, 2)


@pytest.mark.parametrize("seed", seeds(20))
def test_all_solutions_as_by_trying_all(seed: int) -> None:
    rng = random.Random(seed)
    n, m = rng.randint(1, 7), rng.randint(0, 3)
    rows = [[fmpq(rng.randint(-2, 2), rng.randint(1, 2)) for _ in range(n)] for _ in range(m)]
    planted = [rng.choice((-1, 1)) for _ in range(n)]
    right = [sum((a * s for a, s in zip(row, planted, strict=True)), fmpq(0)) for row in rows]
    if seed % 4 == 0 and right:
        right[0] += fmpq(1, 3)
    expected = {
        choice
        for choice in product((1, -1), repeat=n)
        if all(
            sum((a * s for a, s in zip(row, choice, strict=True)), fmpq(0)) == g
            for row, g in zip(rows, right, strict=True)
        )
    }
    found = solve_signs(Matrix(rows, n_columns=n), right)
    assert found.is_complete
    assert set(found.solutions) == expected, seed


@pytest.mark.parametrize("by_halves", [False, True])
@pytest.mark.parametrize("seed", seeds(12))
def test_signs_and_reals_as_by_trying_all(
    seed: int, by_halves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All signs for which the rest of the equations can be solved over the rationals."""
    if by_halves:
        monkeypatch.setattr(module, "MAX_FREE", 3)
    rng = random.Random(seed)
    n_reals, n_signs, m = rng.randint(0, 2), rng.randint(4, 6), rng.randint(1, 4)

    def column() -> list[fmpq]:
        return [fmpq(rng.randint(-2, 2), rng.randint(1, 3)) for _ in range(m)]

    reals, units = [column() for _ in range(n_reals)], [column() for _ in range(n_signs)]
    right = column() if seed % 3 == 0 else [fmpq(0)] * m
    if seed % 3:
        chosen = [*(rng.randint(-3, 3) for _ in reals), *(rng.choice((-1, 1)) for _ in units)]
        for c, entries in zip(chosen, [*reals, *units], strict=True):
            right = [a + c * b for a, b in zip(right, entries, strict=True)]
    expected = set()
    for choice in product((1, -1), repeat=n_signs):
        left = list(right)
        for s, entries in zip(choice, units, strict=True):
            left = [a - s * b for a, b in zip(left, entries, strict=True)]
        with_left = Matrix([*reals, left]).flint.rank()
        if with_left == (Matrix(reals).flint.rank() if reals else 0):
            expected.add(choice)
    found = solve_mixed(reals, units, right)
    if found.is_complete:
        assert set(found.solutions) == expected, seed
    else:
        # Too many unknowns are free for the halves: nothing is said.
        assert by_halves
        assert found.solutions == ()


def test_halves_with_several_solutions() -> None:
    """± a ± b ± … in two equations, as all ways find them, also where a residue is −1."""
    rng = random.Random(2)
    for _ in range(20):
        rows = [np.array([rng.randint(-2, 2) for _ in range(9)]) for _ in range(2)]
        ways = _all_signs(8)
        for row in rows:
            ways = ways[np.abs(ways @ row[1:] + row[0]) == 1]
        found = _by_halves([row % (2**31 - 1) for row in rows], 8)
        assert {tuple(way) for way in found.tolist()} == {tuple(way) for way in ways.tolist()}


def test_halves_find_what_all_ways_find() -> None:
    rng = random.Random(1)
    rows = [np.array([rng.randrange(2**31 - 1) for _ in range(13)]) for _ in range(2)]
    planted = _all_signs(12)[1234]
    for row in rows:
        row[0] = (1 - planted @ row[1:]) % (2**31 - 1)
    assert _by_halves(rows, 12).tolist() == [planted.tolist()]


def test_no_unknowns() -> None:
    nothing = Matrix([[], []], n_columns=0)
    assert solve_signs(nothing, [fmpq(0), fmpq(0)]).solutions == ((),)
    assert solve_signs(nothing, [fmpq(0), fmpq(1)]).solutions == ()


def test_too_many_unknowns_are_not_said_to_be_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _candidates([], 60) == ([], False)
    monkeypatch.setattr(module, "MAX_FREE", 3)
    row = [fmpq(k) for k in range(1, 9)]
    assert _candidates([row], 7) == ([], False)
    found, is_complete = _candidates([row[:7]], 6)
    assert is_complete
    ways = [
        w for w in product((1, -1), repeat=6) if abs(1 + sum(map(int.__mul__, w, range(2, 8)))) == 1
    ]
    assert sorted(found) == sorted(ways)


def test_without_equations_to_test_them_no_halves_are_made() -> None:
    assert _candidates([], module.MAX_FREE + 1) == ([], False)
    # A denominator that is the prime leaves nothing to test either.
    assert _candidates([[fmpq(1, module.PRIME)] * (module.MAX_FREE + 2)], module.MAX_FREE + 1) == (
        [],
        False,
    )


def test_all_signs_are_listed_up_to_the_number_that_is_complete(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Sixteen for each solution that is wanted: four unknowns have sixteen, five too many."""
    monkeypatch.setattr(module, "MAX_SOLUTIONS", 1)
    for n, is_complete in ((3, True), (4, True), (5, False)):
        listed, found = _candidates([], n)
        assert found is is_complete
        assert len(listed) == min(16, 2**n)
        assert set(listed) <= set(product((1, -1), repeat=n))


def test_a_guess_adds_to_the_one_before() -> None:
    piece = BoundaryPiece((fmpq(0),), (fmpq(1), fmpq(0)))
    start = evidence([piece], 0).guessing(3, fmpq(1)).guessing(3, fmpq(2)).guessing(4, fmpq(5))
    assert start.guesses == {3: 3, 4: 5}
    doubled = start.scaled(fmpq(2))
    assert doubled.guesses == {3: 6, 4: 10}
    assert doubled.pieces == (BoundaryPiece(piece.x, (fmpq(2), fmpq(0))),)
    more = start.with_pieces([piece], fmpq(-3))
    assert more.pieces == (piece, BoundaryPiece(piece.x, (fmpq(-3), fmpq(0))))


# --- signs of planted layers


def planted(
    rng: random.Random, widths: tuple[int, ...], density: float = 1.0
) -> tuple[list[Traced], list[int]]:
    """The neurons of all hidden layers as folds over those before, turned by signs at random.

    s(u) = (u + |u|)/2, and u = τ·v for the unit v that is known.
    """
    units: list[FoldedUnit] = []
    traced: list[Traced] = []
    turns: list[int] = []
    before: list[int] = []
    n = widths[0]
    for level, width in enumerate(widths[1:], 1):
        layer = []
        for _ in range(width):
            affine = [fmpq(0)] * n + [fmpq(rng.randint(-9, 9))]
            folds: dict[int, fmpq] = {}
            if level == 1:
                affine = [fmpq(rng.randint(-9, 9), rng.randint(1, 5)) for _ in range(n + 1)]
            for j in before:
                w = fmpq(rng.choice([-1, 1]) * rng.randint(1, 9), 2 * rng.randint(1, 3))
                if rng.random() >= density:
                    continue
                affine = [
                    a + w * turns[j] * b for a, b in zip(affine, units[j].affine, strict=True)
                ]
                for i, alpha in units[j].folds.items():
                    folds[i] = folds.get(i, fmpq(0)) + w * turns[j] * alpha
                folds[j] = folds.get(j, fmpq(0)) + w
            turn = rng.choice([-1, 1])
            unit = FoldedUnit(
                tuple(turn * a for a in affine), {j: turn * v for j, v in folds.items() if v}
            )
            layer.append(len(units))
            units.append(unit)
            turns.append(turn)
            piece = BoundaryPiece((fmpq(0),) * n, unit.affine)
            traced.append(Traced(unit, evidence([piece], len(traced)), level, False, piece, {}))
        before = layer
    return traced, turns


@pytest.mark.parametrize("seed", seeds(4, 12))
@pytest.mark.parametrize("widths", [(2, 3, 2), (3, 4, 3, 2), (1, 3, 4, 2), (3, 2, 3, 4, 2)])
def test_planted_signs_of_all_layers_but_the_last_come_back(
    widths: tuple[int, ...], seed: int
) -> None:
    """Where few inputs leave a choice, the choices that fit are those of all that are tried."""
    rng = random.Random(f"{seed} {widths}")
    traced, turns = planted(rng, widths)
    found = find_signs(traced)
    for k in range(1, len(widths) - 1):
        layer = [j for j, t in enumerate(traced) if t.level == k]
        above = [t for t in traced if t.level == k + 1]
        fitting = [
            choice
            for choice in product((1, -1), repeat=len(layer))
            if fits(traced, layer, choice, above)
        ]
        assert tuple(turns[j] for j in layer) in fitting
        if len(fitting) == 1:
            assert {j: found.get(j) for j in layer} == {j: turns[j] for j in layer}
    assert not any(traced[j].level == len(widths) - 1 for j in found)


def fits(
    traced: Sequence[Traced], layer: Sequence[int], choice: Sequence[int], above: Sequence[Traced]
) -> bool:
    """Whether rows are sums of s(τ·v) over a layer and a constant, for these signs τ."""
    lower = [j for j, t in enumerate(traced) if t.level < traced[layer[0]].level]
    for t in above:
        left = [*t.unit.affine[:-1], *(t.unit.folds.get(j, fmpq(0)) for j in lower)]
        for j, sigma in zip(layer, choice, strict=True):
            w, v = t.unit.folds.get(j, fmpq(0)), traced[j].unit
            row = [*v.affine[:-1], *(v.folds.get(i, fmpq(0)) for i in lower)]
            left = [a - w * sigma * b for a, b in zip(left, row, strict=True)]
        if any(left):
            return False
    return True


@pytest.mark.parametrize("turn", [1, -1])
def test_a_sign_is_seen_in_folds_where_slopes_do_not_show_it(turn: int) -> None:
    """v = |x| − 1 has no slope of its own, and w = s(τ·v) + 1 is |v|/2 + τ·v/2 + 1."""
    half = fmpq(turn, 2)
    units = [
        FoldedUnit((fmpq(1), fmpq(0)), {}),
        FoldedUnit((fmpq(0), fmpq(-1)), {0: fmpq(1)}),
        FoldedUnit((fmpq(0), 1 - half), {0: half, 1: fmpq(1, 2)}),
    ]
    piece = BoundaryPiece((fmpq(0),), units[0].affine)
    traced = [
        Traced(unit, evidence([piece], k), k + 1, False, piece, {}) for k, unit in enumerate(units)
    ]
    assert find_signs(traced) == {1: turn}


def test_units_over_which_nothing_folds_have_no_sign() -> None:
    rng = random.Random(8)
    traced, turns = planted(rng, (4, 4, 2), density=0.5)
    used = {j for t in traced if t.level == 2 for j in t.unit.folds}
    assert used < set(range(4))
    assert find_signs(traced) == {j: turns[j] for j in used}
    assert find_signs(traced[:4]) == {}
    assert find_signs([]) == {}


def test_rows_that_disagree_are_outvoted() -> None:
    """One of three rows over a layer is of a turned one: together none fits, and two votes win."""
    rng = random.Random(5)
    traced, turns = planted(rng, (3, 3, 3))
    # The row of one unit as if another one were turned the other way.
    unit = traced[5].unit
    w, v = unit.folds[0], traced[0].unit
    affine = tuple(a - 2 * w * turns[0] * b for a, b in zip(unit.affine, v.affine, strict=True))
    wrong = [*traced[:5], replace(traced[5], unit=FoldedUnit(affine, unit.folds))]
    assert find_signs(wrong) == {j: turns[j] for j in range(3)}
    assert find_signs(wrong[:3] + wrong[5:])[0] == -turns[0]
