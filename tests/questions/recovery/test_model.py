"""What a model says of its units, against the signs of the planted neurons at the pieces."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from flint import fmpq

from exactrelu.network.network import trace_batch
from exactrelu.questions.recovery import model as module
from exactrelu.questions.recovery.evidence import Axis, BoundaryPiece, Evidence, UnitPart
from exactrelu.questions.recovery.folded import local
from exactrelu.questions.recovery.model import Model
from exactrelu.questions.recovery.queries import Break
from tests.questions.recovery.test_evidence import NET, evidence, evidence_of, pieces_of
from tests.seeds import seeds


def signs_at(pieces: Sequence[BoundaryPiece]) -> list[list[int]]:
    """The signs of all hidden neurons at each piece, by serial numbers as below."""
    traces = trace_batch(NET, [piece.x for piece in pieces])
    return [[s for layer in at.pattern[:2] for s in layer] for at in traces]


def crossed(pieces: Sequence[BoundaryPiece], others: Sequence[int]) -> int:
    """On how many of these neurons pieces lie on both sides, of those that lie on none of them."""
    rows = [row for row in signs_at(pieces) if all(row[j] for j in others)]
    return sum({row[j] for row in rows} == {1, -1} for j in others)


@pytest.fixture(scope="module")
def everything() -> dict[int, Evidence]:
    """By serial number: the neurons of layer 1 are 0 to 4, those of layer 2 are 5 to 8."""
    rng = random.Random(3)
    found = [evidence_of(0, i, 20, rng) for i in range(5)]
    found += [evidence_of(1, i, 40, rng) for i in range(4)]
    return {e.serial: e for e in found}


def model_of(everything: dict[int, Evidence], serials: Sequence[int]) -> Model:
    model = Model(NET.n_inputs)
    assert model.rebuild([everything[k] for k in serials]) == []
    assert [t.evidence.serial for t in model.traced] == list(serials)
    return model


@pytest.mark.parametrize("known", [[], [6], [6, 7], [6, 7, 8], [5, 7, 8]])
def test_a_unit_is_settled_that_crosses_two_of_its_layer(
    everything: dict[int, Evidence], known: list[int]
) -> None:
    """Pieces on one side of the others, or on both; fewer others that are known are not enough."""
    model = model_of(everything, [*range(5), *known])
    rng = random.Random(9)
    answers = set()
    for index in (0, 1):
        if 5 + index in known:
            continue
        pieces = pieces_of(NET, 1, index, 60, rng)
        others = [k for k in known if k != 5 + index]
        rows = signs_at(pieces)
        one_side = [
            p for p, row in zip(pieces, rows, strict=True) if all(row[k] > 0 for k in others[1:])
        ]
        for some in (pieces, one_side):
            found = evidence(some, 100 + index)
            fitted = model.fitted(found)
            expected = (
                fitted is not None
                and fitted.level == 2
                and not fitted.open
                and crossed(some, others) >= 2
            )
            assert model.is_settled(found) is expected
            answers.add(expected)
    assert answers == ({True, False} if len(known) > 1 else {False})


def test_a_unit_of_the_first_layer_is_never_settled_but_straight(
    everything: dict[int, Evidence],
) -> None:
    for known in (range(2), range(5), range(9)):
        model = model_of(everything, list(known))
        straight = {
            j
            for j, t in enumerate(model.traced)
            if t.level == 1
            and crossed(t.evidence.pieces, [k for k in known if k != t.evidence.serial]) >= 2
        }
        assert model.straight() == straight
        assert not any(model.is_settled(t.evidence) for t in model.traced if t.level == 1)
    assert straight == set(range(5))


def test_dependents_are_all_that_fold_over_a_unit(everything: dict[int, Evidence]) -> None:
    model = model_of(everything, list(range(9)))
    for i, unit in enumerate(model.units):
        folding = {j for j, other in enumerate(model.units) if i in other.folds}
        assert model.dependents(i) == {i} | folding
        assert i >= 5 or folding == set(range(5, 9))
        assert set(unit.folds) == (set(range(5)) if i >= 5 else set())


@pytest.mark.parametrize("seed", seeds(2, 6))
def test_units_near_a_point_are_the_same_from_memory(
    everything: dict[int, Evidence], seed: int
) -> None:
    """After units were taken out, put in and found anew, in any order."""
    rng = random.Random(seed)
    model = Model(NET.n_inputs)
    for _ in range(6):
        serials = rng.sample(range(9), rng.randint(0, 9))
        lost = model.rebuild([everything[k] for k in serials])
        assert {t.evidence.serial for t in model.traced} == set(serials) - {e.serial for e in lost}
        # Points of evidence that is gone are forgotten.
        assert set(model._near) <= {id(p.x) for k in serials for p in everything[k].pieces}
        for e in everything.values():
            for piece in e.pieces[:3]:
                assert model._local(piece.x) == local(model.units, piece.x)
    assert set(model._last) <= set(serials)


def test_evidence_is_what_tells_and_every_so_manieth_of_the_rest(
    everything: dict[int, Evidence],
) -> None:
    model = model_of(everything, list(range(5)))
    pieces = pieces_of(NET, 1, 3, 90, random.Random(7))
    kept = model.evidence(Break(pieces[0].x, pieces[0].a, ((), ())), pieces)
    loose = [*map(Axis, range(4)), *(UnitPart(j, 1, 0) for j in range(5))]
    seen = model._seen(pieces)
    telling = model._system(loose, [seen]).telling_pieces()
    assert len(telling) <= 9
    assert list(kept.pieces[: len(telling)]) == telling
    rest = [s.piece for s in seen if s.piece not in telling]
    step = 1 + len(rest) // module.N_TESTS
    assert list(kept.pieces[len(telling) :]) == rest[::step]
    assert 0 < len(rest[::step]) <= module.N_TESTS
    again = model.evidence(kept.start, pieces)
    assert again.serial == kept.serial + 1


def test_pieces_on_boundaries_of_known_units_are_not_seen(everything: dict[int, Evidence]) -> None:
    model = model_of(everything, list(range(5)))
    on, off = everything[2].pieces[0], pieces_of(NET, 1, 0, 1, random.Random(1))[0]
    assert [s.piece for s in model._seen([on, off])] == [off]
    assert [s.piece for s in model._seen([on, off], {2})] == [on, off]
    # More than half of the pieces must be seen: else it is the boundary of a known unit.
    assert model.fitted(evidence([on, off], 50)) is None


def test_only_one_unit_of_a_later_layer_is_joined(everything: dict[int, Evidence]) -> None:
    """Not one of layer 1, and not one that is told apart from others already."""
    rng = random.Random(4)
    model = model_of(everything, list(range(9)))
    for i in range(5):
        assert model.joined(i, pieces_of(NET, 0, i, 5, rng)) is None
    layer = {*range(5, 9)}
    told_apart = [i for i in layer if crossed(everything[i].pieces, [*layer - {i}]) >= 2]
    assert told_apart
    for i in told_apart:
        assert model.joined(i, pieces_of(NET, 1, i - 5, 5, rng)) is None
    fewer = model_of(everything, [*range(5), 6])
    assert not fewer.traced[5].open
    for piece in pieces_of(NET, 1, 0, 3, rng):
        # A piece of another neuron: none of the layer is open, and no later layer fits.
        assert (
            fewer.joined(5, [BoundaryPiece(piece.x, tuple(fmpq(2) * v for v in piece.a))]) is None
        )


def test_features_that_signs_make_fewer_are_those_of_the_layer_before(
    everything: dict[int, Evidence],
) -> None:
    """s(σ·u) where σ is known, u and |u| where it is not; nothing if none is known."""
    model = model_of(everything, list(range(9)))
    model.signs = {}
    assert model._features(2) is None
    model.signs = {1: -1, 3: 1, 7: 1}
    assert model._features(2) == [
        Axis(3),
        *(UnitPart(0, 0, 1), UnitPart(0, 1, 0)),
        UnitPart(1, 1, -1),
        *(UnitPart(2, 0, 1), UnitPart(2, 1, 0)),
        UnitPart(3, 1, 1),
        *(UnitPart(4, 0, 1), UnitPart(4, 1, 0)),
    ]
    third = model._features(3)
    assert third is not None
    assert third.count(UnitPart(7, 1, 1)) == 1
    assert len(third) == 1 + 1 + 2 * 3
    assert model._features(1) is None


def test_a_loose_feature_is_0_where_a_unit_has_one_sign(everything: dict[int, Evidence]) -> None:
    model = model_of(everything, list(range(5)))
    pieces = pieces_of(NET, 1, 2, 60, random.Random(2))
    for some in (
        pieces,
        [p for p, row in zip(pieces, signs_at(pieces), strict=True) if row[1] > 0],
    ):
        seen = model._seen(some)
        features = model._loose(seen, range(5))
        assert features[:4] == [Axis(k) for k in range(4)]
        for j, feature in enumerate(features[4:]):
            signs = {s.here.signs[j] for s in seen}
            assert isinstance(feature, UnitPart)
            assert (feature.of, feature.size) == (j, 1)
            values = {feature.factor(s.here) for s in seen}
            assert values == ({1, -1} if len(signs) == 2 else {0})


def test_a_unit_is_sure_where_what_is_open_in_it_does_not_show(
    everything: dict[int, Evidence],
) -> None:
    """Seen on one side of neuron 2 only: on the other side it may be anything."""
    rng = random.Random(2)
    model = model_of(everything, list(range(5)))
    pieces = pieces_of(NET, 1, 2, 200, rng)
    near = [p for p, row in zip(pieces, signs_at(pieces), strict=True) if row[2] > 0]
    assert model.rebuild([*(everything[k] for k in range(5)), evidence(near, 7)]) == []
    assert list(model.traced[5].open) == [2]
    others = pieces_of(NET, 1, 1, 40, rng)
    sure = set()
    for piece, row in zip(others, signs_at(others), strict=True):
        for seen in model._seen([piece]):
            assert list(seen.sure) == [True] * 5 + [row[2] > 0]
            sure.add(seen.sure[5])
    assert sure == {True, False}


def near_and_far(everything: dict[int, Evidence]) -> tuple[Model, list[list[BoundaryPiece]]]:
    """A model of layer 1, and pieces of neuron 2 of layer 2 on the two sides of neuron 2."""
    pieces = pieces_of(NET, 1, 2, 200, random.Random(2))
    pairs = list(zip(pieces, signs_at(pieces), strict=True))
    return model_of(everything, range(5)), [[p for p, row in pairs if row[2] == s] for s in (1, -1)]


def test_equations_are_tried_where_all_that_shows_is_sure(everything: dict[int, Evidence]) -> None:
    """Of each group of pieces, and only if each has some and not all of them are sure."""
    model, (near, _) = near_and_far(everything)
    assert model.rebuild([*(everything[k] for k in range(5)), evidence(near, 7)]) == []
    seen = model._seen(pieces_of(NET, 1, 1, 40, random.Random(5)))
    sure = [s for s in seen if s.sure[5]]
    unsure = [s for s in seen if not s.sure[5]]
    assert sure
    assert unsure
    features = model._loose(seen, range(6))
    for groups, expected in (
        ([seen], [[seen], [sure]]),
        ([sure], [[sure]]),
        ([seen, unsure], [[seen, unsure]]),
        ([seen, sure], [[seen, sure], [sure, sure]]),
    ):
        systems = model._systems(features, groups)
        found = [[[piece for piece, _ in group] for group in s.groups] for s in systems]
        assert found == [[[s.piece for s in group] for group in some] for some in expected]


def test_two_parts_of_a_boundary_are_joined(everything: dict[int, Evidence]) -> None:
    """What either side leaves open the other one tells, if the unit of the other is named."""
    whole = model_of(everything, range(9)).units[7]
    model, sides = near_and_far(everything)
    parts = [evidence(pieces, 7 + k) for k, pieces in enumerate(sides)]
    assert model.rebuild([*(everything[k] for k in range(5)), *parts]) == []
    assert [list(t.open) for t in model.traced[5:]] == [[2], [2]]
    for i, other in ((5, 6), (6, 5)):
        new = sides[other - 5]
        assert model.joined(i, new) is None
        found = model.joined(i, new, other)
        assert found is not None
        ratio = found.unit.affine[0] / whole.affine[0]
        assert found.unit.affine == tuple(ratio * v for v in whole.affine)
        assert found.unit.folds == {j: ratio * v for j, v in whole.folds.items()}
        assert {p.x for p in found.evidence.pieces} >= {p.x for p in new}
