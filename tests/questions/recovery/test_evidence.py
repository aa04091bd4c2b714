"""Rows of units from pieces of their boundaries, planted: the neurons of random networks."""

import random
from collections.abc import Sequence
from operator import ne

import pytest
from flint import fmpq

from exactrelu.network.network import Network, preactivation_maps, trace_batch
from exactrelu.questions.recovery.evidence import Axis, Evidence, Part, Piece, System
from exactrelu.questions.recovery.folded import local
from exactrelu.questions.recovery.model import Model
from exactrelu.questions.recovery.queries import Break, value
from tests.seeds import seeds

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


def sides(pieces: Sequence[Piece]) -> list[tuple[int, ...]]:
    """The signs of the first layer at each piece."""
    return [at.pattern[0] for at in trace_batch(NET, [p.x for p in pieces])]


def pieces_of(
    net: Network, layer: int, index: int, n: int, rng: random.Random, factor: int = 1
) -> list[Piece]:
    """Points of the boundary of a neuron (from 0), with its affine function near them."""
    found: list[Piece] = []
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
            found.append(Piece(y, tuple(factor * v for v in a)))
    raise AssertionError(f"the boundary of neuron ({layer + 1},{index + 1}) is hardly ever met")


def evidence(pieces: Sequence[Piece], serial: int) -> Evidence:
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
        [*map(Axis, range(4)), *(Part(j, 1, 0) for j in range(5))],
        [Axis(3), *(Part(j, 1, s) for j, s in enumerate(signs))],
    )
    few = pieces_of(NET, 1, 1, 12, rng)
    group = [(p, local(model.units, p.x)) for p in few]
    assert System(layered, [group], 3).rank() < System(loose, [group], 3).rank()
    assert System(layered, [group], 3).solve() is not None


def test_two_parts_are_joined_only_if_they_are_of_one_unit() -> None:
    rng = random.Random(4)
    model = first_layer(rng)
    features = [*map(Axis, range(4)), *(Part(j, 1, 0) for j in range(5))]

    def system(*parts: list[Piece]) -> System:
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
