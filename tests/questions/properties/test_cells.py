"""A property on boxes and whole domains, by the signs of neurons."""

from __future__ import annotations

import random
from collections.abc import Iterator
from io import BufferedReader, BytesIO
from pathlib import Path

import pytest
from exactrelu_checker.bounds import Bounds, Node, chain_of
from exactrelu_checker.file import Limits, Proof, Refused
from exactrelu_checker.objects import chart, read_network, read_system
from flint import fmpq

from exactrelu.certificates.certificate import encoded
from exactrelu.effort import Effort
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.cells import (
    Box,
    cell_at,
    decide_exactly,
    decide_on_box,
    property_claim,
    root_box,
)
from exactrelu.questions.properties.property import Property
from tests import linear_units
from tests.checking import assert_accepted
from tests.questions.properties.queries import is_satisfied, pieces, random_query
from tests.seeds import seeds

ABSOLUTE = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
IDENTITY = Network.from_arrays([[[1]]], [[0]])
EQUAL, AT_LEAST, GREATER = Sense.EQUAL, Sense.AT_LEAST, Sense.GREATER
ONE = 1 << 40


def asked(domain: object, *rows: Row, networks: tuple[Network, ...] = (ABSOLUTE,)) -> Property:
    """A property with one case."""
    n = sum(network.n_inputs for network in networks)
    case = LinearSystem(n + len(networks), rows)
    return Property(networks, Domain.of(domain, n), (case,))  # type: ignore[arg-type]


def at_most(value: int | fmpq, sense: Sense) -> Row:
    """y ≤ value of one network of one input, or y < value, y = value."""
    return Row.of((0, -1), value, sense)


@pytest.mark.parametrize(
    ("value", "sense", "holds"),
    [
        (0, GREATER, True),
        (0, AT_LEAST, False),
        (0, EQUAL, False),
        (fmpq(1, 2**90), GREATER, False),
        (fmpq(-1, 2**90), AT_LEAST, True),
        (fmpq(-1, 2**90), EQUAL, True),
    ],
)
@pytest.mark.parametrize("domain", [None, "box:-1,1", "orthant", [(0, 0)]])
def test_a_margin_of_0(
    domain: object, value: int, sense: Sense, holds: bool, tmp_path: Path
) -> None:
    """|x| has the minimum 0, at 0, where the neurons change their signs."""
    found = decide_exactly(asked(domain, at_most(value, sense)))
    assert found.answer is holds
    if not holds:
        assert abs(found.witness[0]) <= fmpq(1, 2**90)
    assert_accepted([found.certificate], tmp_path)  # type: ignore[list-item]


@pytest.mark.parametrize(("sense", "holds"), [(AT_LEAST, False), (GREATER, True)])
def test_a_strict_row_of_the_domain_counts(sense: Sense, holds: bool, tmp_path: Path) -> None:
    """|x| ≤ 0 on {x ≥ 0} and on {x > 0}."""
    domain = LinearSystem(1, (Row.of((1,), 0, sense),))
    found = decide_exactly(asked(domain, at_most(0, AT_LEAST)))
    assert found.answer is holds
    assert_accepted([found.certificate], tmp_path)  # type: ignore[list-item]


def test_inputs_and_outputs_of_two_networks(tmp_path: Path) -> None:
    """|x_1| < x_2 with x_1 = x_2, one of the networks being the identity, and the same with ≤."""
    line = LinearSystem(2, (Row.of((1, -1), 0, EQUAL),))
    networks = (ABSOLUTE, IDENTITY)
    strict = asked(line, Row.of((0, 0, -1, 1), 0, GREATER), networks=networks)
    weak = asked(line, Row.of((0, 0, -1, 1), 0), Row.of((1, 1, 0, 0), -6), networks=networks)
    answers = [decide_exactly(strict), decide_exactly(weak)]
    assert [found.answer for found in answers] == [True, False]
    assert answers[1].witness == (4, 4)
    assert_accepted([found.certificate for found in answers], tmp_path)  # type: ignore[misc]


