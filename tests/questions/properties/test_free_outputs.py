"""Cases that contradict themselves, against z3, and proofs in which they stand beside others."""

from __future__ import annotations

import random

import pytest
import z3
from flint import fmpq

from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.decide import decide
from exactrelu.questions.properties.free_outputs import contradictions
from exactrelu.questions.properties.property import Property
from tests.checking import assert_accepted
from tests.seeds import seeds

NETWORK = Network.from_arrays(
    [[[1, 0], [0, 1], [1, 1]], [[1, -1, 0], [0, 1, 1]]], [[0, 0, 1], [0, 1]]
)


def random_row(rng: random.Random, n: int, sense: Sense | None = None) -> Row:
    senses = (Sense.AT_LEAST, Sense.AT_LEAST, Sense.GREATER, Sense.EQUAL)
    normal = [fmpq(rng.randint(-2, 2), rng.choice((1, 2))) for _ in range(n)]
    return Row(tuple(normal), fmpq(rng.randint(-3, 3)), sense or rng.choice(senses))


def domain_of(rng: random.Random) -> Domain:
    """A box, perhaps flat, perhaps cut by a slanted row through its middle."""
    ends = [(-1, 2), rng.choice([(0, 1), (1, 1)])]
    slanted = Row.of((1, 1), 1, rng.choice((Sense.AT_LEAST, Sense.GREATER)))
    rows = LinearSystem.box(ends).rows + ((slanted,) if rng.random() < 0.5 else ())
    return Domain.of(LinearSystem(2, rows), 2)


def is_possible(domain: Domain, case: LinearSystem) -> bool:
    """Whether some point of the domain and any outputs satisfy a case, by z3."""
    names = [z3.Real(f"v{i}") for i in range(4)]
    solver = z3.Solver()
    for row, n in [*((row, 2) for row in domain.system.rows), *((row, 4) for row in case.rows)]:
        terms = zip(row.flint_normal, names[:n], strict=True)
        value = sum(z3.Q(int(a.p), int(a.q)) * v for a, v in terms) + int(row.flint_offset)
        compared = {Sense.EQUAL: value == 0, Sense.GREATER: value > 0, Sense.AT_LEAST: value >= 0}
        solver.add(compared[row.sense])
    return solver.check() == z3.sat


@pytest.mark.parametrize("seed", seeds(40, 400))
def test_against_z3(seed: int) -> None:
    rng = random.Random(seed)
    domain = domain_of(rng)
    cases = [
        LinearSystem(4, tuple(random_row(rng, 4) for _ in range(rng.randint(2, 4))))
        for _ in range(4)
    ]
    found = contradictions(Property((NETWORK,), domain, tuple(cases)))
    assert set(found) == {k for k, case in enumerate(cases) if not is_possible(domain, case)}


@pytest.mark.parametrize("place", range(3))
def test_they_stand_beside_cases_that_need_bounds(place: int, tmp_path) -> None:
    """In a tree of boxes, on a flat domain, with a multiplier of either sign on an equation."""
    rng = random.Random(5)
    wide = Network.from_arrays(
        [[[rng.randint(-3, 3) for _ in range(n)] for _ in range(m)] for n, m in ((3, 12), (12, 2))],
        [[rng.randint(-3, 3) for _ in range(m)] for m in (12, 2)],
    )
    far = Row.of((0, 0, 0, 1, 0), -5000)
    both = (
        Row.of((1, 0, 0, 1, -1), "-1/20", Sense.GREATER),
        Row.of((1, 0, 0, 1, -1), 0, Sense.EQUAL),
    )
    cases = [LinearSystem(5, (far,)), LinearSystem(5, (far,))]
    cases.insert(place, LinearSystem(5, both))
    domain = Domain.of(LinearSystem.box([(-2, 2), (fmpq(1, 3), fmpq(1, 3)), (-1, 1)]), 3)
    found = decide(Property((wide,), domain, tuple(cases)))
    assert found.answer is True
    assert found.certificate is not None
    assert_accepted([found.certificate], tmp_path)
