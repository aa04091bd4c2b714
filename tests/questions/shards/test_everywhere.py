import random

import pytest
from flint import fmpq

from exactrelu.effort import Effort
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.network.symmetry import Symmetry
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.activity import is_transparent
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.properties.verify import held, holds
from exactrelu.questions.shards.everywhere import EqualPieces, PropertyPieces, TransparentPieces
from exactrelu.questions.shards.kinds import PieceTooLarge, Proved
from exactrelu.questions.shards.sharded import in_pieces
from tests.cells.simple_networks import random_network
from tests.checking import assert_accepted as assert_all_accepted
from tests.questions.shards.pieces import assert_accepted, checked
from tests.seeds import seeds

CROSS = Network.from_arrays(
    [[[1, 0], [-1, 0], [0, 1], [0, -1]], [[1, 1, 1, 1]]], [[0, 0, 0, 0], [0]]
)
TWICE = LinearSystem(2, (Row.of([1, 1], 0, Sense.EQUAL), Row.of([1, 0], 1), Row.of([-2, -2], 0)))
FLAT = LinearSystem(2, (Row.of([1, 0], 1), Row.of([-1, 0], 1), Row.of([1, 1], 0, Sense.EQUAL)))


def some_domain(rng: random.Random) -> Domain:
    opened = LinearSystem(2, (Row.of([1, 2], 1, Sense.GREATER),))
    return Domain.of(
        rng.choice([None, "box:-1..1", "box:-1..2,0..3", "orthant", opened, FLAT, TWICE]), 2
    )


@pytest.mark.parametrize("seed", seeds(10, 150))
def test_transparent_on_every_part_is_transparent(seed: int, tmp_path) -> None:
    rng = random.Random(seed)
    network = random_network(rng, "small", [2, rng.randint(2, 4), rng.randint(1, 3), 1])
    domain = some_domain(rng)
    verdict = is_transparent(network, domain)
    found = in_pieces(TransparentPieces(domain, network), tmp_path / "out", size=1)
    assert found.answer == verdict.answer
    if found.answer:
        assert_accepted(found, tmp_path)
    else:
        assert_all_accepted([found.certificate], tmp_path)
        assert found.certificate.fields == verdict.certificate.fields
        assert checked(found, tmp_path)["verdict"] == "ACCEPTED"


@pytest.mark.parametrize("seed", seeds(10, 150))
def test_equal_on_every_part_is_equal(seed: int, tmp_path) -> None:
    rng = random.Random(seed)
    a = random_network(rng, "small", [2, 2, 2, 1])
    b = Symmetry.random(a, rng).apply(a)
    if rng.random() < 0.4:
        b = random_network(rng, "small", [2, 2, 2, 1])
    domain = some_domain(rng)
    verdict = equivalent(a, b, domain)
    found = in_pieces(EqualPieces(domain, a, b), tmp_path / "out", size=1)
    assert found.answer == verdict.answer
    if found.answer:
        assert_accepted(found, tmp_path)
    else:
        assert_all_accepted([found.certificate], tmp_path)


@pytest.mark.parametrize("seed", seeds(10, 150))
def test_what_holds_on_every_part_holds(seed: int, tmp_path) -> None:
    rng = random.Random(seed)
    network = random_network(rng, "dyadic", [2, 8, 5, 1])
    domain = Domain.of(rng.choice(["box:-1..1", "box:-1..2,0..3", FLAT]), 2)
    bound = rng.choice([1, 5, 30])
    found = in_pieces(
        PropertyPieces.of(held(network, domain, f"-{bound} <= y1 <= {bound}")),
        tmp_path / "out",
        size=2,
    )
    assert found.answer == holds(network, domain, f"-{bound} <= y1 <= {bound}").answer
    if found.answer:
        assert_accepted(found, tmp_path)
    else:
        assert abs(network(found.witness)[0]) > bound
        assert_all_accepted([found.certificate], tmp_path)


def test_a_part_that_no_neuron_cuts_is_cut_through_a_point() -> None:
    """Half of the plane, between all neurons of the first layer."""
    network = Network.from_arrays([[[1, 0]], [[1]]], [[0], [0]])
    right = LinearSystem(2, (Row.of([1, 0], 0),))
    question = TransparentPieces(Domain.of(right, 2), network)
    nodes = list(question.parts(question.whole(Effort())[0], 3, Effort()))
    assert len(nodes) == 3
    assert all(question.is_piece(node) for node in nodes[1:])


def test_a_box_is_cut_in_the_middle_of_its_longest_side() -> None:
    question = TransparentPieces(Domain.of("box:0..1,0..4", 2), CROSS)
    cut, *parts = question.parts(question.whole(Effort())[0], 3, Effort())
    assert cut == (0, 1, -2)
    assert [question.domain(part).text for part in parts] == [
        "box:0..1,0..2",
        "box:0..1,2..4",
    ]


def test_more_cells_than_a_part_may_have_meet_in_a_point(tmp_path) -> None:
    """Four meet at (1/3, 1/3), wherever the box is cut; it is not cut forever."""
    network = Network.from_arrays(
        [[[1, 0], [0, 1], [1, 1], [-1, -1]], [[1, 1, 1, 1]]],
        [[fmpq(-1, 3), fmpq(-1, 3), fmpq(-2, 3), fmpq(2, 3)], [0]],
    )
    question = TransparentPieces(Domain.of("box:0..1", 2), network)
    found = in_pieces(question, tmp_path / "out", size=1)
    assert found.answer
    assert_accepted(found, tmp_path)


def test_a_part_is_proved_or_too_large() -> None:
    question = EqualPieces(Domain.of("box:-1..1", 2), CROSS, CROSS)
    assert isinstance(question.ask(question.whole(Effort())[0], Effort(regions=100)), Proved)
    other = Network.from_arrays(
        [[[2, 0], [-1, 0], [0, 1], [0, -1], [1, 1]], [["1/2", 1, 1, 1, 0]]], [[0] * 5, [0]]
    )
    question = EqualPieces(Domain.of("box:-1..1", 2), CROSS, other)
    answer = question.ask(question.whole(Effort())[0], Effort(regions=1))
    assert isinstance(answer, PieceTooLarge | Proved)