def test_no_case_needs_an_output(tmp_path: Path) -> None:
    """Cases that contradict themselves, that hold everywhere, and that have no row."""
    nothing, everything = Row.of((0, 0), -1), Row.of((0, 0), 1)
    domain = Domain.of("box:0,1", 1)
    answers = [
        decide_exactly(Property((ABSOLUTE,), domain, cases))
        for cases in (
            (LinearSystem(2, (nothing,)),),
            (LinearSystem(2, (nothing,)), LinearSystem(2, (everything,))),
            (LinearSystem(2),),
        )
    ]
    assert [found.answer for found in answers] == [True, False, False]
    assert "case 2 holds" in answers[1].reason
    assert_accepted([found.certificate for found in answers], tmp_path)  # type: ignore[misc]


def test_points_have_short_numbers() -> None:
    """A vertex where there is no other, the simplest point where there is room."""
    root = asked("box:-1,1", at_most(fmpq(1, 3), AT_LEAST), Row.of((1, 0), fmpq(-1, 3)))
    assert decide_exactly(root).witness == (fmpq(1, 3),)
    room = asked("box:-1,1", at_most(fmpq(1, 3), AT_LEAST), Row.of((1, 0), fmpq(-1, 9)))
    assert decide_exactly(room).witness[0].denominator <= 5


def test_over_a_bound_it_is_undecided() -> None:
    found = decide_exactly(asked("box:1,2", at_most(0, GREATER)), Effort(seconds=0))
    assert found.answer is None
    assert "stopped" in found.reason


def test_processes_change_nothing() -> None:
    rng = random.Random(5)
    weights = [[rng.randint(-9, 9) for _ in range(2)] for _ in range(10)]
    network = Network.from_arrays(
        [weights, [[rng.randint(1, 3) for _ in range(10)]]],
        [[rng.randint(-9, 9) for _ in range(10)], [0]],
    )
    root = asked("box:-3,3", Row.of((0, 0, -1), 0, GREATER), networks=(network,))
    alone = decide_on_box(root)
    assert alone == decide_on_box(root, effort=Effort(jobs=2))
    assert isinstance(alone, list)
    assert alone.count("never") > 30


def test_a_box_that_only_touches_the_domain(tmp_path: Path) -> None:
    """The triangle 0 ≤ x, y, x + y ≤ 1 and boxes beside it, at a vertex and along a side."""
    network = Network.from_arrays([[[1, 1], [1, -1]], [[1, 1]]], [[-1, 0], [0]])
    triangle = LinearSystem(2, (Row.of((1, 0), 0), Row.of((0, 1), 0), Row.of((-1, -1), 1)))
    above = asked(triangle, Row.of((0, 0, 1), -1, GREATER), networks=(network,))
    records = ["joined", f"cut 0 {ONE:x}"]
    for box in ([(0, ONE), (0, None)], [(ONE, None), (0, None)]):
        found = decide_on_box(above, box)
        assert isinstance(found, list)
        records += found
    assert_accepted([property_claim(above, "bounds", records, holds=True)], tmp_path)
    beyond = decide_on_box(above, [(ONE + 1, None), (0, None)])
    assert isinstance(beyond, list)
    assert beyond[1].startswith("empty")
    weak = asked(triangle, Row.of((0, 0, 1), -1), networks=(network,))
    assert decide_on_box(weak, [(ONE, None), (0, None)]) == Solution((fmpq(1), fmpq(0)))


def test_root_box() -> None:
    rows = (Row.of((3, 0), -1), Row.of((-7, 0), 5), Row.of((0, 2), 3, GREATER), Row.of((1, 1), 9))
    (low, high), other = root_box(Domain.of(LinearSystem(2, rows), 2))
    assert low is not None
    assert high is not None
    assert 3 * low <= ONE < 3 * (low + 1)
    assert 7 * (high - 1) < 5 * ONE <= 7 * high
    assert other == (-3 * ONE // 2, None)


class Kernel:
    """The bounds of the checker, which says in them which neurons have a sign on a box."""

    def __init__(self, subject: Property) -> None:
        proof = Proof(BufferedReader(BytesIO()), Limits())  # type: ignore[arg-type]
        domain = read_system(encoded(subject.domain))
        self._network = read_network(encoded(subject.joined))
        self._bounds = Bounds(proof, chain_of(proof, self._network, chart(proof, domain)))

    def signs(self, box: Box) -> list[list[int | None]] | None:
        """By layer, None at linear units; None where there is no bound."""
        try:
            node = self._bounds.anchored(Node(tuple(box)))
        except Refused:
            return None
        found = []
        for layer, known in zip(self._network.hidden, self._bounds.signs(node), strict=True):
            signs = enumerate(known)
            found.append([None if j in layer.linear else sign or None for j, sign in signs])
        return found


def walked(rng: random.Random, subject: Property, box: Box) -> Iterator[str | Solution]:
    """The records of a random tree of cuts with cells at its leaves, or points."""
    places = [i for i, ends in enumerate(box) if ends[0] != ends[1]]
    if places and rng.random() < 0.6:
        i = rng.choice(places)
        low, high = box[i]
        low, high = (-4 * ONE if low is None else low), (4 * ONE if high is None else high)
        middle = low + high >> 1
        v = rng.choice((low, middle, middle, middle >> 40 << 40, high))
        if low <= v <= high:
            yield f"cut {i:x} {v:x}"
            for part in ((box[i][0], v), (v, box[i][1])):
                yield from walked(rng, subject, [*box[:i], part, *box[i + 1 :]])
            return
    signs = Kernel(subject).signs(box) if rng.random() < 0.7 else None
    if signs is not None:
        yield "anchor"
    found = decide_on_box(subject, box, signs or ())
    yield from [found] if isinstance(found, Solution) else found


@pytest.mark.parametrize("seed", seeds(60, 1000))
def test_trees_of_boxes(seed: int, tmp_path: Path) -> None:
    """Cells on each box of a random tree prove the property together, or one has a point."""
    rng = random.Random(seed)
    query = random_query(rng)
    subject = query.property
    records = ["joined", *walked(rng, subject, root_box(subject.domain))]
    points = [found for found in records if isinstance(found, Solution)]
    assert (not points) is query.holds
    for found in points:
        assert subject.case_at(subject.domain.flint_lift(found.flint_point)) is not None
    if not points:
        assert_accepted([property_claim(subject, "bounds", records, holds=True)], tmp_path)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", seeds(20, 200))
def test_a_point_of_a_box_lies_in_it(seed: int) -> None:
    """A box is decided by what it has of the domain, against brute force."""
    rng = random.Random(seed)
    subject = random_query(rng).property
    domain = subject.domain
    box = [
        tuple(sorted(((rng.randint(-8, 8) << 38), (rng.randint(-8, 8) << 38)))) for _ in domain.free
    ]
    rows = [
        Row.of([sign * (j == k) for k in range(domain.dimension)], fmpq(-sign * end, ONE))
        for j, ends in zip(domain.free, box, strict=True)
        for sign, end in zip((1, -1), ends, strict=True)
    ]
    inside = LinearSystem(domain.dimension, (*domain.system.rows, *rows))
    found = decide_on_box(subject, box)
    everything = list(pieces(subject.networks, inside))
    wanted = any(is_satisfied(case.rows, everything) for case in subject.cases)
    assert isinstance(found, Solution) is wanted
    if isinstance(found, Solution):
        assert inside.contains(domain.flint_lift(found.flint_point))


@pytest.mark.parametrize("seed", seeds(10, 200))
def test_a_network_is_affine_on_the_cell_around_a_point(seed: int) -> None:
    rng = random.Random(seed)
    net = linear_units.random_network(rng, n_inputs=2)
    x, other = (tuple(fmpq(rng.randint(-4, 4), 2) for _ in range(2)) for _ in range(2))
    cell = cell_at(net, x)
    assert cell.system.contains(x)
    assert len(cell.system.rows) == net.n_hidden_neurons
    for share in (fmpq(0), fmpq(1, 64), fmpq(1, 8), fmpq(1)):
        y = tuple((1 - share) * a + share * b for a, b in zip(x, other, strict=True))
        if cell.system.contains(y):
            assert cell.outputs.flint_apply((*y, fmpq(1))) == tuple(net(y))
